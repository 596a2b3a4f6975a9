# Faces that a person draws, moves and refuses hold, and so do names: after the
# server is killed, when photos change, move and are looked at again, in a
# collection that is made again with another detector, and in an export.
. "$CASES/../faces.sh"
paint_photos
akin faces photos --captions captions.csv --out c.akin --quiet
cat >say.py <<'END_OF_SAY'
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request

server = subprocess.Popen(["akin", "serve", "c.akin", "--port", "0"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True)
url = re.search(r"http:\S+", server.stdout.readline())[0]
for method, route, body in zip(*[iter(sys.argv[1:])] * 3):
    request = urllib.request.Request(
        f"{url}/api/v1/collections/c.akin/{route}", body.encode() or None,
        {"Content-Type": "application/json"}, method=method)
    try:
        reply = json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as error:
        reply = json.load(error)
    print({k: v for k, v in reply.items() if k not in ("changed", "job")})
server.kill()  # what was acknowledged is on the disk
END_OF_SAY
say() { python3 say.py "$@"; }
show() {
    akin name c.akin --out names.csv --quiet
    akin export c.akin --to csv --names names.csv --out t --quiet
    cut -d, -f1-7 t/faces.csv
    akin check c.akin >checked || cat checked
}
show
echo --- drawn, moved, refused, named
say POST faces '{"photo_id": 1, "box": [45, 10, 20, 24], "key": "a"}' \
    POST faces '{"photo_id": 1, "box": [1, 1, 9, 9], "key": "a"}' \
    POST faces '{"photo_id": 0, "face": 0, "box": [22, 16, 28, 28]}' \
    POST answers '{"face": 4, "kind": "is", "name": "Eve"}' \
    POST answers '{"face": 2, "kind": "is", "name": "Dan"}' \
    POST answers '{"face": 3, "kind": "no-face"}'
show
echo --- a photo without its second face, one that moves, one whose face is refused
paint photos/ann_bob.png 120 60 10,30,250,10,10
paint photos/cat.png 90 50 11,40,250,10,240
mv photos/2019/bob.png photos/bob.png
akin faces c.akin --add photos --quiet
show
echo --- the second face is back, in a photo that is twice as large
paint photos/ann_bob.png 240 120 20,60,250,10,10 140,68,250,240,10
akin faces c.akin --add photos --quiet
show
echo --- made again with another detector, from a folder with another name
mv photos pictures
mv pictures/ann_bob.png pictures/two.png
printf 'photo,names\ntwo.png,Ann;Bob\nbob.png,Bob\ncat.png,Cat\n' >captions.csv
akin faces pictures --captions captions.csv --detector mmod --out c.akin --force --quiet
show
akin name c.akin --out names.csv --answers said.csv --quiet
cat said.csv
echo --- XMP has what was drawn
akin export c.akin --to xmp --names names.csv --out x --quiet
grep -c 'stArea:x' x/two.png.xmp
echo --- undone, and a person leaves
say DELETE answers/2 ''
show
akin remove c.akin --person Eve
akin check c.akin --without-person Eve
akin faces c.akin --add pictures --quiet
show
echo --- a build that finds no faces, and a photo that cannot be read
head -c 60 pictures/two.png >cut && mv cut pictures/two.png
say POST faces '{"photo_id": 3, "box": [90, 20, 40, 48]}'
rm lib/akin-face
say POST faces '{"photo_id": 0, "box": [1, 20, 20, 20]}'
