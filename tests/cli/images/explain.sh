source "$CASES/pictures.bash"
pictures p 2 3
akin images p --out c --words 200 --quiet > /dev/null
akin explain c k0/0.png 1 --top 400 | grep -c agrees
akin explain c 0 1 --out why.svg | sed 's/score [^,]*/score/'
grep -o '<image\|data:image/jpeg' why.svg
grep -o 'k0/[01].png<\|score\|[0-9]* features in common[a-z ]*\|width="[89][0-9]*"' why.svg
akin explain c 0 1 --out why.png --quiet > /dev/null
echo $((0x$(head -c 20 why.png | tail -c 4 | od -An -tx1 | tr -d ' ')))
head -c 4 why.png | tail -c 3
echo
akin explain c 0 1 --out why.jpg
akin explain c 0 1 --model cosine --top 1 --json | grep -v '[0-9]\.[0-9]'
akin explain c 0
akin explain c 0 k9/1.png
akin explain cosine --data c --rows 0,1 --out why.svg
akin explain cosine --data c --rows 0,1 --top 1 | cut -d' ' -f1
