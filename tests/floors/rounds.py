"""Feedback in rounds on real collections: rounds.py AKIN KIND FOLDER [ROUNDS [QUERIES]]

KIND is newsgroups (FOLDER in the layout of ng20), photos (of caltech101_images) or
words (of oxford5k_bow). In each round 60 queries are asked; of the first 20 answers to
each, those of the query's class are good and the others bad, which is one event. Four
collections are asked in the same way:

    none       nothing is said
    per-query  searches use the events of their query
    learned    akin learn learns from all events; searches use nothing else
    both       both of these

After each round, the precision at 10 of these queries, and of 60 others that nobody
judged (which only learning can help). `both` and `per-query` must not be below `none`,
nor `both` below `per-query`, nor any of them below its round before, by more than the
noise: the standard error of a difference. Exits 77 (skipped) without the folder.
"""
import csv
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

JUDGED, TOP = 20, 10
MODES = ("none", "per-query", "learned", "both")


def akin(program, *words, text=None):
    run = subprocess.run([program, *words, "--quiet", "--json", "--threads", "1"],
                         capture_output=True, text=True, check=False, input=text)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return run.stdout


# ---- collections without labels, and the class of every item ----

def newsgroups(program, folder, out, work):
    source = os.path.join(folder, "counts.svm.gz")
    if not os.path.exists(source):
        return None
    with gzip.open(os.path.join(folder, "vocab.txt.gz"), "rt") as f:
        terms = f.read().split()
    with gzip.open(source, "rt") as f:
        lines = random.Random(1).sample(f.readlines(), 3000)
    labels, path = {}, os.path.join(work, "news.jsonl")
    with open(path, "w", encoding="utf-8") as f:
        for i, line in enumerate(lines):
            label, *pairs = line.split()
            words = []
            for pair in pairs:
                term, count = pair.split(":")
                words += [terms[int(term) - 1]] * int(count)
            labels["n%d" % i] = label
            f.write(json.dumps({"name": "n%d" % i, "text": " ".join(words)}) + "\n")
    akin(program, "documents", path, "--out", out, "--stop-words", "none")
    return labels


def photos(program, folder, out, work):
    if not os.path.exists(os.path.join(folder, "labels.csv")):
        return None
    flat, labels = os.path.join(work, "flat"), {}
    os.mkdir(flat)
    for name in sorted(os.listdir(folder)):
        inner = os.path.join(folder, name)
        for file in sorted(os.listdir(inner)) if os.path.isdir(inner) else []:
            link = "%s_%s" % (name, file)
            os.symlink(os.path.join(os.path.abspath(inner), file),
                       os.path.join(flat, link))
            labels[link] = name
    akin(program, "images", flat, "--out", out)
    return labels


def words(program, folder, out, work):
    source = os.path.join(folder, "bow_10k.svm.gz")
    if not os.path.exists(source):
        return None
    labels = {}
    with open(os.path.join(folder, "groundtruth.csv"), encoding="utf-8") as f:
        for row in csv.DictReader(f):
            if row["grade"] != "junk":
                labels["p" + row["row"]] = row["landmark"]
    rows, names = os.path.join(work, "rows.svm"), os.path.join(work, "names.txt")
    with gzip.open(source, "rt") as f, open(rows, "w", encoding="utf-8") as g, \
            open(names, "w", encoding="utf-8") as h:
        for i, line in enumerate(f):
            g.write("0 " + line.split(None, 1)[1])
            h.write("p%d\n" % i)
    akin(program, "vectors", rows, "--names", names, "--label-column", "none",
         "--out", out)
    return labels


# ---- a round ----

def ask(program, collection, query, feedback):
    found = json.loads(akin(program, "search", collection, "--like", query, "--top",
                            str(JUDGED), *([] if feedback else
                                           ["--feedback", "none"])))
    return [h["name"] for h in found["results"][0]["hits"]]


def precision(program, collection, queries, labels, feedback):
    right = 0
    for q in queries:
        hits = ask(program, collection, q, feedback)[:TOP]
        right += sum(labels.get(h) == labels[q] for h in hits)
    return right / TOP / len(queries)


def judge(program, collection, queries, labels, feedback, number):
    lines = []
    for q in queries:
        hits = ask(program, collection, q, feedback)
        good = [h for h in hits if labels.get(h) == labels[q]]
        bad = [h for h in hits if labels.get(h) != labels[q]]
        lines.append(json.dumps({"key": "%d/%s" % (number, q), "query": q,
                                 "good": good, "bad": bad}))
    akin(program, "feedback", collection, "--file", "-", text="\n".join(lines))


def run(program, make, folder, rounds, n):
    with tempfile.TemporaryDirectory() as work:
        base = os.path.join(work, "base")
        labels = make(program, folder, base, work)
        if labels is None:
            return None
        akin(program, "learn", base, "--after", "0")
        sizes = {}
        for label in labels.values():
            sizes[label] = sizes.get(label, 0) + 1
        least = min(2 * JUDGED, max(sizes.values()) / 2)
        asked = [k for k in sorted(labels) if sizes[labels[k]] > least]
        random.Random(2).shuffle(asked)
        asked, others = asked[:n], asked[n:2 * n]
        where = {m: os.path.join(work, m) for m in MODES}
        for m in MODES:
            shutil.copytree(base, where[m])
        table = []
        for k in range(rounds + 1):
            row = {}
            for m in MODES:
                own = m in ("per-query", "both")
                row[m] = precision(program, where[m], asked, labels, own)
            row["others"] = precision(program, where["both"], others, labels, True)
            table.append(row)
            print("round %d: %s" % (k, "  ".join("%s %.3f" % x for x in row.items())),
                  flush=True)
            if k == rounds:
                break
            for m in MODES[1:]:
                judge(program, where[m], asked, labels, m != "learned", k)
                if m != "per-query":
                    print("  ", m, " ".join(akin(program, "learn", where[m]).split()),
                          flush=True)
        return table


def main(program, kind, folder, rounds="8", queries="60"):
    make = {"newsgroups": newsgroups, "photos": photos, "words": words}[kind]
    table = run(program, make, folder, int(rounds), int(queries))
    if table is None:
        print("skipped: no such data set")
        return 77
    noise = (0.25 / int(queries) / TOP) ** 0.5 * 2 ** 0.5
    bad = []
    for k, row in enumerate(table):
        for low, high in (("none", "per-query"), ("per-query", "both"),
                          ("none", "learned")):
            if row[high] < row[low] - noise:
                bad.append("round %d: %s below %s" % (k, high, low))
        for m in row:
            if k > 0 and row[m] < table[k - 1][m] - noise:
                bad.append("round %d: %s fell" % (k, m))
    print("\n".join(bad) or "never worse by more than %.3f" % noise)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
