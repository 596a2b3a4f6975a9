"""Floors of label ranking on real pictures: caltech.py AKIN FOLDER

Splits the visual words of a folder in the layout of caltech101_bow, 65 % of each
class for learning. The mean 1 / rank of the right class, over three splits, must
reach the value of a correct implementation. Exits 77 (skipped) if there is no such
folder.
"""
import json
import os
import subprocess
import sys
import tempfile

SPLITS = 3
RECIPE = ["--weights", "sqrt-idf", "--passes", "20"]
METHODS = {  # learner with its flags: mean 1 / rank
    "perceptron": 0.38,
    "group-perceptron": 0.38,
    "loreta-1 --task rank --rank 40": 0.355,
    "loreta-1 --task rank --rank 40 --start zero": 0.355,
}


def akin(program, *words):
    run = subprocess.run([program, *words, "--quiet", "--json"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def measure(program, data, folder):
    """Mean 1 / rank by method, one split after the other."""
    train, test, model = (os.path.join(folder, x)
                          for x in ("a.svm", "b.svm", "m.safetensors"))
    sums = dict.fromkeys(METHODS, 0.0)
    for seed in range(1, SPLITS + 1):
        akin(program, "split", data, "--fraction", "0.65", "--by-class",
             "--seed", str(seed), "--out", train, test)
        for method in METHODS:
            akin(program, "train", *method.split(), "--data", train, *RECIPE,
                 "--out", model)
            sums[method] += akin(program, "eval", model, "--data", test,
                                 "--task", "rank")["mrr"]
    return {m: s / SPLITS for m, s in sums.items()}


def main(program, folder):
    data = os.path.join(folder, "bow_1k.svm.gz")
    if not os.path.exists(data):
        print("skipped: no such data set")
        return 77
    with tempfile.TemporaryDirectory() as work:
        means = measure(program, data, work)
    for method, floor in METHODS.items():
        print("%-46s %.4f (floor %.3f)" % (method, means[method], floor))
    return any(means[m] < floor for m, floor in METHODS.items())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
