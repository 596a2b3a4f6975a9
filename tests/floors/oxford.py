"""Floors on real pictures: oxford.py AKIN FOLDER

Runs `akin reproduce solis --quick` on the 10k codebook of a folder in the layout of
oxford5k_bow. The means must reach the values of a correct implementation. Exits 77
(skipped) if there is no such folder.
"""
import json
import os
import subprocess
import sys

FLOORS = {  # method: mean average precision in percent
    "solis-ada": 54.5,
    "solis-ada-mask": 60.0,
    "solis-ada-ours": 54.5,
    "query+positives": 68.0,
    "query+positives-learned": 76.0,
    "query+positives-only": 76.0,
}


def main(akin, folder):
    if not os.path.isdir(folder):
        print("skipped: no such data set")
        return 77
    run = subprocess.run([akin, "reproduce", "solis", "--data", folder,
                          "--codebook", "10k", "--quick", "--quiet", "--json"],
                         capture_output=True, text=True)
    if run.returncode != 0:
        print(run.stderr)
        return 1
    means = {r["method"]: r["map"] for r in json.loads(run.stdout)["rows"]
             if "landmark" not in r and r["dataset"] == "oxford5k"}
    low = [m for m, floor in FLOORS.items() if means.get(m, 0.0) < floor]
    for method, floor in FLOORS.items():
        print("%-24s %6.2f (floor %.1f)" % (method, means.get(method, 0.0),
                                            floor))
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
