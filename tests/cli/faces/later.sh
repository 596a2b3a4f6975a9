# Photos that come later: the names of before stay, and only new faces are named.
akin synth faces --photos 100 --names 10 --captions all.csv --truth truth.csv --out all.npy --quiet
akin convert all.npy rows.csv --quiet
head -81 all.csv >first.csv
n=$(($(tail -1 first.csv | cut -d, -f2 | sed 's/.*;//') + 1))
head -"$n" rows.csv >first-rows.csv
tail -n +"$((n + 1))" rows.csv >later-rows.csv
python3 - "$n" <<'END'
import csv
import sys

n = int(sys.argv[1])
with open("all.csv", newline="") as f, open("later.csv", "w", newline="") as g:
    rows = list(csv.reader(f))
    csv.writer(g).writerows([rows[0], *(
        [p, ";".join(str(int(k) - n) for k in faces.split(";")), names]
        for p, faces, names in rows[81:])])
END
plain() { sed 's/, [0-9.]* m\?s$//'; }
akin faces --vectors first-rows.csv --captions first.csv --out c.akin | plain
akin name c.akin --out names.csv | plain
cp names.csv before.csv
akin faces c.akin --add later-rows.csv --captions later.csv | plain
akin name c.akin --out names.csv --truth truth.csv | plain
head -"$(wc -l <before.csv)" names.csv | cmp - before.csv && echo the same lines
akin check c.akin
echo --- nothing new
cp names.csv before.csv
akin name c.akin --out names.csv | plain
cmp names.csv before.csv && echo the same file
akin name c.akin --out names.csv --json | grep -E 'new_faces|by_answers'
echo --- all again
akin name c.akin --all --out all-names.csv | plain
akin name c.akin --out names.csv --quiet
cmp names.csv all-names.csv && echo the same as all
echo --- other ways to name change nothing
akin name c.akin --method mean --out mean.csv --quiet
akin name c.akin --out again.csv --quiet
cmp names.csv again.csv && echo the same file
echo --- refused
akin faces c.akin --add later-rows.csv --captions later.csv || echo "exit $?"
printf '1,2\n' >other.csv
printf 'photo,faces,names\nnew,0,Ann\n' >new.csv
akin faces c.akin --add other.csv --captions new.csv || echo "exit $?"
head -c 1000 c.akin/names.safetensors >cut
cp cut c.akin/names.safetensors
akin name c.akin --out names.csv || echo "exit $?"
akin remove c.akin --person name0 --names names.csv --quiet
ls c.akin/names.safetensors 2>&1 | sed 's/.*: //'
