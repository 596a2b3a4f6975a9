mkdir -p news
akin synth bags --rows 40 --dim 50 --words 10 --classes 2 --class-words 10 --out news/counts.svm --quiet > made
akin reproduce loreta --data news --quick --quiet
