# Of scores six digits are printed; --exact prints those that read back the
# same, and JSON always has them.
printf 'a 1:1 2:2 3:3\nb 1:3 2:0.1\n' > a.svm
echo 0 1 > p
akin score cosine --data a.svm --pairs p
akin score cosine --data a.svm --pairs p --exact
akin score cosine --data a.svm --pairs p --json
