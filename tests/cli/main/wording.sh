# Limits are said as they are, numbers are not cut, flags have their own names.
printf 'a 1:1 5:1\nb 2:1\n' > a.svm
printf 'a 0:1 5:1\nb 2:1\n' > zero.svm
printf 'a\nb\na\nb\n' > empty.svm
echo 99999999999999999999999 1 0 > t.txt
akin info a.svm --dim 4
akin info zero.svm --dim 4
akin train solis-ada --data a.svm --sample 1e18 --out m
akin train solis-ada --data a.svm --sample 1000000000000000000 --out m
akin train solis-ada --data a.svm --seed 1e30 --out m
akin train solis-ada --data a.svm --triplets t.txt --out m
akin train solis-ada --data empty.svm --out m
akin explain cosine --data a.svm --rows 99999999999999999999999,1
akin synth bags --dim 10 --class-words 50 --out b.svm
