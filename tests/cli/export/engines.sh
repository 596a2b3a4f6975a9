# Every engine: what is written, and that it ranks as the index does.
. "$CASES/../data.sh"
akin train solis-ada --data rows.svm --sample 2000 --verdict none --out d --quiet
akin train loreta-psd --data rows.svm --rank 5 --sample 2000 --verdict none \
    --out f --quiet
for m in d f; do
    akin index $m --data rows.svm --out $m.index --quiet
    for to in pgvector opensearch elasticsearch numpy csv faiss; do
        [ $m$to = dfaiss ] && continue
        echo "== $m $to"
        akin export $m.index --to $to --out x
        akin verify-export x --against $m.index --queries rows.svm
        ls x
    done
done
