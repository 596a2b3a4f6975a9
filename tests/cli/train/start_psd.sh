# A model with two factors is no start for one; a psd model is one for both.
printf 'a 1:1 2:1\na 1:1 3:1\nb 2:1 4:1\nb 3:1 4:2\n' > d.svm
train() { akin train "$@" --data d.svm --sample 20 --quiet > log; }
train loreta-1 --rank 2 --out two.safetensors
train loreta-psd --rank 2 --out one.safetensors
for learner in loreta-psd psd-gd; do
    train $learner --start two.safetensors --out m || echo $?
    train $learner --start one.safetensors --out m || echo $?
done
train loreta-1 --start one.safetensors --out m
