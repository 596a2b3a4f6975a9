# shellcheck shell=bash
# Functions that the parts of the demo share; to be sourced.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# show COMMAND...: print the command, then run it.
show() {
    echo
    echo "\$ $*"
    "$@"
}

# figure FILE KEY FACTOR [DIGITS]: a number from the output of --json.
figure() {
    "$python" -c 'import json, sys
path, key, factor, digits = (sys.argv[1:] + ["1"])[:4]
value = json.load(open(path))
for part in key.split("."):
    value = value[part]
print(f"{value * float(factor):,.{int(digits)}f}")' "$@"
}
