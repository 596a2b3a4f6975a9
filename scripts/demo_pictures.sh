#!/usr/bin/env bash
# From a folder of photographs to search: paint and photograph a town, learn,
# count and index visual words, and compare TF-IDF with a similarity learned from
# labels. demo.sh calls it, with akin on the PATH, in the folder for the files.
set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# shellcheck source=scripts/demo_show.sh
source "$scripts/demo_show.sh"

cat <<END

== a town, photographed
10 landmarks, 16 views of each, from different sides, in different light, behind
trees, cars and people that look the same all over town; and 60 streets without a
landmark.
END
rm -rf town learn test learn.akin test.akin
show akin synth scenes --landmarks 10 --views 16 --others 60 --width 400 \
    --height 300 --out town

# Every other picture is for learning, the rest for testing.
for file in town/*/*.jpg town/*.jpg; do
    name=${file#town/}
    number=${name%.jpg}
    number=${number: -3}
    half=$([ $((10#$number % 2)) = 0 ] && echo learn || echo test)
    mkdir -p "$(dirname "$half/$name")"
    mv "$file" "$half/$name"
done
rm -r town

cat <<END

== local features, words, bags, index
One half gives the visual words; the other half uses the same words.
END
show akin images learn --words 4000 --out learn.akin
show akin images test --codebook learn.akin --out test.akin

cat <<END

== which words matter?
TF-IDF weights words by rarity. binary-idf ignores how often a word occurs in a
picture, which helps with bricks and leaves. solis-ada learns from the labels of
the first half which words separate landmarks from trees, cars and windows; its
options are chosen on a part of that half. Each picture of the other half is a
query.

\$ akin tune solis-ada --data learn.akin --out m.safetensors
\$ akin eval m.safetensors --data test.akin --task retrieval

END
akin eval tfidf --data test.akin --train learn.akin --task retrieval --json \
    --quiet >tfidf.json
akin train tfidf --weights binary-idf --data learn.akin --json --quiet \
    --out binary.safetensors >binary.json
akin eval binary.safetensors --data test.akin --task retrieval --json --quiet \
    >binary-idf.json
akin tune solis-ada --data learn.akin --sample 20000 --trials 8 \
    --out m.safetensors --json --quiet >learned.json
akin eval m.safetensors --data test.akin --task retrieval --json --quiet \
    >solis-ada.json
akin images test.akin --model m.safetensors --quiet >/dev/null
words=$(akin info learn.akin --json | "$python" -c \
    'import json, sys; print(json.load(sys.stdin)["dim"])')
used=$("$python" -c 'import json; print(json.load(open("learned.json"))["nonzeros"])')
row() {
    printf '%-12s %7s %7s %7s %14s %9s\n' "$@"
}
row similarity "mAP %" "P@1 %" "P@5 %" "words it uses" "zeros %"
for name in tfidf binary-idf solis-ada; do
    n=$([ $name = solis-ada ] && echo "$used" || echo "$words")
    row $name "$(figure $name.json map 100)" \
        "$(figure $name.json precision_at.1 100)" \
        "$(figure $name.json precision_at.5 100)" "$n" \
        "$(awk "BEGIN { printf \"%.1f\", 100 * (1 - $n / $words) }")"
done

cat <<END

== search
END
query=test/landmark_03/001.jpg
show akin search test.akin --image $query --top 4
show akin search test.akin --image $query --top 4 --model tfidf
show akin explain test.akin landmark_02/001.jpg landmark_02/003.jpg --top 200 \
    --out why.svg
"$python" "$scripts/demo_page.py" test.akin m.safetensors pictures.html \
    tfidf.json solis-ada.json "$words" "$used"
