. "$CASES/folder.bash"
grep -v good small/groundtruth.csv > few.csv
mv few.csv small/groundtruth.csv
awk -F , 'NR == 1 || ($4 == "ok" && n[$3]++ < 2)' small/groundtruth.csv > small/queries.csv
akin reproduce --data small --quick
