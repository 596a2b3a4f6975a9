source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --quiet --sample 10 --out /nowhere/m
