# The same bytes again, for any number of threads; an export is replaced.
. "$CASES/../data.sh"
akin index cosine --data rows.svm --out x.index --quiet
for to in pgvector csv numpy opensearch; do
    akin export x.index --to $to --out a --quiet --threads 1
    akin export x.index --to $to --out b --quiet --threads 2
    akin export x.index --to $to --out b/ --quiet
    diff -r a b && echo "$to: same"
done
ls
