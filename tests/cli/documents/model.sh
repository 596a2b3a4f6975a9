# A model that was learned searches; words that come later do not disturb it.
source "$CASES/news.bash"
documents news --out c
akin train solis-ada --data c --sample 2000 --out m.safetensors --quiet > /dev/null
akin documents c --model m.safetensors
akin search c --like space/1 --top 1
akin explain m.safetensors --data c --rows 0,1 | cut -d' ' -f 1
mkdir -p more/space
echo 'Another moon, and quite unheard words.' > more/space/3
documents c --add more
akin search c --like space/3 --top 2 | cut -d' ' -f 1-3,5
akin search c --queries c --top 1 | cut -d' ' -f 1-3,5
akin search c --like space/3 --model m.safetensors --top 1 | cut -d' ' -f 1-3,5
akin check c
akin documents c --model auto
akin search c --like space/3 --top 1 | cut -d' ' -f 1-3,5
akin documents c --model cosine --json
akin eval cosine --data c --task retrieval | grep -o "map [0-9.]*"
