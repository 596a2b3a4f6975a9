akin synth --out a.svm
