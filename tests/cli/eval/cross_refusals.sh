source "$CASES/../data.sh"
sed 's/^[^ ]* //' rows.svm > bare.svm
try() { akin eval cosine --task cross "$@" --quiet || echo $?; }
try --source rows.svm
try --target rows.svm
try --target bare.svm --source rows.svm
try --target rows.svm --source bare.svm
try --target rows.svm --data rows.svm
akin eval cosine --task knn --source rows.svm --data rows.svm --quiet || echo $?
akin eval cosine --task knn --quiet || echo $?
# models that rank labels are not asked without labels either
akin train svm-t --data rows.svm --quiet --out s >/dev/null
akin eval s --task cross --target bare.svm --quiet || echo $?
