# Lists of names are taken as they are, in any script.
printf 'photo,names\n1,"Anna Fischer; 王小明"\n2,\n' > n.csv
echo '{"photo": "3", "names": ["محمد علي", "Ann Roe"]}' > n.jsonl
akin persons n.csv | cut -d, -f1-7
akin persons n.jsonl | cut -d, -f1-7
