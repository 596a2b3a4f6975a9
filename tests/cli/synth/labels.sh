akin synth labels --rows 20 --dim 30 --labels 40 --branching 3 --rank 4 --nonzeros 6 --out a.svm
akin synth labels --rows 20 --dim 30 --labels 40 --branching 3 --rank 4 --nonzeros 6 --threads 1 --out b.svm --json
cmp a.svm b.svm
head -2 a.svm | cut -d" " -f1
