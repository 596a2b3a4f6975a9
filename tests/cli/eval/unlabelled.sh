# Rows without a label are wrong results, and a note says how many there are.
printf 'a 1:1\n? 1:1.1\na 1:1.3\n? 2:1\nb 2:1\nb 1:.1 2:.9\n' > half.svm
akin eval euclidean --data half.svm --task retrieval --json | grep '"map"\|"rows"\|"1"'
printf 'a 1:1\na 1:1.3\nb 2:1\nb 1:.1 2:.9\n' > labelled.svm
akin eval euclidean --data labelled.svm --task retrieval --json | grep '"map"\|"rows"\|"1"'
