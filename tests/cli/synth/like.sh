source "$CASES/../data.sh"
akin synth bags --like rows.svm --rows 5 --classes 0 --out a.svm
akin info a.svm | grep -E "dim|rows"
