"""Floors of face naming: naming.py AKIN FOLDER [LOST]

Writes the captions and the truth of a folder in the layout of lfw_naming, and of one
in that of lost_faces, for akin. The accuracy of each method must reach the value of a
correct implementation. Exits 77 (skipped) if there is no such folder.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

LFW = {"asml": 0.909, "lrr": 0.923, "rlrr": 0.925, "lrrml": 0.920,
       "mean": 0.912, "kmeans": 0.913, "knn": 0.920, "cgmm": 0.897,
       "mms": 0.921, "mildml": 0.9, "lr-svm": 0.80,
       "fused": 0.950}
LOST = {"lrr": 0.85, "mms": 0.84, "fused": 0.875}


def rows(folder, name):
    with open(os.path.join(folder, name), newline="") as f:
        return list(csv.DictReader(f))


def write(path, header, lines):
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows([header, *lines])


def lfw(folder, out):
    """Files of photos with captions; how many faces have a true name."""
    names = {r["name"]: r["lfw_person"] for r in rows(folder, "names.csv")}
    faces = rows(folder, "faces.csv")
    shown = {}
    for f in faces:
        shown.setdefault(f["image"], []).append(f["face"])
    write(out + "/c.csv", ["photo", "faces", "names"],
          [[r["image"], ";".join(shown.get(r["image"], [])),
            ";".join(names[q] for q in r["caption_names"].split())]
           for r in rows(folder, "images.csv")])
    write(out + "/t.csv", ["face", "name"],
          [[f["face"], names.get(f["true_name"], "")] for f in faces])
    return sum(f["true_name"] in names for f in faces)


def lost(folder, out):
    """Each face a photo of its own, always named."""
    faces = rows(folder, "labels.csv")
    write(out + "/c.csv", ["photo", "faces", "names"],
          [[i, i, ";".join("n" + q for q in f["candidates"].split())]
           for i, f in enumerate(faces)])
    write(out + "/t.csv", ["face", "name"],
          [[i, "n" + f["name"]] for i, f in enumerate(faces)])
    return len(faces)


def measure(program, data, out, method, count, *flags):
    run = subprocess.run(
        [program, "name", data, "--captions", out + "/c.csv", "--truth",
         out + "/t.csv", "--method", method, "--named-count", str(count),
         "--out", out + "/n.csv", "--json", "--quiet", *flags],
        capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def check(name, got, floor):
    print("%-12s %6.4f  floor %6.4f  %7.2f s" % (
        name, got["accuracy"], floor, got["seconds"]))
    return got["accuracy"] >= floor


def main(program, folder, lost_folder):
    if not os.path.exists(os.path.join(folder, "faces.csv")):
        sys.exit(77)
    good = True
    with tempfile.TemporaryDirectory() as out:
        count = lfw(folder, out)
        for method, floor in LFW.items():
            good &= check(method, measure(
                program, os.path.join(folder, "features200.npy"), out, method,
                count), floor)
        count = lost(lost_folder, out)
        for method, floor in LOST.items():
            good &= check("lost " + method, measure(
                program, os.path.join(lost_folder, "features108.npy"), out,
                method, count, "--scale", "none", "--norm", "l2",
                *(() if method == "mms" else ("--kappa", "0.9"))), floor)
    return not good


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
