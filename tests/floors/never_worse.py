"""Is anything learned worse than nothing learned? never_worse.py AKIN FOLDER

    never_worse.py AKIN FOLDER [--sets A,B] [--learners A,B] [--share S]
                   [--splits N] [--most SECONDS] [--table FILE]

FOLDER has the data sets, one folder each. Of every set a share S of each class is
for training, the rest for testing. Every learner that takes labels is trained with
its defaults; then its model and the measure it started from (its recipe alone)
answer the same test rows: 1-NN among the training rows (accuracy), and retrieval
among the test rows (map). A learner fails the floor where the measure that its
verdict is about is worse on the test rows by more than one standard error of the
paired difference and the verdict did not say `worse`. solis-ada fails also where
any of the two measures is worse. Without --sets a few small sets are taken.
Exits 77 (skipped) if there is no such folder.
"""
import argparse
import gzip
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from everywhere import SETS, labels_of

QUICK = "iris,wine,wdbc,balance,mfeat76,caltech101"


def run(*args, seconds=600):
    """Standard output and exit code; code None: it took too long."""
    try:
        p = subprocess.run([str(a) for a in args], capture_output=True,
                           text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return "", None
    return (p.stdout if p.returncode == 0 else p.stderr), p.returncode


def split_rows(labels, share, seed):
    """Rows for training and for testing, by class."""
    rng = np.random.default_rng(seed)
    labels = np.asarray(labels)
    train = []
    for c in np.unique(labels):
        rows = rng.permutation(np.flatnonzero(labels == c))
        train.extend(rows[:max(2, round(share * len(rows)))])
    chosen = np.zeros(len(labels), bool)
    chosen[train] = True
    return np.flatnonzero(chosen), np.flatnonzero(~chosen)


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


def paired(a, b):
    """Mean of a - b and its standard error."""
    d = np.asarray(a, float) - np.asarray(b, float)
    return d.mean(), d.std(ddof=1) / math.sqrt(len(d)) if len(d) > 1 else 0.0


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
           "accuracy": np.mean(right), "start_accuracy": np.mean(was_right),
           "verdict": report.get("verdict"), "measure": report.get("measure"),
           "seconds": report["seconds"], "held_out": report.get("held_out"),
           "baseline": report.get("baseline")}
    row["accuracy_gain"], row["accuracy_se"] = paired(right, was_right)
    if mine[1] and start[1]:
        labels = sorted(set(mine[1]) & set(start[1]))
        row["map"] = np.mean([mine[1][k] for k in labels])
        row["start_map"] = np.mean([start[1][k] for k in labels])
        row["map_gain"], row["map_se"] = paired(
            [mine[1][k] for k in labels], [start[1][k] for k in labels])
    return row, None


def is_worse(row, measure):
    gain = row.get(measure + "_gain")
    return gain is not None and gain < -row[measure + "_se"] - 1e-12


def failed(row):
    if row["learner"] == "solis-ada" and (is_worse(row, "accuracy") or
                                          is_worse(row, "map")):
        return True
    measure = "map" if row["measure"] == "map" else "accuracy"
    return is_worse(row, measure) and row["verdict"] != "worse"


def shown(row, name):
    def pair(key):
        if key not in row:
            return "- | -"
        return (f"{100 * row['start_' + key]:.1f} | {100 * row[key]:.1f} "
                f"({100 * row[key + '_gain']:+.1f} ± "
                f"{100 * row[key + '_se']:.1f})")
    return (f"| {name} | {row['learner']} | {row['start']} | "
            f"{pair('accuracy')} | {pair('map')} | {row['measure']} | "
            f"{row['verdict']} | {row['seconds']:.2f} |"
            + (" FAILED" if failed(row) else ""))


HEAD = ("| set | learner | start | 1-NN % start | learned (gain) | "
        "map % start | learned (gain) | verdict on | verdict | seconds |\n"
        "|---|---|---|---|---|---|---|---|---|---|")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("akin")
    p.add_argument("folder")
    p.add_argument("--sets", default=QUICK)
    p.add_argument("--learners", default="")
    p.add_argument("--share", type=float, default=0.5)
    p.add_argument("--splits", type=int, default=1)
    p.add_argument("--most", type=float, default=120)
    p.add_argument("--table")
    o = p.parse_args()
    if not os.path.isdir(o.folder):
        print("skipped: there is no", o.folder)
        return 77
    learners = [x for x in json.loads(run(o.akin, "learners", "--json")[0])
                ["learners"] if x["trains"] and "labels" in x["takes"]]
    if o.learners:
        learners = [x for x in learners if x["name"] in o.learners.split(",")]
    names = SETS if o.sets == "all" else o.sets.split(",")
    bad = count = 0
    table = open(o.table, "w", encoding="utf-8") if o.table else sys.stdout
    print(HEAD, file=table, flush=True)
    for name in names:
        labels = labels_of(o.folder, *SETS[name])
        for seed in range(o.splits):
            place = tempfile.mkdtemp()
            train, test = split_rows(labels, o.share, seed)
            files = [write_part(o.folder, name, rows,
                                os.path.join(place, part))
                     for part, rows in (("train", train), ("test", test))]
            truth = [labels[i] for i in test]
            for learner in learners:
                row, why = one(o.akin, learner, *files, truth, place, o.most)
                count += row is not None
                bad += row is not None and failed(row)
                print(shown(row, name) if row else
                      f"| {name} | {learner['name']} | {why} |", file=table,
                      flush=True)
            shutil.rmtree(place)
    print(f"{count} rows, {bad} worse without a word")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
