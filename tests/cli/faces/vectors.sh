# Vectors and captions without a photo: collection, names, search.
cat >faces.csv <<'END'
1,0,0
0,1,0
0.9,0.1,0
0.1,0.9,0
0,0,1
END
cat >captions.csv <<'END'
photo,faces,names
one,0;1,Ann;Bob
two,2,Ann
three,3,Bob
four,4,Cat
END
akin faces --vectors faces.csv --captions captions.csv --out c.akin | sed 's/, [0-9.]* m\?s$//'
akin info c.akin
akin check c.akin
akin name c.akin --out names.csv --quiet
cut -d, -f1-3 names.csv
akin name faces.csv --captions captions.csv --out again.csv --quiet
cmp names.csv again.csv && echo the same names
akin search c.akin --like 'one#1' --top 2
akin remove c.akin 'four#1'
akin check c.akin
akin name c.akin --out names.csv --quiet
cut -d, -f1-3 names.csv
akin name c.akin --save-model m.safetensors --method mms --out m.csv --quiet 2>mms.txt
akin name c.akin --model m.safetensors --out m2.csv --quiet
cut -d, -f1-3 m2.csv
akin export c.akin --to csv --names names.csv --out tables
cat tables/faces.csv
