# A query of vectors from outside is a file of one row.
printf '1,0,0\n1,1,0\n0,1,0\n0,1,1\n0,0,1\n' > v.csv
printf 'a\nb\nc\nd\ne\n' > names.txt
akin vectors v.csv --names names.txt --out v --quiet > /dev/null
printf '3,1,0\n' > new.csv
akin search v --queries new.csv --top 3 | cut -d' ' -f 2,5
akin feedback v --query new.csv --good d --bad a
akin search v --queries new.csv --top 3 | cut -d' ' -f 2,5
akin feedback v --list | sed 's|"key":"[0-9a-f]*",||'
akin feedback v --query v.csv --good d
printf '3,1\n' > short.csv
akin feedback v --query short.csv --good d
akin feedback v --query nowhere.csv --good d
printf '1 0:1 2:2\n1 1:1 3:2\n' > s.svm
akin vectors s.svm --out s --quiet > /dev/null
printf '1 1:1 2:2\n' > new.svm
akin feedback s --query new.svm --good 0
akin feedback s --list | sed 's|"key":"[0-9a-f]*",||'
