"""Metrics on small data sets: uci.py AKIN FOLDER [SET...]

FOLDER has a csv for each set, with the label in its last column, and a list of
labelled rows, splits_5pct.csv (set, repeat, row). Each learner gets the labels of
these rows; the others are classified by the nearest labelled row. The mean error over
the splits must reach that of a correct implementation, within 0.3 for s3ml and 0.4 for
the others. Exits 77 (skipped) if there is no such folder.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

SETS = ("iris", "wine", "wdbc", "car", "balance")
FLOORS = {  # learner: error in % of each set
    "euclidean": (11.77, 9.17, 7.47, 16.40, 25.47),
    "s3ml": (9.47, 8.36, 6.74, 15.97, 24.35),
    # The least value of the objective is held to itself on balance: stopped
    # half way, the same pairs give 18.1.
    "itml": (7.02, 8.01, 9.22, 24.26, 19.14),
    "lmnn": (11.70, 8.99, 7.67, 15.13, 24.86),
    "lrml": (8.23, 8.33, 9.67, 16.23, 19.68),
    "nca": (9.86, 8.99, 6.09, 14.11, 19.32),
}
SLACK = {"s3ml": 0.3}  # and of the others:
MORE_SLACK = 0.4


def akin(program, *words):
    run = subprocess.run([program, *words, "--quiet", "--json"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(" ".join(words) + ": " + run.stderr)
    return json.loads(run.stdout)


def read(path):
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.reader(f))


def write(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows(rows)


def parts(folder, table, labelled):
    """All rows, the labelled ones, the others, and the list, as files."""
    all_, near, far, known = (os.path.join(folder, x) for x in
                              ("all.csv", "near.csv", "far.csv", "known"))
    head, rows = table[0], table[1:]
    write(all_, table)
    write(near, [head] + [rows[i] for i in labelled])
    write(far, [head] + [r for i, r in enumerate(rows) if i not in labelled])
    write(known, [[i] for i in labelled])
    return all_, near, far, known


def between_0_and_1(near, far, table):
    """The files again, each column scaled as the learners do it."""
    columns = [[float(x) for x in c] for c in list(zip(*table[1:]))[:-1]]
    low = [min(c) for c in columns]
    high = [max(c) for c in columns]
    out = []
    for path in (near, far):
        rows = read(path)
        for r in rows[1:]:
            r[:-1] = [(float(x) - a) / ((b - a) or 1)
                      for x, a, b in zip(r, low, high)]
        out.append(path[:-4] + "-01.csv")
        write(out[-1], rows)
    return out


def error(program, folder, learner, table, labelled):
    model = os.path.join(folder, "m.safetensors")
    all_, near, far, known = parts(folder, table, labelled)
    words = [learner, "--labelled", known]
    if learner == "euclidean":
        model, near, far = learner, *between_0_and_1(near, far, table)
    else:
        akin(program, "train", *words, "--data", all_, "--label-column", "-1",
             "--verdict", "none", "--out", model)
    return 100 * akin(program, "eval", model, "--task", "knn", "--data", far,
                      "--train", near, "--label-column", "-1")["error"]


def main(program, folder, *sets):
    splits = {}
    if not os.path.exists(os.path.join(folder, "splits_5pct.csv")):
        print("skipped: no such data set")
        return 77
    for name, repeat, row in read(os.path.join(folder, "splits_5pct.csv"))[1:]:
        splits.setdefault(name, {}).setdefault(repeat, []).append(int(row))
    failed = False
    with tempfile.TemporaryDirectory() as work:
        for name in sets or SETS:
            table = read(os.path.join(folder, name + ".csv"))
            for learner, floors in FLOORS.items():
                got = [error(program, work, learner, table, rows)
                       for rows in splits[name].values()]
                mean = sum(got) / len(got)
                floor = floors[SETS.index(name)]
                bad = mean > floor + SLACK.get(learner, MORE_SLACK)
                failed = failed or bad
                print("%-8s %-10s %6.2f (floor %5.2f)%s" % (
                    name, learner, mean, floor, " <--" if bad else ""),
                      flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
