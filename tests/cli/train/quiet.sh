source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --sample 500 --quiet --out m.safetensors
