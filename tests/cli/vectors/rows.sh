# Rows of any format become items with names, labels and fields.
vectors() { akin vectors "$@" | sed 's/, [0-9.]* m\?s$//'; }
cat > a.csv <<'END'
p,q,label
1,0,x
4,1,y
0,2,x
1,5,y
END
printf 'one\ntwo\nthr\xffee\nfo ur\n' > names
cat > fields.csv <<'END'
name,labels,year
two,y;z,2001
one,,2002
END
vectors a.csv --names names --fields fields.csv --out c
akin info c
akin check c
akin search c --like one --top 2
akin search c --like one --where 'year >= 2001' --top 2
akin search c --like one --where 'label = "z"' --top 2
akin convert c b.csv
cat b.csv
# More of them; a name that is there gets new values.
printf 'p,q\n7,7\n1,1\n' > more.csv
printf 'two\nfive\n' > more
vectors c --add more.csv --names more
vectors c --add more.csv --names more
vectors c --add more.csv
akin search c --like two --top 2
akin check c
akin vectors c --model euclidean
akin search c --like two --top 2
# Sparse rows may have more columns than before.
printf 'x 0:1 3:2\ny 1:1\n' > s.svm
printf 'id,title\na,first\nb,second\n' > s.csv
vectors s.svm --fields s.csv --out s --quiet
printf 'z 3:2 5:1\n' > t.svm
vectors s --add t.svm
printf 'z 3:2\n' > q.svm
akin search s --queries q.svm --top 2
akin convert s - --quiet
akin check s
