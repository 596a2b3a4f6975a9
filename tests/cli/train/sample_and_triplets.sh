akin train solis-ada --data x.svm --triplets t --sample 10 --out m
