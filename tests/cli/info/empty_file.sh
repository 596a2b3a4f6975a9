: > a.svm
akin info a.svm
