# A collection of pictures takes documents too: texts find pictures, and back.
source "$CASES/news.bash"
source "$CASES/../images/pictures.bash"
pictures p 3 4
akin images p --out c --words 30 --quiet > /dev/null
echo 'id,text,label' > t.csv
for k in 0 1 2; do
    for i in 1 2 3 4; do
        echo "t$k$i,pattern number$k of kind word$k and other$i,k$k"
    done
done >> t.csv
documents c --add t.csv --quiet
akin check c
akin search c --like k0/0.png --top 2 | cut -d' ' -f 1-2,5
akin search c --text word1
akin train rsl --data c/words --right c/terms --out m.safetensors --quiet > /dev/null 2>&1
akin documents c --model m.safetensors
akin search c --text 'word1 number1' --top 4 | cut -d' ' -f 5 | sort
akin search c --image p/k2/0.png --top 4 | cut -d' ' -f 5 | sort
akin search c --like t01 --top 4 | cut -d' ' -f 5 | sort
akin search c --like k1/1.png,k1/2.png --unlike k0/0.png --top 4 | cut -d' ' -f 5 | sort
echo 't99,word2 number2 unheard,k2' >> t.csv
documents c --add t.csv --quiet
akin search c --image p/k2/0.png --top 5 | cut -d' ' -f 5 | sort
akin remove c t99
akin check c
akin documents t.csv --out c
