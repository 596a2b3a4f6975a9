# Answers hold: in names, when a photo changes and its face is found again, when
# photos are added, and after an export. The server stores them.
. "$CASES/../faces.sh"
paint_photos
akin faces photos --captions captions.csv --out c.akin --quiet
cat >say.py <<'END'
import json
import re
import subprocess
import sys
import urllib.request

server = subprocess.Popen(["akin", "serve", "c.akin", "--port", "0"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True)
url = re.search(r"http:\S+", server.stdout.readline())[0]
for body in sys.argv[1:]:
    request = urllib.request.Request(
        f"{url}/api/v1/collections/c.akin/answers", body.encode(),
        {"Content-Type": "application/json"})
    print(json.load(urllib.request.urlopen(request))["answers"])
server.kill()  # what was acknowledged is on the disk
END
akin name c.akin --out names.csv --quiet
cut -d, -f1-3 names.csv
python3 say.py '{"face": 0, "kind": "is", "name": "Zo\u00eb, \"Z\""}' \
    '{"face": 1, "kind": "is-not", "name": "bob"}' \
    '{"face": 2, "kind": "none"}'
akin name c.akin --out names.csv --answers said.csv --quiet
grep -o '^0,.*Z"""' names.csv
cut -d, -f1-3 names.csv | grep -c Bob
cat said.csv
paint photos/2019/bob.png 80 60 21,30,250,236,12
paint photos/new.png 80 60 20,30,250,236,12
printf 'photo,names\nnew.png,Bob\n' >more.csv
akin faces c.akin --add photos --captions more.csv --quiet
akin name c.akin --out names.csv --quiet
grep -o '^0,.*Z"""' names.csv
grep ^2, names.csv | cut -d, -f1-3
wc -l <names.csv
printf '2,Bob\n' >own.csv
akin name c.akin --confirmed own.csv --out names.csv --quiet
grep ^2, names.csv | cut -d, -f1-3
akin name own.csv --captions captions.csv --out names.csv --answers said.csv || echo "exit $?"
