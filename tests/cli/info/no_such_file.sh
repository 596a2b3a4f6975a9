akin info a.svm
