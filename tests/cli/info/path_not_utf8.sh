printf '1 1:1\n' > $'a\xff.svm'
akin info $'a\xff.svm' --json
