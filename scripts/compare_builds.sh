#!/usr/bin/env bash
# Compare the files that two builds of akin write, byte for byte.
#   scripts/compare_builds.sh OLD_AKIN NEW_AKIN
# Prints "same" or "DIFFERENT" for each command; exits 1 if any differs. A file
# that differs is then copied from OLD to NEW, so that each command is compared
# alone. Of JSON and of `info` only the numbers count, and times do not; SQLite
# files, plots and messages are not compared.
set -euo pipefail
case ${1:-} in
-h | --help)
    sed -n '2,7s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac
[ $# -eq 2 ] || { echo "usage: compare_builds.sh OLD_AKIN NEW_AKIN" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
declare -A program=([old]=$(realpath "$1") [new]=$(realpath "$2"))
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
mkdir "$temporary/old" "$temporary/new"
cd "$temporary"
same=0 different=0

# numbers FILE: the numbers of a JSON file in order, keys and times left out; of
# other text all of them.
numbers() {
    /usr/bin/python3 - "$1" <<'END'
import json, re, sys

TIME = re.compile("seconds|_ms$|rss|mib|rate$")
text = open(sys.argv[1]).read()

def walk(value, key=""):
    if isinstance(value, dict):
        for k, v in value.items():
            walk(v, k)
    elif isinstance(value, list):
        for v in value:
            walk(v, key)
    elif isinstance(value, (int, float)) and not TIME.search(key):
        print(value)

try:
    walk(json.loads(text))
except ValueError:
    print("\n".join(re.findall(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", text)))
END
}

# arrays FILE: what is in a NumPy archive; labels as text, whatever their type.
arrays() {
    /usr/bin/python3 - "$1" <<'END'
import sys, zlib
import numpy as np

with np.load(sys.argv[1]) as members:
    for name, a in members.items():
        if name == "y":
            print(name, a.shape, *a.astype(str))
        else:
            print(name, a.shape, a.dtype, zlib.crc32(a.tobytes()))
END
}

# same_inside FILE: whether both builds say the same, with other bytes.
same_inside() {
    [ -f "old/$1" ] && [ -f "new/$1" ] || return 1
    case $1 in
    *.json) cmp -s <(numbers "old/$1") <(numbers "new/$1") ;;
    *.npz) cmp -s <(arrays "old/$1") <(arrays "new/$1") ;;
    *) false ;;
    esac
}

# files_differing: relative paths of files that only one build wrote, or both
# did with other bytes. From now on new has what old has.
files_differing() {
    local file
    { diff -rq --exclude='*.sqlite*' --exclude='*.svg' --exclude='*.html' \
        old new || true; } |
        sed -E 's,^Files old/(.*) and new/.* differ$,\1,
            s,^Only in (old|new)/?(.*): (.*)$,\2/\3,; s,^/,,' |
        while read -r file; do
            same_inside "$file" || echo "$file"
            rm -rf "new/$file"
            [ ! -e "old/$file" ] || cp -r "old/$file" "new/$file"
        done
}

declare -A takes_exact=([old]=" " [new]=" ")
for build in old new; do
    for command in embed eval explain predict score search; do
        "${program[$build]}" help $command | grep -q -e '^ *--exact ' &&
            takes_exact[$build]+="$command "
    done || true
done

# run_one BUILD ARGUMENT...: the exit code goes to BUILD.exit. --exact prints
# scores with all digits where a build has that option.
run_one() {
    local build=$1 exact=() code=0
    shift
    [[ ${takes_exact[$build]} != *" $1 "* ]] || exact=(--exact)
    (cd "$build" && "${program[$build]}" "$@" "${exact[@]}" --quiet) \
        <"${input:-/dev/null}" >"$build.out" 2>"$build.err" || code=$?
    echo "$code" >"$build.exit"
}

# compare OUTPUT ARGUMENT...: one command with both builds. OUTPUT says what of
# standard output is compared: nothing, numbers or bytes.
compare() {
    local output=$1 file wrong=()
    shift
    run_one old "$@" &
    run_one new "$@"
    wait $!
    cmp -s old.exit new.exit || wrong+=("exit $(<old.exit) and $(<new.exit)")
    [ "$(<old.exit)" = 0 ] || wrong+=("fails: $(tail -n 1 old.err)")
    case $output in
    bytes) cmp -s old.out new.out || wrong+=("standard output") ;;
    numbers)
        # Older builds print these as they are stored.
        sed -i -E '/(index_base|prune|plain|center|resumable) /d' old.out new.out
        cmp -s <(numbers old.out) <(numbers new.out) ||
            wrong+=("standard output")
        ;;
    esac
    while read -r file; do
        wrong+=("$file")
    done < <(files_differing)
    if [ ${#wrong[@]} -eq 0 ]; then
        same=$((same + 1))
        echo "same       $*"
    else
        different=$((different + 1))
        echo "DIFFERENT  $*"
        printf '           %s\n' "${wrong[@]}"
    fi
}

files() { compare nothing "$@"; }
shown() { compare bytes "$@"; }
figures() { compare numbers "$@"; }

# given FILE: standard input becomes this file in both folders.
given() { tee "old/$1" >"new/$1"; }

# Rows: bags of words, rows with many labels, dense points, two kinds of rows.
files synth bags --rows 80 --dim 200 --words 30 --classes 4 --class-words 20 --out rows.svm
files synth bags --rows 60 --dim 120 --words 30 --classes 4 --class-words 20 --seed 2 --out other.svm
files synth labels --rows 80 --dim 40 --labels 30 --rank 6 --out labels.svm
files synth faces --photos 40 --names 4 --dim 8 --captions c.csv --truth t.csv --out f.npy
files synth faces --photos 30 --names 4 --dim 8 --captions c.jsonl --truth tj.csv --out fj.npy
files synth scenes --landmarks 2 --views 3 --others 2 --width 160 --height 120 --out town
files split rows.svm --fraction 0.5 --by-class --out train.svm test.svm
awk -v OFS=, 'BEGIN { print "a", "b", "c", "d", "label"
    for (i = 0; i < 48; ++i)
        print i % 4 + i * 7 % 11 / 9, i % 4 * 2 + i * 5 % 13 / 11, i * 3 % 17,
            i * i % 7, "class" i % 4 }' | given points.csv
