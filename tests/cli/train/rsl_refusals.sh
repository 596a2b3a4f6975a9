printf '1,0,2\n0,1,1\n2,1,0\n1,1,1\n' > left.csv
printf '1,2\n0,1\n2,0\n1,1\n3,-1\n' > right.csv
printf '0 0 1\n1 1 -1\n2 2 1\n3 4 -1\n' > pairs.txt
try() {
    akin train rsl --data left.csv --right right.csv --quiet --out m "$@"
    echo $?
}
given() { printf "$1" > given.txt; shift; try --pairs given.txt "$@"; }
given '0 0 1\n1 1 0\n'
given '0 0 1\n1 1 2\n'
given '0 0 1\n1 1 1\n'
given '0 0 -1\n1 1 -1\n'
given '0 0 1\n1 5 -1\n'
given '4 0 1\n1 1 -1\n'
given '0 0 1\n1 -1 -1\n'
given ''
given '0 nan 1\n'
try --pairs pairs.txt --rank 3
try --pairs pairs.txt --kernel precomputed
try --pairs pairs.txt --kernel chi2
try --pairs pairs.txt --kernel cubic
try --pairs pairs.txt --lambda -1
try
printf '1,2\nnan,1\n2,0\n1,1\n3,1\n' > right.csv
try --pairs pairs.txt
printf '1,0.5\n0.2,1\n' > left.csv
printf '1,0.5\n0.5,1\n' > right.csv
given '0 0 1\n1 1 -1\n' --kernel precomputed
printf '1,1\n1,1\n' > left.csv
given '0 0 1\n1 1 -1\n'
printf '1,2\n2,1\n' > left.csv
given '0 0 1\n1 1 -1\n' --kernel precomputed --kernel-right none
ls m 2>/dev/null || echo no model
