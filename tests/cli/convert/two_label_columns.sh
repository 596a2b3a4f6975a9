# The note says what becomes of the second column with a usual name.
printf 'a,label,class\n1,x,1\n2,y,2\n' > both.csv
akin convert both.csv -
