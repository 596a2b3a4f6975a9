# A logistic model names labels by itself, the most probable first.
source "$CASES/../points.sh"
akin train logistic --data points.csv --label-column label --out m --quiet
cut -d, -f1-3 points.csv > plain.csv
akin predict m --data plain.csv | cut -d' ' -f1,2
akin predict m --data plain.csv --top 9 --exact |
    awk '{ sum[$1] += $3 } END { for (i in sum) n += sum[i] > 0.999999 && sum[i] < 1.000001
                                 print n, "rows of probabilities that add up to 1" }'
akin predict m --data plain.csv --top 2 --json | python3 -c 'import json, sys
for row in json.load(sys.stdin)["predictions"][:2]:
    print(row["row"], [l["label"] for l in row["labels"]][0],
          row["labels"][0]["score"] > row["labels"][1]["score"])'
# With --train, the nearest rows vote.
akin predict m --data plain.csv --train points.csv | cut -d' ' -f2 | uniq -c
