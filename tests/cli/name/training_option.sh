# Options of asml that have an effect in training alone, or in naming alone.
printf '1,2\n3,4\n' > f.csv
printf 'photo,faces,names\na,0;1,Ann\n' > c.csv
akin name f.csv --captions c.csv --method asml --rank 3 --out n.csv
akin name f.csv --captions c.csv --method asml --magic 3 --out n.csv
akin train asml --data f.csv --captions c.csv --pca 3 --out m.safetensors
