# Learn, then find with what was learned; the same captions give the same bytes.
cat > l.jsonl <<'END'
{"photo": "1", "caption": "Anna Fischer waves in Berlin.", "names": [{"mentions": ["Anna Fischer"], "in_picture": true}]}
{"photo": "2", "caption": "The harbor. Photo by Tom Keller", "names": [{"mentions": ["Tom Keller"], "in_picture": "credit"}]}
{"photo": "3", "caption": "Ruth Bergman waves.", "names": [{"mentions": ["Ruth", "Bergma"], "in_picture": true}]}
END
akin persons --learn l.jsonl --out m.safetensors
akin persons --learn - --out n.safetensors --quiet < l.jsonl
cmp m.safetensors n.safetensors
printf 'photo,caption\n1,Anna Fischer waves in Berlin.\n' > c.csv
akin persons c.csv --model m.safetensors | cut -d, -f1-5
