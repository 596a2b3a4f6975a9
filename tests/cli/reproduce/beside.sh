. "$CASES/folder.bash"
echo '{"rows": [{"dataset": "oxford5k", "codebook": "small", "method": "rival", "map": 12.5}]}' > rows.json
akin reproduce --data small --quick --quiet --beside rows.json | grep rival
