"""Feedback in rounds never makes it worse: feedback.py AKIN [FOLDER] [SEED]

Half of the rows are searched, the others are queries that nobody judges. In each of
eight rounds 60 other queries are asked; of the first 20 answers of each, those of the
query's class are good, the others bad, and every (query, good, bad) is a triplet to
learn from on top of the rounds before. After each round the mean average precision
and the precision at 1 of the unjudged queries must not be below those of the round
before by more than the standard error of a difference, nor below the start by half of
it. After eight rounds one of them is two points above the start, and neither below.

FOLDER has counts.svm.gz in the layout of ng20; without FOLDER the rows are made by
akin synth. Exits 77 (skipped) if there is no such folder.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

ROUNDS, QUERIES, JUDGED = 8, 60, 20


def akin(program, *words):
    run = subprocess.run([program, *words, "--quiet", "--json"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def lines_of(path):
    with open(path, encoding="utf-8") as f:
        return [line for line in f if line.strip()]


def judged(program, model, pool, lines, queries, folder):
    """Triplets of a round."""
    index, asked = os.path.join(folder, "i"), os.path.join(folder, "q.svm")
    labels = [line.split(None, 1)[0] for line in lines]
    with open(asked, "w", encoding="utf-8") as f:
        f.writelines(lines[q] for q in queries)
    akin(program, "index", model, "--data", pool, "--out", index)
    found = akin(program, "search", index, "--queries", asked, "--top",
                 str(JUDGED + 1))
    out = []
    for result in found["results"]:
        q = queries[result["query"]]
        rows = [h["row"] for h in result["hits"] if h["row"] != q][:JUDGED]
        good = [r for r in rows if labels[r] == labels[q]]
        out += [(q, g, b) for g in good for b in rows if b not in set(good)]
    return out


def rounds(program, pool, test, seed, folder, learner):
    """mAP and precision at 1 of the test rows, at the start and after each."""
    model, triplets = (os.path.join(folder, x) for x in ("m.st", "t.txt"))
    lines = lines_of(pool)
    order = list(range(len(lines)))
    random.Random(seed).shuffle(order)
    # The start: the plain measure over the learner's recipe.
    akin(program, "train", *learner, "--eta", "1e-12", "--sample", "1",
         "--data", pool, "--out", model)
    seen, resume = [], []
    for k in range(ROUNDS + 1):
        got = akin(program, "eval", model, "--data", test, "--task",
                   "retrieval")
        seen.append((got["map"], got["precision_at"]["1"]))
        print("round %d: map %.4f, precision at 1 %.4f" % ((k,) + seen[-1]),
              flush=True)
        if k == ROUNDS:
            break
        asked = order[k * QUERIES:(k + 1) * QUERIES]
        drawn = judged(program, model, pool, lines, asked, folder)
        random.Random(seed + k).shuffle(drawn)
        with open(triplets, "w", encoding="utf-8") as f:
            f.writelines("%d %d %d\n" % t for t in drawn)
        akin(program, "train", *learner, *resume, "--data", pool, "--triplets",
             triplets, "--out", model)
        resume = ["--resume", model]
    return seen


def main(program, folder="", seed="1", *learner):
    learner = list(learner) or ["solis-ada"]
    source = os.path.join(folder, "counts.svm.gz")
    if folder and not os.path.exists(source):
        print("skipped: no such data set")
        return 77
    with tempfile.TemporaryDirectory() as work:
        pool, test = (os.path.join(work, x) for x in ("a.svm", "b.svm"))
        if not folder:
            source = os.path.join(work, "all.svm")
            akin(program, "synth", "bags", "--rows", "2000", "--dim", "5000",
                 "--words", "100", "--classes", "10", "--signal", "0.15",
                 "--out", source)
        akin(program, "split", source, "--fraction", "0.5", "--by-class",
             "--seed", seed, "--out", pool, test)
        seen = rounds(program, pool, test, int(seed), work, learner)
        queries = len(lines_of(test))
    slack = (0.5 / queries) ** 0.5  # the standard error of a difference
    falls = [k for k in range(1, ROUNDS + 1) for i in (0, 1)
             if seen[k][i] < seen[k - 1][i] - slack or
             seen[k][i] < seen[0][i] - slack / 2]
    gains = [100 * (seen[-1][i] - seen[0][i]) for i in (0, 1)]
    print("gain %.1f points of map, %.1f of precision at 1" % tuple(gains))
    for k in falls:
        print("falls in round %d" % k)
    return 1 if falls or max(gains) < 2.0 or min(gains) < 0.0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
