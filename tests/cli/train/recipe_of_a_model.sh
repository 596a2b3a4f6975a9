source "$CASES/../data.sh"
akin train tfidf --data rows.svm --quiet --out r > /dev/null
printf "1 1:1 200:1\n2 1:2\n1 1:1\n" > new.svm
akin train solis-ada --data new.svm --recipe r --sample 10 --quiet --out m > /dev/null
akin info m | grep recipe
akin train solis-ada --data new.svm --recipe new.svm --quiet --out m
