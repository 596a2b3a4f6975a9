# Whatever folders are called, classes have names that any format holds.
for f in $'new\nline' 'a b' 'a,b' '?' $'caf\xe9' 'été'; do
    mkdir -p "c/$f"
    echo "rocket" > "c/$f/1"
done
akin text c --out c.svm
cat c.svm
