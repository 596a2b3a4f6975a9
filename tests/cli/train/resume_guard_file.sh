# --guard FILE: an update must not make earlier examples worse. Triplets with
# their sides swapped agree with each other, and contradict earlier ones.
source "$CASES/../data.sh"
right_and_swapped
akin train solis-ada --data rows.svm --quiet --triplets right --out a
update() { akin train solis-ada --data rows.svm --resume a --quiet --json --out b "$@" | python3 -c "
import json, sys
r = json.load(sys.stdin)
print(r['kept'] if 'kept' in r else r['error'], r.get('verdict'))"; }
update --triplets swapped --guard right
cmp a b && echo as it was
update --triplets right --guard right
cmp -s a b || echo learned
# also for fewer new examples than could be held out
head -n 20 swapped > few
update --triplets few --guard right
# by labels: rows of another file
update --guard rows.svm
# refused
update --triplets right --guard none.txt
update --triplets - --guard right < right
sed 's/^[^ ]*/?/' rows.svm > unlabelled.svm
update --guard unlabelled.svm
