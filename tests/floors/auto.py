"""Floors of train auto: auto.py AKIN FOLDER [SPLITS]

FOLDER is laid out like the uci tables: NAME.csv with a column `label`. At 5 % and 50 %
labels the 1-NN accuracy of the model of `train auto` on the other rows, mean over
SPLITS splits [3], may be below the best of the plain distances (raw and min-max) by
half a point and two standard errors of the difference at most. Where scikit-learn is
installed, its LDA and logistic regression are shown beside it. Exits 77 (skipped)
without the folder.
"""
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

TABLES = ["iris", "wine", "wdbc", "car", "balance"]


def akin(program, *words):
    run = subprocess.run([program, *words, "--quiet", "--json"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def accuracy(program, model, train, test, *flags):
    return 1.0 - akin(program, "eval", model, "--task", "knn", "--train", train,
                      "--data", test, *flags)["error"]


def scaled(paths, folder):
    """The files with columns scaled to 0 to 1 by the first."""
    tables = []
    for path in paths:
        with open(path, encoding="utf-8", newline="") as f:
            tables.append(list(csv.reader(f)))
    at = tables[0][0].index("label")
    columns = [c for c in range(len(tables[0][0])) if c != at]
    low = {c: min(float(r[c]) for r in tables[0][1:]) for c in columns}
    high = {c: max(float(r[c]) for r in tables[0][1:]) for c in columns}
    out = []
    for number, table in enumerate(tables):
        out.append(os.path.join(folder, f"scaled{number}.csv"))
        with open(out[-1], "w", encoding="utf-8", newline="") as f:
            writer = csv.writer(f)
            writer.writerow(table[0])
            for row in table[1:]:
                writer.writerow([x if c == at else
                                 (float(x) - low[c]) / ((high[c] - low[c]) or 1)
                                 for c, x in enumerate(row)])
    return out


def rivals(train, test):
    try:
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
    except ImportError:
        return {}

    def read(path):
        with open(path, encoding="utf-8", newline="") as f:
            rows = list(csv.DictReader(f))
        labels = [r.pop("label") for r in rows]
        return [[float(x) for x in r.values()] for r in rows], labels

    (x, y), (u, v) = read(train), read(test)
    logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
    return {"LDA": LinearDiscriminantAnalysis().fit(x, y).score(u, v),
            "logistic": logistic.fit(x, y).score(u, v)}


def measure(program, table, fraction, seed, folder):
    train, test, model = (os.path.join(folder, x)
                          for x in ("a.csv", "b.csv", "m.safetensors"))
    akin(program, "split", table, "--fraction", str(fraction), "--by-class",
         "--seed", str(seed), "--out", train, test)
    akin(program, "train", "auto", "--data", train, "--out", model)
    plain = max(accuracy(program, "euclidean", train, test),
                accuracy(program, "euclidean", *scaled([train, test], folder)))
    return accuracy(program, model, train, test), plain, rivals(train, test)


def main():
    program, source = sys.argv[1:3]
    splits = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    if not os.path.isdir(source):
        print("skipped: there is no", source)
        sys.exit(77)
    low = 0
    for fraction in (0.05, 0.5):
        for name in TABLES:
            with tempfile.TemporaryDirectory() as folder:
                runs = [measure(program, os.path.join(source, name + ".csv"),
                                fraction, seed, folder)
                        for seed in range(1, splits + 1)]
            gains = [auto - plain for auto, plain, _ in runs]
            error = (statistics.stdev(gains) / len(gains) ** 0.5
                     if len(gains) > 1 else 0.0)
            fine = statistics.mean(gains) >= -0.005 - 2.0 * error
            low += not fine
            print(f"{name} {fraction:.0%}: auto {statistics.mean(r[0] for r in runs):.3f}, "
                  f"plain {statistics.mean(r[1] for r in runs):.3f}",
                  {k: round(statistics.mean(r[2][k] for r in runs), 3) for k in runs[0][2]},
                  "ok" if fine else "LOW")
    sys.exit(1 if low else 0)


main()
