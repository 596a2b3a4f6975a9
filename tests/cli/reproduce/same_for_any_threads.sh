. "$CASES/folder.bash"
for threads in 1 2; do
    akin reproduce --data small --quick --quiet --json --threads $threads |
        grep -v -e 'seconds"' -e 'retrieval_ms"' > $threads.json
done
cmp 1.json 2.json
