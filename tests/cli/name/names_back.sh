# Names with anything in them are read back as they were written.
printf '1,0\n1,0.1\n0,1\n' > f.csv
cat > c.jsonl <<'END'
{"photo": "a, \"b\"", "faces": [0, 1], "names": ["Lee; Ann", "Davis, \"Bob\" Jr."]}
{"photo": "#c", "faces": [2], "names": ["Zoë, 'Z'"]}
END
akin name f.csv --captions c.jsonl --method mean --out n.csv >/dev/null
cat n.csv
akin eval n.csv --task naming --captions c.jsonl --truth n.csv 2>&1 | head -1
cut -d, -f1 n.csv | tail -n +2 | paste -d, - <(cat <<'END'
Lee; Ann
"Davis, ""Bob"" Jr."
"Zoë, 'Z'"
END
) > t.csv
akin eval n.csv --task naming --captions c.jsonl --truth t.csv
akin name f.csv --captions c.jsonl --method mean --confirmed t.csv \
    --out again.csv >/dev/null
cut -d, -f4- n.csv | sed 's/,[^,]*,[^,]*$//' | diff - <(cut -d, -f4- again.csv | sed 's/,[^,]*,[^,]*$//')
