akin train solis-ada --data x.svm --clock actve --out m
