akin train qpao --data x.svm --out m --max-sweeps 1.5
