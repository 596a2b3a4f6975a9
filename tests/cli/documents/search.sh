# Documents are found by words, by files and by examples.
source "$CASES/news.bash"
documents news --out c > /dev/null
akin search c --text 'the moon' --top 2
akin search c --text 'moon rocket' --text 'a goal in the last minute' --top 1 --json | grep -v '"file"'
echo 'Pictures of the moon, sent by a probe' > query.txt
akin search c --document query.txt --top 1
akin search c --text moon --like space/1 --top 1
akin search c --text 'xyzzy plugh' --top 1
akin search c --text moon --html page.html > /dev/null
grep -o '<p>[^<]*' page.html | head -1
akin search c --text moon --document query.txt; echo $?
akin search c --image query.txt; echo $?
akin search c --document nothing; echo $?
