# The guard keeps the model as it was, also where its file was replaced while
# the stream was learned.
source "$CASES/../data.sh"
right_and_swapped
akin train solis-ada --data rows.svm --quiet --triplets right --eta 1 --out m > /dev/null
cp m before
{ for i in 1 2; do head -n 62 swapped; done; head -n 120 right; } |
    akin train solis-ada --data rows.svm --quiet --resume m --triplets - --save-every 60 --out m |
    tail -n 1
cmp m before && echo kept
