# A codebook says how it was made; batches are part of it.
source "$CASES/pictures.bash"
pictures p 2 3
akin images p --out c --words 20 --batch 40 --threads 1 --quiet > /dev/null
akin images p --out d --words 20 --batch 40 --threads 3 --quiet > /dev/null
cmp c/codebook.safetensors d/codebook.safetensors
akin info c/codebook.safetensors | sed 's/^inertia .*/inertia/; /_version/d'
akin images p --out e --words 20 --batch 0
akin images c --add p --batch 50
