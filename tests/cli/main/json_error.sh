# A failure is an object too, and the line on standard error stays.
akin eval --json lmnn
akin score --unknown x --json || echo $?
akin train solis-ada --data none.svm --json --out m || echo $?
akin split --fraction 2 --json none.svm --out a b
