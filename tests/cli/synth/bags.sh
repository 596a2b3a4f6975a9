akin synth bags --rows 20 --dim 100 --classes 4 --words 10 --class-words 5 --out a.svm --json
