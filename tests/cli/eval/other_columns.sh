# Rows of other columns than a model was learned from are refused by every
# command: by their names, or by the size that an archive states.
printf 'a,b,c,label\n1,0,2,x\n2,1,0,x\n0,1,3,y\n0,2,2,y\n' > abc.csv
sed 's/^a,b,c/c,b,a/' abc.csv > cba.csv
akin train oasis --as-is --data abc.csv --label-column label --sample 50 --quiet \
    --out m.safetensors > made
printf '0 1\n' > pairs
for command in "eval m.safetensors --task retrieval" \
    "score m.safetensors --pairs pairs" "predict m.safetensors --train abc.csv" \
    "explain m.safetensors --rows 0,1" "embed m.safetensors --out e.npy" \
    "index m.safetensors --out i" "eval m.safetensors --as-is --task retrieval" \
    "train oasis --resume m.safetensors --out n.safetensors"; do
    akin $command --data cba.csv --label-column label
    echo $?
done
akin index m.safetensors --data abc.csv --label-column label --out i > made
akin search i --queries cba.csv --label-column label
akin synth bags --rows 20 --dim 80 --words 9 --classes 2 --class-words 5 --out r.svm > made
akin train oasis --data r.svm --dim 80 --sample 50 --quiet --out m.safetensors > made
sed 's/ [4-9][0-9]:[^ ]*//g; s/ 80:[^ ]*//' r.svm > narrow.svm
akin convert narrow.svm narrow.npz > made
akin convert narrow.svm narrow.safetensors > made
for file in narrow.svm narrow.npz narrow.safetensors "narrow.npz --dim 80"; do
    akin eval m.safetensors --task retrieval --data $file | cut -c 1-4 | head -1
    echo ${PIPESTATUS[0]}
done
ls
