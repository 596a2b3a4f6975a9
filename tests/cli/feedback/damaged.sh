# A byte of a catalogue that is no longer a letter is not a lack of memory.
source "$CASES/docs.bash"
akin feedback c --query d1 --good d2 --user annalisa
sed -i 's/annalisa/anna\xffisa/g' c/catalog.sqlite
akin feedback c --list
