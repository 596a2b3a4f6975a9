# Weights of words from other rows than those that are compared.
printf '1:1 2:1\n1:1 2:1 3:1\n' > a.svm
printf '1:1\n2:1 9:1\n3:1\n2:1\n' > b.svm
echo 0 1 > pairs.txt
akin score tfidf --data a.svm --train b.svm --pairs pairs.txt --exact
akin explain tfidf --data a.svm --train b.svm --rows 0,1 --exact
akin embed tfidf --data a.svm --train b.svm --out -
akin score mahalanobis --data a.svm --train b.svm --pairs pairs.txt --exact
akin score tfidf --data b.svm --train a.svm --pairs pairs.txt --exact
akin train tfidf --data a.svm --out m > said 2>&1
akin score m --data a.svm --train b.svm --pairs pairs.txt --exact
printf '1,2\n3,4\n' > a.csv
printf '1,2,3\n3,4,5\n' > b.csv
akin score mahalanobis --data a.csv --train b.csv --pairs pairs.txt --exact
