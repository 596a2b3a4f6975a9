# Neither part is lost to the other, nor the input to a part.
source "$CASES/../data.sh"
ln -s c.svm link.svm
akin split rows.svm --out c.svm ./c.svm; echo $?
akin split rows.svm --out c.svm link.svm; echo $?
akin split rows.svm --out ./rows.svm c.svm; echo $?
akin split rows.svm --out - -; echo $?
ls
akin split rows.svm --out link.svm d.svm
[ -L link.svm ] && ls
