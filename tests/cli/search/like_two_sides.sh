akin synth bags --rows 40 --dim 40 --words 30 --class-words 9 --out b.svm > /dev/null
akin train oasis --data b.svm --sample 500 --quiet --out m > /dev/null
akin index m --data b.svm --out i > /dev/null
akin search i --like 1
