"""Attacks on names and captions: names.py AKIN.

Each name of names.json is told to a server as the name of a face and of a
caption, and given in a file of captions with a text around it. It is refused
with one line, or it is kept: listed, exported and read back as it was. Then come
files that attack what reads captions and XMP. Nothing may crash, nothing that
was there may be lost. Prints a line for each attack and how many there were.
"""
import csv
import io
import json
import os
import pathlib
import re
import resource
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import unicodedata
import urllib.error
import urllib.request
import xml.etree.ElementTree
import zlib

HERE = pathlib.Path(__file__).resolve().parent
SLOW = 120  # seconds of the processor: far more than any of it takes, also
            # with a sanitizer
ATTACKS = json.loads((HERE / "names.json").read_text())
RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
PERSONS = "{http://iptc.org/std/Iptc4xmpExt/2008-02-29/}PersonInImage"
SECONDS = 250
passed = failed = 0


def attack(what, check, *arguments):
    """Run a check; what it returns is wrong."""
    global passed, failed
    try:
        wrong = check(*arguments)
    except Exception as error:  # a broken reply, a file that cannot be read
        wrong = f"{type(error).__name__}: {error}"
    passed, failed = passed + (not wrong), failed + bool(wrong)
    print(("FAIL " if wrong else "ok   ") + what + (f": {wrong}" if wrong else ""))


