"""Is anything learned worse than nothing learned? never_worse.py AKIN FOLDER

    never_worse.py AKIN FOLDER [--sets A,B] [--learners A,B] [--share S]
                   [--most-rows N] [--again N] [--most SECONDS] [--rows FILE]
                   [--table FILE] [--summary FILE]

FOLDER has the data sets, one folder each. Of every set, or of N rows drawn from it,
a share S of each class is for training, the rest for testing. Every learner that
takes labels, or nothing but rows, is trained with its defaults; then its model and
the measure it started from (its recipe alone) answer the same test rows: 1-NN among
the training rows (accuracy), and retrieval among the test rows (map over all of
them; its error is that over the labels).

A learner is suspect where the measure that its verdict is about is worse on the
test rows by more than one standard error of the paired difference and the verdict
did not say `worse`. Verdict and truth are two samples, so chance alone makes some
suspect. A suspect is trained again on N other splits. It fails the floor if it is
worse by more than a standard error on the mean of these alone, and the verdict said
`worse` in less than half of them. solis-ada is suspect, and fails, also where any
of the two measures is worse, whatever the verdict.

--rows keeps what was measured as JSON lines, and goes on from there; --table writes
them all as markdown, and --summary how many of each set are worse, the suspects one by
one, and solis-ada. --most limits the CPU seconds of one training. Without --sets a few small sets are taken. Exits 77 (skipped)
if there is no such folder.
"""
import argparse
import collections
import gzip
import hashlib
import json
import math
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np

import everywhere

QUICK = "iris,wine,wdbc,balance"
SETS = dict(everywhere.SETS)
SETS["news128"] = ("news_naming/features128.npy", "news_naming/truth.csv:name")
SETS["news200"] = ("news_naming/features200.npy", "news_naming/truth.csv:name")
SETS["photos"] = ("caltech101_images", "caltech101_images/labels.csv:class")
LEAST_OF_A_NAME = 4  # faces, for a name of the news to be a class


def run(*args, seconds=300):
    """Standard output and exit code; code None: it took too long."""
    limit = int(seconds)
    p = subprocess.run(
        [str(a) for a in args] + ["--threads", "1"], capture_output=True,
        text=True, check=False, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_CPU, (limit, limit)))
    if p.returncode < 0:
        return "", None
    return (p.stdout if p.returncode == 0 else p.stderr), p.returncode


def labels_of(folder, name):
    """The label of each row, as text; -1: none."""
    labels = everywhere.labels_of(folder, *SETS[name])
    if not name.startswith("news"):
        return labels
    count = collections.Counter(labels)
    return [x if x and count[x] >= LEAST_OF_A_NAME else "-1" for x in labels]


def split_rows(labels, share, most, seed):
    """Rows for training and for testing, by class, of at most so many."""
    rng = np.random.default_rng(seed)
    labels = np.asarray(labels)
    known = labels != "-1"
    part = min(1.0, most / np.count_nonzero(known))
    train, test = [], []
    for c in np.unique(labels[known]):
        rows = rng.permutation(np.flatnonzero(labels == c))
        rows = rows[:max(4, round(part * len(rows)))]
        n = max(2, round(share * len(rows)))
        train.extend(rows[:n])
        test.extend(rows[n:])
    return sorted(train), sorted(test)


def write_photos(akin, folder, share, seed, place):
    """Visual words of photographs in two files, and the labels of the second."""
    words, train, test = (os.path.join(place, x)
                          for x in ("words.akin", "train.svm", "test.svm"))
    for args in (("images", folder, "--words", 1000, "--out", words, "--force"),
                 ("split", words, "--fraction", share, "--by-class", "--out",
                  train, test)):
        out, code = run(akin, *args, "--seed", seed + 1, "--quiet")
        if code != 0:
            sys.exit(out)
    with open(test, encoding="utf-8") as f:
        return (train, test), [line.split()[0] for line in f
                               if not line.startswith("#")]


def write_part(folder, name, rows, path):
    """Rows of a set as akin reads them: csv for dense, svm for sparse ones."""
    source, _ = SETS[name]
    full = os.path.join(folder, source)
    if source.endswith(".svm.gz"):
        with gzip.open(full, "rt") as f:
            lines = f.readlines()
        with open(path + ".svm", "w", encoding="utf-8") as f:
            f.writelines(lines[i] for i in rows)
        return path + ".svm"
    labels = labels_of(folder, name)
    if source.endswith(".npy"):
        x = np.load(full).astype(float)
    else:
        x = np.loadtxt(full, delimiter=",", skiprows=1)[:, :-1]
    with open(path + ".csv", "w", encoding="utf-8") as f:
        f.write(",".join(f"c{j}" for j in range(x.shape[1])) + ",label\n")
        for i in rows:
            f.write(",".join(f"{v:.9g}" for v in x[i]) + f",{labels[i]}\n")
    return path + ".csv"


def write_parts(o, name, split, place):
    """Files of the rows for training and testing, and the labels of the latter."""
    if name == "photos":
        return write_photos(o.akin, os.path.join(o.folder, SETS[name][0]),
                            o.share, split, place)
    labels = labels_of(o.folder, name)
    train, test = split_rows(labels, o.share, o.most_rows, split)
    files = [write_part(o.folder, name, part, os.path.join(place, which))
             for which, part in (("train", train), ("test", test))]
    return files, [labels[i] for i in test]


