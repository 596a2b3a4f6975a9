# A folder of the text layout: 120 documents of 8 classes.
mkdir -p news
akin synth bags --rows 120 --dim 150 --words 15 --classes 8 --class-words 15 \
    --signal 0.4 --out news/counts.svm --quiet > made
