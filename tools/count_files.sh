#!/usr/bin/env bash
# Count the source files that a command executes: the paths that
# docs/explanation/architecture.md draws.
#   tools/count_files.sh [--list] [BUILD]
# Builds akin with coverage in BUILD [build-coverage] and runs each command. A
# file counts if it is a .c file under src/ and gcov sees a line of it executed.
# --list prints the files too.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
list=no
case ${1:-} in
-h | --help)
    sed -n '2,7s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
--list)
    list=yes
    shift
    ;;
esac
build=$(realpath -m "${1:-$root/build-coverage}")
[ -e "$build/meson-private/coredata.dat" ] ||
    meson setup "$build" "$root" -Db_coverage=true -Dtests=false \
        -Dbuildtype=plain -Dc_args=-D_exit=exit >/dev/null # _exit writes no counts
ninja -C "$build" src/cli/akin src/helpers/akin-decode >/dev/null
find "$build" -name "*.gcda" -delete
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export PATH=$build/src/cli:$PATH AKIN_LIBEXEC=$build/src/helpers

# executed: the .c files under src/ of which a line ran, sorted.
executed() {
    find "$build" -name '*.gcda' -print0 | xargs -0 gcov --json-format --stdout |
        /usr/bin/python3 -c '
import json, os, sys
root, names = sys.argv[1] + "/src/", set()
for line in sys.stdin:
    report = json.loads(line)
    for f in report["files"]:
        path = os.path.normpath(
            os.path.join(report["current_working_directory"], f["file"]))
        if path.startswith(root) and path.endswith(".c") and \
                any(x["count"] for x in f["lines"]):
            names.add("src/" + path[len(root):])
print("\n".join(sorted(names)))' "$root"
}

# count COMMAND...: run akin COMMAND, print how many files it executed.
count() {
    find "$build" -name '*.gcda' -delete
    akin "$@" --quiet >/dev/null
    executed >files.txt
    printf '%3d  akin %s\n' "$(wc -l <files.txt)" "$*"
    [ $list = no ] || sed 's/^/     /' files.txt
}

akin synth bags --rows 200 --dim 500 --out rows.svm >/dev/null
akin synth scenes --landmarks 2 --views 3 --others 2 --width 160 --height 120 --quiet --out town >/dev/null
akin synth faces --photos 40 --names 4 --dim 8 --captions c.csv --truth t.csv --out f.npy >/dev/null
echo 0 12 30 >triplets.txt

echo "a triplet"
count train solis-ada --data rows.svm --triplets triplets.txt --out m.safetensors
count index m.safetensors --data rows.svm --out rows.index
count search rows.index --queries rows.svm --top 3
echo "a photograph"
count images town --words 50 --out town.akin
count search town.akin --image town/landmark_00/001.jpg --top 3
echo "a face"
count name f.npy --captions c.csv --out names.csv
count name f.npy --captions c.csv --save-model people.safetensors --out names.csv
