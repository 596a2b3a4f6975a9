# What goes to standard output is the result alone; the rest goes beside it.
printf '1 1:2\n2 1:3\n' > a.svm
akin convert a.svm - 2> said
cat said
akin convert a.svm - --json 2> said | cmp - a.svm
cat said
