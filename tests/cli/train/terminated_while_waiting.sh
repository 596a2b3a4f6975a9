source "$CASES/../data.sh"
sleep 20 | akin train solis-ada --data rows.svm --quiet --triplets - --out m &
interrupt $! TERM
wait $!
code=$?
ls
exit $code
