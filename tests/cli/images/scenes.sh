akin synth scenes --landmarks 2 --views 2 --others 1 --width 160 --height 120 --threads 1 --out a
akin synth scenes --landmarks 2 --views 2 --others 1 --width 160 --height 120 --threads 2 --quiet --out b > /dev/null
diff -r a b && find a -type f | sort
akin images a --out c --words 30 | sed 's/, [0-9.]* m\?s$//; s/[0-9]* descriptors/some descriptors/'
akin synth scenes --rows 3 --out a
akin synth bags --views 3 --out a.svm
akin synth bags --out a
