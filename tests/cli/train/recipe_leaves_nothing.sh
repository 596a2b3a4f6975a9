# The recipe is to blame for rows without numbers, not a parameter.
for i in 1 2 3 4; do echo "$((i % 2)) 1:1 2:1 3:1"; done > same.svm
akin train solis-ada --data same.svm --weights tfidf --out m.safetensors || echo $?
akin train loreta-1 --rank 2 --data same.svm --out m.safetensors || echo $?
ls
