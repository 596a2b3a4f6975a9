akin tune solis-ada --data x.svm --measure mpa --out m
