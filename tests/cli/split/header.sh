cat > a.csv <<END
size,number of legs,kind
2,4,cat
1,2,bird
2,4,dog
END
akin split a.csv --label-column kind --fraction 0.67 --out b.csv c.csv
cat b.csv c.csv
