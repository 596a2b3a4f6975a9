# Short help: at most 40 lines; train also lists its learners, and has 75. All
# options with --all.
for command in $(akin help --json | python3 -c 'import json, sys
print(*(c["name"] for c in json.load(sys.stdin)["commands"]))'); do
    lines=$(akin help $command | wc -l)
    most=40
    [ $command != train ] || most=75
    [ "$lines" -le $most ] || echo $command: $lines lines
done
akin help score | grep -c -- --as-is
akin help score --all | grep -c -- --as-is
akin score --help --all | grep -c -- --as-is
# A line for each learner that train takes, and for no other.
akin help train | sed -n '/^Learners/,/^$/p' | awk '/^  [a-z]/ {print $1}' | sort >listed
akin learners --json | python3 -c 'import json, sys
print(*(l["name"] for l in json.load(sys.stdin)["learners"] if l["trains"]), sep="\n")' | sort >trains
cmp listed trains && wc -l <trains
