"""Floors of naming photos that come later: later.py AKIN NEWS

Four fifths of the photos become a collection and are named. The others are added, at
once and in five steps, and named by what the collection keeps. Old lines must stay as
they are, byte for byte; the new faces must be named nearly as well as all photos
together, in a part of the time. Exits 77 (skipped) if there is no such folder.
"""
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile

import numpy

OFF = 0.015
SHARE = 0.4  # of the CPU time of naming all, for a fifth of the photos


def rows(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


class Archive:
    """A collection that grows, and the rows of the data that its faces are."""

    def __init__(self, program, folder, out):
        self.program, self.out = program, out
        self.data = numpy.load(os.path.join(folder, "features128.npy"))
        self.truth = {int(r["face"]): r["name"]
                      for r in rows(os.path.join(folder, "truth.csv"))}
        self.collection, self.names = out + "/faces.akin", out + "/names.csv"
        self.faces = []

    def run(self, *command):
        """The report, and the CPU seconds."""
        def spent():
            r = resource.getrusage(resource.RUSAGE_CHILDREN)
            return r.ru_utime + r.ru_stime
        before = spent()
        done = subprocess.run([self.program, *command, "--json", "--quiet"],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout), spent() - before

    def add(self, photos):
        used, lines = [], []
        for r in photos:
            faces = [int(f) for f in r["faces"].split(";")]
            lines.append([r["photo"], ";".join(
                str(len(used) + k) for k in range(len(faces))), r["names"]])
            used += faces
        numpy.save(self.out + "/part.npy", self.data[used])
        with open(self.out + "/part.csv", "w", newline="") as f:
            csv.writer(f).writerows([["photo", "faces", "names"], *lines])
        where = ([self.collection, "--add", self.out + "/part.npy"] if self.faces
                 else ["--vectors", self.out + "/part.npy", "--out", self.collection,
                       "--force"])
        self.run("faces", *where, "--captions", self.out + "/part.csv")
        self.faces += used

    def name(self, *flags):
        return self.run("name", self.collection, "--out", self.names, *flags)

    def lines(self):
        with open(self.names, encoding="utf-8") as f:
            return f.read().splitlines()[1:]

    def accuracy(self, first):
        named = rows(self.names)[first:]
        return sum(r["name"] == self.truth[self.faces[int(r["face"])]]
                   for r in named) / len(named)


def check(archive, first, later, steps):
    archive.faces = []
    archive.add(first)
    archive.name()
    n, spent, good = len(archive.faces), 0.0, True
    for k in range(steps):
        before = archive.lines()
        archive.add(later[len(later) * k // steps:len(later) * (k + 1) // steps])
        report, seconds = archive.name()
        spent += seconds
        good &= archive.lines()[:len(before)] == before
        good &= report["new_faces"] == len(archive.faces) - len(before)
    added = archive.accuracy(n)
    seconds = archive.name("--all")[1]
    together = archive.accuracy(n)
    print("%d steps: %d new faces %.4f, all together %.4f; CPU %.2f s, %.2f s; old "
          "lines %s" % (steps, len(archive.faces) - n, added, together, spent,
                        seconds, "stay" if good else "changed"), flush=True)
    return (good and added >= together - OFF and
            (steps > 1 or spent <= SHARE * seconds))


def main(program, folder):
    if not os.path.exists(os.path.join(folder, "truth.csv")):
        sys.exit(77)
    photos = [r for r in rows(os.path.join(folder, "captions.csv")) if r["faces"]]
    n = len(photos) * 4 // 5
    with tempfile.TemporaryDirectory() as out:
        archive = Archive(program, folder, out)
        good = True
        for steps in (1, 5):
            good &= check(archive, photos[:n], photos[n:], steps)
    return not good


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
