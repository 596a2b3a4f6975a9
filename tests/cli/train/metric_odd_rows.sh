# Constant columns, equal rows, fewer rows than neighbours, one column.
source "$CASES/../points.sh"
printf "a,b,label\n1,2,x\n1,3,x\n1,2,y\n1,4,y\n" > constant.csv
printf "a,b,label\n1,2,x\n1,2,x\n2,2,y\n2,3,y\n2,3,y\n" > twice.csv
printf "a,b,label\n1,2,x\n1,2,x\n1,2,y\n" > equal.csv
printf "a,label\n1,x\n2,x\n4,y\n" > narrow.csv
printf "a,b,label\n1,2,x\n" > short.csv
printf "a,b,label\n1,2,x\n1,nan,x\n3,2,y\n" > nan.csv
for f in constant twice equal narrow short nan; do
    for l in s3ml s2ml; do
        learn $l --data $f.csv | cut -d ' ' -f 1-3 | tr -d ,
        echo "$f $l exit ${PIPESTATUS[0]}"
    done
done
learn s3ml --data constant.csv --start covariance --rho 0.1 | cut -d ' ' -f 1-3 | tr -d ,
printf "a,b,label\n10000001,2,x\n10000002,3,x\n10000004,2,y\n" > large.csv
learn s2ml --data large.csv | cut -d ' ' -f 1-3 | tr -d ,
learn sdml --data constant.csv --start covariance
