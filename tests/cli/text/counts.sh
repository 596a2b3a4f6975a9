cat > counts.svm <<'END'
a 1:2 2:1 3:1
a 2:1 4:3
b 3:1 5:1
b 3:2
END
printf '%s\n' the rocket roses orbit sun | gzip > terms.gz
akin text counts.svm --vocabulary terms.gz --features 2 --save-recipe r.safetensors --out few.svm
cat few.svm
mkdir new
echo "the roses, the rocket, the orbit" > new/1
akin text new --recipe r.safetensors --out new.svm
cat new.svm
# without terms: columns alone
akin text counts.svm --min-df 2 --weights binary --save-recipe c.safetensors --out columns.svm
cat columns.svm
akin text new --recipe c.safetensors --out x.svm || echo $?
echo "a 6:1" > wide.svm
akin text wide.svm --recipe c.safetensors --out x.svm || echo $?
printf '%s\n' the rocket roses > short
akin text counts.svm --vocabulary short --out x.svm || echo $?
akin text counts.svm --features 2 --recipe c.safetensors --out x.svm || echo $?
sed 's/^. //' counts.svm | sed 's/^/? /' > unlabelled.svm
akin text unlabelled.svm --features 2 --out x.svm || echo $?
akin text unlabelled.svm --features 2 --select df --out df.svm
cat df.svm
