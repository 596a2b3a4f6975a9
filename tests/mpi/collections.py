"""Collections under mpirun: collections.py AKIN CASE

  images   1, 2 and 3 ranks make the same collection, and add the same
  faces    the same of faces, found by cli/fake_face.py
  killed   kill -9 of a rank: the run is resumed, and nothing is lost

Exit 77: there is no mpirun, or akin was built without MPI."""
import json
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import run as mpi
from run import AKIN, akin, check

HERE = os.path.dirname(os.path.abspath(__file__))


def catalogue(path):
    """All rows of all tables."""
    db = sqlite3.connect(os.path.join(path, "catalog.sqlite"))
    names = [n for n, in db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    found = {n: sorted(db.execute(f"SELECT * FROM {n}").fetchall(), key=repr)
             for n in names}
    db.close()
    return found


def content(path):
    """The catalogue, and the bytes of all other files."""
    found = {}
    for folder, _, names in os.walk(path):
        for name in names:
            if not name.startswith("catalog.sqlite"):
                with open(os.path.join(folder, name), "rb") as f:
                    found[os.path.relpath(f.name, path)] = f.read()
    return {**catalogue(path), **found}


def check_same(what, one, other):
    check(one.keys() == other.keys(), f"{what}: files or tables")
    for name, x in one.items():
        check(other[name] == x, f"{what}: {name} differs")


def ok(ranks, words, root):
    done = akin(ranks, words, root)
    check(done.returncode == 0,
          f"{words} on {ranks} ranks: {done.stderr.decode()}")
    return done


def said(done):
    """Warnings; progress depends on a clock."""
    return [x for x in done.stderr.decode().splitlines() if "warning" in x]


def make_and_add(root, kind, make, add):
    """On any number of ranks: the same collection, JSON and warnings."""
    first = None
    for ranks in (0, 2, 3):
        path = os.path.join(root, "c")
        shutil.rmtree(path, ignore_errors=True)
        results = []
        for words in (make, add):
            done = ok(ranks, words + ["--json", "--threads", "2"], root)
            printed = json.loads(done.stdout)
            check(ranks == 0 or printed["ranks"] == ranks, "ranks")
            sent = printed.get("communicated_bytes", 0)
            printed.pop("stages", None)  # seconds
            results += [mpi.without_run_keys(printed), said(done)]
            ok(0, ["check", "c"], root)
            print(f"{kind} on {ranks} ranks: {sent} bytes", flush=True)
        found = content(path)
        if first is None:
            first = found, results
        check_same(f"{kind} on {ranks} ranks", first[0], found)
        check(results == first[1], f"{kind} on {ranks} ranks: {results}")
    check(any("skipped" in x for x in first[1][1]), "a bad picture is named")
    return first


def images(root):
    make_scenes(root, 3)
    make_and_add(root, "images",
                 ["images", "scenes", "--out", "c", "--words", "50",
                  "--colours", "luv"],
                 ["images", "c", "--add", "more"])
    found = [ok(ranks, ["search", "c", "--image", "more/b.jpg", "--top", "5"],
                root).stdout for ranks in (0, 2)]
    check(found[0] == found[1], "search")
    # Words of another collection, and what rank 0 does alone.
    for ranks in (0, 2):
        ok(ranks, ["images", "more", "--out", f"given{ranks}", "--codebook",
                   "c"], root)
        ok(ranks, ["images", f"given{ranks}", "--model", "cosine"], root)
    check_same("a given codebook", content(os.path.join(root, "given0")),
               content(os.path.join(root, "given2")))
    # Errors are one line, and those of one process.
    for words in (["images", "scenes", "--out", "c"],
                  ["images", "absent", "--out", "new"],
                  ["images", "more", "--out", "new", "--words", "1000000"],
                  ["images", "more", "--out", "new", "--strict", "--quiet",
                   "--words", "20"]):
        with open(os.path.join(root, "more", "bad.jpg"), "w",
                  encoding="ascii") as f:
            f.write("no picture")
        one, two = akin(0, words, root), akin(2, words, root)
        shutil.rmtree(os.path.join(root, "new"), ignore_errors=True)
        if "--strict" not in words:
            check(mpi.our_lines(two)[-1:] == mpi.our_lines(one)[-1:]
                  and len(mpi.our_lines(two)) == len(mpi.our_lines(one)),
                  f"{words}: {two.stderr.decode()}")
        check(one.returncode == two.returncode == 2, f"{words}: exit")
    no_decoder(root)


def no_decoder(root):
    """A machine without akin-decode is named, and nothing is left."""
    words = ["images", "more", "--out", "new"]
    command = (mpi.line(1, words) + [":", "-np", "1", "-x",
                                     "AKIN_LIBEXEC=/nowhere", AKIN] + words)
    done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=300, check=False)
    lines = mpi.our_lines(done)
    check(len(lines) == 1 and lines[0].startswith("akin: rank 1: ")
          and "akin-decode" in lines[0], f"no decoder: {lines}")
    check(done.returncode != 0
          and not os.path.exists(os.path.join(root, "new")), "no decoder")


