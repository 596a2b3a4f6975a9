#!/usr/bin/env bash
# Measure akin and the programs that a user might choose instead: one JSON line
# for each measurement.
#   bench/run.sh [BUILD]      [build]
# Needs what scripts/setup.sh --bench installs. Takes some minutes; an idle
# machine gives steadier figures.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
python=/usr/bin/python3
ninja -C "$build" bench/bench_la bench/bench_loreta bench/bench_metric \
    bench/bench_s3ml bench/bench_sice bench/bench_solis bench/bench_svmlight \
    bench/bench_eval bench/bench_index bench/bench_naming >/dev/null
for law in oxford zipf; do
    for dim in 1000000 10000; do
        for rows in 5062 20000; do
            "$build/bench/bench_solis" triplets "$law" "$dim" 3 "$rows"
        done
    done
done
"$python" "$root/bench/rivals/solis_linear.py" "$build/bench/bench_solis"
"$python" "$root/bench/rivals/svmlight_sklearn.py" "$build/bench/bench_svmlight"
"$python" "$root/bench/rivals/text_sklearn.py" "$build/src/cli/akin"
PYTHONPATH=$build/python/src "$python" "$root/bench/rivals/estimators.py"
PYTHONPATH=$build/python/src "$python" "$root/bench/python.py"
"$build/bench/bench_loreta"
"$root/bench/loreta_instructions.sh" "$build"
ng20=$root/../shared/data/ng20/counts.svm.gz
if [ -e "$ng20" ]; then
    "$python" "$root/bench/rivals/loreta_torch.py" "$build/src/cli/akin" "$ng20"
fi
OPENBLAS_NUM_THREADS=1 "$python" "$root/bench/rivals/sice_glasso.py" \
    "$build/bench/bench_sice"
ninja -C "$build" bench/bench_rsl >/dev/null
"$python" "$root/bench/rivals/rsl_scipy.py" "$build/bench/bench_rsl"
"$build/bench/bench_rsl" sparse
"$python" "$root/bench/rivals/metric_numpy.py" "$build/bench/bench_metric"
"$build/bench/bench_s3ml" 20000
"$build/bench/bench_eval"
"$build/bench/bench_la"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for law in oxford zipf; do
    "$build/bench/bench_index" inverted 200000 1000000 "$law" "$folder"
    "$build/bench/bench_index" search "$folder/tfidf.index" \
        "$folder/queries.npz"
    "$python" "$root/bench/rivals/index_scipy.py" "$build/bench/bench_index" \
        "$folder"
done
if ninja -C "$build" bench/bench_vision >/dev/null 2>&1; then
    export AKIN_LIBEXEC=$build/src/helpers
    "$build/src/cli/akin" synth scenes --width 640 --height 480 --landmarks 4 \
        --views 8 --others 8 --out "$folder/town" --quiet >/dev/null
    "$build/bench/bench_vision" "$folder/town"
fi
ninja -C "$build" bench/bench_cluster >/dev/null
"$build/bench/bench_cluster"
"$build/bench/bench_naming" iteration 1000 2000 4000 8640
"$build/bench/bench_naming" whole rlrrml 8640
"$build/bench/bench_naming" rename 1400
if ninja -C "$build" bench/bench_dense >/dev/null 2>&1; then
    for queries in 64 256; do
        "$build/bench/bench_dense" exact 100000 128 "$queries"
    done
    "$build/bench/bench_dense" hnsw
fi
