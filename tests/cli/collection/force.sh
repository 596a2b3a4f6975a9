# A collection is replaced when the new one is complete, not before.
source "$CASES/../documents/news.bash"
documents news --out c > /dev/null
akin feedback c --query space/1 --good space/2 --key k > /dev/null
printf 'id,text\na,\n' > empty.csv
akin documents empty.csv --out c --force 2>&1 | tail -1
akin info c | head -2
akin feedback c --list
for _ in 1 2 3; do
    { akin documents news --out c --force > /dev/null 2>&1 & } 2> /dev/null
    kill -9 $! 2> /dev/null
    wait $! 2> /dev/null
    akin check c
done
ls -d c
printf 'id,text\na,pear tart\n' > one.csv
documents one.csv --out c --force 2> /dev/null
akin feedback c --list
ls -d c*
mkdir c.new && touch c.new/mine
akin documents news --out c --force 2>&1 | sed "s,$PWD/,,"
ls c.new
akin info c | head -2
