source "$CASES/news.bash"
printf 'caf\xe9 roses' > news/garden/latin1
akin text news --out news.svm --strict || echo $?
ls
