# Numbers of documents are whole, or a share; and one more is one.
mkdir -p docs/a
for i in 1 2 3 4 5 6; do printf 'zero \0 byte' > docs/a/$i; done
printf 'alpha beta' > docs/a/7
printf 'alpha gamma' > docs/a/8
akin text docs --max-df 1.5 --out x.svm || echo $?
akin text docs --min-df 2.5 --out x.svm || echo $?
akin text docs --max-df 0.5 --out x.svm
