"""Floors of names in prose: persons.py AKIN CAPTIONS FOLDER

CAPTIONS is a file of labelled captions in the format of akin persons --learn, FOLDER
src/text/persons. Three measurements:

  cross-validation   5 parts of CAPTIONS; a tagger learns the project's captions and the
                     other four parts, and is measured on the fifth
  own captions only  the tagger that comes with akin, which never saw CAPTIONS
  speed              CPU seconds for a caption, reading and writing included

A person counts as found when the name is right. The decision whether someone is in the
picture (yes, no, credit) counts for persons that are found. A position counts for all
persons that have one; one that is not found is wrong. Exits 77 (skipped) if there is no
such file.
"""
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

FOLDS = 5
REPEATS = 50  # of the captions, for the speed
FLOORS = {"f1": 0.93, "in_picture": 0.93, "position": 0.90}
MICROSECONDS = 50.0


def read(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def write(path, rows):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)


def akin(*arguments):
    return subprocess.run([sys.argv[1], "persons", *arguments, "--json"], check=True,
                          capture_output=True, text=True).stdout


def find(rows, folder, *arguments):
    """The persons of each photo."""
    write(folder + "/c.jsonl",
          [{"photo": r["photo"], "caption": r["caption"]} for r in rows])
    captions = json.loads(akin(folder + "/c.jsonl", *arguments))["captions"]
    return {c["photo"]: c["persons"] for c in captions}


def validate(own, rows, folder, lists):
    """Persons as taggers find them that did not learn the caption."""
    order = list(range(len(rows)))
    random.Random(1).shuffle(order)
    found = {}
    for k in range(FOLDS):
        held_out = set(order[k::FOLDS])
        write(folder + "/l.jsonl",
              own + [r for i, r in enumerate(rows) if i not in held_out])
        akin("--learn", folder + "/l.jsonl", "--lists", lists,
             "--out", folder + "/m.safetensors")
        found.update(find([rows[i] for i in sorted(held_out)], folder,
                          "--model", folder + "/m.safetensors"))
    return found


def measure(rows, found):
    right = wrong = missed = seen = placed = positions = 0
    for r in rows:
        truth = {n["name"]: n for n in r["names"]}
        given = {p["name"]: p for p in found[r["photo"]]}
        right += len(truth.keys() & given.keys())
        wrong += len(given.keys() - truth.keys())
        missed += len(truth.keys() - given.keys())
        for name, t in truth.items():
            p = given.get(name, {})
            seen += p.get("in_picture") == t["in_picture"]
            positions += t["position"] is not None
            placed += t["position"] is not None and p.get("position") == t["position"]
    return {"f1": 2 * right / (2 * right + wrong + missed),
            "precision": right / (right + wrong), "recall": right / (right + missed),
            "in_picture": seen / right, "position": placed / positions}


def microseconds(rows, folder):
    """CPU time for a caption, without what starting akin takes."""
    def cpu(path):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.argv[1], "persons", path, "--out", folder + "/p.csv",
                        "--quiet"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    few, many = folder + "/few.jsonl", folder + "/many.jsonl"
    write(few, rows)
    write(many, rows * (REPEATS + 1))
    return 1e6 * (cpu(many) - cpu(few)) / (REPEATS * len(rows))


def report(title, figures, floors=FLOORS):
    print(f"{title}: " + ", ".join(f"{k} {v:.4f}" for k, v in figures.items()))
    return [f"{title}: {k} {figures[k]:.4f} is below {floor}"
            for k, floor in floors.items() if figures[k] < floor]


def main():
    path, home = sys.argv[2:4]
    if not os.path.exists(path):
        print("skipped: there is no", path)
        return 77
    rows = read(path)
    own = read(home + "/training/captions.jsonl")
    with tempfile.TemporaryDirectory() as folder:
        failed = report("cross-validation",
                        measure(rows, validate(own, rows, folder, home + "/lists")))
        failed += report("own captions only", measure(rows, find(rows, folder)))
        speed = microseconds(rows, folder)
    print(f"{speed:.1f} microseconds of CPU time a caption")
    if speed > MICROSECONDS:
        failed.append(f"{speed:.1f} microseconds are more than {MICROSECONDS}")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
