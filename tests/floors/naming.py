"""Floors of face naming: naming.py AKIN FOLDER LOST NEWS

Writes the captions and the truth of a folder in the layout of lfw_naming, and of one
in that of lost_faces, for akin. The accuracy of each method must reach the value of a
correct implementation. Then names are given without a ratio, by the defaults: accuracy,
the estimated ratio and the calibration must hold there and on news_naming. Exits 77
(skipped) if there is no such folder.
"""
import csv
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

LFW = {"asml": 0.909, "lrr": 0.923, "rlrr": 0.925, "lrrml": 0.920,
       "mean": 0.912, "kmeans": 0.913, "knn": 0.920, "cgmm": 0.897,
       "mms": 0.921, "mildml": 0.9, "lr-svm": 0.80,
       "fused": 0.950}
LOST = {"lrr": 0.85, "mms": 0.84, "fused": 0.875}
RATIO_OFF = 0.05
CALIBRATION = 0.025


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


def one_off_names(out):
    """A name that occurs nowhere else, in half of the captions."""
    draw = random.Random(1)
    lines = []
    for k, r in enumerate(rows(out, "c.csv")):
        names = r["names"].split(";") if r["names"] else []
        if draw.random() < 0.5:
            names.insert(draw.randrange(len(names) + 1), "extra%d" % k)
        lines.append([r["photo"], r["faces"], ";".join(names)])
    write(out + "/c.csv", ["photo", "faces", "names"], lines)


def news(folder, out):
    for name in ("captions", "truth"):
        shutil.copy(os.path.join(folder, name + ".csv"), out + "/" + name[0] + ".csv")
    return sum(r["name"] != "" for r in rows(out, "t.csv"))


def run(*command):
    done = subprocess.run([*command, "--json", "--quiet"], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def measure(program, data, out, method, count, *flags):
    return run(program, "name", data, "--captions", out + "/c.csv", "--truth",
               out + "/t.csv", "--method", method, "--named-count", str(count),
               "--out", out + "/n.csv", *flags)


def check_free(program, name, data, out, count, floor):
    """Without a ratio, by the defaults."""
    got = run(program, "name", data, "--captions", out + "/c.csv", "--truth",
              out + "/t.csv", "--out", out + "/n.csv")
    eval_ = run(program, "eval", out + "/n.csv", "--task", "naming", "--captions",
                out + "/c.csv", "--truth", out + "/t.csv")
    true = count / len(rows(out, "t.csv"))
    off = abs(got["estimated_ratio"] - true)
    print("%-12s %6.4f  floor %6.4f  ratio %.3f, true %.3f  calibration %.4f" % (
        name, got["accuracy"], floor, got["estimated_ratio"], true,
        eval_["calibration_error"]))
    return (got["accuracy"] >= floor and off <= RATIO_OFF and
            eval_["calibration_error"] <= CALIBRATION)


def check_all_free(program, folder, lost_folder, news_folder, out):
    data = os.path.join(folder, "features200.npy")
    count = lfw(folder, out)
    good = check_free(program, "lfw", data, out, count, 0.93)
    one_off_names(out)
    good &= check_free(program, "lfw one-off", data, out, count, 0.92)
    count = lost(lost_folder, out)
    good &= check_free(program, "lost", os.path.join(lost_folder, "features108.npy"),
                       out, count, 0.898)
    count = news(news_folder, out)
    for columns, floor in (("200", 0.74), ("128", 0.81)):
        good &= check_free(program, "news " + columns, os.path.join(
            news_folder, "features%s.npy" % columns), out, count, floor)
    return good


def check(name, got, floor):
    print("%-12s %6.4f  floor %6.4f  %7.2f s" % (
        name, got["accuracy"], floor, got["seconds"]))
    return got["accuracy"] >= floor


def main(program, folder, lost_folder, news_folder):
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
        good &= check_all_free(program, folder, lost_folder, news_folder, out)
    return not good


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
