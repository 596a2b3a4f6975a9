source "$CASES/../data.sh"
seq 0 29 > l
akin train solis-ada --data rows.svm --labelled l --sample 100 --verdict none --out m
