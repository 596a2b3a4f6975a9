. "$CASES/folder.bash"
rm small/queries.csv
akin reproduce --data small --quick
