. "$CASES/folder.bash"
TMPDIR=nowhere akin reproduce --data small --quick --quiet
