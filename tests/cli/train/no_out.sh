akin train solis-ada --data x.svm
