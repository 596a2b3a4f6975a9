akin tune solis-ada --data x.svm --trials 0 --out m
