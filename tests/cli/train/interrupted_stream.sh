# What came before is kept, also while akin waits for more.
source "$CASES/../data.sh"
mkfifo fifo
exec 3<> fifo
timeout --foreground 20 akin train solis-ada --data rows.svm --triplets - --out m < fifo \
    2> err &
for i in $(seq 20000); do echo "0 3 1"; done >&3
sleep 2
kill -INT $!
wait $!
echo $?
tail -n 1 err
akin check m
