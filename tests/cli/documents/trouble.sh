# Names of any bytes; documents that are no text, empty, compressed, long.
source "$CASES/news.bash"
mkdir -p odd/a
printf 'moon walk' > odd/a/$'new\nline'
printf 'moon base \xff' > odd/a/$'caf\xe9'
printf 'a\0b' > odd/a/binary
: > odd/a/empty
echo 'moon light' | gzip > odd/a/z.gz
head -c 100 /dev/zero | gzip | head -c 20 > odd/a/torn.gz
for k in $(seq 300000); do echo "moon number$((k % 7))"; done > odd/a/long
ln -s nowhere odd/a/dangling
documents odd --out c
akin search c --like a/z.gz --top 3
akin search c --like $'a/new\nline' --top 1
akin info c
akin check c
akin documents odd --out d --strict > out
echo $? $(wc -l < out)
# The collection may lie in the folder.
documents news --out news/c
documents news/c --add news
documents c --add c
documents c --add c/segments
akin documents nowhere --out x
akin documents news/space/1 --out x
mkdir none
akin documents none --out x
ls -d x
# Collections are of one kind.
akin images c --add news
akin images news --out c
akin documents c --add news --min-length 3
akin check c
akin documents c --prune --model cosine
akin images c --prune --model cosine
