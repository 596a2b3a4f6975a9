akin synth bags --rows 50 --threads 1 --out a.svm > /dev/null
akin synth bags --rows 50 --threads 2 --out b.svm > /dev/null
cmp a.svm b.svm
