printf '1 1:1\n' > ./-a.svm
printf '1 1:1\n' > ./--help.svm
akin check -- -a.svm
akin check --quiet -- --help.svm
akin check --json -- -- 2> said | head -n 2
cat said
