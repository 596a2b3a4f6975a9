source "$CASES/../data.sh"
akin synth bags --rows 45 --dim 120 --words 30 --classes 3 --class-words 20 --seed 2 \
    --out other.svm >/dev/null
akin train cca --data rows.svm --right other.svm --pairs all --rank 2 --json --quiet --out m |
    grep -E '"(rows|dim|right_rows|right_dim|right_recipe|rank|examples)"'
akin eval m --data rows.svm --right other.svm --task retrieval --json --quiet |
    grep -E '"(queries|rows)"'
akin eval m --data other.svm --task retrieval --quiet || echo $?
