printf '1,2\n3,4\n' > f.csv
akin name f.csv --model m.safetensors --method mms --out n.csv
