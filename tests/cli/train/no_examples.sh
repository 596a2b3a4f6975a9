# A file without examples, or a stream, is a mistake; the old model stays.
source "$CASES/../data.sh"
: > none.txt
echo old > m
akin train solis-ada --data rows.svm --triplets none.txt --out m; echo $?
akin train solis-ada --data rows.svm --triplets - --out m < none.txt; echo $?
akin train solis-ada --data rows.svm --pairs none.txt --out m; echo $?
cat m
