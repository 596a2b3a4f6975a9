# The model alone, by any name of standard output; a terminal is none for it.
source "$CASES/../data.sh"
for out in - /dev/stdout; do
    akin train solis-ada --data rows.svm --sample 10 --verdict none --out $out 2> said > m
    grep '^solis' said
    akin check m
    akin train solis-ada --data rows.svm --sample 10 --verdict none --out $out --json \
        2> said | cmp - m
    sed -n '1p;/"model"/p;$p' said
done
script -qec "akin train solis-ada --data rows.svm --quiet --out -" /dev/null |
    tr -d '\r'
