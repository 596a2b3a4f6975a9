#!/usr/bin/env bash
# Run the fuzzers of tests/fuzz, each for a number of executions.
#   scripts/fuzz.sh                    all, one million each (mat: 100,000)
#   scripts/fuzz.sh 20000              all, 20,000 each
#   scripts/fuzz.sh 1000000 svmlight   only these
# Findings are written to build-fuzz/found. Copy them to tests/fuzz/corpora/NAME;
# every test run replays those.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=${1:-}
[ $# -eq 0 ] || shift
[[ $runs =~ ^[0-9]*$ ]] || {
    echo "fuzz.sh: '$runs' is not a number of executions" >&2
    exit 2
}
if [ ! -e build-fuzz/meson-private/coredata.dat ]; then
    CC=clang CXX=clang++ meson setup build-fuzz -Dfuzz=true -Dbuildtype=debugoptimized \
        -Db_lundef=false >/dev/null
fi
mapfile -t all < <(cd tests/fuzz && ls -d fuzz_*.c)
all=("${all[@]#fuzz_}")
all=("${all[@]%.c}")
[ $# -gt 0 ] || set -- "${all[@]}"

found=0
for name in "$@"; do
    ninja -C build-fuzz "tests/fuzz/fuzz_$name" >/dev/null
    most=${runs:-1000000}
    [ "$name" != mat ] || most=${runs:-100000}
    mkdir -p "build-fuzz/corpus/$name" build-fuzz/found
    printf '%-14s %9d runs: ' "$name" "$most"
    if "build-fuzz/tests/fuzz/fuzz_$name" -runs="$most" -rss_limit_mb=2048 \
        -timeout=25 -artifact_prefix="build-fuzz/found/$name-" \
        "build-fuzz/corpus/$name" "tests/fuzz/corpora/$name" \
        >"build-fuzz/$name.log" 2>&1; then
        echo "no findings ($(tail -n 1 "build-fuzz/$name.log"))"
    else
        echo "FOUND an input, see build-fuzz/$name.log"
        found=1
    fi
done
exit "$found"
