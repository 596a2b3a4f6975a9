printf "1 1:2 3:1\n2 2:1 3:2\n" > a.svm
printf "one\ntwo\n" > a.txt
akin index cosine --data a.svm --names a.txt --out i > /dev/null
akin search i --like one,three
