# The clock counts while akin waits for more, too.
source "$CASES/../data.sh"
mkfifo fifo
exec 3<> fifo
akin train solis-ada --data rows.svm --quiet --triplets - --save-every 0.2s --out m < fifo > /dev/null &
disown
printf '0 3 1\n1 4 2\n' >&3
for i in $(seq 300); do
    [ -e m ] && break
    sleep 0.05
done
akin info m --json | grep -o '"examples": [0-9]*'
kill -9 $!
while kill -0 $! 2> /dev/null; do sleep 0.05; done
akin check m