awk 'BEGIN { for (i = 0; i < 60; ++i) print i * 7 % 80, i * 13 % 60, i % 3 ? -1 : 1 }' |
    given pairs.txt
awk 'BEGIN { for (i = 0; i < 200; ++i) print i % 80, (i * 4 + i) % 80, (i * 7 + 1) % 80 }' |
    given triplets.txt
awk 'BEGIN { for (i = 0; i < 48; ++i) print i, (i * 7 + 3) % 48, i % 2 ? 1 : -1 }' |
    given known-pairs.txt
printf '0\n1\n2\n3\n4\n5\n6\n7\n9\n10\n' | given known.txt
for name in v5 v5-deflated v73; do
    given $name.mat <"$root/tests/fuzz/corpora/matlab/$name.mat"
done

# Formats, each written and read back.
for to in npy npz csv tsv fvecs safetensors svm; do
    files convert rows.svm converted.$to
    files convert converted.$to back-$to.svm
done
files convert points.csv points.npz --label-column label
for name in v5 v5-deflated v73; do
    files convert $name.mat $name.npy
done

# Text.
mkdir -p {old,new}/news/{space,garden}
echo "The rocket reached its orbit; the orbit was low." | given news/space/1
echo "A second rocket waits: launch on Friday." | given news/space/2
echo "Water the roses, then the tulips. Roses love sun!" | given news/garden/1
echo "Tulips need a low pot and SUN." | given news/garden/2
files text news --weights tfidf --norm l2 --save-recipe words.safetensors --list list.txt --out news.svm
files text news --recipe words.safetensors --out again.npz
files text news --features 4 --stop-words none --out few.svm
files text news --out counts.svm

