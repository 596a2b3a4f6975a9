akin train solis-ada --data x.svm --out m --sample 0
