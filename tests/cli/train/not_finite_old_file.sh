# A run that diverges leaves the model that was there, also that of --resume.
printf "1 2:1\n1 2:2\n2 2:1\n1 1:1e10\n1 1:1e10\n2 1:-1e10\n" > a.svm
printf "0 1 2\n0 1 2\n3 4 5\n0 1 2\n" > t
learn() { akin train solis-tg "$@" --data a.svm --triplets t --quiet; }
first="--weights none --norm none --start $CASES/huge.safetensors"
echo "0 1 2" | akin train solis-tg $first --data a.svm --triplets - --quiet \
    --out m > log
cp m old
learn --resume m --out m || echo $?
learn $first --out m || echo $?
learn $first --out /dev/null || echo $?
cmp m old && ls
for f in m m.last m.last.2; do akin info $f | grep examples; done
