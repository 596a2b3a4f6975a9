# Each output has a file of its own, and all are written or none.
source "$CASES/news.bash"
mkdir out
ln -s /dev/full full.svm
ln -s /dev/null null.svm
ln -s x.safetensors out/link
akin text news --out out/x.safetensors --save-recipe out/x.safetensors || echo $?
akin text news --out out/x.safetensors --save-recipe out/../out/link || echo $?
akin text news --out out/x.svm --list ./out/x.svm || echo $?
akin text news --out out/x.svm --list out/list --save-recipe /dev/full || echo $?
akin text news --out full.svm --list out/list --save-recipe out/r.safetensors || echo $?
ls out
akin text news --out null.svm --list /dev/null
