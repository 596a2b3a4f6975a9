. "$CASES/folder.bash"
akin reproduce solis --data small --quick --quiet
