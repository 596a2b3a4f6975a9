akin synth labels --rows 60 --dim 20 --labels 12 --rank 4 --out l.svm --quiet > made
akin train loreta-1 --task rank --rank 4 --data l.svm --out m.safetensors --quiet --verdict none > made
akin train loreta-1 --task rank --rank 5 --resume m.safetensors --data l.svm --out n.safetensors || echo $?
akin train pa --start zero --rank 4 --data l.svm --out n.safetensors || echo $?
akin train gd --start zero --rank 4 --data l.svm --out n.safetensors || echo $?
akin train group-perceptron --exponent 1 --data l.svm --out n.safetensors || echo $?
sed 's/^[^ ]*/none/' l.svm > other.svm
akin eval m.safetensors --task rank --data other.svm --quiet
akin train loreta-1 --task rank --score cosine --data l.svm --out n.safetensors || echo $?
akin train pa --score dot --task rank --data l.svm --out n.safetensors || echo $?
akin train pa --ybar one --data l.svm --out n.safetensors || echo $?
akin train loreta-1 --task rank --rank 13 --data l.svm --out n.safetensors || echo $?
akin train loreta-1 --score cosine --resume m.safetensors --data l.svm --out n.safetensors || echo $?
akin eval m.safetensors --task rank --score cosine --data l.svm || echo $?
ls
