printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n2 2:3\n" > a.svm
akin index cosine --data a.svm --out i > /dev/null
printf x | dd of=i bs=1 seek=$(($(stat -c %s i) - 90)) conv=notrunc status=none
akin search i --queries a.svm
echo $?
akin check i
