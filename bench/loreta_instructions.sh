#!/usr/bin/env bash
# Instructions for one update of loreta-1 by dimension, from two counts under
# callgrind, so that the start drops out: one JSON line each.
#   bench/loreta_instructions.sh [BUILD]      [build]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
ninja -C "$build" bench/bench_loreta >/dev/null

instructions() { # DIM TRIPLETS
    valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$build/bench/bench_loreta" count loreta-1 "$1" 10 "$2" 2>&1 |
        sed -n 's/.*I *refs: *//p' | tr -d ,
}

for dim in 10000 50000 1000000; do
    few=$(instructions "$dim" 500)
    many=$(instructions "$dim" 2500)
    printf '{"bench": "loreta", "what": "instructions", "learner": "loreta-1",'
    printf ' "dim": %d, "rank": 10, "nonzeros": 180,' "$dim"
    printf ' "instructions_per_update": %d}\n' $(((many - few) / 2000))
done
