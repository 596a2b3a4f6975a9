# A run that is killed loses the examples since the last time at most, and goes
# on from there to the bytes of one run.
source "$CASES/../data.sh"
for i in $(seq 0 999); do echo $((i % 60)) $(((i * 7 + 3) % 60)) $(((i * 11 + 5) % 60)); done > t
train="akin train solis-ada --data rows.svm --quiet --score dot --verdict none"
$train --triplets t --out whole > /dev/null
mkfifo fifo
exec 3<> fifo
$train --triplets - --save-every 100 --out m < fifo > /dev/null &
disown
head -n 730 t >&3
seen=0
for i in $(seq 300); do
    [ -e m ] && seen=$(akin info m --json | grep -o '"examples": [0-9]*' | grep -o '[0-9]*')
    [ "$seen" = 700 ] && break
    sleep 0.05
done
kill -9 $!
while kill -0 $! 2> /dev/null; do sleep 0.05; done
echo "$seen"
ls
tail -n +701 t | $train --triplets - --resume m --save-every 17 --guard none --out m > /dev/null
cmp m whole
