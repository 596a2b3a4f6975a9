. "$CASES/folder.bash"
mkdir scratch
TMPDIR=scratch akin reproduce --data small --quick --quiet --json > out.json
for key in index_seconds index_bytes postings retrieval_ms; do
    grep -c "\"$key\"" out.json
done
ls scratch
# tfidf has them all, a sparse model fewer
all=$(grep -o : small/bow_small.svm | wc -l)
grep '"postings"' out.json | grep -o '[0-9.]*' | awk -v all="$all" '
    NR == 1 { print ($1 == all) }
    { fewer += $1 < all }
    END { print (fewer > 0) }'
