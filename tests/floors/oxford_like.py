"""The benchmark's figures by akin search: oxford_like.py AKIN FOLDER [SPLITS]

FOLDER has the layout of oxford5k_bow. Its words become collections (akin vectors). For
each landmark with 20 pictures or more, 7 positives are drawn, and each official query
is searched with `--like` of these: nothing else is known. Junk, the positives, and
500 other pictures (which the benchmark learns from) are taken out of the ranking, as
`akin reproduce solis` does; the query itself counts. The splits are those of the
benchmark, as many as it draws by default. They differ: more of them (SPLITS) have a
mean that is three points lower for any method, so a floor is for three. The mean
average precision must reach it, and the mean of the examples (`--feedback mean`) must
not be better. Exits 77 (skipped) without the folder.
"""
import csv
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile

FLOORS = {"10k": 78.0, "100k": 85.0}


def akin(program, *words):
    run = subprocess.run([program, *words, "--quiet", "--json", "--threads", "1"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


class Draw:
    """The generator of `akin reproduce`: splitmix64."""
    WORD = (1 << 64) - 1

    def __init__(self, *numbers):
        self.state = numbers[0]
        for number in numbers[1:]:
            self.state = self.next() ^ number

    def next(self):
        self.state = (self.state + 0x9e3779b97f4a7c15) & self.WORD
        z = self.state
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & self.WORD
        z = (z ^ z >> 27) * 0x94d049bb133111eb & self.WORD
        return z ^ z >> 31

    def some(self, rows, count):
        rows = list(rows)
        for i in range(count):
            size = len(rows) - i
            x = self.next()
            while x >= self.WORD - self.WORD % size:
                x = self.next()
            j = i + x % size
            rows[i], rows[j] = rows[j], rows[i]
        return rows[:count]


def average_precision(ranked, good):
    """By the trapezoid rule, in percent."""
    hits, area = 0, 0.0
    for i, row in enumerate(ranked):
        if row in good:
            before = hits / i if i else 1.0
            hits += 1
            area += (before + hits / (i + 1)) / 2
    return 100 * area / len(good)


def read(folder):
    grades, queries = {}, {}
    with open(os.path.join(folder, "groundtruth.csv"), encoding="utf-8") as f:
        for r in csv.DictReader(f):
            grades.setdefault(r["landmark"], {})[int(r["row"])] = r["grade"]
    with open(os.path.join(folder, "queries.csv"), encoding="utf-8") as f:
        for r in csv.DictReader(f):
            queries.setdefault(r["landmark"], []).append(int(r["row"]))
    return grades, queries


def measure(program, lines, collection, work, truth, splits, method):
    grades, queries = truth
    asked = {q for rows in queries.values() for q in rows}
    values = [[] for _ in range(splits)]
    for landmark, rows in sorted(queries.items()):
        of = grades[landmark]
        good = {r for r, g in of.items() if g != "junk"}
        if len(good) < 20:
            continue
        path = os.path.join(work, "q.svm")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(lines[r] for r in rows)
        for split in range(splits):
            draw = Draw(1, split, int(landmark))
            positives = draw.some(sorted(good - asked), 7)
            others = draw.some((r for r in range(len(lines)) if r not in of), 500)
            gone = set(positives) | set(others) | {r for r in of if r not in good}
            found = akin(program, "search", collection, "--queries", path, "--like",
                         ",".join(map(str, positives)), "--top", str(len(lines)),
                         "--feedback", method)
            for result in found["results"]:
                ranked = [h["row"] for h in result["hits"] if h["row"] not in gone]
                values[split].append(average_precision(ranked, good - gone))
    return [statistics.mean(v) for v in values]


def main(program, folder, splits="3"):
    if not os.path.isdir(folder):
        print("skipped: no such data set")
        return 77
    truth, low = read(folder), 0
    for book, floor in FLOORS.items():
        with gzip.open(os.path.join(folder, "bow_%s.svm.gz" % book), "rt") as f:
            lines = ["0 " + line.split(None, 1)[1] for line in f]
        with tempfile.TemporaryDirectory() as work:
            rows, c = os.path.join(work, "rows.svm"), os.path.join(work, "c")
            with open(rows, "w", encoding="utf-8") as f:
                f.writelines(lines)
            akin(program, "vectors", rows, "--out", c)
            got = {m: measure(program, lines, c, work, truth, int(splits), m)
                   for m in ("mean", "learn", "auto")}
        error = statistics.stdev(got["auto"]) / len(got["auto"]) ** 0.5
        got = {m: statistics.mean(v) for m, v in got.items()}
        print(book, "  ".join("%s %.1f" % x for x in got.items()),
              "(standard error %.1f, floor %.0f)" % (error, floor), flush=True)
        low += got["auto"] < floor or got["auto"] < got["mean"] - 0.5
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
