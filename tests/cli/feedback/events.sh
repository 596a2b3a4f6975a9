# An event has a number once it is stored; a known key changes nothing.
source "$CASES/docs.bash"
akin feedback c --query d1 --good d2,d3 --bad d4 --key first
akin feedback c --query d1 --good d5 --key first
akin feedback c --query 'a cat in the house' --good d5 --user ann --json
echo '{"query":"d2","shown":["d1","d3"],"clicked":["d3"],"key":"click"}

{"query":0,"good":[2]}
{"query":"d2","shown":["d1","d3"],"clicked":["d3"],"key":"click"}' |
    akin feedback c --file -
akin feedback c --undo 4
akin feedback c --list | sed 's|"key":"[0-9a-f]\{32\}",||'
akin feedback c --export events.jsonl
cp -r c again
akin documents docs --out other --quiet 2> /dev/null
akin feedback other --import events.jsonl
akin feedback other --export back.jsonl
cmp events.jsonl back.jsonl && echo same
akin feedback other --import events.jsonl --json
