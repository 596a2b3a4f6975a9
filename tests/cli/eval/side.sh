# the other way round: right rows find left ones, as in an index of left rows
source "$CASES/../data.sh"
akin synth bags --rows 45 --dim 120 --words 30 --classes 3 --class-words 20 --seed 2 \
    --out other.svm >/dev/null
for i in {0..44}; do for j in {0..59}; do echo $j $i; done; done > p.txt
for kernel in none rbf; do
    akin train rsl --data rows.svm --right other.svm --rank 2 --kernel $kernel --quiet \
        --out m >/dev/null
    akin eval m --data other.svm --right rows.svm --side right --task retrieval --quiet
    akin index m --data rows.svm --side left --out x --quiet >/dev/null
    akin search x --queries other.svm --top 60 --quiet | sort -n -k1,1 -k3,3 |
        awk '{ printf "%.5f\n", $4 + 1e-9 }' > found
    akin score m --data rows.svm --right other.svm --pairs p.txt --quiet |
        awk '{ printf "%.5f\n", $3 + 1e-9 }' > scored
    wc -l < found
    paste found scored | awk '($1 - $2) ^ 2 > 1e-9 { print "differ", $0 }'
done
# and what has no sides
akin train svm-t --data rows.svm --quiet --out s >/dev/null
akin eval s --data rows.svm --side right --task retrieval --quiet || echo $?
akin eval m --data rows.svm --side right --task rank --quiet || echo $?