def make_scenes(root, landmarks):
    ok(0, ["synth", "scenes", "--landmarks", str(landmarks), "--views", "9",
           "--others", "6", "--width", "240", "--height", "180", "--out",
           "scenes"], root)
    scenes = os.path.join(root, "scenes")
    with open(os.path.join(scenes, "bad.jpg"), "w", encoding="ascii") as f:
        f.write("no picture")
    pictures = sorted(os.path.join(folder, name) for folder, _, names
                      in os.walk(scenes) for name in names
                      if name != "bad.jpg")
    more = os.path.join(root, "more")
    os.mkdir(more)
    for i, path in enumerate(pictures[::7][:4]):
        os.rename(path, os.path.join(more, "abcd"[i] + ".jpg"))


# ---- faces ----

def paint(path, size, squares):
    """A PNG with squares in its middle: x, side and colour of each."""
    width, height = size
    rows = [bytearray(b"\0" + b"\x28" * 3 * width) for _ in range(height)]
    for x, side, colour in squares:
        for y in range((height - side) // 2, (height + side) // 2):
            rows[y][1 + 3 * x:1 + 3 * (x + side)] = bytes(colour) * side

    def part(kind, body):
        return (struct.pack(">I", len(body)) + kind + body
                + struct.pack(">I", zlib.crc32(kind + body)))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n"
                + part(b"IHDR", struct.pack(">IIBBBBB", width, height,
                                            8, 2, 0, 0, 0))
                + part(b"IDAT", zlib.compress(b"".join(rows)))
                + part(b"IEND", b""))


def faces(root):
    lib, weights = os.path.join(root, "lib"), os.path.join(root, "weights")
    helpers = os.path.join(os.path.dirname(os.path.dirname(AKIN)), "helpers")
    os.mkdir(lib)
    os.mkdir(weights)
    os.symlink(os.path.join(helpers, "akin-decode"), lib + "/akin-decode")
    shutil.copy(os.path.join(HERE, "../cli/fake_face.py"), lib + "/akin-face")
    os.chmod(lib + "/akin-face", 0o755)
    with open(weights + "/shape_predictor_5_face_landmarks.dat", "w",
              encoding="ascii"):
        pass
    os.environ.update({"AKIN_LIBEXEC": lib, "AKIN_FACES": weights})
    draw = random.Random(1)
    for folder in ("photos", "more"):
        os.mkdir(os.path.join(root, folder))
        for i in range(14):
            paint(os.path.join(root, folder, f"{i}.png"), (160, 60),
                  [(50 * k, 30, (250, draw.randrange(150), 9 * i))
                   for k in range(draw.randrange(4))])
            with open(os.path.join(root, folder, f"{i}.txt"), "w",
                      encoding="ascii") as f:
                f.write(f"Ann Smith meets John Doe at number {i}.")
        paint(os.path.join(root, folder, "ends.png"), (40, 13), [])
    with open(os.path.join(root, "photos", "3.png.xmp"), "w",
              encoding="utf-8") as f:
        f.write(REGION)
    detect = ["faces", "photos", "--out", "c", "--from-xmp", "--descriptor",
              "patches"]
    make_and_add(root, "faces", detect, ["faces", "c", "--add", "more"])
    # Boxes of a file: one with a name, one outside.
    with open(os.path.join(root, "boxes.csv"), "w", encoding="ascii") as f:
        f.write("photo,x,y,width,height,name\n")
        for i in range(14):
            f.write(f"{i}.png,0,15,30,30,P{i % 3}\n{i}.png,500,9,9,9,\n")
    shutil.rmtree(os.path.join(root, "c"))
    make_and_add(root, "faces in boxes",
                 ["faces", "photos", "--boxes", "boxes.csv", "--out", "c",
                  "--descriptor", "patches"],
                 ["faces", "c", "--add", "more", "--boxes", "boxes.csv"])


