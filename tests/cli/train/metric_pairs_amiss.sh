source "$CASES/../points.sh"
printf "0 1 1\n1 0 -1\n" > both
printf "0 0 1\n0 1 1\n0 4 -1\n" > self
printf "3 3 1\n" > alone
for p in both self alone; do
    learn s3ml --data points.csv --pairs $p | cut -d ' ' -f 1-3 | tr -d ,
    echo "exit ${PIPESTATUS[0]}"
done
learn lmnn --data points.csv --pairs both
echo "exit $?"
