# A folder becomes a collection that all commands take.
source "$CASES/news.bash"
documents news --out c
akin info c
akin check c
akin search c --like space/1 --top 2
akin search c --queries c --top 1
akin convert c rows.svm
cat rows.svm
akin text news --out text.svm > text.out
cut -d, -f 2-3 text.out
akin documents news --out c || echo $?
documents news --out c --force --stop-words none
documents news --out c.json --json | grep -v seconds
# Labels of a file of their own.
printf 'file,label\nspace/1,a;b\n' > labels.csv
documents c --add news --labels labels.csv
akin search c --like space/2 --where 'label = "b"' --top 1