def count_rows(path):
    with open(path, encoding="utf-8") as f:
        return sum(not line.startswith("#") for line in f) - \
            path.endswith(".csv")


def flags(path):
    return ["--label-column", "label"] if path.endswith(".csv") else []


def columns_of(*paths):
    """As flags, so that words which only other files have can be read."""
    last = 0
    for path in paths:
        if path.endswith(".svm"):
            with open(path, encoding="utf-8") as f:
                last = max([last] + [int(line.split()[-1].split(":")[0])
                                     for line in f if ":" in line])
    return ["--dim", last] if last else []


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


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def one(akin, learner, train, test, truth, place, seconds, known):
    """A row of the table, or the reason why there is none. `known` keeps the
    answers of plain measures."""
    model, base = os.path.join(place, "model"), os.path.join(place, "base")
    out, code = run(akin, "train", learner["name"], "--data", train, "--json",
                    "--quiet", "--out", model, *flags(train),
                    *columns_of(train, test), seconds=seconds)
    if code != 0:
        return None, "too slow" if code is None else out.strip()[:90]
    report = json.loads(out)
    run(akin, "train", "tfidf", "--data", train, "--recipe", model, "--quiet",
        "--out", base, *flags(train))
    plain = report.get("baseline_measure") or (
        "euclidean" if learner["makes"] == "metric" else "cosine")
    mine = answers(akin, model, train, test, None)
    key = digest(base), "distance" if "euclid" in plain else "cosine"
    if key not in known:
        known[key] = answers(akin, base, train, test, key[1])
    start = known[key]
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


def gain_word(row):
    """How the learner did on the test rows, as its verdict should say."""
    gain, se = (row[measured(row) + x] for x in ("_gain", "_se"))
    return "better" if gain > se else \
        "worse" if is_worse(row, measured(row)) else "same"


def summary(rows, suspects):
    """Counts by set, then the suspects with their means over other splits, then
    solis-ada."""
    sets = list(dict.fromkeys(r["set"] for r in rows))
    lines = ["| set | rows | learners | better | same | worse | of these called "
             "`worse` | called `better` and worse |", "|---|---|---|---|---|---|---|---|"]
    total = [0] * 6
    for name in sets:
        of = [r for r in rows if r["set"] == name]
        words = [gain_word(r) for r in of]
        bad = [r["verdict"] for r, w in zip(of, words) if w == "worse"]
        counts = [len(of)] + [words.count(w) for w in
                              ("better", "same", "worse")] + \
            [bad.count("worse"), bad.count("better")]
        total = [a + b for a, b in zip(total, counts)]
        lines.append(f"| {name} | {of[0]['train']} + {of[0]['test']} | " +
                     " | ".join(map(str, counts)) + " |")
    lines.append("| all | | " + " | ".join(map(str, total)) + " |")
    lines += ["", HEAD] + suspects
    lines += ["", HEAD] + [shown(r) for r in rows
                           if r["learner"] == "solis-ada"]
    return lines


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
    with tempfile.TemporaryDirectory() as place:
        files, truth = write_parts(o, name, split, place)
        known = {}
        for learner in todo:
            row, why = one(o.akin, learner, *files, truth, place, o.most,
                           known)
            row = row or {"learner": learner["name"], "why": why}
            row.update(set=name, split=split, train=count_rows(files[0]),
                       test=len(truth))
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
    p.add_argument("--most-rows", type=int, default=2000)
    p.add_argument("--most", type=float, default=60)
    p.add_argument("--rows")
    p.add_argument("--table")
    p.add_argument("--summary")
    o = p.parse_args()
    if not os.path.isdir(o.folder):
        print("skipped: there is no", o.folder)
        return 77
    learners = [x for x in json.loads(run(o.akin, "learners", "--json")[0])
                ["learners"] if x["trains"] and x["name"] != "tfidf" and
                (not x["takes"] or "labels" in x["takes"])]
    if o.learners:
        learners = [x for x in learners if x["name"] in o.learners.split(",")]
    rows = Rows(o.rows)
    lines, suspects, failed, first = [HEAD], [], [], []
    for name in SETS if o.sets == "all" else o.sets.split(","):
        measure(o, rows, name, learners, 0)
        for learner in learners:
            row = rows.all[name, learner["name"], 0]
            if "why" in row:
                continue
            first.append(row)
            lines.append(shown(row))
            if not is_suspect(row):
                continue
            other = again(o, rows, row, learners)
            suspects += [lines[-1], shown(other)]
            lines.append(shown(other))
            if is_suspect(other):
                failed.append(lines[-1])
    for path, text in ((o.table, lines), (o.summary, summary(first, suspects))):
        if path:
            with open(path, "w", encoding="utf-8") as f:
                f.write("\n".join(text) + "\n")
    print(f"{len(first)} rows; {len(suspects) // 2} suspect on one split, "
          f"{len(failed)} on {o.again} others:")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
