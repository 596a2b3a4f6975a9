akin synth labels --classes 3 --out a.svm
