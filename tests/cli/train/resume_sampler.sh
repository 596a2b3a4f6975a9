# --resume goes on with the sampler and the seed of the model.
printf "a 1:1 2:1\na 1:1 3:1\nb 2:1 4:1\nb 3:1 4:2\nc 1:2 5:1\nc 4:1 5:2\n" > d.svm
train() { akin train "$@" --data d.svm --quiet > log; }
go="--sampler warp --seed 9 --rank 2"
train loreta-1 $go --sample 40 --out whole
train loreta-1 $go --sample 25 --out part
train loreta-1 --resume part --sample 15 --out parts
cmp whole parts && akin info parts | grep -E 'seed|sampler'
train loreta-1 --resume part --sample 15 --sampler uniform --seed 2 --out u
akin info u | grep -E 'seed|sampler'
# triplets are not drawn
echo 0 1 2 | train loreta-1 --resume part --triplets - --out t
# and of labels
train loreta-1 --task rank $go --passes 2 --out whole
train loreta-1 --task rank $go --passes 1 --out part
train loreta-1 --task rank --resume part --out parts
cmp whole parts
