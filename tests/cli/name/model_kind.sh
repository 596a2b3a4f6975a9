printf '1,2,a\n3,4,b\n4,4,a\n1,1,b\n' > f.csv
akin train mahalanobis --data f.csv --label-column 2 --out m.safetensors >/dev/null
akin name f.csv --label-column 2 --model m.safetensors --out n.csv
