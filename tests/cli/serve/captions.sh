# Captions are corrected on a server: kept when it is killed, when photos are
# tagged again and after other captions; learned from; deleted with the person.
. "$CASES/../faces.sh"
paint_photos
cat >prose.csv <<'END'
photo,caption
ann_bob.png,"🎉 Ann Keller and Bob Tanner visit Villa Rosa Maria."
2019/bob.png,Bob Tanner waits for a train.
cat.png,"Cathy Jones, left, smiles."
END
akin faces photos --captions prose.csv --out c.akin --quiet
cat >say.py <<'END'
import json
import re
import subprocess
import sys
import time
import urllib.request

server = subprocess.Popen(["akin", "serve", "c.akin", "--port", "0"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True)
url = re.search(r"http:\S+", server.stdout.readline())[0] + "/api/v1/"


def ask(path, body=None, method=None):
    while True:
        with urllib.request.urlopen(urllib.request.Request(
                url + path, body and body.encode(),
                {"Content-Type": "application/json"}, method=method)) as reply:
            if reply.status != 202:
                return json.load(reply)
        time.sleep(0.05)


for word in sys.argv[1:]:
    if word == "names":
        face = ask("collections/c.akin/faces/1")
        for x in face["names"]:
            print(x["name"], x["in_picture"], x["said"], *(
                "".join(list(face["caption"])[a:b]) for a, b in x["mentions"]),
                sep="|")
    elif word == "learned":
        jobs = []
        while not [j for j in jobs if j["kind"] == "captions" and "seconds" in j
                   and j["state"] == "done"]:
            jobs = ask("jobs")["jobs"]
            time.sleep(0.05)
        print("learned from", [j["result"]["captions"] for j in jobs
                               if j["kind"] == "captions"])
    elif word.isdigit():
        print(ask(f"collections/c.akin/answers/{word}", method="DELETE")["undone"])
    else:
        print(ask("collections/c.akin/answers", word)["answers"])
server.kill()  # what was acknowledged is on the disk
END
python3 say.py names '{"photo": 1, "kind": "not-person", "name": "Villa Rosa Maria"}' \
    '{"photo": 1, "kind": "person", "name": "Villa", "start": 34, "end": 39}' \
    '{"photo": 1, "kind": "means", "name": "Bob Tanner", "other": "Robert Tanner"}'
python3 say.py names
echo --- tagged again
printf 'alias,name\ntanner,Bob T.\n' >aliases.csv
akin faces c.akin --add photos --aliases aliases.csv --quiet
python3 say.py names
akin name c.akin --out names.csv --answers said.csv --quiet
cat said.csv
echo --- undone
python3 say.py 2 names
echo --- learned
akin persons --learn c.akin --out tagger.safetensors | sed 's/;.*//'
set --
for i in 1 2 3 4 5 6 7 8 9 10; do
    set -- "$@" '{"photo": 2, "kind": "not-in-picture", "name": "Cathy Jones"}' \
        '{"photo": 2, "kind": "in-picture", "name": "Cathy Jones"}'
done
python3 say.py "$@" learned | tail -1
akin check c.akin --quiet
echo --- a person leaves
akin remove c.akin --person 'Robert Tanner' --quiet
akin check c.akin --without-person 'Robert Tanner'
python3 say.py names
