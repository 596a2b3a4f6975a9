akin reproduce loreta --quick --quiet --report plots > out.txt
grep -c 'loreta-1 zero' out.txt
ls plots
mkdir -p pictures
akin synth labels --rows 300 --dim 60 --labels 40 --rank 10 --out pictures/train.svm --quiet > made
akin synth labels --rows 100 --dim 60 --labels 40 --rank 10 --seed 2 --out pictures/test.svm --quiet > made
akin reproduce --data pictures --quick --quiet | grep -o 'pictures, labels: mAP'
