# What cannot be written is said before anything is learned, or even read.
source "$CASES/../data.sh"
akin train solis-ada --data missing.svm --out no/m; echo $?
akin train solis-ada --data missing.svm --out ./; echo $?
akin train solis-ada --data missing.svm --out ""; echo $?
akin embed cosine --data missing.svm --out v.mat; echo $?
akin eval cosine --data missing.svm --task retrieval --report no/out; echo $?
akin train solis-ada --data rows.svm --out ./rows.svm; echo $?
ln rows.svm same.svm
akin train solis-ada --data rows.svm --out same.svm; echo $?
akin check rows.svm
