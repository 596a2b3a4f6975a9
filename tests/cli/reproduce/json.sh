. "$CASES/folder.bash"
akin reproduce --data small --quick --quiet --json > out.json
grep -c '"method"' out.json
grep -c '"landmark": "tower"' out.json
grep -o '"paper": "solis"' out.json
grep -m 1 -A 3 '"method": "query+positives"' out.json | grep -o '"codebook": "small"'
