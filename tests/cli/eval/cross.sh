source "$CASES/../data.sh"
akin synth bags --rows 45 --dim 120 --words 30 --classes 3 --class-words 20 --seed 2 \
    --out other.svm >/dev/null
akin train cca --data rows.svm --right other.svm --pairs all --rank 2 --quiet --out m >/dev/null
keep() { grep -E '"(accuracy|rows|skipped)"'; }
akin eval m --task cross --source rows.svm --target other.svm --json --quiet | keep
akin eval m --task cross --train other.svm --target other.svm --json --quiet | keep
akin train svm-t --data other.svm --quiet --out s >/dev/null
akin eval s --task cross --target other.svm --json --quiet | keep
akin train hfa --data rows.svm --right other.svm --lambda 10 --quiet --out h >/dev/null
akin eval h --task cross --target other.svm --json --quiet | keep
akin predict h --data other.svm --top 1 --quiet | head -3 | cut -d' ' -f1,2
akin train hfa --data rows.svm --right other.svm --kernel rbf --kernel-right intersection --quiet --out h >/dev/null
akin eval h --task cross --target other.svm --json --quiet | keep
