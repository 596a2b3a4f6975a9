# With --recipe the rows of all candidates go through it, and the model keeps it.
source "$CASES/../data.sh"
akin text rows.svm --weights binary-idf --norm l2 --save-recipe words --quiet --out prepared.svm
akin train auto --data rows.svm --recipe words --effort 1 --quiet --json --out m | python3 -c "
import json, sys
r = json.load(sys.stdin)
print(*{c['recipe'] for c in r['candidates'] if c['status'] == 'ok'}, sep=chr(10))
print(len({c['method'] for c in r['candidates']}) > 2)"
akin info m | grep '^recipe'
akin eval m --data rows.svm --task retrieval --quiet 2>/dev/null | grep -c map
# A model has a recipe, too; another dimension is refused.
akin train auto --data rows.svm --recipe m --effort 1 --quiet --out n > log && test -s n && echo written
printf 'a 1:1\nb 900:1\na 1:2\nb 900:2\n' > other.svm
akin train auto --data other.svm --recipe words --quiet --out n || echo $?
akin train auto --data prepared.svm --recipe words --quiet --out n || echo $?
akin train auto --data rows.svm --right rows.svm --right-recipe words --quiet --out n || echo $?
