printf "x,y,kind\n1,2,cat\n3.5,0,dog\n" > a.csv
akin convert a.csv b.svm --label-column kind
cat b.svm
akin convert a.csv c.svm --label-column -1
cmp b.svm c.svm
