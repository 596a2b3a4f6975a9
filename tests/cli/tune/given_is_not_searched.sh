source "$CASES/../data.sh"
akin tune solis-ada --data rows.svm --sample 200 --trials 4 --eta 0.07 --quiet --verdict none --out m --json | python3 -c "
import json, sys
print({t[\"params\"][\"eta\"] for t in json.load(sys.stdin)[\"trials\"]})"
