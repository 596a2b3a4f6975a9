akin train solis-ada --data x.svm --eta -1 --out m
