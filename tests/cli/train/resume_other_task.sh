. $CASES/../data.sh
akin train pa --data rows.svm --sample 100 --rank 2 --out m --quiet >/dev/null 2>&1
akin train pa --data rows.svm --resume m --task rank --out n
