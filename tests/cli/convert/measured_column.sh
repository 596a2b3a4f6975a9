# A column with a usual name is a feature where its numbers are measurements.
printf 'x,y,kind\n1,0.5,0\n2,0.25,1\n3,-1.5,0\n4,2,1\n' > measured.csv
akin convert measured.csv -
akin convert measured.csv - --label-column y
printf 'y;x\n0,5;1\n0,25;2\n-1,5;3\n' > european.csv
akin convert european.csv -
echo "classes:"
printf 'x,y\n1,0.5\n2,1.5\n3,0.5\n4,1.5\n' > halves.csv
akin convert halves.csv -
printf 'x,y\n1,1\n2,2\n3,3\n4,4\n' > whole.csv
akin convert whole.csv -
