"""Floors of the README's table: newsgroups.py AKIN FOLDER [SPLITS]

Splits the counts of a folder in the layout of ng20, 65 % of each class for learning.
The mean average precision, over SPLITS splits [1], must reach what the README states.
Exits 77 (skipped) if there is no such folder.
"""
import json
import os
import subprocess
import sys
import tempfile

WARP = "--sampler warp --prototypes 60 --eta 10 --sample 100000"
METHODS = {  # measure, or learner with its flags: mean average precision
    "cosine": 0.155,
    "tfidf": 0.210,
    "loreta-psd": 0.800,
    "loreta-psd " + WARP: 0.880,
}


def akin(program, *words):
    run = subprocess.run([program, *words, "--quiet", "--json"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def measure(program, method, seed, folder):
    train, test, model = (os.path.join(folder, x)
                          for x in ("a.svm", "b.svm", "m.safetensors"))
    rank = ["--data", test, "--task", "retrieval"]
    if method in ("cosine", "tfidf"):
        return akin(program, "eval", method, "--train", train, *rank)
    akin(program, "train", *method.split(), "--data", train, "--seed",
         str(seed), "--out", model)
    return akin(program, "eval", model, *rank)


def main(program, folder, splits="1"):
    data = os.path.join(folder, "counts.svm.gz")
    if not os.path.exists(data):
        print("skipped: no such data set")
        return 77
    maps = dict.fromkeys(METHODS, 0.0)
    tens = dict.fromkeys(METHODS, 0.0)
    with tempfile.TemporaryDirectory() as work:
        for seed in range(1, int(splits) + 1):
            akin(program, "split", data, "--fraction", "0.65", "--by-class",
                 "--seed", str(seed), "--out", os.path.join(work, "a.svm"),
                 os.path.join(work, "b.svm"))
            for method in METHODS:
                got = measure(program, method, seed, work)
                maps[method] += got["map"] / int(splits)
                tens[method] += got["precision_at"]["10"] / int(splits)
    for method, floor in METHODS.items():
        print("%-70s %.4f (floor %.3f), P@10 %.4f" %
              (method, maps[method], floor, tens[method]))
    return any(maps[m] < floor for m, floor in METHODS.items())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
