akin convert a.svm
