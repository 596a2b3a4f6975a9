# What a default comes to is told and kept.
akin synth labels --rows 60 --dim 20 --labels 12 --rank 4 --out l.svm --quiet > made
akin train loreta-1 --rank 4 --data l.svm --out m.safetensors --quiet --verdict none --json | grep '"eta"'
akin train loreta-1 --rank 4 --task rank --data l.svm --out m.safetensors --quiet --verdict none --json | grep '"eta"'
akin info m.safetensors | grep eta
