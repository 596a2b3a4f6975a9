source "$CASES/../data.sh"
akin train qpao --data rows.svm --sample 100 --out m.safetensors --json | python3 -c "
import json, sys
r = json.load(sys.stdin)
print(*r)
print(r[\"learner\"], r[\"rows\"], r[\"dim\"], r[\"examples\"], r[\"converged\"])"
