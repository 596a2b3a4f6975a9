. "$CASES/folder.bash"
akin reproduce --data small --quick --quiet --report plots > table.txt
ls plots
head -c 4 plots/figure2_small.svg
grep -c '"figure": "2"' plots/figures.json
