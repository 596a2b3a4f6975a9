source "$CASES/pictures.bash"
pictures p 2 3
akin images p --out c --words 200 --quiet > /dev/null
akin explain c k0/0.png 1 --top 400 | grep -c agrees
akin explain c 0 1 --out why.svg | sed 's/score [^,]*/score/'
grep -o '<image\|data:image/jpeg' why.svg
akin explain c 0 1 --out why.png --quiet > /dev/null
head -c 4 why.png | tail -c 3
echo
akin explain c 0 1 --out why.jpg
akin explain c 0 1 --model cosine --top 1 --json | grep -v '[0-9]\.[0-9]'
akin explain c 0
akin explain c 0 k9/1.png
akin explain cosine --data c --rows 0,1 --out why.svg
akin explain cosine --data c --rows 0,1 --top 1 | cut -d' ' -f1
