akin convert x.svm y.svm
