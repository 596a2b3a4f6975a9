"""Floors of reviewing names: review.py AKIN NEWS [SIZE [ANSWERS]]

A simulated person answers by the truth: in the order of `akin name --review`, in
rounds, and for comparison as many faces at random. After 60 answers, review must
have removed at least twice as many errors as the same number of random answers;
after 300 the accuracy must reach its floor. Exits 77 (skipped) if there is no such
folder.
"""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

FEW, MANY = 60, 300
FLOOR = 0.86
SEEDS = 2


def rows(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


class Reviewer:
    """Names faces with what was confirmed so far; by the truth."""

    def __init__(self, program, folder, out):
        self.program, self.folder, self.out = program, folder, out
        self.truth = {int(r["face"]): r["name"]
                      for r in rows(os.path.join(folder, "truth.csv"))}

    def run(self, confirmed):
        """Errors left, and the faces in the order of review."""
        path = os.path.join(self.out, "confirmed.csv")
        with open(path, "w", newline="") as f:
            csv.writer(f).writerows([["face", "name"], *(
                [k, self.truth[k]] for k in sorted(confirmed))])
        model = os.path.join(self.out, "model.safetensors")
        done = subprocess.run(
            [self.program, "name", self.folder + "/features128.npy",
             "--captions", self.folder + "/captions.csv", "--out",
             self.out + "/names.csv", "--review", self.out + "/review.csv",
             "--confirmed", path, "--truth", self.folder + "/truth.csv",
             *(["--model", model] if os.path.exists(model)
               else ["--save-model", model]), "--json", "--quiet"],
            capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        right = json.loads(done.stdout)["accuracy"]
        return (round((1.0 - right) * len(self.truth)),
                [int(r["face"]) for r in rows(self.out + "/review.csv")])


def main(program, folder, size=20, most=MANY):
    if not os.path.exists(os.path.join(folder, "truth.csv")):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as out:
        person = Reviewer(program, folder, out)
        first, order = person.run([])
        n = len(person.truth)
        print("%3d answers: %d errors, accuracy %.4f" % (0, first, 1 - first / n))
        confirmed, errors = [], {}
        while len(confirmed) < most:
            confirmed += [f for f in order if f not in confirmed][:size]
            errors[len(confirmed)], order = person.run(confirmed)
            print("%3d answers: %d errors, accuracy %.4f" % (
                len(confirmed), errors[len(confirmed)],
                1 - errors[len(confirmed)] / n), flush=True)
        removed = []
        for seed in range(SEEDS):
            draw = random.Random(seed).sample(sorted(person.truth), FEW)
            removed.append(first - person.run(draw)[0])
        mean = sum(removed) / len(removed)
        print("%d at random remove %s errors, in the order of review %d" % (
            FEW, " and ".join(map(str, removed)), first - errors[FEW]))
        good = first - errors[FEW] >= 2 * mean
        if most >= MANY:
            good &= 1 - errors[MANY] / n >= FLOOR
    return not good


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3], *map(int, sys.argv[3:5])))
