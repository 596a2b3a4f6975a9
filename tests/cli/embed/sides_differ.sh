# With a negative weight, the score is a left vector times a right one.
printf 'a 1:.25 2:.25\na 1:2 2:1\nb 1:1 2:2\n' > a.svm
echo 0 1 2 | akin train oasis-diag --data a.svm --quiet --weights none \
    --norm none --C 9 --triplets - --out m > said
echo 0 2 | akin score m --data a.svm --pairs -
akin embed m --data a.svm --quiet --out left.csv
akin embed m --data a.svm --quiet --side right --out right.csv
python3 - <<'END'
rows = [[float(x) for x in open(f).readlines()[i].split(",")[:2]]
        for f, i in (("left.csv", 1), ("right.csv", 3))]
print("%.5f" % sum(x * y for x, y in zip(*rows)))
END
