"""train auto against scikit-learn: auto_tables.py AKIN FOLDER [SPLITS [TABLE...]]

FOLDER has the tables of ../shared/data. With 5 % and 50 % of the labels, the labels that
`akin predict` gives the other rows (at most 1,500) by the model of `train auto` are
compared with those of scikit-learn on the same splits: the nearest row (as the columns
are, z-scored, min-max scaled, by cosine), LDA with and without shrinkage, logistic
regression, NCA. Per table, with SPLITS splits [2], the mean may be below the best rival
by a point, and below the best nearest row by half a point, and two standard errors of the
difference; one table in six may miss that. Exits 77 (skipped) without the folder or
scikit-learn.
"""
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy as np
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Lda
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier as Nearest
    from sklearn.neighbors import NeighborhoodComponentsAnalysis as Nca
    from sklearn.pipeline import make_pipeline as pipe
    from sklearn.preprocessing import MinMaxScaler, StandardScaler
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

warnings.filterwarnings("ignore")
FILES = {"digits": "digits/digits.csv", "letter": "letter/letter.csv",
         "isolet": "isolet/features.npy", "coil20": "coil20/pixels32x32.npy",
         "orl_faces": "orl_faces/pixels32x32.npy",
         "corel": "corel_cm225/features225.npy", "lost": "lost_faces/features108.npy",
         "wiki_text": "wiki_crossmodal/text10.npy",
         **{t: f"uci/{t}.csv" for t in ("iris", "wine", "wdbc", "car", "balance")},
         **{f"mfeat{d}": f"mfeat/view{d}.npy" for d in (6, 47, 64, 76, 216, 240)}}
QUICK = ["iris", "wine", "wdbc", "balance", "mfeat6", "mfeat64"]


def load(folder, name):
    path = os.path.join(folder, FILES[name])
    if path.endswith(".npy"):
        with open(os.path.join(os.path.dirname(path), "labels.csv"), encoding="utf-8") as f:
            return np.load(path).astype(float), np.array([r[0] for r in csv.reader(f)][1:])
    with open(path, encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    labels = np.array([r.pop("label") for r in rows])
    return np.array([[float(v) for v in r.values()] for r in rows]), labels


def split(y, share, seed):
    """Rows for training, that share of each class and one at least; and others."""
    rng = np.random.default_rng(1000 * seed + 7)
    train = []
    for c in sorted(set(y)):
        rows = np.flatnonzero(y == c)
        rng.shuffle(rows)
        train += list(rows[:max(1, round(share * len(rows)))])
    test = np.setdiff1d(np.arange(len(y)), train)
    if len(test) > 1500:
        test = np.sort(rng.choice(test, 1500, replace=False))
    return np.sort(train), test


def rivals(x, y):
    yield "nearest", Nearest(1)
    yield "nearest, z", pipe(StandardScaler(), Nearest(1))
    yield "nearest, minmax", pipe(MinMaxScaler(), Nearest(1))
    yield "nearest, cosine", Nearest(1, metric="cosine")
    yield "lda", Lda()
    yield "lda, shrunk", Lda(solver="lsqr", shrinkage="auto")
    yield "logistic", pipe(StandardScaler(), LogisticRegression(max_iter=300))
    if len(x) <= 2500 and x.shape[1] <= 100:
        yield "nca", pipe(StandardScaler(), Nca(max_iter=50 if len(x) < 1000 else 15,
                                                random_state=0), Nearest(1))


def write(path, x, y):
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f)
        out.writerow([f"f{j}" for j in range(x.shape[1])] + ["label"])
        out.writerows([*(f"{v:.7g}" for v in row), "c" + label] for row, label in zip(x, y))


def akin(program, *words):
    run = subprocess.run([program, *words, "--quiet"], capture_output=True, text=True,
                         check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return run.stdout


def auto(program, x, y, u, v):
    """Its accuracy, and what was chosen."""
    with tempfile.TemporaryDirectory() as folder:
        train, test, model = (os.path.join(folder, n) for n in ("a.csv", "b.csv", "m"))
        write(train, x, y)
        write(test, u, v)
        said = json.loads(akin(program, "train", "auto", "--data", train, "--out", model,
                               "--json"))
        knows = "labels" in akin(program, "info", model)
        told = akin(program, "predict", model, "--data", test,
                    *([] if knows else ["--train", train]))
        right = [line.split()[1] == "c" + label for line, label in zip(told.splitlines(), v)]
    return statistics.mean(right), f"{said['learner']} {said['recipe']}"


def error(x):
    return statistics.stdev(x) / len(x) ** 0.5 if len(x) > 1 else 0.0


def measure(program, folder, name, share, splits):
    """Is it as good as it must be?"""
    x, y = load(folder, name)
    scores, ours, chosen = {}, [], set()
    for seed in range(1, splits + 1):
        a, b = split(y, share, seed)
        for rival, model in rivals(x[a], y[a]):
            try:
                scores.setdefault(rival, []).append(model.fit(x[a], y[a]).score(x[b], y[b]))
            except ValueError:
                scores.setdefault(rival, []).append(0.0)
        accuracy, what = auto(program, x[a], y[a], x[b], y[b])
        ours.append(accuracy)
        chosen.add(what)
    fall = []
    for rival in (max(scores, key=lambda k: statistics.mean(scores[k])),
                  max((k for k in scores if k.startswith("nearest")),
                      key=lambda k: statistics.mean(scores[k]))):
        apart = [p - q for p, q in zip(ours, scores[rival])]
        fall.append((rival, statistics.mean(scores[rival]), statistics.mean(apart),
                     error(apart)))
    fine = fall[0][2] >= -0.01 - 2 * fall[0][3] and fall[1][2] >= -0.005 - 2 * fall[1][3]
    print(f"{name} {share:.0%}, {len(a)} rows: auto {100 * statistics.mean(ours):.1f};",
          *(f"{r} {100 * m:.1f} ({100 * d:+.1f} ±{100 * e:.1f});" for r, m, d, e in fall),
          ", ".join(sorted(chosen)), "" if fine else "LOW", flush=True)
    return fine


def main():
    program, folder = sys.argv[1:3]
    splits = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    if not os.path.isdir(folder):
        print("skipped: there is no", folder)
        sys.exit(77)
    fine = [measure(program, folder, name, share, splits)
            for share in (0.05, 0.5) for name in sys.argv[4:] or QUICK]
    sys.exit(6 * fine.count(False) > len(fine))


main()
