"""Is anything learned worse than nothing learned? never_worse.py AKIN FOLDER

    never_worse.py AKIN FOLDER [--sets A,B] [--learners A,B] [--share S]
                   [--again N] [--most SECONDS] [--rows FILE] [--table FILE]

FOLDER has the data sets, one folder each. Of every set a share S of each class is
for training, the rest for testing. Every learner that takes labels is trained with
its defaults; then its model and the measure it started from (its recipe alone)
answer the same test rows: 1-NN among the training rows (accuracy), and retrieval
among the test rows (map over all of them; its error is that over the labels).

A learner is suspect where the measure that its verdict is about is worse on the
test rows by more than one standard error of the paired difference and the verdict
did not say `worse`. Verdict and truth are two samples, so chance alone makes some
suspect. A suspect is trained again on N other splits. It fails the floor if it is
worse by more than a standard error on the mean of these alone, and the verdict said
`worse` in less than half of them. solis-ada is suspect, and fails, also where any
of the two measures is worse, whatever the verdict.

--rows keeps what was measured as JSON lines, and goes on from there; --table writes
them all as markdown. Without --sets a few small sets are taken. Exits 77 (skipped)
if there is no such folder.
"""
import argparse
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

from everywhere import SETS, labels_of

QUICK = "iris,wine,wdbc,balance"


