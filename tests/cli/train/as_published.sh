# The paper's settings, unless a flag says otherwise; not for a model that goes
# on with its own.
source "$CASES/../data.sh"
show() {
    python3 -c 'import json, sys
r = json.load(sys.stdin)
print(r["as_published"], r["recipe"], *(r["params"][k] for k in sys.argv[1:]))' "$@"
}
akin train solis-ada --as-published --data rows.svm --sample 500 --out m.safetensors --json --quiet |
    show start eta lambda delta
akin train solis-ada --as-published --weights binary --eta 0.5 --data rows.svm --sample 500 \
    --out m.safetensors --json --quiet | show start eta lambda delta
akin train loreta-psd --as-published --data rows.svm --sample 500 --rank 5 --out p.safetensors --json --quiet |
    show score max_s start
akin train solis-ada --resume m.safetensors --as-published --data rows.svm --out m.safetensors
