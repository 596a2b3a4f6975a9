#!/usr/bin/env bash
# Show akin at work: search photographs, by TF-IDF and by a similarity learned
# from labels. Makes a table and a page with the pictures; takes two minutes.
#   scripts/demo.sh [FOLDER]             write files to FOLDER [build/demo]
#   scripts/demo.sh --serve [FOLDER]     then serve the pictures to a browser
#   scripts/demo.sh --bags [FOLDER]      the same with bags of 100,000 words
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
part=pictures
serve=no
case ${1:-} in
-h | --help)
    sed -n '2,6s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
--bags)
    part=bags
    shift
    ;;
--serve)
    serve=yes
    shift
    ;;
esac
folder=${1:-$root/build/demo}

cd "$root"
echo "== setting up and building"
scripts/setup.sh
[ -e build/meson-private/coredata.dat ] ||
    meson setup build -Dtests=false >/dev/null
ninja -C build src/cli/akin src/helpers/akin-decode examples/bars >build/demo.log 2>&1 || {
    cat build/demo.log
    exit 1
}
export PATH=$root/build/src/cli:$root/build/examples:$PATH
mkdir -p "$folder"
cd "$folder"

if [ $part = pictures ]; then
    "$root/scripts/demo_pictures.sh"
    cat <<END

== done, in $SECONDS s
$folder contains the pictures, the collections, the model, and
  pictures.html       queries and their results, before and after learning
  why.svg             why two of the pictures are alike
Try next, in that folder (akin is $root/build/src/cli/akin):
  akin search test.akin --like landmark_01/001.jpg,landmark_01/003.jpg
  akin images YOUR_PHOTOS --out photos.akin
  akin search photos.akin --image ONE_OF_THEM
  akin serve test.akin learn.akin      a page to search them in a browser
END
    [ $serve = no ] || exec akin serve test.akin learn.akin
    exit 0
fi

# shellcheck source=scripts/demo_show.sh
source "$root/scripts/demo_show.sh"

cat <<END

== the data
4,000 bags of about 300 words out of 100,000, in 20 classes. Word frequencies
follow a power law, as in text and pictures. Each class has 50 words of its own.
So 1,000 of the 100,000 words matter, and they make up 5 % of a bag. The rest is
noise that all classes share. Half is for learning, half for testing.
END
show akin synth bags --rows 4000 --dim 100000 --classes 20 --class-words 50 \
    --signal 0.05 --out bags.svm
show akin split bags.svm --fraction 0.5 --by-class --out train.svm test.svm

cat <<END

== learning which words matter
akin draws triplets from the labels: this bag is more like that one than like the
other. akin tune chooses the options on a part of the training half. The test half
is used only for the figures below.

\$ akin tune LEARNER --data train.svm --sample 200000 --out LEARNER.safetensors
\$ akin eval LEARNER.safetensors --data test.svm --task retrieval

END
# row NAME MAP P10 WEIGHTS SECONDS: a line of the table.
row() {
    printf '%-12s %7s %7s %13s %9s\n' "$@"
}

# measure NAME MODEL...: evaluate on the test half, print a line of the table.
measure() {
    local name=$1 weights=100,000 seconds=- map p10
    shift
    akin eval "$@" --data test.svm --task retrieval --json --quiet \
        >"eval-$name.json"
    map=$(figure "eval-$name.json" map 100)
    p10=$(figure "eval-$name.json" precision_at.10 100)
    if [ -e "train-$name.json" ]; then
        weights=$(figure "train-$name.json" nonzeros 1 0)
        seconds=$(figure "train-$name.json" seconds 1 2)
    fi
    row "$name" "$map" "$p10" "$weights" "$seconds"
    weights=${weights/,/}
    echo "$name $map $((weights / 1000)).$((weights / 100 % 10))" >>table.txt
}

rm -f table.txt ./*.json
row similarity "mAP %" "P@10 %" "words it uses" "seconds"
measure cosine cosine
measure tfidf tfidf --train train.svm
for learner in oasis-diag solis-tg solis-da solis-afb solis-ada; do
    akin tune "$learner" --data train.svm --sample 200000 \
        --out "$learner.safetensors" --json --quiet >"train-$learner.json"
    measure "$learner" "$learner.safetensors"
done
bars table.svg "mAP, %" "words used, %" <table.txt
cat <<END

(seconds: learning from 200,000 triplets with the chosen options)

== why are two bags alike?
Row 0 and the next row of its class: a word, and what it adds to the score.
END
twin=$(awk 'NR == 1 { kind = $1 } NR > 1 && $1 == kind { print NR - 1; exit }' \
    test.svm)
show akin explain solis-ada.safetensors --data test.svm --rows "0,$twin" --top 5

cat <<END

== a million words
The cost of a triplet depends on its words, not on the size of the vocabulary.
END
show akin synth bags --rows 4000 --dim 1000000 --classes 20 --out million.svm
show akin train solis-ada --data million.svm --sample 1000000 --lambda 1 \
    --out million.safetensors

cat <<END

== done, in $SECONDS s
$folder contains the data, the models, and
  table.svg           the table as a plot
  eval-*.json         all figures
Try next, in that folder (akin is $root/build/src/cli/akin):
  akin learners                      what can be learned, and from what
  akin tune solis-ada --data train.svm --out best.safetensors
  akin eval best.safetensors --data test.svm --task retrieval --report report
  akin train --help
END
