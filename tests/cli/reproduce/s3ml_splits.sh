mkdir t
{
    echo a,b,class
    for i in 1 2 3 4 5 6; do echo "$i,$((i * i % 5)),x"; done
    for i in 1 2 3 4 5 6; do echo "$((i + 9)),$((i % 4)),y"; done
    echo 3,3,?
} > t/set.csv
try() {
    { echo set,repeat,row; printf "$1"; } > known.csv
    akin reproduce s3ml --data t --splits known.csv --quiet --json |
        grep -oE '"(repeats|error)": [0-9.]+' | head -2
    echo "exit ${PIPESTATUS[0]}"
}
try 'set,0,0\nset,0,1\nset,0,6\nset,0,7\n'
try 'set,0,0\nset,0,6\nset,0,0\n'
try 'set,0,0\nset,0,6\nset,2,0\nset,2,6\n'
try 'set,0,0\nset,0,13\n'
try 'other,0,0\n'
printf 'a,class\n1,x\n2,x\n3,y\n' > t/tiny.csv
akin reproduce s3ml --data t --quiet
echo "exit $?"
