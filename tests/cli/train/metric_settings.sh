# As printed, and what can be set; a value that is none is refused.
source "$CASES/../points.sh"
learn s3ml --data points.csv --labelled known --start covariance \
    --pair-weights printed --theta 0 --neighbours 99 | cut -d ' ' -f 1-3 | tr -d ,
learn s3ml --data points.csv --labelled known --solver paper \
    --max-iterations 50 | cut -d ' ' -f 1-3 | tr -d ,
learn s2ml --data points.csv --labelled known --rank 2 | cut -d ' ' -f 1-3 | tr -d ,
akin info m | grep -E "^(rank|parameters) "
learn s3ml --data points.csv --beta much
learn s3ml --data points.csv --rho -1
learn s3ml --data points.csv --solver slow
learn s3ml --data points.csv --neighbours 0
