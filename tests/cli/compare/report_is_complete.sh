# A report has all of its files or none, also where the disk is full.
printf 'a,b,label\n1,2,x\n2,1,y\n1,3,x\n3,1,y\n1,2.5,x\n2.5,1,y\n' > points.csv
(
    ulimit -f 4
    akin compare lda euclidean --data points.csv --quiet --report out > /dev/null || echo $?
)
ls -A out
