# Captions that say nothing of two faces are refused before anything is learned.
source "$CASES/../points.sh"
learn="train auto --data points.csv --label-column label --quiet --out m"
captions() {
    echo photo,faces,names > captions
    for i in 0 1 2 3 4 5 6 7 8 9 10 11; do echo p$i,$i,$1; done >> captions
}
captions Ann
akin $learn --captions captions || echo $?
captions ""
akin $learn --captions captions || echo $?
captions Ann
sed -i 's/\(p[0-9]*\),\(.*\),Ann/\1,\2,Ann \1/' captions
akin $learn --captions captions || echo $?
akin $learn --captions captions --right points.csv || echo $?
[ -e m ] || echo nothing written
