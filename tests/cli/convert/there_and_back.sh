printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n" > a.svm
for ending in npz csv tsv safetensors svm; do
    akin convert a.svm b.$ending > /dev/null
    akin convert b.$ending c.svm $(case $ending in csv|tsv) echo --label-column label;; esac) > /dev/null
    cmp a.svm c.svm && echo $ending
done
