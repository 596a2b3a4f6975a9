printf 'a 1:1\na 1:2\nb 1:4\nb 1:7\n' > a.svm
printf '0 1 1\n0 2 -1\n2 3 1\n1 3 -1\n1 2 -1\n0 3 -1\n' > p.txt
printf '0 1 2\n2 3 0\n' > t.txt
akin eval euclidean --data a.svm --task verify --pairs p.txt --report out
akin eval euclidean --data a.svm --task knn --train a.svm --report out > said
ls out
grep -c '<svg' out/roc.svg out/error.svg
grep -c 'chance' out/roc.svg
# A learned model has a measure without learning beside it.
akin train oasis-diag --data a.svm --sample 20 --weights none --norm none --out m.safetensors > said
for task in retrieval "knn --train a.svm" "verify --pairs p.txt" \
            "triplets --triplets t.txt"; do
    akin eval m.safetensors --data a.svm --task $task --report out2 > said
    grep -l '>oasis-diag<' out2/*.svg
    grep -l '>cosine<' out2/*.svg
    rm -r out2
done
