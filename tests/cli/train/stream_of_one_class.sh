printf "1 1:1\n1 2:1\n1 1:1 2:1\n" > a.svm
echo 0 2 1 | akin train solis-ada --data a.svm --triplets - --out m
