# Events are listed and exported without permission to write to the collection.
source "$CASES/docs.bash"
akin feedback c --query d1 --good d2 --bad d4 --key first
akin feedback c --query d2 --good d3 --key second
chmod -R a-w c
akin feedback c --list
akin feedback c --export events.jsonl --json
wc -l < events.jsonl
chmod -R u+w c
akin feedback c --query d3 --good d4