def run(*args, seconds=600):
    """Standard output and exit code; code None: it took too long."""
    try:
        p = subprocess.run([str(a) for a in args], capture_output=True,
                           text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "", None
    return (p.stdout if p.returncode == 0 else p.stderr), p.returncode


def split_rows(labels, share, seed):
    """Rows for training and for testing, by class; -1 is no class."""
    rng = np.random.default_rng(seed)
    labels = np.asarray(labels)
    train, test = [], []
    for c in np.unique(labels[labels != "-1"]):
        rows = rng.permutation(np.flatnonzero(labels == c))
        n = max(2, round(share * len(rows)))
        train.extend(rows[:n])
        test.extend(rows[n:])
    return sorted(train), sorted(test)


def write_part(folder, name, rows, path):
    """Rows of a set as akin reads them: csv for dense, svm for sparse ones."""
    source, at = SETS[name]
    full = os.path.join(folder, source)
    if source.endswith(".svm.gz"):
        with gzip.open(full, "rt") as f:
            lines = f.readlines()
        with open(path + ".svm", "w", encoding="utf-8") as f:
            f.writelines(lines[i] for i in rows)
        return path + ".svm"
    labels = labels_of(folder, source, at)
    if source.endswith(".npy"):
        x = np.load(full).astype(float)
    else:
        x = np.loadtxt(full, delimiter=",", skiprows=1)[:, :-1]
    with open(path + ".csv", "w", encoding="utf-8") as f:
        f.write(",".join(f"c{j}" for j in range(x.shape[1])) + ",label\n")
        for i in rows:
            f.write(",".join(f"{v:.9g}" for v in x[i]) + f",{labels[i]}\n")
    return path + ".csv"


def flags(path):
    return ["--label-column", "label"] if path.endswith(".csv") else []


def answers(akin, model, train, test, score):
    """Was each test row given the label of its nearest training row; and the
    map of each label among the test rows."""
    more = ["--score", score] if score else []
    out, code = run(akin, "predict", model, "--data", test, "--train", train,
                    "--quiet", *flags(test), *more)
    if code != 0:  # a model that ranks labels takes no training rows
        out, code = run(akin, "predict", model, "--data", test, "--quiet",
                        *flags(test))
    if code != 0:
        return None, None
    given = [line.split()[1] for line in out.splitlines()]
    out, code = run(akin, "eval", model, "--task", "retrieval", "--data", test,
                    "--by-label", "--json", "--quiet", *flags(test), *more)
    by_label = {label: row["map"] for label, row in
                json.loads(out)["by_label"].items()} if code == 0 else None
    return given, by_label


def paired(a, b, counts=None):
    """Mean of a - b and its standard error; each counts so many times."""
    d = np.asarray(a, float) - np.asarray(b, float)
    w = np.ones(len(d)) if counts is None else np.asarray(counts, float)
    w = w / w.sum()
    mean = float(w @ d)
    if len(d) < 2:
        return mean, 0.0
    return mean, math.sqrt(float(w ** 2 @ (d - mean) ** 2) * len(d) /
                           (len(d) - 1))


def one(akin, learner, train, test, truth, place, seconds):
    """A row of the table, or the reason why there is none."""
    model, base = os.path.join(place, "model"), os.path.join(place, "base")
    out, code = run(akin, "train", learner["name"], "--data", train, "--json",
                    "--quiet", "--out", model, *flags(train), seconds=seconds)
    if code != 0:
        return None, "too slow" if code is None else out.strip()[:90]
    report = json.loads(out)
    run(akin, "train", "tfidf", "--data", train, "--recipe", model, "--quiet",
        "--out", base, *flags(train))
    plain = report.get("baseline_measure") or (
        "euclidean" if learner["makes"] == "metric" else "cosine")
    mine = answers(akin, model, train, test, None)
    start = answers(akin, base, train, test,
                    "distance" if "euclid" in plain else "cosine")
    if mine[0] is None or start[0] is None:
        return None, "cannot answer"
    right = [g == t for g, t in zip(mine[0], truth)]
    was_right = [g == t for g, t in zip(start[0], truth)]
    row = {"learner": learner["name"], "start": plain,
           "accuracy": float(np.mean(right)),
           "start_accuracy": float(np.mean(was_right))}
    row.update({key: report.get(key) for key in (
        "verdict", "measure", "seconds", "held_out", "baseline", "difference",
        "difference_se", "on_learned", "on_learned_baseline", "fell")})
    row["accuracy_gain"], row["accuracy_se"] = paired(right, was_right)
    if mine[1] and start[1]:
        labels = sorted(set(mine[1]) & set(start[1]))
        counts = [truth.count(k) for k in labels]
        a, b = ([x[k] for k in labels] for x in (mine[1], start[1]))
        row["map"] = float(np.average(a, weights=counts))
        row["start_map"] = float(np.average(b, weights=counts))
        row["map_gain"], row["map_se"] = paired(a, b, counts)
    return row, None


def measured(row):
    """What the verdict is about; a ranker of labels is tested by its first."""
    return "map" if row["measure"] == "map" and "map" in row else "accuracy"


def is_worse(row, measure):
    gain = row.get(measure + "_gain")
    return gain is not None and gain < -row[measure + "_se"] - 1e-12


def is_suspect(row):
    if row["learner"] == "solis-ada" and (is_worse(row, "accuracy") or
                                          is_worse(row, "map")):
        return True
    return (is_worse(row, measured(row)) and
            row["verdict"] not in ("worse", None))


def mean_of(rows):
    """One row for several splits: gains and errors are means over them."""
    row = dict(rows[0])
    for key, value in row.items():
        if isinstance(value, float):
            row[key] = float(np.mean([x[key] for x in rows]))
    words = [x["verdict"] for x in rows]
    row["verdict"] = "worse" if 2 * words.count("worse") >= len(words) \
        else max(set(words), key=words.count)
    return row


def points(row, key):
    if key not in row:
        return "- | -"
    return (f"{100 * row['start_' + key]:.1f} | {100 * row[key]:.1f} "
            f"({100 * row[key + '_gain']:+.1f} ± "
            f"{100 * row[key + '_se']:.1f})")


def shown(row):
    held = row["difference"]
    held = "-" if held is None else \
        f"{100 * held:+.1f} ± {100 * row['difference_se']:.1f}"
    return (f"| {row['set']}{'' if row['split'] == 0 else ' (again)'} | "
            f"{row['learner']} | {row['start']} | {points(row, 'accuracy')} | "
            f"{points(row, 'map')} | {row['measure']} | {held} | "
            f"{row['verdict']} |")


HEAD = ("| set | learner | start | 1-NN % | learned (gain) | map % | "
        "learned (gain) | verdict on | held-out gain | verdict |\n"
        "|---|---|---|---|---|---|---|---|---|---|")


class Rows:
    """What was measured, by set, learner and split; kept in a file."""

    def __init__(self, path):
        self.path, self.all = path, {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                for line in f:
                    self.keep(json.loads(line), False)

    def keep(self, row, write=True):
        self.all[row["set"], row["learner"], row["split"]] = row
        if write and self.path:
            with open(self.path, "a", encoding="utf-8") as f:
                f.write(json.dumps(row) + "\n")


def measure(o, rows, name, learners, split):
    """Train and test these learners on one split of a set."""
    todo = [x for x in learners if (name, x["name"], split) not in rows.all]
    if not todo:
        return
    labels = labels_of(o.folder, *SETS[name])
    train, test = split_rows(labels, o.share, split)
    with tempfile.TemporaryDirectory() as place:
        files = [write_part(o.folder, name, part, os.path.join(place, which))
                 for which, part in (("train", train), ("test", test))]
        truth = [labels[i] for i in test]
        for learner in todo:
            row, why = one(o.akin, learner, *files, truth, place, o.most)
            row = row or {"learner": learner["name"], "why": why}
            row.update(set=name, split=split, train=len(train),
                       test=len(test))
            rows.keep(row)


def again(o, rows, suspect, learners):
    """The mean of a suspect over other splits."""
    name, who = suspect["set"], suspect["learner"]
    for split in range(1, o.again + 1):
        measure(o, rows, name, [x for x in learners if x["name"] == who],
                split)
    others = [rows.all[name, who, k] for k in range(1, o.again + 1)]
    others = [x for x in others if "why" not in x]
    return mean_of(others) if others else suspect


def main():
    p = argparse.ArgumentParser()
    p.add_argument("akin")
    p.add_argument("folder")
    p.add_argument("--sets", default=QUICK)
    p.add_argument("--learners", default="")
    p.add_argument("--share", type=float, default=0.5)
    p.add_argument("--again", type=int, default=4)
    p.add_argument("--most", type=float, default=120)
    p.add_argument("--rows")
    p.add_argument("--table")
    o = p.parse_args()
    if not os.path.isdir(o.folder):
        print("skipped: there is no", o.folder)
        return 77
    learners = [x for x in json.loads(run(o.akin, "learners", "--json")[0])
                ["learners"] if x["trains"] and "labels" in x["takes"]]
    if o.learners:
        learners = [x for x in learners if x["name"] in o.learners.split(",")]
    rows = Rows(o.rows)
    lines, suspects, failed = [HEAD], 0, []
    for name in SETS if o.sets == "all" else o.sets.split(","):
        measure(o, rows, name, learners, 0)
        for learner in learners:
            row = rows.all[name, learner["name"], 0]
            if "why" in row:
                continue
            lines.append(shown(row))
            if not is_suspect(row):
                continue
            suspects += 1
            other = again(o, rows, row, learners)
            lines.append(shown(other))
            if is_suspect(other):
                failed.append(lines[-1])
    if o.table:
        with open(o.table, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
    print(f"{len(lines) - 1 - suspects} rows; {suspects} suspect on one split, "
          f"{len(failed)} on {o.again} others:")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
