source "$CASES/../data.sh"
try() { akin train cca --data rows.svm "$@" --quiet --out m || echo $?; }
printf '0 1 1\n' > one; printf '0 60 1\n' > far; printf '0 1 2\n' > wrong; : > none
sed 's/^[^ ]*/x/' rows.svm > unknown.svm; sed 's/^[^ ]* //' rows.svm > bare.svm
try --right rows.svm --pairs far
try --right rows.svm --pairs wrong
try --right rows.svm --pairs none
try --right unknown.svm --pairs all
try --right bare.svm --pairs all
try --right rows.svm --pairs one --reg 0
