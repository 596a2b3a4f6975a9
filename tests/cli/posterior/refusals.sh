# What has no two classes, or labels that a model cannot keep, is refused in one
# line that names the file.
printf 'x,y,label\n1,2,a\n2,1,a\n3,3,a\n' > one.csv
printf 'x,y,label\n1,2,a\n2,1,b\n3,3,c\n' > left.csv
printf 'x,y,label\n1,2,a\n2,1,d\n3,3,e\n' > right.csv
printf 'x,y,label\n1,2,a\n2,1,b\351\n3,3,a\n' > latin1.csv
for learner in logistic blend; do
    akin train $learner --data one.csv --quiet --out m || echo $?
    akin train $learner --data latin1.csv --quiet --out m || echo $?
done
akin train logistic --data left.csv --right right.csv --quiet --out m || echo $?
[ -e m ] || echo nothing written
