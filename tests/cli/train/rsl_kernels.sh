# Each kernel: the model scores as one that was read back, and rows that are
# the kernel matrix give what the kernel gives.
for i in 0 1 2 3 4 5 6 7; do echo "$((i * 5 % 7)),$((i * 3 % 5)),$((i % 3))"; done > left.csv
for i in 0 1 2 3 4 5; do echo "$((i * 2 % 5)),$((i * i % 7))"; done > right.csv
for i in 0 1 2 3 4 5 6 7; do
    echo "$i $((i * 5 % 6)) $((i % 2 * 2 - 1))"
done > pairs.txt
for k in none linear rbf laplacian poly chi2 intersection; do
    akin train rsl --data left.csv --right right.csv --pairs pairs.txt --rank 1 \
        --kernel $k --quiet --out m.safetensors >/dev/null || exit 1
    akin info m.safetensors | grep '^kind'
    akin score m.safetensors --data left.csv --right right.csv \
        --pairs pairs.txt --score dot |
        awk '{ sub(/[0-9]*$/, "", $1) } ($3 > 0) == (NR % 2 == 0) { n++ }
             END { print NR " scores, " (n > 5 ? "learned" : "not learned") }'
done
gram() { awk -F, '{ for (c = 1; c <= NF; ++c) x[NR, c] = $c; w = NF }
    END { for (i = 1; i <= NR; ++i) { line = ""
        for (j = 1; j <= NR; ++j) { s = 0
            for (c = 1; c <= w; ++c) s += x[i, c] * x[j, c]
            line = line (j > 1 ? "," : "") s }
        print line } }' "$1"; }
gram left.csv > kl.csv
gram right.csv > kr.csv
akin train rsl --data left.csv --right right.csv --pairs pairs.txt --rank 1 \
    --kernel linear --quiet --out a.safetensors >/dev/null
akin train rsl --data kl.csv --right kr.csv --pairs pairs.txt --rank 1 \
    --kernel precomputed --quiet --out b.safetensors >/dev/null
akin info b.safetensors | grep '^kind'
akin score a.safetensors --data left.csv --right right.csv --pairs pairs.txt --score dot > a.txt
akin score b.safetensors --data kl.csv --right kr.csv --pairs pairs.txt --score dot > b.txt
paste a.txt b.txt | awk '{ d = $3 - $6; if (d < 0) d = -d; if (d > worst) worst = d }
    END { print worst < 1e-6 ? "the same" : "different by " worst }'
