# Aliases replace names, in prose and in lists.
printf 'alias,name\nannie fischer,Anna Fischer\nthe boss,Peter Keller\n' > a.csv
printf 'photo,caption\n1,Annie Fischer with the Boss.\n' > c.csv
printf 'photo,names\n2,Annie  FISCHER\n' > n.csv
akin persons c.csv --aliases a.csv | cut -d, -f1-7
akin persons n.csv --aliases a.csv | cut -d, -f1-7
echo 'name' > bad.csv
akin persons c.csv --aliases bad.csv
