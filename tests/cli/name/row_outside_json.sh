printf '1,2\n3,4\n' > f.csv
printf '{"photo": "a", "faces": [0, 7], "names": ["Ann"]}\n' > c.json
akin name f.csv --captions c.json --out n.csv
