. "$CASES/folder.bash"
. "$CASES/../data.sh"
akin reproduce --data small --repeats 1000 --quiet &
interrupt $! TERM
wait $!
