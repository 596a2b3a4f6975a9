akin synth bag --out a.svm
