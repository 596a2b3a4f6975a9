source "$CASES/news.bash"
akin text news --out news.svm --list documents
paste documents news.svm
