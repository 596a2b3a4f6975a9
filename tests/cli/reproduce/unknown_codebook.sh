. "$CASES/folder.bash"
akin reproduce --data small --quick --codebook 10k
