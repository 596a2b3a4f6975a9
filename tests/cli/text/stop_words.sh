# A list without an end, or that is no text, ends with a line.
source "$CASES/news.bash"
akin text news --stop-words /dev/urandom --out x.svm || echo $?
akin text news --stop-words /dev/zero --out x.svm || echo $?
mkfifo endless
yes words > endless 2> broken_pipe & akin text news --stop-words endless --out x.svm || echo $?
wait
# What the documents have of contractions is left out, of any length.
mkdir one
echo "Don't! It won't, I'm sure they'd say it's theirs; we'll see." > one/a.txt
akin text one --min-length 1 --weights none --out x.svm --save-recipe r.safetensors --quiet
akin info r.safetensors | grep -i term || true
ls
