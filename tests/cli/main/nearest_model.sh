source "$CASES/../data.sh"
mkdir models
akin train solis-ada --data rows.svm --sample 50 --quiet --verdict none --out models/m.safetensors
for m in euclidian models/m.safetensor models/other; do
    akin embed $m --data rows.svm --out x.npy
done
