. "$CASES/folder.bash"
cp -r small good
sed 3s/.*/5,x/ good/images.csv > small/images.csv
akin reproduce --data small --quick || echo $?
head -100 good/images.csv > small/images.csv
akin reproduce --data small --quick || echo $?
cp good/images.csv small
sed '$d' good/bow_small.svm > small/bow_small.svm
akin reproduce --data small --quick --quiet || echo $?
cp good/bow_small.svm small
printf 'landmark,name\n0,bridge\n2,tower\n' > small/landmarks.csv
akin reproduce --data small --quick || echo $?
cp good/landmarks.csv small
printf 'row,landmark\n2,0\n' > small/queries.csv
akin reproduce --data small --quick || echo $?
