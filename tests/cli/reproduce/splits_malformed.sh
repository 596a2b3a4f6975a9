. "$CASES/folder.bash"
printf '0 tower 3 positive\n' > splits.txt
akin reproduce --data small --quick --quiet --splits splits.txt || echo $?
printf '0 bridge 0 positive\n' > splits.txt
akin reproduce --data small --quick --quiet --splits splits.txt || echo $?
printf '0 bridge zero positive\n' > splits.txt
akin reproduce --data small --quick --quiet --splits splits.txt || echo $?
printf '0 bridge 1\n' > splits.txt
akin reproduce --data small --quick --quiet --splits splits.txt || echo $?
printf '0 bridge 1 perhaps\n' > splits.txt
akin reproduce --data small --quick --quiet --splits splits.txt || echo $?
: > splits.txt
akin reproduce --data small --quick --quiet --splits splits.txt || echo $?
