akin tune solis-ada --data x.svm --triplets - --out m
