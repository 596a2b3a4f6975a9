# A start brings its rank; another one that is asked for is refused with both.
akin synth labels --rows 60 --dim 20 --labels 12 --rank 4 --out l.svm --quiet > made
akin train loreta-1 --rank 4 --data l.svm --out m.safetensors --quiet --verdict none > made
akin train loreta-mi --start m.safetensors --data l.svm --out n.safetensors --quiet --json | grep '"rank"'
akin train loreta-1 --start m.safetensors --rank 5 --data l.svm --out o.safetensors || echo $?
akin train loreta-1 --start m.safetensors --dim 25 --data l.svm --out o.safetensors || echo $?
akin train loreta-1 --rank 30 --data l.svm --out o.safetensors || echo $?
akin train loreta-1 --task rank --rank 30 --data l.svm --out o.safetensors || echo $?
sed 's/$/ 30:1/' l.svm > wide.svm
akin eval m.safetensors --task retrieval --data wide.svm || echo $?
akin train pa --recipe m.safetensors --rank 4 --data wide.svm --out o.safetensors || echo $?
ls
