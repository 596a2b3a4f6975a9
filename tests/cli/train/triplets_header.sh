source "$CASES/../data.sh"
printf 'query,more,less\n3,4,5\n' > t.csv
akin train solis-ada --data rows.svm --triplets t.csv --out m.safetensors --json |
    grep '"examples"'