def paint(path, colour):
    """A PNG with a square in its middle, which fake_face.py finds."""
    width, height, side = 60, 60, 40
    rows = [bytearray(b"\0" + b"\x28" * 3 * width) for _ in range(height)]
    for y in range(10, 10 + side):
        rows[y][1 + 3 * 10:1 + 3 * (10 + side)] = bytes(colour) * side
    body = b"".join(rows)

    def part(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))

    path.write_bytes(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(
        ">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + part(b"IDAT", zlib.compress(body)) + part(b"IEND", b""))


class World:
    def __init__(self, akin, folder):
        self.akin, self.folder = akin, pathlib.Path(folder)
        (self.folder / "lib").mkdir()
        (self.folder / "weights").mkdir()
        helpers = pathlib.Path(akin).resolve().parent.parent / "helpers"
        os.symlink(helpers / "akin-decode", self.folder / "lib/akin-decode")
        shutil.copy(HERE.parent / "cli/fake_face.py", self.folder / "lib/akin-face")
        (self.folder / "lib/akin-face").chmod(0o755)
        (self.folder / "weights/shape_predictor_5_face_landmarks.dat").touch()
        self.environment = {**os.environ, "AKIN_LIBEXEC": str(self.folder / "lib"),
                            "AKIN_FACES": str(self.folder / "weights")}

    def run(self, *words, expect=(0,)):
        """Standard error and what went wrong; refused with one line, or not."""
        done = subprocess.run([self.akin, *words], cwd=self.folder,
                              env=self.environment, capture_output=True,
                              timeout=SECONDS)
        error = done.stderr.decode("utf-8", "replace")
        if done.returncode not in expect:
            return error, f"exit {done.returncode}: {error[:300]}"
        if done.returncode == 2 and (error.count("\n") != 1
                                     or not error.startswith("akin: ")):
            return error, f"not one line: {error[:300]!r}"
        return error, ""

    def names(self, collection="c.akin"):
        """Of each photo: its caption and its names."""
        with sqlite3.connect(self.folder / collection / "catalog.sqlite") as db:
            found = {p: (t, []) for p, t in db.execute(
                "SELECT CAST(name AS TEXT), caption FROM photos")}
            for photo, name in db.execute(
                    "SELECT CAST(p.name AS TEXT), n.name FROM caption_names n "
                    "JOIN photos p ON p.id = photo ORDER BY photo, place"):
                found[photo][1].append(name)
        return found


# ---- names that people tell a server ----

class Server:
    def __init__(self, world):
        self.process = subprocess.Popen(
            [world.akin, "serve", "c.akin", "--port", "0"], cwd=world.folder,
            env=world.environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.url = re.search(r"http:\S+", self.process.stdout.readline())[0]

    def ask(self, path, body=None):
        """The status and the reply; learned names are waited for."""
        for _ in range(600):
            request = urllib.request.Request(
                f"{self.url}/api/v1/collections/c.akin/{path}", body,
                {"Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=SECONDS) as reply:
                    if reply.status != 202:
                        return reply.status, json.load(reply)
            except urllib.error.HTTPError as error:
                return error.code, json.load(error)
            time.sleep(0.05)
        raise TimeoutError(path)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def refused(status, reply):
    text = reply.get("error", "")
    return "" if 400 <= status < 500 and text and "\n" not in text \
        else f"{status} {reply}"


def tell(server, face, x):
    """As the name of a face and of its caption."""
    face_answer = server.ask("answers", json.dumps(
        {"face": face, "kind": "is", "name": x["name"]}).encode())
    caption_answer = server.ask("answers", json.dumps(
        {"photo": face, "kind": "person", "name": x["name"]}).encode())
    if not x["kept"]:
        return refused(*face_answer) or refused(*caption_answer)
    if face_answer[0] != 200 or caption_answer[0] != 200:
        return f"{face_answer} {caption_answer}"
    known = server.ask(f"faces/{face}")[1]
    if known["name"] != x["name"]:
        return f"the face is called {known['name']!r}"
    return "" if any(n["name"] == x["name"] for n in known["names"]) else \
        f"the caption has {known['names']}"


def listed(server, stored):
    """All answers, in the order in which they came."""
    found = server.ask("answers?top=1000")[1]["answers"]
    have = [(a["kind"], a["name"]) for a in found]
    want = [pair for x in stored for pair in (("is", x["name"]),
                                              ("person", x["name"]))]
    return "" if have == want else f"{len(have)} answers of {len(want)}"


def raw(server, body):
    return refused(*server.ask("answers", body))


# ---- names in files ----

def tables(world, kept):
    """--answers and the exports, read by other programs."""
    wrong = world.run("name", "c.akin", "--out", "names.csv", "--answers",
                      "said.csv", "--quiet")[1]
    with open(world.folder / "said.csv", encoding="utf-8", newline="") as f:
        said = [row["name"] for row in csv.DictReader(f) if row["kind"] == "is"]
    if wrong or said != [x["name"] for x in kept]:
        return wrong or "said.csv has other names"
    for to in ("csv", "json", "xmp"):
        wrong = wrong or world.run("export", "c.akin", "--to", to, "--names",
                                   "names.csv", "--out", "out", "--quiet")[1]
    return wrong


def exported(world, i, x):
    """The name of face i, in all of them."""
    with open(world.folder / "out/faces.csv", encoding="utf-8", newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["photo"] == f"p{i:02}.png"]
    faces = json.loads((world.folder / "out/faces.json").read_text("utf-8"))
    text = json.dumps(faces, ensure_ascii=False)
    tree = xml.etree.ElementTree.parse(world.folder / f"out/p{i:02}.png.xmp")
    persons = [li.text for li in tree.find(f".//{PERSONS}").iter(f"{RDF}li")]
    if [r["name"] for r in rows] != [x["name"]]:
        return f"csv: {rows}"
    if json.dumps(x["name"], ensure_ascii=False) not in text:
        return "json has another name"
    return "" if x["name"] in persons else f"xmp: {persons}"


def read_back(world, kept):
    """A collection of the photos and what was written of them."""
    (world.folder / "back").mkdir()
    for i in range(len(kept)):
        shutil.copy(world.folder / f"photos/p{i:02}.png", world.folder / "back")
        shutil.copy(world.folder / f"out/p{i:02}.png.xmp", world.folder / "back")
    wrong = world.run("faces", "back", "--from-xmp", "--out", "back.akin",
                      "--quiet")[1]
    found = world.names("back.akin")
    for i, x in enumerate(kept):
        if not wrong and x["name"] not in found[f"p{i:02}.png"][1]:
            wrong = f"{x['what']}: {found[f'p{i:02}.png']}"
    return wrong


def in_captions(world, i, x):
    """A caption and a list of names that have it, as the file said."""
    text, names = world.names()[f"p{i:02}.png"]
    if text != f"On the left {x['name']} smiles.":
        return f"caption {text!r}"
    return "" if x["name"].strip(" ") in names else f"names {names}"


def same_persons(world, server):
    """Capitals, normalization, invisible characters: it is one person."""
    for face, name in ((0, "Zo\u00eb M\u00fcller"), (1, "ZOE\u0308 mu\u0308ller"),
                       (2, "zo\u200b\u00eb M\u00dcLLER")):
        server.ask("answers", json.dumps(
            {"face": face, "kind": "is", "name": name}).encode())
    persons = [p["name"] for p in server.ask("persons")[1]["persons"]]
    same = [p for p in persons if unicodedata.normalize(
        "NFC", p.replace("\u200b", "")).casefold() == "zo\u00eb m\u00fcller"]
    return "" if len(same) == 1 else f"{same}"


# ---- files ----

def worked():
    """Seconds of the processor that programs took which have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def captions(world, data, expect, check=lambda found: ""):
    """Other captions for photo 0; the collection stays whole."""
    (world.folder / "attack.jsonl").write_bytes(data)
    before = world.names()
    start = worked()
    wrong = world.run("faces", "c.akin", "--add", "photos", "--captions",
                      "attack.jsonl", "--quiet", expect=expect)[1]
    took = worked() - start
    found = world.names()
    if not wrong and any(found[p] != before[p] for p in before if p != "p00.png"):
        wrong = "captions of other photos changed"
    if not wrong and took > SLOW:
        wrong = f"{took:.0f} s"
    return wrong or check(found["p00.png"]) or world.run("check", "c.akin",
                                                         "--quiet")[1]


def line(caption=None, names=None):
    row = {"photo": "p00.png"}
    if caption is not None:
        row["caption"] = caption
    if names is not None:
        row["names"] = names
    return json.dumps(row).encode() + b"\n"


def sidecar(world, body):
    """XMP beside a new photo, which keeps its face whatever the file says."""
    folder = world.folder / "xmp"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    paint(folder / "x.png", (250, 10, 10))
    (folder / "x.png.xmp").write_bytes(body)
    start = worked()
    error, wrong = world.run("faces", "xmp", "--from-xmp", "--out", "x.akin",
                             "--force", expect=(0,))
    text, names = world.names("x.akin")["x.png"]
    if not wrong and (worked() - start > SLOW or "root:" in f"{text}{names}"):
        wrong = f"{text} {names}"
    return wrong or ("" if "ignored" in error else f"no remark: {error}")


def photo_names(world):
    """Photos that are called like attacks are found, and exported below DIR."""
    names = ['a"b<i>&.png', "new\nline.png", "%s%n.png", "-rf.png", "a..b.png",
             "=1+1.png", "\u202egnp.png", "'; DROP TABLE photos;--.png"]
    folder = world.folder / "odd"
    folder.mkdir()
    for name in names:
        paint(folder / name, (250, 10, 10))
    wrong = world.run("faces", "odd", "--out", "odd.akin", "--quiet")[1] or \
        world.run("export", "odd.akin", "--to", "xmp", "--out", "oddout",
                  "--quiet")[1]
    written = {p.name for p in (world.folder / "oddout").iterdir()}
    want = {f"{name}.xmp" for name in names}
    return wrong or ("" if written == want else f"{written ^ want}")


ENTITIES = b"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>" + b"".join(
    b"<!ENTITY %c '%s'>" % (98 + k, b"&%c;" % (97 + k) * 10) for k in range(9)
) + b"]>"
XMP = (b"<x xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
       b"xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:description><rdf:Alt>"
       b"<rdf:li>%s</rdf:li></rdf:Alt></dc:description></x>")
FILES = [
    ("captions with a byte order mark",
     b"\xef\xbb\xbf" + line("Ann Lee waves."), (0, 2), lambda x: ""),
    ("a caption that is no UTF-8",
     b'{"photo": "p00.png", "caption": "Ann \xff\xfe"}\n', (0, 2), lambda x: ""),
    ("a caption with too long forms of UTF-8",
     b'{"photo": "p00.png", "caption": "\xc0\xbcb\xc0\xbe"}\n', (0, 2),
     lambda x: "< in it" if "<" in (x[0] or "") else ""),
    ("half of a pair of surrogates",
     b'{"photo": "p00.png", "caption": "Ann \\ud800 Lee"}\n', (2,), lambda x: ""),
    ("a caption with a zero byte",
     b'{"photo": "p00.png", "caption": "Ann\\u0000Lee"}\n', (0, 2),
     lambda x: "a zero byte" if "\0" in (x[0] or "") else ""),
    ("a caption of 1 MiB", line(("Ann Lee and Bob Roe " * 52429)[:1 << 20]), (0,),
     lambda x: "" if len(x[0]) == 1 << 20 else f"{len(x[0])} bytes"),
    ("a caption above 1 MiB", line("x" * ((1 << 20) + 1)), (2,), lambda x: ""),
    ("a caption of 100,000 names",
     line(" and ".join(f"Ann Q{k}" for k in range(100000))[:1 << 20]), (0,),
     lambda x: "" if x[1] else "no names"),
    ("a list of 100,000 names", line(None, [f"A{k}" for k in range(100000)]), (2,),
     lambda x: ""),
    ("a list of names up to the limit, beside a caption of 1 MiB",
     line("A1 " * 349525, [f"A{k}" for k in range(9000)]), (0,),
     lambda x: "" if len(x[1]) >= 9000 else f"{len(x[1])} names"),
    ("JSON nested 100,000 deep", b'{"photo": ' + b"[" * 100000 + b"\n", (2,),
     lambda x: ""),
    ("a photo elsewhere", b'{"photo": "../../../etc/passwd", "caption": "x"}\n',
     (0,), lambda x: ""),
]
SIDECARS = [
    ("a billion laughs in XMP", ENTITIES + XMP % b"&j;"),
    ("an external entity in XMP", b"<!DOCTYPE x [<!ENTITY e SYSTEM "
     b"'file:///etc/passwd'>]>" + XMP % b"&e;"),
    ("XMP nested 100,000 deep", b"<a>" * 100000),
    ("XMP that is no UTF-8", XMP % b"\xff\xfe\xc0\xbc"),
]
BODIES = [
    ("half of a pair of surrogates in a request",
     b'{"face": 0, "kind": "is", "name": "Ann \\ud800"}'),
    ("a name that is no UTF-8 in a request",
     b'{"face": 0, "kind": "is", "name": "\xff\xfe"}'),
    ("a name in too long forms of UTF-8 in a request",
     b'{"face": 0, "kind": "is", "name": "\xc0\xbcb\xc0\xbe"}'),
    ("a request nested 100,000 deep", b'{"face": ' + b"[" * 100000),
    ("a name that is a number", b'{"face": 0, "kind": "is", "name": 7}'),
    ("a key twice", b'{"face": 0, "face": 1, "kind": "none"}'),
    ("a place outside of the caption",
     b'{"photo": 0, "kind": "person", "name": "A", "start": 99999999, '
     b'"end": 9223372036854775807}'),
]


def main():
    akin = os.path.abspath(sys.argv[1])
    kept = [x for x in ATTACKS if x["kept"]]
    with tempfile.TemporaryDirectory() as folder:
        world = World(akin, folder)
        (world.folder / "photos").mkdir()
        lines = io.BytesIO()
        for i, x in enumerate(kept):
            paint(world.folder / f"photos/p{i:02}.png",
                  (250, 10 + 7 * i % 240, 10 + 53 * i % 240))
            lines.write(json.dumps({
                "photo": f"p{i:02}.png", "names": [x["name"], "Ann Lee"],
                "caption": f"On the left {x['name']} smiles."}).encode() + b"\n")
        (world.folder / "captions.jsonl").write_bytes(lines.getvalue())
        attack("all of them in one file", lambda: world.run(
            "faces", "photos", "--captions", "captions.jsonl", "--out", "c.akin",
            "--quiet")[1])
        for i, x in enumerate(kept):
            attack(f"in a caption: {x['what']}", in_captions, world, i, x)
        server = Server(world)
        for i, x in enumerate(ATTACKS):
            face = kept.index(x) if x["kept"] else 0
            attack(f"told: {x['what']}", tell, server, face, x)
        for what, body in BODIES:
            attack(what, raw, server, body)
        attack("all answers are listed as they came", listed, server, kept)
        server.stop()  # and start again: what was acknowledged is there
        attack("tables of all names", tables, world, kept)
        for i, x in enumerate(kept):
            attack(f"exported: {x['what']}", exported, world, i, x)
        attack("all of them read back from XMP", read_back, world, kept)
        server = Server(world)
        attack("all answers after a restart", listed, server, kept)
        attack("names that differ by capitals or accents", same_persons, world,
               server)
        server.stop()
        for what, data, expect, check in FILES:
            attack(what, captions, world, data, expect, check)
        for what, data in SIDECARS:
            attack(what, sidecar, world, data)
        attack("photos called like attacks", photo_names, world)
        attack("no command of a name was run", lambda: "it was" if list(
            world.folder.rglob("hacked")) else "")
    distinct = len(ATTACKS) + len(BODIES) + len(FILES) + len(SIDECARS) + 2
    print(f"{distinct} attacks, {passed + failed} checks: {passed} passed, "
          f"{failed} failed")
    return failed > 0


sys.exit(main())
