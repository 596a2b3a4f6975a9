# Events of removed items cannot be imported: how many, and why, is said.
source "$CASES/docs.bash"
akin feedback c --query d1 --good d2 --bad d4 --key a
akin feedback c --query d4 --good d3 --key b
akin feedback c --query d2 --good d4 --key c
akin remove c d4 --quiet
akin feedback c --export events.jsonl
cat events.jsonl
akin documents docs --out other --quiet 2> /dev/null
akin feedback other --import events.jsonl
akin feedback other --file events.jsonl
akin feedback other --import events.jsonl --json
