source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --sampler warp --out m.safetensors --quiet
