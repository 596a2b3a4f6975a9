# Labels that are whole numbers are numbers in JSON; 007 makes all of them texts.
source "$CASES/../data.sh"
label() {
    akin predict cosine --data rows.svm --train $1 --json |
        python3 -c 'import json, sys
print(*{type(l["label"]).__name__ for r in json.load(sys.stdin)["predictions"]
        for l in r["labels"]})'
}
label rows.svm
sed 's/^0 /007 /' rows.svm > other.svm
label other.svm
