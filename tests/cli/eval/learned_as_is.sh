# Checksums are those of raw rows: of rows that went through the recipe before
# they were read, nobody knows whether they were learned from.
printf 'a 1:1 2:3\nb 2:2 3:1\na 1:2 3:1\nb 2:1 3:3\na 1:1 3:2\nb 1:1 2:5\n' > raw.svm
akin text raw.svm --weights tfidf --save-recipe recipe.safetensors --out prepared.svm --quiet
akin train solis-ada --data raw.svm --recipe recipe.safetensors --sample 20 \
    --out m.safetensors --verdict none --quiet
akin eval m.safetensors --data raw.svm --task retrieval --json | grep rows_learned
akin eval m.safetensors --data prepared.svm --as-is --task retrieval --json | grep rows_learned
