source "$CASES/../data.sh"
akin train --eta 0.1 solis-ada --data rows.svm --sample 100 --out m
