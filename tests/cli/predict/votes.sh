printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
printf "? 1:3.4\n" > q.svm
akin predict euclidean --data q.svm --train a.svm --k 3 --top 5 --exact
