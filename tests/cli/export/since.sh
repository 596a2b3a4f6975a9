# What changed, with the ids that stay.
printf '1,2\n3,4\n5,7\n' >rows.csv
printf 'one\ntwo\nthree\n' >names.txt
akin vectors rows.csv --names names.txt --out c.akin --quiet
akin export c.akin --to pgvector --out first
printf '3,9\n8,8\n' >more.csv
printf 'two\nfour\n' >more.txt
akin vectors c.akin --add more.csv --names more.txt --quiet
akin remove c.akin one --quiet
akin export c.akin --to pgvector --since first --out second
cat second/changes.csv second/removed.csv second/items.csv
akin verify-export second --against c.akin --queries rows.csv
akin verify-export first --against c.akin --queries rows.csv || echo "exit $?"
akin export c.akin --to opensearch --out third --quiet
akin export c.akin --to opensearch --since third --out fourth --json
wc -c <fourth/changes.ndjson
