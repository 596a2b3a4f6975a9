akin synth bags --burst 1 --out a.svm
