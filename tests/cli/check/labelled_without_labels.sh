echo "? 1:1" > a.svm; echo 0 > l
akin check a.svm --labelled l
