# Settings of a learner are chosen by triplets, pairs and captions as by labels.
source "$CASES/../points.sh"
learn="--data points.csv --label-column label --trials 2 --quiet --out m"
for i in 0 1 2 3; do
    for j in 4 8; do
        echo $((i + j)) $(((i + 1) % 4 + j)) $i
    done
done > triplets
awk '{ print $1, $2, 1; print $1, $3, -1 }' triplets > pairs
for k in 1 2 3 4 5; do tail -n +2 points.csv; done > more.csv
cat more.csv >> points.csv
echo photo,faces,names > captions
for k in 0 12 24 36 48 60; do
    for i in 0 1; do
        echo "p$k$i,$((k + i));$((k + i + 4)),X;Y"
        echo "q$k$i,$((k + i + 2));$((k + i + 8)),X;Z"
        echo "r$k$i,$((k + i + 6));$((k + i + 10)),Y;Z"
    done
done >> captions
for known in "lmnn --triplets" "itml --pairs" "asml --captions"; do
    set -- $known
    rm -f m
    akin tune $1 $learn $2 ${2#--} 2> /dev/null | awk '/^trial|^plain/ { print $1, $2 }
        /^plain/ { exit }'
    [ -s m ] && echo written
done
# One example cannot be held out and learned from.
echo 0 1 4 > triplets
rm -f m
akin tune lmnn $learn --triplets triplets || echo $?
[ -e m ] || echo nothing written
