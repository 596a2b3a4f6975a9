# Columns numbered from 0 are the unusual case, and said; JSON has both.
printf 'a 0:1 2:1\nb 1:1\na 0:1\nb 1:2\n' > zero.svm
printf 'a 1:1 3:1\nb 2:1\na 1:1\nb 2:2\n' > one.svm
for f in zero one; do
  akin train tfidf --data $f.svm --out m.safetensors --verdict none --json | grep index_base
done
akin convert one.svm one.npy --json | grep index_base
akin train auto --data zero.svm --out m.safetensors --quiet --json | grep index_base
