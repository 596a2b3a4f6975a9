# The verdict changes no byte of any model, whatever the number of threads; and
# every read-out that is stored can be indexed. (tfidf has no use for a table.)
source "$CASES/../points.sh"
for i in 1 2 3 4; do tail -12 points.csv; done | awk -F, -v OFS=, '
    { print $1 + NR % 5 / 10, $2 + NR % 3 / 10, $3 + NR % 7, $4 }' > more
{ head -1 points.csv; cat more; } > table.csv
table="table.csv --label-column label"
akin learners --json | python3 -c 'import json, sys
for l in json.load(sys.stdin)["learners"]:
    if l["trains"] and "captions" not in l["takes"] and l["name"] != "tfidf":
        print(l["name"], l["makes"])' > learners
while read -r learner makes; do
    sides="--data $table"
    case $learner in cca | arc-t | symm | hfa | rsl) sides="$sides --right table.csv" ;; esac
    for how in verdict=none threads=1 threads=2; do
        akin train $learner $sides --${how/=/ } --out m.$how --quiet > said 2>&1 || cat said
    done
    cmp m.verdict=none m.threads=1
    cmp m.threads=1 m.threads=2
    [ $makes = ranker ] || akin index m.threads=1 --data $table --out i --quiet > said 2>&1 || cat said
done < learners
awk 'END { print (NR > 30) ? "many learners" : "few learners" }' learners
