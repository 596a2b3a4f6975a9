akin train solis-tg --data x.svm --triplets - --passes 2 --out m < /dev/null
