# A killed export leaves what was there, and no folder of its name.
. "$CASES/../data.sh"
akin index cosine --data rows.svm --out x.index --quiet
akin export x.index --to csv --out old --quiet
cp -r old kept
akin synth bags --rows 60000 --dim 2000 --words 60 --classes 3 --class-words 20 \
    --out many.svm >/dev/null
akin index cosine --data many.svm --out many.index --quiet
for out in old new; do
    akin export many.index --to pgvector --out $out --quiet &
    until ls -d $out.new-* >/dev/null 2>&1; do sleep 0.01; done
    kill -9 $!
    wait $! 2>/dev/null
done
diff -r old kept && echo same
test -e new || echo none
