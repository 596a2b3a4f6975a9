# Short help: at most 40 lines; all options with --all.
for command in $(akin help --json | python3 -c 'import json, sys
print(*(c["name"] for c in json.load(sys.stdin)["commands"]))'); do
    lines=$(akin help $command | wc -l)
    [ "$lines" -le 40 ] || echo $command: $lines lines
done
akin help score | grep -c -- --as-is
akin help score --all | grep -c -- --as-is
akin score --help --all | grep -c -- --as-is
