# The link stays, and what it names is written.
source "$CASES/../data.sh"
mkdir folder
ln -s folder/m.safetensors m
akin train solis-ada --data rows.svm --quiet --verdict none --sample 10 --out m > said
[ -L m ] && akin check folder/m.safetensors
