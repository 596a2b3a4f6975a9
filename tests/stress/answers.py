"""Answers about faces from several clients, and the server killed: answers.py AKIN [SECONDS].

Each round starts `akin serve` over a collection of vectors and one of painted photos. Clients
answer, undo, merge names, correct captions, draw boxes, move and refuse faces and read at the
same time; then SIGKILL. Every answer that was acknowledged must be there, no key twice, no
request may fail, captions have the names that answers say, each box that counts is a face,
`akin check` finds nothing and `akin name` takes what is there.
"""
import collections
import contextlib
import csv
import json
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

CLIENTS, ROUNDS = 6, 3
CAPTIONS = [("p", [0, 1], ["Ann", "Bob"]), ("q", [2, 3], ["Ann", "Bob"]),
            ("r", [4, 5], ["Ann", "Cid"]), ("s", [6], ["Cid"]), ("t", [7], [])]
ROWS = ["1,0,.1", "0,1,0", "1,.1,0", "0,1,.1", ".9,0,0", "0,0,1", "0,.1,1", ".5,.5,.5"]
ADDED = ["Gil", "Hal", "Ida"]  # to captions, and removed from them
NAMES = ["Ann", "bob", "Cid", "Eve", "Eve \"<b>\u202e", "Fay"]


def make(akin, folder):
    (folder / "rows.csv").write_text("\n".join(ROWS) + "\n")
    lines = [f"{p},{';'.join(map(str, f))},{';'.join(n)}" for p, f, n in CAPTIONS]
    (folder / "captions.csv").write_text("\n".join(["photo,faces,names", *lines]) + "\n")
    subprocess.run([akin, "faces", "--vectors", "rows.csv", "--captions", "captions.csv",
                    "--out", "faces", "--quiet"], cwd=folder, check=True)


def make_photos(akin, folder):
    """Faces in photos; the environment that finds more of them."""
    cases = pathlib.Path(__file__).resolve().parent.parent / "cli"
    env = dict(os.environ, PATH=f"{pathlib.Path(akin).parent}:{os.environ['PATH']}",
               CASES=str(cases / "faces"))
    subprocess.run(["bash", "-ec", f". {cases}/faces.sh; paint_photos; akin faces photos "
                    "--captions captions.csv --out drawn --quiet"],
                   cwd=folder, env=env, check=True)
    return dict(os.environ, AKIN_LIBEXEC=f"{folder}/lib", AKIN_FACES=f"{folder}/weights")


class Client(threading.Thread):
    """Answers until the server is gone."""

    def __init__(self, url, seed, collection="faces"):
        super().__init__()
        self.base = f"{url}/api/v1/collections/{collection}"
        self.rng = random.Random(seed)
        self.seed = seed
        self.stored, self.wrong = {}, []

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def step(self, i):
        face, name = self.rng.randrange(len(ROWS)), self.rng.choice(NAMES)
        what = self.rng.random()
        key = f"{self.seed}-{i}"
        if what < .1 and self.stored:
            self.ask("DELETE", f"/answers/{self.rng.choice(list(self.stored))}")
        elif what < .2:
            self.ask("GET", self.rng.choice(["/review", "/persons", "/unnamed"]))
        else:
            body = {"face": face, "kind": self.rng.choice(["is", "is-not"]), "name": name}
            if what < .3:
                body = {"face": face, "kind": "none"}
            elif what > .8:
                body = {"photo": self.rng.randrange(len(CAPTIONS)),
                        "kind": self.rng.choice(["person", "not-person"]),
                        "name": self.rng.choice(ADDED)}
            elif what < .32:
                body = {"kind": "merge", "name": "Fay", "other": name}
                if name == "Fay":
                    return
            for number in self.ask("POST", "/answers", {**body, "key": key})["answers"]:
                self.stored[number] = key

    def run(self):
        i = 0
        while True:
            try:
                self.step(i)
            except urllib.error.HTTPError as error:
                self.wrong.append(f"{error.code} {error.read()[:200]}")
            except (OSError, ValueError):
                return  # it was killed
            i += 1


