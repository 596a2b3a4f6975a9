mkdir a.svm
akin info a.svm
