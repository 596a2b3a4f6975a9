akin train solis-ada --data x.svm --out m --eta
