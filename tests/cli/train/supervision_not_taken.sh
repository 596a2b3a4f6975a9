akin train solis-ada --data x.svm --quadruplets q --out m