# Learners: a model each.
for learner in solis-ada solis-afb solis-da solis-tg oasis-diag lego-diag \
    loreta-1 loreta loreta-psd loreta-mi gd psd-gd pa oasis lego; do
    files train $learner --data train.svm --sample 3000 --out $learner.safetensors
done
for learner in qpao lmnn-diag; do
    files train $learner --data rows.svm --triplets triplets.txt --out $learner.safetensors
done
files train solis-ada --data rows.svm --pairs pairs.txt --out by-pairs.safetensors
files train solis-ada --data rows.svm --sample 2000 --validate 0.25 --out validated.safetensors
files train loreta-1 --data train.svm --sample 2000 --sampler warp --out warp.safetensors
files train solis-ada --data rows.svm --triplets triplets.txt --out begun.safetensors
input=old/triplets.txt files train solis-ada --resume begun.safetensors --data rows.svm --triplets - --out resumed.safetensors
files train perceptron --data labels.svm --sample 2000 --out perceptron.safetensors
files train group-perceptron --data labels.svm --sample 2000 --out group.safetensors
files train loreta-1 --task rank --rank 4 --data labels.svm --sample 2000 --out ranker.safetensors
for learner in itml s3ml s2ml sdml lrml lmnn nca; do
    files train $learner --data points.csv --label-column label --out $learner.safetensors
done
files train s3ml --data points.csv --label-column label --labelled known.txt --out known.safetensors
files train mahalanobis --data points.csv --label-column label --out mahalanobis.safetensors
files train tfidf --data rows.svm --out tfidf.safetensors
files train tfidf --data counts.svm --recipe words.safetensors --out text.safetensors
for learner in cca arc-t hfa rsl; do
    files train $learner --data rows.svm --right other.svm --out $learner.safetensors
done
files train rsl --data rows.svm --right other.svm --pairs pairs.txt --rank 2 --out rsl-pairs.safetensors
files train svm-t --data train.svm --out svm-t.safetensors
files train symm --data points.csv --right points.csv --label-column label --out symm.safetensors
for kernel in linear rbf poly chi2 intersection; do
    files train rsl --data rows.svm --right other.svm --rank 2 --kernel $kernel --out rsl-$kernel.safetensors
done
for learner in asml mildml mms lr-svm; do
    files train $learner --data f.npy --captions c.csv --out $learner.safetensors
done
files tune solis-ada --data rows.svm --sample 2000 --trials 4 --out tuned.safetensors
files tune rsl --data rows.svm --right other.svm --trials 2 --rank 2 --out tuned-rsl.safetensors

# What models say.
for model in solis-ada loreta-1 oasis lego; do
    files embed $model.safetensors --data test.svm --out embedded-$model.npz
done
files embed rsl.safetensors --data other.svm --side right --out embedded-rsl.npy
files embed itml.safetensors --data points.csv --label-column label --out embedded-itml.csv
shown predict solis-ada.safetensors --data test.svm --train train.svm --k 3
shown predict ranker.safetensors --data labels.svm --top 3
shown predict euclidean --data points.csv --label-column label --train points.csv --k 2
shown predict rsl.safetensors --data rows.svm --train other.svm
shown score solis-ada.safetensors --data rows.svm --pairs pairs.txt
shown score rsl-rbf.safetensors --data rows.svm --right other.svm --pairs pairs.txt
shown score nca.safetensors --data points.csv --label-column label --pairs known-pairs.txt
shown explain solis-ada.safetensors --data rows.svm --rows 0,4 --top 5
shown explain itml.safetensors --data points.csv --label-column label --rows 0,4
shown explain ranker.safetensors --data labels.svm --rows 0 --label 0 --top 5
shown explain text.safetensors --data news.svm --rows 0,1

