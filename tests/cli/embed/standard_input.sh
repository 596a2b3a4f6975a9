cat > a.svm <<END
1 1:2 3:1
2 2:1 3:2
1 1:1 3:4
END
akin embed cosine --data - --index-base 1 --out b.svm < a.svm
cat b.svm
