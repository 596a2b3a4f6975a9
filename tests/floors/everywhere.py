"""Metrics, pca and logistic at their defaults on every set: everywhere.py AKIN FOLDER

    everywhere.py AKIN FOLDER [--sets A,B] [--learners A,B] [--most SECONDS]

FOLDER has the data sets, one folder each. Sets of 600 to 5,000 columns take some
seconds for each learner and are left out unless named (--sets all). One row in
twenty of each class, at least two, has a known label. A learner must end with a
model, or, with too many columns, refuse with one line that says what to do. --most
limits the CPU seconds of each. Exits 77 (skipped) if there is no such folder.
"""
import argparse
import csv
import gzip
import os
import resource
import subprocess
import sys
import tempfile

LEARNERS = ("mahalanobis", "s2ml", "s3ml", "sdml", "lrml", "itml", "lmnn",
            "nca", "lda", "pca", "logistic")
SPARSE = ("pca", "logistic")  # take any number of columns
UNLABELLED = ("mahalanobis", "pca")
SETS = {  # rows, labels (None: in the rows; -1: the last column)
    "iris": ("uci/iris.csv", -1),
    "wine": ("uci/wine.csv", -1),
    "wdbc": ("uci/wdbc.csv", -1),
    "car": ("uci/car.csv", -1),
    "balance": ("uci/balance.csv", -1),
    "digits": ("digits/digits.csv", -1),
    "letter": ("letter/letter.csv", -1),
    "wiki-text": ("wiki_crossmodal/text10.npy", "wiki_crossmodal/labels.csv"),
    "wiki-image": ("wiki_crossmodal/image128.npy",
                   "wiki_crossmodal/labels.csv"),
    "mfeat6": ("mfeat/view6.npy", "mfeat/labels.csv"),
    "mfeat47": ("mfeat/view47.npy", "mfeat/labels.csv"),
    "mfeat64": ("mfeat/view64.npy", "mfeat/labels.csv"),
    "mfeat76": ("mfeat/view76.npy", "mfeat/labels.csv"),
    "mfeat216": ("mfeat/view216.npy", "mfeat/labels.csv"),
    "mfeat240": ("mfeat/view240.npy", "mfeat/labels.csv"),
    "lost": ("lost_faces/features108.npy", "lost_faces/labels.csv"),
    "lfw": ("lfw_naming/features200.npy", "lfw_naming/faces.csv:true_name"),
    "corel": ("corel_cm225/features225.npy", "corel_cm225/labels.csv"),
    "isolet": ("isolet/features.npy", "isolet/labels.csv"),
    "amazon": ("office_caltech10/amazon_surf800.npy",
               "office_caltech10/amazon_labels.csv"),
    "dslr": ("office_caltech10/dslr_surf800.npy",
             "office_caltech10/dslr_labels.csv"),
    "webcam": ("office_caltech10/webcam_surf800.npy",
               "office_caltech10/webcam_labels.csv"),
    "coil20": ("coil20/pixels32x32.npy", "coil20/labels.csv"),
    "orl": ("orl_faces/pixels32x32.npy", "orl_faces/labels.csv"),
    "caltech101": ("caltech101_bow/bow_1k.svm.gz", None),
    "oxford1k": ("oxford5k_bow/bow_1k.svm.gz", None),
    "oxford10k": ("oxford5k_bow/bow_10k.svm.gz", None),
    "oxford100k": ("oxford5k_bow/bow_100k.svm.gz", None),
    "ng20": ("ng20/counts.svm.gz", None),
}
SLOW = {"isolet", "amazon", "dslr", "webcam", "coil20", "orl", "caltech101",
        "oxford1k"}
WIDE = {"oxford10k", "oxford100k", "ng20"}  # refused, except by SPARSE


def labels_of(folder, rows, labels):
    """The label of each row, as text."""
    if labels is None:
        with gzip.open(os.path.join(folder, rows), "rt") as f:
            return [line.split(None, 1)[0] for line in f]
    name, _, column = (labels if labels != -1 else rows).partition(":")
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as f:
        table = list(csv.reader(f))
    if labels == -1:
        at = -1
    else:
        at = table[0].index(column) if column else 0
    return [r[at] for r in table[1:]]


def known_rows(labels):
    """One in twenty of each class, spread over it; two at the least."""
    classes = {}
    for i, x in enumerate(labels):
        if x != "-1":
            classes.setdefault(x, []).append(i)
    known = []
    for rows in classes.values():
        count = min(len(rows), max(2, -(-len(rows) // 20)))
        known += [rows[k * len(rows) // count] for k in range(count)]
    return sorted(known)


def write(path, lines):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(str(x) + "\n" for x in lines)


def train(akin, words, most):
    """Seconds of the processor, exit code, the last line it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    run = subprocess.run([akin, "train", *words, "--quiet"], check=False,
                         capture_output=True, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = run.stderr.strip().splitlines()
    return (after.ru_utime - before.ru_utime, run.returncode,
            said[-1] if said else "")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("akin")
    p.add_argument("folder")
    p.add_argument("--sets",
                   default=",".join(x for x in SETS if x not in SLOW))
    p.add_argument("--learners", default=",".join(LEARNERS))
    p.add_argument("--most", type=int, default=60)
    o = p.parse_args()
    failed = False
    if not os.path.exists(os.path.join(o.folder, "uci")):
        print("skipped: no such data sets")
        return 77
    with tempfile.TemporaryDirectory() as work:
        out, names, known = (os.path.join(work, x)
                             for x in ("m.safetensors", "labels", "known"))
        for name in SETS if o.sets == "all" else o.sets.split(","):
            rows, labels = SETS[name]
            each = labels_of(o.folder, rows, labels)
            write(known, known_rows(each))
            words = ["--data", os.path.join(o.folder, rows), "--out", out]
            if labels == -1:
                words += ["--label-column", "-1"]
            elif labels is not None:
                write(names, each)
                words += ["--labels", names]
            for learner in o.learners.split(","):
                seconds, code, said = train(
                    o.akin, [learner, *words] + (
                        ["--labelled", known] if learner not in UNLABELLED
                        else []), o.most)
                good = code == 0 or (name in WIDE and code == 2 and
                                     learner not in SPARSE and
                                     "columns" in said)
                failed = failed or not good
                print("%-11s %-12s %7.2f s%s" % (
                    name, learner, seconds,
                    "" if code == 0 else "  exit %d: %s%s" % (
                        code, said, "" if good else "  <--")), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
