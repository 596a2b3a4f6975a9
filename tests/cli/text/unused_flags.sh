# A flag that the input has no use for is refused, not passed over.
source "$CASES/news.bash"
printf 'a 1:2 2:1\nb 1:1 3:1\n' > counts.svm
printf 'text,label\nred sun,a\nred moon,b\n' > docs.csv
printf 'a\nb\n' > labels
for flag in "--list l" "--text-column 0" --header --strict "--min-length 3" \
    "--stop-words none"; do
    akin text counts.svm $flag --out x.svm
done
for flag in "--labels labels" "--text-column 0" "--label-column 0" --header \
    "--index-base 0" "--dim 9" "--vocabulary labels"; do
    akin text news $flag --out x.svm
done
for flag in "--labels labels" "--index-base 1" "--dim 9"; do
    akin text docs.csv $flag --out x.svm
done
printf 'the\nrocket\nroses\n' > terms
akin text counts.svm --vocabulary terms --stop-words english --out x.svm
ls
