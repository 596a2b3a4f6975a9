akin synth bags --like a.svm --dim 5 --out b.svm
