# The column of labels is found by its name, in any case.
printf 'a,b,Class\n1,2,x\n3,4,y\n' > t.csv
akin info t.csv
printf 'y,a,label\n1,2,x\n3,4,y\n' > two.csv
akin info two.csv --json
akin info two.csv --label-column none || echo $?
akin info t.csv --label-column clas || echo $?
