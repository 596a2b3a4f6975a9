# Examples that nothing can be drawn from: which file they are in.
printf 'a 1:1\na 2:2\n' > one.svm
printf '1:1\n2:2\n' > none.svm
echo 0 1 1 > pairs.txt
akin train solis-ada --data one.svm --out m
akin tune solis-ada --data one.svm --out m
akin train qpao --data one.svm --pairs pairs.txt --out m
akin train solis-ada --data none.svm --out m
