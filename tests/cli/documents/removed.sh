# Documents that were removed stay out: files, records with names, and records
# called by their number.
ask() { "$@" | sed 's/, [^,]*s$//'; }
mkdir d
for i in 1 2 3; do echo "river bank boat$i" > d/$i.txt; done
akin documents d --out files --quiet > /dev/null
akin remove files 2.txt
ask akin documents files --add d
mv d e
ask akin documents files --add e
printf 'id,text\na,apple pie\nb,banana apple\nc,cherry pie\n' > r.csv
akin documents r.csv --out records --quiet > /dev/null
akin remove records b
ask akin documents records --add r.csv
mv r.csv s.csv
ask akin documents records --add s.csv
# Another text is another document.
sed -i 's/banana apple/banana split/' s.csv
ask akin documents records --add s.csv
printf 'text\none apple\ntwo pears\nthree plums\n' > n.csv
akin documents n.csv --out numbered --quiet > /dev/null
akin remove numbered n.csv:1
ask akin documents numbered --add n.csv
ask akin documents numbered --add n.csv --restore
# What is gone needs no memory.
rm e/1.txt
ask akin documents files --add e --prune
echo "river bank boat1" > e/1.txt
ask akin documents files --add e
