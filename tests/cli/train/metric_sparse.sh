# The family of sparse metrics, from labels of few rows.
source "$CASES/../points.sh"
for l in s3ml s2ml sdml; do
    learn $l --data points.csv --labelled known | cut -d ' ' -f 1-3 | tr -d ,
    akin info m | grep -E "^(kind|nonzeros|beta_max) "
done
