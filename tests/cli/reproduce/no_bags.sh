. "$CASES/folder.bash"
rm small/bow_small.svm
akin reproduce --data small --quick
