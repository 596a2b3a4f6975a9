# A model reads rows with or without the column of its labels alike.
printf 'a,b,kind\n0,0.1,low\n0.2,0,low\n1,0.9,high\n0.8,1,high\n' > train.csv
akin train nca --data train.csv --label-column kind --out m --quiet
cut -d, -f1,2 train.csv > plain.csv
sed 's/kind/label/' train.csv > label.csv
for f in train plain label; do akin predict m --data $f.csv --train train.csv; done
# A feature that is called like labels stays one.
printf 'a,y,kind\n0,0.1,low\n0.2,0,low\n1,0.9,high\n0.8,1,high\n' > y.csv
akin train nca --data y.csv --label-column kind --out m --quiet
cut -d, -f1,2 y.csv > plain.csv
akin predict m --data plain.csv --train y.csv
