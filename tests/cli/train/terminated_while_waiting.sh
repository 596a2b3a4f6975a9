# The fifo is open for writing, so that reading from it waits.
source "$CASES/../data.sh"
mkfifo fifo
exec 3<> fifo
akin train solis-ada --data rows.svm --quiet --triplets - --out m < fifo &
interrupt $! TERM
wait $!
code=$?
ls
exit $code
