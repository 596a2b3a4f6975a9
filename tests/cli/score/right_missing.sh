source "$CASES/../data.sh"
akin synth bags --rows 45 --dim 120 --words 30 --classes 3 --class-words 20 --seed 2 \
    --out other.svm >/dev/null
akin train cca --data rows.svm --right other.svm --rank 2 --quiet --out m >/dev/null
echo 0 1 > p.txt
echo 0 1 1 > y.txt
akin score m --data rows.svm --pairs p.txt --quiet || echo $?
akin explain m --data rows.svm --rows 0,1 --quiet || echo $?
akin eval m --data rows.svm --task retrieval --quiet || echo $?
akin eval m --data rows.svm --task verify --pairs y.txt --quiet || echo $?
