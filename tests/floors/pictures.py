"""Floors from photographs to search: pictures.py AKIN FOLDER [OPTION...]

Makes a collection of a folder in the layout of caltech101_images, a sub-folder for
each class, and splits it in halves, five times, each time with new visual words. It
learns from one half and measures retrieval and the 5 nearest neighbours on the other.
The means must reach the values of a correct implementation, and learning must beat
TF-IDF. With other options for `akin images` it only prints the figures. Exits 77
(skipped) if there is no such folder.
"""
import json
import os
import subprocess
import sys
import tempfile

SPLITS = 5
USUAL = ["--words", "1000"]
SOLIS = "solis-ada"
METHODS = {  # learner with its flags: mAP, error of the 5 nearest, per cent
    "tfidf": (33.5, 43.5),
    SOLIS: (36.0, 42.5),
    "loreta-psd --rank 30": (45.5, 38.0),
}


def akin(program, *words):
    run = subprocess.run([program, *words, "--quiet", "--json"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def evaluate(program, method, train, test, model):
    """mAP and error of one method, learned from train."""
    akin(program, "train", *method.split(), "--data", train, "--out", model)
    found = akin(program, "eval", model, "--data", test, "--task", "retrieval")
    near = akin(program, "eval", model, "--data", test, "--task", "knn",
                "--train", train, "--k", "5")
    return 100 * found["map"], 100 * near["error"]


def measure(program, pictures, options, folder):
    """Means over the splits, by method."""
    made, train, test, model = (
        os.path.join(folder, x)
        for x in ("c.akin", "a.svm", "b.svm", "m.safetensors"))
    means = {m: (0.0, 0.0) for m in METHODS}
    for seed in map(str, range(1, SPLITS + 1)):
        akin(program, "images", pictures, *options, "--seed", seed, "--force",
             "--out", made)
        akin(program, "split", made, "--fraction", "0.5", "--by-class",
             "--seed", seed, "--out", train, test)
        for method, sums in means.items():
            got = evaluate(program, method, train, test, model)
            means[method] = tuple(s + x / SPLITS for s, x in zip(sums, got))
    return means


def main(program, folder, *options):
    if not os.path.isdir(folder):
        print("skipped: no such data set")
        return 77
    with tempfile.TemporaryDirectory() as work:
        means = measure(program, folder, options or USUAL, work)
    print("%-42s %16s %16s" % ("", "mAP (floor)", "5-NN error (most)"))
    low = means[SOLIS][0] <= means["tfidf"][0]
    for method, (floor, most) in METHODS.items():
        found, error = means[method]
        low = low or found < floor or error > most
        print("%-42s %9.1f (%.1f) %9.1f (%.1f)" % (method, found, floor,
                                                   error, most))
    return 1 if low and not options else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
