# What was said of an item counts again when it is back: it has its id again.
source "$CASES/docs.bash"
akin feedback c --query d1 --good d3 --bad d4 --key a
akin feedback c --query d3 --good d5 --key b
akin remove c d3 --quiet
akin feedback c --list
akin documents c --add docs --quiet
akin feedback c --list
akin documents c --add docs --restore --quiet
akin feedback c --list
akin search c --like d3 --top 2 --json | grep '"id"'
akin search c --document docs/d3 --top 2
akin search c --like d1 --top 9
akin check c --quiet
# A new one takes the next number.
echo "cat dog moon" > docs/d7
akin documents c --add docs --quiet
akin search c --text moon --top 1 --json | grep '"id"'
akin remove c d7 d2 --quiet
akin documents c --add docs --restore --quiet
akin search c --text moon --top 1 --json | grep '"id"'
akin check c --quiet
