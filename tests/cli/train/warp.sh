source "$CASES/../data.sh"
akin train loreta-psd --data rows.svm --rank 5 --sample 500 --sampler warp --out m.safetensors | sed 's/ in .*//'
akin info m.safetensors | grep -E '^(kind|rank|examples)'
