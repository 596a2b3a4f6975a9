# akin help COMMAND and COMMAND --help say the same, in 80 columns
for command in $(akin help --json | python3 -c "
import json, sys
print(*[c[\"name\"] for c in json.load(sys.stdin)[\"commands\"]])"); do
    akin help $command > a
    akin $command --help > b
    cmp a b
    awk "length > 80 && !/^  akin/" a
done
