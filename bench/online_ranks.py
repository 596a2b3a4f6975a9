"""What online learners lose by ranks: online_ranks.py AKIN DATA [RANKS [SPLITS]]

DATA has folders in the layout of ng20 and oxford5k_bow. Prints the mean average
precision in percent for each number of ranks, [1,2,4], over SPLITS splits [3].

  newsgroups   65 % of each class to learn from, the rest ranks itself; one pass
  Oxford       10k words; for each of four landmarks 7 positives that are no
               query and 500 other pictures, 21,000 triplets in random order; the
               official queries rank all other pictures, junk left out
"""
import csv
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

LEARNERS = ("solis-ada", "solis-da", "solis-afb", "solis-tg", "loreta-1",
            "loreta-psd", "loreta")
LANDMARKS = ("all_souls", "ashmolean", "hertford", "radcliffe_camera")
os.environ.update({"OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1"})


def akin(program, ranks, *words):
    started = ["mpirun", "-q", "-np", str(ranks)] if ranks > 1 else []
    run = subprocess.run([*started, program, *words, "--quiet", "--json"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def newsgroups(program, data, work, learner, ranks, split):
    train, test, model = (os.path.join(work, x)
                          for x in (f"a{split}.svm", f"b{split}.svm", "m"))
    if not os.path.exists(train):
        akin(program, 1, "split", os.path.join(data, "ng20/counts.svm.gz"),
             "--fraction", "0.65", "--by-class", "--seed", str(split), "--out",
             train, test)
    akin(program, ranks, "train", learner, "--data", train, "--passes", "1",
         "--seed", str(split), "--verdict", "none", "--out", model)
    return akin(program, 1, "eval", model, "--data", test, "--task",
                "retrieval")["map"]


def table(path):
    with open(path, encoding="utf-8") as f:
        return list(csv.DictReader(f))


def average_precision(ranking, good, skipped):
    """The official rule: the area under the curve, by trapezoids."""
    found, at, area, recall, precision = 0, 0, 0.0, 0.0, 1.0
    for row in ranking:
        if row in skipped:
            continue
        found += row in good
        at += 1
        new = found / len(good)
        area += (new - recall) * (precision + found / at) / 2
        recall, precision = new, found / at
    return area


def oxford(program, data, work, learner, ranks, split):
    folder = os.path.join(data, "oxford5k_bow")
    words = os.path.join(folder, "bow_10k.svm.gz")
    with gzip.open(words, "rt") as f:
        lines = f.readlines()
    truth, queries, names = (
        table(os.path.join(folder, x))
        for x in ("groundtruth.csv", "queries.csv", "landmarks.csv"))
    total = 0.0
    for landmark in (x["landmark"] for x in names if x["name"] in LANDMARKS):
        draw = random.Random(f"{split} {landmark}")
        of = {g: {int(t["row"]) for t in truth if t["landmark"] == landmark
                  and t["grade"] == g} for g in ("good", "ok", "junk")}
        relevant = of["good"] | of["ok"]
        asked = [int(q["row"]) for q in queries if q["landmark"] == landmark]
        positives = draw.sample(sorted(relevant - set(asked)), 7)
        others = draw.sample(sorted(set(range(len(lines))) - relevant
                                    - of["junk"] - set(asked)), 500)
        triplets = [(a, b, c) for a in positives for b in positives if a != b
                    for c in others]
        draw.shuffle(triplets)
        paths = [os.path.join(work, x) for x in ("t.csv", "q.svm", "m", "i")]
        with open(paths[0], "w", encoding="ascii") as f:
            f.writelines("%d %d %d\n" % t for t in triplets)
        with open(paths[1], "w", encoding="ascii") as f:
            f.writelines(lines[i] for i in asked)
        akin(program, ranks, "train", learner, "--data", words, "--triplets",
             paths[0], "--verdict", "none", "--out", paths[2])
        akin(program, 1, "index", paths[2], "--data", words, "--out", paths[3])
        got = akin(program, 1, "search", paths[3], "--queries", paths[1],
                   "--top", str(len(lines)))
        skipped = of["junk"] | set(positives) | set(others)
        for hits in got["results"]:
            total += average_precision([h["row"] for h in hits["hits"]],
                                       relevant - skipped, skipped)
    return total / (len(LANDMARKS) * len(asked))


def main(program, data, ranks="1,2,4", splits="3"):
    counts = [int(x) for x in ranks.split(",")]
    with tempfile.TemporaryDirectory() as work:
        for measure in (newsgroups, oxford):
            for learner in LEARNERS:
                maps = [[measure(program, data, work, learner, n, split)
                         for split in range(1, int(splits) + 1)]
                        for n in counts]
                print(measure.__name__, learner,
                      *("%d: %.2f" % (n, 100 * sum(m) / len(m))
                        for n, m in zip(counts, maps)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
