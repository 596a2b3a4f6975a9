source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --quiet --sample 1e12 --out m &
interrupt $! INT
wait $!
code=$?
ls
exit $code
