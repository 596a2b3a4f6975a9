printf "x,y\n1,2\n" > a.csv
akin convert a.csv b.svm --label-column z
