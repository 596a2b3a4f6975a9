# What is no caption: one line that says so.
printf '1,0\n1,0.1\n0,1\n' > f.csv
name() {
    printf "$1" > c.csv
    akin name f.csv --captions c.csv --method mean --out n.csv
    echo "exit $?"
}
name ''
name 'photo,faces,names\n'
name '[{"photo": "a", "faces": [0], "names": ["Ann"]}]\n'
name '{"photo": "a", "faces": [0], "names": ["Ann\\nLee"]}\n'
name '{"photo": "a\\tb", "faces": [0], "names": ["Ann"]}\n'
name '{"photo": "a", "faces": [99999999999999999999], "names": ["Ann"]}\n'
name 'photo,faces,names\na,99999999999999999999,Ann\n'
name 'photo,faces,names\na,0,Ann\xff\n'
name 'photo,faces,names\na,0;1,Bob;Ann; Bob\n'
name 'photo,faces,names,names\na,0;1,Bob,Ann\n'
name 'photo,faces,names\n"a,0,Ann\nb",1,Ann\n'
ls n.csv 2>/dev/null || true
