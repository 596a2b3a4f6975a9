printf '\xe9t\xe9 1:1\nb 1:4\n' > a.svm
akin predict euclidean --data a.svm --train a.svm --json
