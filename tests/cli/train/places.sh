# A message names the file, and the place as the file has it.
printf 'a 1:1 2:-1\nb 1:1\na 2:3\nb 3:1\n' > neg.svm
akin text neg.svm --weights tf --out x.svm
akin train oasis --data neg.svm --weights tf --out m
sed 's/-1/1/' neg.svm > pos.svm
akin train oasis --data pos.svm --weights tfidf --sample 50 --quiet --out m.safetensors > made
akin eval m.safetensors --task retrieval --data neg.svm
sed 's/^./?/' pos.svm > nol.svm
akin train oasis --data pos.svm --validate nol.svm --sample 50 --out n.safetensors
akin train oasis --data pos.svm --validate nol.svm --measure error --sample 50 --out n.safetensors
akin train pa --task rank --data pos.svm --quiet --out r.safetensors > made
sed 's/^b/NEW1/' pos.svm > new.svm
akin train pa --resume r.safetensors --data new.svm --out r.safetensors
mkdir docs
printf 'one\0two' > docs/1
akin text docs --strict --out x.svm
ls
