# Documents in several threads are documents one by one: plain, long, packed,
# binary, empty, not UTF-8, and more than go together.
source "$CASES/news.bash"
for i in $(seq 150); do
    echo "Word$i word$((i % 7)) stands before word$((i * 7 % 50)) here" > news/space/n$i
done
yes "a long tale of roses" | head -c 1500000 > news/garden/long
echo "packed roses" | gzip > news/garden/packed.gz
printf 'a\0b' > news/garden/binary
printf 'caf\351 roses\n' > news/space/latin
: > news/space/empty
ln -s nowhere news/space/lost
akin text news --threads 1 --out a.svm --list a.txt --quiet 2> a.err
akin text news --threads 3 --out b.svm --list b.txt --quiet 2> b.err
cat a.err
cmp a.svm b.svm && cmp a.txt b.txt && cmp a.err b.err && wc -l < a.txt
