# A limit on file sizes is a failure like a full disk, and no end by a signal.
source "$CASES/../data.sh"
bash -c 'ulimit -f 1
akin train solis-ada --data rows.svm --quiet --sample 10 --out m'
echo $?
ls
