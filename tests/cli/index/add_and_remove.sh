printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n2 2:3\n" > a.svm
akin index cosine --data a.svm --out i > /dev/null
printf '1 1:2 3:1\n' > more.svm
akin index i --add more.svm --remove 0,3 --out i --json | grep -v seconds | grep -v bytes
akin search i --queries a.svm --top 9 --exact
