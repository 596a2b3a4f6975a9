source "$CASES/../data.sh"
akin tune solis-ada --data rows.svm --sample 500 --trials 3 --quiet --out m --json | python3 -c "
import json, sys
r = json.load(sys.stdin)
print(*r)
print(len(r[\"trials\"]), *r[\"trials\"][0], r[\"best\"] in r[\"trials\"], r[\"measure\"])
print(r[\"params\"] == r[\"best\"][\"params\"])"
