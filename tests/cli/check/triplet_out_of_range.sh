cat > a.svm <<END
1 1:2 3:1
2 2:1 3:2
1 1:1 3:4
END
printf "0 2 1\n0 1 3\n" > t
akin check a.svm --triplets t
