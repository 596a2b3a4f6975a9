akin train solis-ada --data x.svm --out m --eta 1 --eta=2
