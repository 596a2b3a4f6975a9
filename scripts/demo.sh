#!/usr/bin/env bash
# See akin work: bags of words of known structure, TF-IDF against what is
# learned from labels, a table and a plot. Takes a minute or two.
#   scripts/demo.sh [FOLDER]      files go to FOLDER [build/demo]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$root/build/demo}
case $folder in
-h | --help)
    sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac

cd "$root"
echo "== setting up and building"
scripts/setup.sh
[ -e build/meson-private/coredata.dat ] || meson setup build >/dev/null
ninja -C build src/cli/akin examples/bars >build/demo.log 2>&1 || {
    cat build/demo.log
    exit 1
}
python=/usr/bin/python3
[ -x "$python" ] || python=python3
export PATH=$root/build/src/cli:$root/build/examples:$PATH
mkdir -p "$folder"
cd "$folder"

# show COMMAND...: print it as one would type it, then run it.
show() {
    echo
    echo "\$ $*"
    "$@"
}

# figure FILE KEY: a number out of what --json printed.
figure() {
    "$python" -c 'import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2].split("."):
    value = value[key]
print(value)' "$1" "$2"
}

classes=40 words=100000
cat <<END

== the data
4,000 bags of about 300 words out of $words, of $classes kinds. Word frequencies
follow a power law, as in text and pictures. Each kind has 200 words of its own,
but they make up only a tenth of a bag: the rest is noise that all kinds share.
Half is for learning, half for measuring.
END
show akin synth bags --rows 4000 --dim "$words" --classes "$classes" \
    --signal 0.1 --out bags.svm --quiet
show akin split bags.svm --fraction 0.5 --by-class --out train.svm test.svm \
    --quiet

cat <<END

== learning
From the labels akin draws triplets: "this one is more like that one than like
the other". Each learner sees the same 100,000, once.
END
printf '\n%-12s %8s %8s %10s %10s\n' similarity "mAP %" "P@10 %" "weights" \
    "seconds"
: >map.txt

# measure NAME MODEL: evaluate on the half not seen, print a line of the table.
measure() {
    local name=$1 model=$2 weights=- seconds=-
    shift 2
    akin eval "$model" --data test.svm --train train.svm --task retrieval \
        --json --quiet "$@" >"eval-$name.json"
    if [ -e "train-$name.json" ]; then
        weights=$(figure "train-$name.json" nonzeros)
        seconds=$(figure "train-$name.json" seconds)
        seconds=$(printf '%.2f' "$seconds")
    fi
    local map p10
    map=$(figure "eval-$name.json" map)
    p10=$(figure "eval-$name.json" precision_at.10)
    "$python" -c 'import sys
name, map, p10, weights, seconds = sys.argv[1:]
print("%-12s %8.1f %8.1f %10s %10s" % (name, 100 * float(map),
                                       100 * float(p10), weights, seconds))
print(name, 100 * float(map), file=open("map.txt", "a"))' \
        "$name" "$map" "$p10" "$weights" "$seconds"
}

measure cosine cosine
measure tfidf tfidf
for learner in oasis-diag solis-tg solis-da solis-afb solis-ada; do
    akin train "$learner" --data train.svm --sample 100000 \
        --out "$learner.safetensors" --json --quiet >"train-$learner.json"
    measure "$learner" "$learner.safetensors"
done
bars "mean average precision, % (rows not seen in training)" map.svg <map.txt

echo
echo "== why are two bags alike?"
show akin explain solis-ada.safetensors --data test.svm --rows 0,1 --top 5

cat <<END

== a million dimensions
The cost of a triplet depends on its words, not on the dimension.
END
show akin synth bags --rows 4000 --dim 1000000 --classes "$classes" \
    --out million.svm --quiet
show akin train solis-ada --data million.svm --sample 1000000 \
    --out million.safetensors

cat <<END

== done, in $SECONDS s
$folder has the data, the models, and
  map.svg             the table as a plot
  eval-*.json         all figures
Try next, in that folder (akin is $root/build/src/cli/akin):
  akin learners                      what can be learned, and from what
  akin tune solis-ada --data train.svm --out best.safetensors
  akin eval best.safetensors --data test.svm --task retrieval --report report
  akin train --help
END
