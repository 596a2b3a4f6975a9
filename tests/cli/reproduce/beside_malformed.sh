. "$CASES/folder.bash"
echo '[{"map": 1}]' > rows.json
akin reproduce --data small --quick --quiet --beside rows.json || echo $?
printf '[\n{"map": 1' > rows.json
akin reproduce --data small --quick --quiet --beside rows.json || echo $?
echo '3' > rows.json
akin reproduce --data small --quick --quiet --beside rows.json || echo $?
akin reproduce --data small --quick --quiet --beside none.json || echo $?
