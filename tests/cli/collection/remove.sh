# Items leave by name, by path or by a condition; a wrong name removes none.
source "$CASES/../images/pictures.bash"
pictures p 3 3
akin images p --out c --words 20 --quiet > /dev/null
akin remove c k0/1.png nothing.png; echo $?
akin remove c; echo $?
akin remove p k0/1.png; echo $?
akin remove c k0/1.png "$PWD/p/k1/0.png" --json
akin search c --like k0/0.png --top 9 | cut -d' ' -f 1-3,5-
akin search c --like 1 --top 1 --json | grep -E '"(row|id|name)"'
akin remove c --where 'label = k2 AND name LIKE "%2.png"'
akin search c --like k0/1.png; echo $?
akin info c | head -2
akin check c
# What was removed stays out, also when it was moved; a copy is another item.
akin images c --add p --json --quiet | grep -E 'added|dismissed|rows'
mv p/k0/1.png p/k0/moved.png
cp p/k1/0.png p/k1/copy.png
akin images c --add p | sed 's/, [^,]*s$//'
# Another content is another item.
cp p/k2/0.png p/k2/2.png
akin images c --add p | sed 's/, [^,]*s$//'
# It comes back when it is asked for, as a new item; once.
akin images c --add p --restore | sed 's/, [^,]*s$//'
akin images c --add p --json --quiet | grep -E 'added|dismissed|rows'
akin search c --like k0/moved.png --top 1 --json | grep -c '"id"'
akin convert c - | wc -l
# All of them.
akin remove c --where 'id >= 0'
akin images c --add p --json --quiet | grep -E 'added|dismissed|rows'
akin images c --restore; echo $?
