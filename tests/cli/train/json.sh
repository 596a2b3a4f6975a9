source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --sample 500 --eta=0.1 --out m.safetensors --json
