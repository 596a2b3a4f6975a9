# What is written among the documents would be read the next time.
source "$CASES/news.bash"
akin text news --out news/x.svm || echo $?
akin text ./news/ --list news/../news/space/list --out x.svm || echo $?
ln -s news other
akin text news --save-recipe other/r.safetensors --out x.svm || echo $?
akin text news --out newsx.svm --quiet
ls
