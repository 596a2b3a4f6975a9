# Columns of other terms than the recipe's are refused.
source "$CASES/news.bash"
akin text news --save-recipe r.safetensors --out all.safetensors --quiet > /dev/null
akin text all.safetensors --recipe r.safetensors --out x.svm
akin text news --stop-words none --out more.safetensors --quiet > /dev/null
akin text news --min-df 2 --out fewer.safetensors --quiet > /dev/null
akin text more.safetensors --recipe r.safetensors --out x.svm || echo $?
akin text fewer.safetensors --recipe r.safetensors --out x.svm || echo $?
akin text news --min-df 3 --out x.svm || echo $?
echo "a 1:2 3:1" > counts.svm
printf '%s\n' sun moon sun > twice
akin text counts.svm --vocabulary twice --out x.svm || echo $?
printf 'sun\nmo\xf6n\nstar\n' > latin1
akin text counts.svm --vocabulary latin1 --out x.svm || echo $?
akin text nowhere --out x.svm || echo $?
akin text news/space/1 --out x.svm || echo $?
mkdir one
echo "4 5 6" > one/1
akin text one --out x.svm || echo $?
seq -f 'w%.0f' 12000 > one/1
akin text one --out x.svm
