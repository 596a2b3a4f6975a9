akin train solis-ada --data x.svm --eta fast --out m
