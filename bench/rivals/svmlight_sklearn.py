"""scikit-learn's load_svmlight_file, compared with bench_svmlight, on the same
files.

    svmlight_sklearn.py BENCH_SVMLIGHT [MEGABYTES]

Prints one JSON line for each file: megabytes per CPU second of both, and how many
times faster akin is. scikit-learn's figure is the best of three.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

from sklearn.datasets import load_svmlight_file


def theirs(path):
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        load_svmlight_file(path)
        best = min(best, time.process_time() - start)
    return os.path.getsize(path) / 1e6 / best


def main():
    megabytes = sys.argv[2] if len(sys.argv) > 2 else "32"
    with tempfile.TemporaryDirectory() as folder:
        lines = subprocess.run([sys.argv[1], megabytes, folder], check=True,
                               capture_output=True, text=True).stdout
        for ours in map(json.loads, lines.splitlines()):
            path = os.path.join(folder, f"bench_{ours['values']}.svm")
            rate = theirs(path)
            print(json.dumps({
                "bench": "svmlight", "values": ours["values"],
                "sklearn_mb_per_cpu_second": round(rate, 1),
                "akin_mb_per_cpu_second": ours["mb_per_cpu_second"],
                "ratio": round(ours["mb_per_cpu_second"] / rate, 1)}))


main()
