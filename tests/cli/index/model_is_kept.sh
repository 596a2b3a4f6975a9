# A new index does not take the place of the model, by whatever name.
source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --out m --quiet > /dev/null
akin index m --data rows.svm --out ./m; echo $?
ln -s m link
akin index m --data rows.svm --out link; echo $?
akin check m
akin index cosine --data rows.svm --out cosine > /dev/null
akin index cosine --data rows.svm --out cosine > /dev/null; echo $?
