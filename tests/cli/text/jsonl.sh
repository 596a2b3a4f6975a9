# An object in each line is a document.
cat > mail.jsonl <<'END'
{"id": 1, "text": "Dear \"friend\",\nbuy now; \u00c9COLE école", "label": "spam"}
{"id": 2, "text": "meeting on monday", "label": ["ham", "work"], "year": 2020}

{"id": 3, "text": "buy a meeting", "label": null}
END
akin text mail.jsonl --out mail.svm --stop-words none --list rows
paste rows mail.svm
sed 's/"text"/"body"/' mail.jsonl | gzip > body.jsonl.gz
akin text body.jsonl.gz --out body.svm --stop-words none
cmp mail.svm body.svm
sed 's/"text"/"words"/; s/"label"/"kind"/' mail.jsonl > keys.ndjson
akin text keys.ndjson --text-column words --label-column kind --out keys.svm --stop-words none
cmp mail.svm keys.svm
try() {
    printf '%s\n' '{"text": "fine words"}' "$1" > bad.jsonl
    akin text bad.jsonl --out x.svm || echo $?
}
try '{"text": "no end'
try '["text"]'
try '{"words": "a"}'
try '{"text": 7}'
try '{"text": "a", "text": "b"}'
try $'{"text": "caf\xe9"}'
try '{"text": "a", "label": [["b"]]}'
try '{"text": "a", "label": "b;;c"}'
try '{"text": "zero \u0000 byte", "label": "b"}'
rm x.svm
akin text mail.jsonl --header --out x.svm || echo $?
akin text mail.jsonl --label-column kind --out x.svm || echo $?
akin text mail.jsonl --dim 9 --out x.svm || echo $?
: > none.jsonl
akin text none.jsonl --out x.svm || echo $?
ls x.svm || true