class Drawer(Client):
    """Draws in the photo of two faces, moves and refuses what is there."""

    def step(self, i):
        what = self.rng.random()
        drawn = [n for n, key in self.stored.items() if key]
        if what < .2 and drawn:
            self.ask("DELETE", f"/answers/{self.rng.choice(drawn)}")
        elif what < .4:
            self.ask("GET", self.rng.choice(["/review", "/items", "/persons"]))
        elif what < .5:
            there = [x["id"] for x in self.ask("GET", "/items")["items"]]
            try:
                reply = self.ask("POST", "/answers", {
                    "face": self.rng.choice(there), "kind": "no-face", "key": f"{self.seed}-{i}"})
            except urllib.error.HTTPError as error:
                if error.code != 400:  # another client removed it
                    raise
                return
            self.stored[reply["answers"][0]] = f"{self.seed}-{i}"
        else:
            box = [self.rng.uniform(0, 90), self.rng.uniform(0, 30), 20, 24]
            reply = self.ask("POST", "/faces", {"photo_id": 1, "box": box,
                                                "key": f"{self.seed}-{i}"})
            self.stored[reply["answers"][0]] = f"{self.seed}-{i}"


def one_round(akin, folder, seconds, number, env):
    server = subprocess.Popen([akin, "serve", "faces", "drawn", "--port", "0"], cwd=folder,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=env)
    url = re.search(r"http:\S+", server.stdout.readline())[0]
    clients = [Client(url, f"{number}{k}") for k in range(CLIENTS)]
    drawers = [Drawer(url, f"{number}d{k}", "drawn") for k in range(2)]
    clients += drawers
    for c in clients:
        c.start()
    time.sleep(seconds)
    alive = server.poll() is None
    server.kill()
    server.wait()
    for c in clients:
        c.join()
    wrong = [w for c in clients for w in c.wrong]
    if not alive:
        wrong.append("the server ended by itself")
    return ([n for c in clients[:CLIENTS] for n in c.stored],
            [n for c in drawers for n in c.stored], wrong)


def said_of(akin, folder, collection):
    """The answers of a collection, after a check of it."""
    subprocess.run([akin, "check", collection, "--quiet"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([akin, "name", collection, "--out", "names.csv", "--answers", "said.csv",
                    "--quiet"], cwd=folder, check=True)
    with open(folder / "said.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def places_that_are_wrong(folder, said):
    """A face whose last word is a box is there; one that was refused last is not."""
    with contextlib.closing(sqlite3.connect(folder / "drawn/catalog.sqlite")) as db:
        there = {row[0] for row in db.execute("SELECT item FROM faces")}
    last = {int(row["face"]): row["kind"] for row in said
            if row["kind"] in ("box", "no-face") and row["undone"] == "0"}
    return [f"face {face}: {kind}, and it is {'' if face in there else 'not '}there"
            for face, kind in last.items() if (face in there) != (kind == "box")]


def lost_of(acknowledged, said):
    there = collections.Counter(int(r["number"]) for r in said)
    return [n for n in acknowledged if there[n] != 1]


def half_applied(folder):
    """Names of captions that the last answer about them does not say."""
    with contextlib.closing(sqlite3.connect(folder / "faces/catalog.sqlite")) as db:
        said = dict(((photo, name), kind == "person") for photo, name, kind in db.execute(
            "SELECT photo, name, kind FROM caption_answers p JOIN answers a ON a.number = "
            "p.number WHERE undone = 0 ORDER BY a.number"))
        have = set(db.execute("SELECT photo, name FROM caption_names"))
    wanted = {pair for pair, there in said.items() if there}
    return [pair for pair in wanted ^ have if pair[1] in ADDED]


def main(akin, seconds=6.0):
    akin = str(pathlib.Path(akin).resolve())
    with tempfile.TemporaryDirectory(prefix="akin-answers-") as name:
        folder = pathlib.Path(name)
        make(akin, folder)
        env = make_photos(akin, folder)
        acknowledged, drawn, wrong, lost = [], [], [], []
        for number in range(ROUNDS):
            stored, boxes, faults = one_round(akin, folder, float(seconds) / ROUNDS, number, env)
            acknowledged += stored
            drawn += boxes
            said = said_of(akin, folder, "drawn")
            wrong += faults + places_that_are_wrong(folder, said)
            lost = lost_of(acknowledged, said_of(akin, folder, "faces")) + lost_of(drawn, said)
        wrong += [f"half applied: {pair}" for pair in half_applied(folder)]
        print(f"{len(acknowledged)} answers and {len(drawn)} boxes acknowledged, {len(lost)} lost, "
              f"{len(wrong)} requests failed")
        for text in wrong[:5]:
            print(text)
        return 1 if lost or wrong or not acknowledged or not drawn else 0


sys.exit(main(*sys.argv[1:]))
