source "$CASES/../data.sh"
akin train rsl --data rows.svm --rank 2 --check-derivatives --out m.safetensors 2>&1 |
    sed -n 's/.*\(derivatives against differences: gradient\) [0-9.]*e-\([0-9]*\).*/\1 10^-\2/p' |
    awk '{ sub(/10\^-0*/, "", $NF); print ($NF >= 6 ? "they agree" : $0) }'
akin train rsl --data rows.svm --rank 2 --origin zero --quiet --out m.safetensors >/dev/null
