akin train solis-ada --data x.svm --pairs a --triplets b --out m
