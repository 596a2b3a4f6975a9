printf "1 2:1\n1 2:2\n2 2:1\n1 1:1e10\n1 1:1e10\n2 1:-1e10\n" > a.svm
printf "0 1 2\n0 1 2\n3 4 5\n0 1 2\n" > t
akin train solis-tg --start "$CASES/huge.safetensors" --data a.svm --triplets - \
    --weights none --norm none --quiet --out m < t
code=$?
akin info m | grep examples
exit $code
