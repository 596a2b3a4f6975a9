# A folder that is watched: what comes is added, a file that cannot be read is
# named once, an interruption ends it.
source "$CASES/../documents/news.bash"
akin documents news --out c --watch > out 2> err &
pid=$!
wait_for() { # LINE: until the output has it
    for _ in {1..220}; do
        grep -qs "$1" out && return
        sleep 0.1
    done
    echo "no $1"
}
wait_for '4 documents (4 new'
printf 'a\0b' > news/space/binary
echo 'Another moon.' > news/space/3
wait_for '5 documents (1 new'
mv news/space/3 news/sport/3
rm news/sport/1
wait_for '5 documents (0 new'
akin search c --text 'another moon' --top 1
kill -INT $pid
wait $pid
echo "exit $?"
sed 's/, [0-9.]* m\?s$//' out
grep -c binary err
akin check c 2> /dev/null
akin documents news --out d --watch --json; echo $?
akin documents c --prune --watch; echo $?
