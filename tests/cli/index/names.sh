printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n" > a.svm
printf "2 2:3\n1 1:5\n" > b.svm
printf "first\na, b\n\n" > a.txt
printf "t\303\274r\nfirst\n" > b.txt
akin index cosine --data a.svm --names a.txt --out i --quiet > /dev/null
akin search i --queries a.svm --top 1 --exact
akin index i --add b.svm --names b.txt --out i --quiet > /dev/null
akin search i --like "a, b" --top 4 --exact
akin search i --like "first,2" --unlike tür --top 1 --exact
akin index i --remove 0 --out i --quiet > /dev/null
akin search i --like first --top 2 --json --exact
akin index i --add b.svm --out j --quiet > /dev/null
akin search j --queries b.svm --top 2 --exact
