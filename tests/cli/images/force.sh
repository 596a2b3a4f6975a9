# An old collection stays until there is all that a new one needs.
source "$CASES/pictures.bash"
pictures p 2 3
mkdir empty unread
echo 'no picture' > unread/0.png
akin images p --out c --words 20 --quiet > /dev/null
akin index tfidf --data c --out other.safetensors --quiet > /dev/null
cat c/*.safetensors c/segments/* > before
refused() {
    akin images "$@" --out c --force --quiet > said 2>&1
    echo "exit $?"
    sed "s|$PWD/||g" said
    akin check c > /dev/null || echo harmed
    cat c/*.safetensors c/segments/* | cmp - before
}
refused p --codebook nothing.safetensors
refused p --codebook other.safetensors
refused p --words 6000
refused empty
refused unread
refused unread --codebook c
refused c
ln -s c link
refused link
# Its own words may be kept.
cp c/codebook.safetensors words.safetensors
akin images p/k0 --codebook c --out c --force | sed 's/, [0-9.]* m\?s$//'
akin images p --codebook words.safetensors --out d --quiet > /dev/null
cmp c/codebook.safetensors d/codebook.safetensors
akin check c | head -1
