# SIGTERM ends the server, SIGHUP opens the log again.
printf '1,0\n0,1\n' > rows.csv
akin vectors rows.csv --out c --quiet
akin serve c --port 0 --log json --log-file log > out &
until grep -qs listening out; do sleep 0.1; done
ask() {
    python3 -c "import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1]).read().decode())" \
        "$(cut -d' ' -f3 out)$1"
}
ask '/api/v1/collections/c/search?like=0&top=1' | sed 's/"seconds":[^,]*/"seconds":0/'
mv log old
kill -HUP $!
until [ -e log ]; do sleep 0.1; done
ask /health
kill -TERM $!
wait $!
echo "exit $?"
cut -d, -f3-5 old log
