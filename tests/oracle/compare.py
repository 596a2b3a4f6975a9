"""Run golden cases through run_case and compare.

    compare.py RUN_CASE FOLDER

A key passes when the largest difference is at most abs + rel * (largest
expected number), as the case's "tol" says, words when they are the same; keys
in "required" must be there.
Closes with "N passed, M failed".
"""
import glob
import json
import os
import subprocess
import sys


def flat(value):
    if isinstance(value, list):
        return [x for item in value for x in flat(item)]
    return [value]


def faults(case, result):
    tol = case["tol"]["f64"]
    for key, expected in case["expected"].items():
        if key not in result:
            if key in case["required"]:
                yield f"{key} is missing"
            continue
        if isinstance(expected, str):
            if result[key] != expected:
                yield f"{key} is {result[key]}, not {expected}"
            continue
        want, got = flat(expected), flat(result[key])
        if len(want) != len(got):
            yield f"{key} has {len(got)} numbers, not {len(want)}"
            continue
        off = max((abs(a - b) for a, b in zip(want, got)), default=0.0)
        most = max(map(abs, want), default=0.0)
        if not off <= tol["abs"] + tol["rel"] * most:
            yield f"{key} is off by {off:.3g}"


def check(program, path):
    with open(path, encoding="ascii") as f:
        case = json.load(f)
    run = subprocess.run([program, path], capture_output=True, text=True,
                         timeout=60, check=False)
    if run.returncode:
        return [f"exit {run.returncode}: {run.stderr.strip()}"]
    return list(faults(case, json.loads(run.stdout)))


def main(program, folder):
    paths = sorted(glob.glob(os.path.join(folder, "*.json")))
    failed = 0
    for path in paths:
        wrong = check(program, path)
        failed += bool(wrong)
        for what in wrong:
            print(f"{path}: {what}")
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
