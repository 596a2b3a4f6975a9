# Pictures find texts and texts find pictures, by a model of both; a model of
# colours searches pictures too.
source "$CASES/../images/pictures.bash"
pictures p 3 4
akin images p --out c --words 40 --colours luv --quiet > /dev/null
{
    echo 'id,text,label'
    for i in 0 1 2 3; do
        echo "t0$i,a red tower and its bell,k0"
        echo "t1$i,an iron bridge across the river,k1"
        echo "t2$i,a garden with a fountain,k2"
    done
} > texts.csv
akin documents c --add texts.csv 2> /dev/null | sed 's/, [0-9.]* m\?s$//'
akin search c --text bridge; echo $?
akin train rsl --data c/words --right c/terms --out both --quiet > /dev/null
akin documents c --model both
kinds() { cut -d' ' -f 5 | cut -c 1-2 | sort | uniq -c | sed 's/^ *//'; }
akin search c --text 'bridges: a bridge over a river' --top 4 | kinds
akin search c --image p/k2/1.png --top 4 | kinds
akin search c --like k0/2.png --top 4 | kinds
akin search c --like t12 --top 4 | kinds
akin search c --like k0/2.png --where 'name GLOB "*3"' --top 4 | cut -d' ' -f 5
akin learn c --after 1 --quiet
akin feedback c --query k0/0.png --good t01 --bad t11
akin learn c; echo $?
akin check c
akin train mahalanobis --data c/colours --out m --quiet > /dev/null 2>&1
akin images c --model m
akin search c --image p/k1/3.png --top 4 | kinds
akin search c --text bridge; echo $?
printf '1,2\n2,1\n3,3\n' > other.csv
akin train mahalanobis --data other.csv --out other --quiet > /dev/null 2>&1
akin images c --model other; echo $?
akin convert c/nothing rows.svm; echo $?
akin check c
