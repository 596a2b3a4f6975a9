. "$CASES/folder.bash"
cp small/groundtruth.csv good.csv
try() { # what the fifth line becomes
    sed "5s/.*/$1/" good.csv > small/groundtruth.csv
    akin reproduce --data small --quick || echo $?
}
try '7,x,0'
try '7,x,0,perhaps'
try '7,x,2,good'
try '150,x,0,good'
try 'seven,x,0,good'
sed 1s/grade/rank/ good.csv > small/groundtruth.csv
akin reproduce --data small --quick || echo $?
printf 'row,landmark,grade\n1,0,go\0od\n' > small/groundtruth.csv
akin reproduce --data small --quick || echo $?
: > small/groundtruth.csv
akin reproduce --data small --quick || echo $?
