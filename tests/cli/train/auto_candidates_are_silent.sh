# Candidates that the user did not ask for give no warnings: here idf is 0.
printf 'x 1:1 2:.5\nx 1:.9 2:.4\nx 1:.8 2:.6\ny 1:.3 2:.9\ny 1:.2 2:.8\ny 1:.4 2:1\n' > a.svm
akin train auto --data a.svm --quiet --effort 1 --out m > table
akin compare --data a.svm --quiet --effort 1 > table
