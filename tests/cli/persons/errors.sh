# One line with file and place, exit 2.
t() { akin "$@"; echo "exit $?"; }
t persons
t persons none.csv
printf 'a,b\n1,2\n' > h.csv; t persons h.csv
printf 'photo,caption\n1\n' > s.csv; t persons s.csv
printf 'photo,caption\n1,"x\n' > q.csv; t persons q.csv
printf '{"photo": "1", "caption": 3}\n' > k.jsonl; t persons k.jsonl
printf '\n{"photo"\n' > j.jsonl; t persons j.jsonl
printf 'photo,names\n1,\xc3\xa9\xff\n' > u.csv; t persons u.csv
printf 'alias,name\nx\001y,Ann\n' > a.csv; t persons s.csv --aliases a.csv
printf 'alias,name\nx,A\xff\n' > a.csv; t persons s.csv --aliases a.csv
mkdir e; t persons e
: > x.png; t persons x.png
printf 'photo,caption\n1,x\n' > c.csv
t persons c.csv --model c.csv
t persons --learn c.csv
t persons c.csv --learn c.csv --out m
printf '{"caption": "x", "names": []}\n' > l.jsonl
t persons --learn l.jsonl --out m
printf '{"caption": "x", "names": [{"mentions": ["x"]}]}\n' > l.jsonl
t persons --learn l.jsonl --out m
printf '{"caption": "x", "names": [{"mentions": ["x"], "in_picture": true}]}\n' > l.jsonl
t persons --learn l.jsonl --lists none --out m
mkdir lists; echo x > lists/odd.txt
t persons --learn l.jsonl --lists lists --out m
