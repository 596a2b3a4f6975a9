source "$CASES/../images/pictures.bash"
pictures p 3 4
mv p/k1/3.png new.png
akin images p --out c --words 200 --quiet > /dev/null
akin tag c --image new.png --top 1 --k 3 | cut -d' ' -f1
akin tag c --image new.png | awk '{ s += $2 } END { print s }'
