printf "1 1:1\n1 2:1\n1 1:1 2:1\n" > a.svm
akin train solis-ada --data a.svm --triplets - --quiet --out m < /dev/null