# Measures.
files eval solis-ada.safetensors --data test.svm --task retrieval --by-label --report e1
files eval tfidf --data test.svm --train train.svm --task retrieval --ap trapezoid --report e2
files eval rsl.safetensors --data rows.svm --right other.svm --task retrieval --report e3
files eval lmnn.safetensors --data points.csv --label-column label --task knn --train points.csv --k 3 --report e4
files eval oasis.safetensors --data rows.svm --task triplets --triplets triplets.txt --report e5
files eval cosine --data rows.svm --task verify --pairs known-pairs.txt --folds 3 --report e6
files eval rsl.safetensors --task cross --source rows.svm --target other.svm --report e7
files eval ranker.safetensors --data labels.svm --task rank --report e8
files eval f.npy --task naming --captions c.csv --truth t.csv --method lrr --curve --report e9

# Indexes and searches.
files index solis-ada.safetensors --data train.svm --out inverted.index
files index loreta-1.safetensors --data train.svm --out dense.index
files index lego.safetensors --data train.svm --approximate hnsw --out hnsw.index
files index solis-ada.safetensors --data train.svm --prune --out pruned.index
files index inverted.index --add test.svm --remove 3,7 --out more.index
files index euclidean --data points.csv --label-column label --approximate hnsw --out points.index
for index in inverted dense hnsw pruned more; do
    shown search $index.index --queries test.svm --top 5
done
shown search inverted.index --like 1,2 --unlike 5 --top 5
shown search points.index --like 1,2 --top 5

# Names for faces.
for method in fused lrr rlrr lrrml rlrrml asml mms knn mean kmeans kernel \
    mildml cgmm lr-svm; do
    files name f.npy --captions c.csv --method $method --save-model people-$method.safetensors --out names-$method.csv
done
files name f.npy --captions c.csv --model people-mms.safetensors --out by-model.csv
files name fj.npy --model people-lrr.safetensors --out later.csv
files name f.npy --captions c.csv --real-name-ratio 0.5 --truth t.csv --out half.csv
files name f.npy --captions c.csv --method knn --curve --truth t.csv --out curve.csv
files eval names-lrr.csv --task naming --captions c.csv --truth t.csv --report e10

# Pictures.
files images town --out town.akin --words 50 --colours luv
shown search town.akin --like 1 --top 4
shown search town.akin --image town/landmark_00/001.jpg --top 4
files train solis-ada --data town.akin --sample 500 --out town.safetensors
files images town.akin --model town.safetensors
shown explain town.akin 0 1 --top 5

# The papers' tables.
mkdir -p {old,new}/{oxford,tables}
given oxford/bow_small.svm <old/rows.svm
seq 0 79 | sed '1i row,image
s/.*/&,picture_&/' | given oxford/images.csv
printf 'landmark,name\n0,bridge\n1,tower\n' | given oxford/landmarks.csv
awk 'BEGIN { print "row,image,landmark,grade" }
    $1 < 2 { print NR - 1 ",x," $1 "," (n[$1]++ % 2 ? "ok" : "good") }' old/rows.svm |
    given oxford/groundtruth.csv
awk -F , 'BEGIN { print "row,image,landmark,query" }
    NR > 1 && n[$3]++ < 2 { print $1 "," $2 "," $3 "," n[$3] }' \
    old/oxford/groundtruth.csv | given oxford/queries.csv
given tables/points.csv <old/points.csv
files reproduce solis --data oxford --quick --report r1
files reproduce s3ml --data tables --repeats 1 --quick --report r2

# What files are.
for file in rows.svm points.npz words.safetensors solis-ada.safetensors \
    rsl-rbf.safetensors hnsw.index town.akin; do
    figures info $file
    figures check $file
done

echo "$same same, $different different"
[ "$different" -eq 0 ]
