# A quoted pattern names files that are read as one, in order of their bytes.
printf "a 1:1 2:3\n" > part-2.svm
printf "b 1:2\nc 4:1\n" > part-10.svm
: > part-3.svm
akin convert 'part-*.svm' all.svm
cat all.svm
printf "x 1:1\ny 2:z\n" > part-4.svm
akin convert 'part-*.svm' all.svm
echo $?
akin convert 'none-*.svm' all.svm
