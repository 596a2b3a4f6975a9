# A folder of the text layout: 240 documents of 8 classes.
mkdir -p news
akin synth bags --rows 240 --dim 400 --words 40 --classes 8 --class-words 30 \
    --signal 0.4 --out news/counts.svm --quiet > made
