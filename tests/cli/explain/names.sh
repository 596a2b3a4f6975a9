cat > a.csv <<END
size,number of legs,kind
2,4,cat
1,2,bird
2,4,dog
END
akin train tfidf --data a.csv --label-column kind --weights none --quiet \
    --out m.safetensors >/dev/null
akin explain m.safetensors --data a.csv --label-column kind --rows 0,2 --top 1 --exact
# The model knows them where the data does not.
akin convert a.csv a.svm --label-column kind >/dev/null
akin explain m.safetensors --data a.svm --rows 0,2 --json
akin explain euclidean --data a.csv --label-column kind --rows 0,1
