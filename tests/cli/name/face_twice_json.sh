printf '1,2\n3,4\n' > f.csv
printf '{"photo": "a", "faces": [0], "names": ["Ann"]}\n{"photo": "b", "faces": [0, 1], "names": []}\n' > c.json
akin name f.csv --captions c.json --out n.csv
