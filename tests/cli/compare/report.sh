# One page without a network, and the figures of --json.
source "$CASES/../points.sh"
akin compare lda euclidean --data points.csv --quiet --json --report out > said.json
ls out
cmp said.json out/figures.json && echo "the same figures"
grep -c "<svg" out/compare.html > /dev/null && ! grep -E "https?:|src=|@DATA@" out/compare.html
grep -c '"method": "lda"' out/compare.html
# a path cannot begin a script of its own
cp points.csv '<script>.csv'
akin compare euclidean --data '<script>.csv' --quiet --report other > /dev/null
grep -c "<script>" other/compare.html