REGION = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">
<rdf:Description rdf:about=""><mwg-rs:Regions rdf:parseType="Resource">
<mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource">
<mwg-rs:Name>Ann Smith</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type>
<mwg-rs:Area stArea:x="0.3" stArea:y="0.5" stArea:w="0.2" stArea:h="0.5"
stArea:unit="normalized"/></rdf:li></rdf:Bag></mwg-rs:RegionList>
</mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>
"""


# ---- a rank that is killed ----

def kill_one(words, root, rank, seconds):
    """kill -9 of a rank after some time; False: the run was faster."""
    with subprocess.Popen([x for x in mpi.line(2, words) if x != "-q"],
                          cwd=root, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as job:
        while len(mpi.ranks_of(job.pid)) < 2 and job.poll() is None:
            time.sleep(0.02)
        time.sleep(seconds)
        ranks = mpi.ranks_of(job.pid)
        if len(ranks) < 2:
            job.communicate(timeout=300)
            return False
        os.kill(ranks[rank], signal.SIGKILL)
        began = time.time()
        _, text = job.communicate(timeout=300)
    if job.returncode == 0:  # it had ended already
        return False
    lines = text.decode().splitlines()
    check(sum(f"process rank {rank} " in x for x in lines) == 1
          and not any(x.startswith("akin:") and "warning" not in x
                      for x in lines), f"killed: {text.decode()}")
    check(time.time() - began < 10.0, "killed: the job has not ended")
    return True


def killed(root):
    """Whenever a rank is killed: the same command makes the collection that
    an uninterrupted run makes, by one process or by ranks."""
    make_scenes(root, 2)
    words = ["images", "scenes", "--words", "50", "--threads",
             "1", "--out"]
    began = time.time()
    ok(2, words + ["whole"], root)
    seconds = time.time() - began
    whole = content(os.path.join(root, "whole"))
    n = 0
    for i, share in enumerate((0.2, 0.5, 0.8, 0.9)):
        path = os.path.join(root, "c")
        shutil.rmtree(path, ignore_errors=True)
        n += kill_one(words + ["c", "--quiet"], root, i % 2, share * seconds)
        if not os.path.exists(path) or not is_done(path):
            ok(2 * (i % 2), words + ["c"], root)
        check_same(f"killed at {share}", whole, content(path))
    check(n > 0, "no rank was killed in time")
    print(f"{n} runs were killed, and resumed", flush=True)


def is_done(path):
    """A run that was killed at its end has nothing left to do."""
    db = sqlite3.connect(os.path.join(path, "catalog.sqlite"))
    try:
        found = db.execute("SELECT COUNT(*), MIN(done) FROM folders").fetchone()
    except sqlite3.OperationalError:
        found = 0, 0
    db.close()
    return found[0] > 0 and found[1] == 1


def main():
    if shutil.which("mpirun") is None:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as root:
        if b"without MPI" in akin(2, ["version"], root).stderr:
            sys.exit(77)
        {"images": images, "faces": faces, "killed": killed}[sys.argv[2]](root)


if __name__ == "__main__":
    main()
