# Labels may come from a pipe, with a header or without.
printf '1,2\n3,4\n' > a.csv
akin convert a.csv - --labels <(printf 'x\ny\n') --quiet
akin convert a.csv - --labels <(printf 'label\nx\ny\n' | gzip) --quiet
akin convert a.csv - --labels <(printf 'x\n') --quiet 2>&1 | sed 's/fd.[0-9]*/fd/'
