# The model is the result: nothing is said of it. Results on standard output
# remain, and so do warnings.
source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --sample 500 --quiet --out m.safetensors
akin index m.safetensors --data rows.svm --quiet --out i
akin search i --like 0 --top 1 --quiet | wc -l
akin train lmnn --data rows.svm --max-iterations 1 --quiet --out n
