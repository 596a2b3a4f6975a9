# Whatever lies in a folder gets a line, and the others become rows.
source "$CASES/news.bash"
: > news/garden/empty
printf 'caf\xe9 roses' > news/garden/latin1
printf 'roses\0' > news/garden/binary
printf '\xff\xfer\0o\0' > news/garden/utf16
ln -s ../.. news/garden/loop
ln -s nowhere news/garden/dangling
mkfifo news/garden/pipe
echo "not in a class" > news/loose
echo "hidden" > news/garden/.hidden
head -c 100 /dev/zero | gzip | head -c 20 > news/garden/torn.gz
mkdir "news/two words"
echo "orbit" > "news/two words/1"
akin text news --out news.svm --list documents
cat documents
