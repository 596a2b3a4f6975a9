# A wrong line late in a stream: nothing of it is kept, the old model stays.
source "$CASES/../data.sh"
echo 0 1 2 | akin train solis-ada --data rows.svm --quiet --triplets - --out m \
    > said
cp m old
{ yes 0 1 2 | head -n 10000; echo 0 1; } |
    akin train solis-ada --resume m --data rows.svm --quiet --triplets - --out m
echo $?
cmp m old
