# What cases of metrics share: points.csv, 12 rows of 3 classes, and `known`,
# the rows whose class is known.
cat > points.csv <<END
a,b,c,label
1.0,0.1,5,x
1.2,0.2,3,x
0.9,0.1,4,x
1.1,0.3,6,x
2.0,0.9,5,y
2.2,1.0,3,y
1.9,0.8,4,y
2.1,1.1,6,y
3.0,0.2,5,z
3.1,0.1,3,z
2.9,0.3,4,z
3.2,0.2,6,z
END
printf "0\n1\n4\n5\n8\n9\n" > known
# Notes hold figures that differ between machines.
learn() {
    local code=0
    akin train --verdict none "$@" --label-column label --out m 2> notes || code=$?
    grep -v "^akin: beta .* above the minimum" notes >&2
    return $code
}
