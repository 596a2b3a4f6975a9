# A model that ranks labels names them: what is not UTF-8 is refused where it
# stands, before anything is learned. From file to file bytes stay as they are.
printf '# rows\na 1:1\na 2:2\nb\351 2:1\n' > d.svm
printf 'label,x\na,1\nb;\351,2\n' > d.csv
printf 'a\na\nb\351\n' > l.txt
rank="--task rank --rank 1 --quiet --out m"
akin train loreta-1 --data d.svm $rank || echo $?
akin train loreta-1 --data d.csv --label-column label $rank || echo $?
akin train loreta-1 --data d.svm --labels l.txt $rank || echo $?
akin train perceptron --data d.svm --quiet --out m || echo $?
akin train loreta-1 --data d.svm --rank 1 --sample 4 --quiet --out m > log
akin convert d.svm e.svm > log && tail -n 1 e.svm | od -An -c
akin convert d.svm e.safetensors || echo $?
