source "$CASES/../data.sh"
printf 'O 1 2\n3 4 5\n' > t.txt
akin train solis-ada --data rows.svm --triplets t.txt --out m.safetensors
