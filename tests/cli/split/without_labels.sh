printf "? 1:1\n? 2:1\n" > a.svm
akin split a.svm --by-class --out b.svm c.svm
