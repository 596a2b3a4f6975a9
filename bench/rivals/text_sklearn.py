"""scikit-learn's vectorizers, compared with akin text, on the same folder of
documents.

    text_sklearn.py AKIN [MEGABYTES]

Documents have words by a power law, plain and with accents. Prints one JSON line
each: megabytes of text per CPU second of both, and how many times faster akin is.
scikit-learn is timed inside the process, without its start. akin is the whole
program on one thread, with its start and the file it writes. Each is the best of
three.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

WORDS, LENGTH = 60000, 300


def vocabulary(rng, letters):
    sizes = rng.integers(3, 12, WORDS)
    return ["".join(rng.choice(letters, n)) for n in sizes]


def make(folder, rng, letters, megabytes):
    """Documents in two classes; their paths and bytes."""
    words = np.array(vocabulary(rng, letters))
    p = 1.0 / (np.arange(WORDS) + 10.0)
    paths, size, number = [], 0, 0
    while size < megabytes * 1e6:
        path = pathlib.Path(folder, "ab"[number % 2], str(number))
        path.parent.mkdir(exist_ok=True)
        text = " ".join(rng.choice(words, LENGTH, p=p / p.sum())) + ".\n"
        path.write_text(text.capitalize(), encoding="utf-8")
        size += path.stat().st_size
        paths.append(str(path))
        number += 1
    return paths, size


def theirs(kind, paths):
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        kind(input="filename", stop_words="english",
             token_pattern=r"(?u)\b[^\W\d_]\w+\b").fit_transform(paths)
        best = min(best, time.process_time() - start)
    return best


def ours(akin, folder, flags):
    best = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([akin, "text", folder, "--threads", "1", "--quiet",
                        "--out", folder + ".safetensors", *flags], check=True,
                       stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime
                   - before.ru_stime)
    return best


def main():
    megabytes = float(sys.argv[2]) if len(sys.argv) > 2 else 16.0
    plain = list("etaoinshrdlucmfwypvbgk")
    alphabets = {"plain": plain, "accents": plain + list("éäöüßñçøåžčš")}
    rivals = {"counts": (CountVectorizer, []),
              "tfidf": (TfidfVectorizer,
                        ["--weights", "tfidf", "--norm", "l2"])}
    with tempfile.TemporaryDirectory() as folder:
        for letters, alphabet in alphabets.items():
            docs = os.path.join(folder, letters)
            os.mkdir(docs)
            rng = np.random.default_rng(1)
            paths, size = make(docs, rng, alphabet, megabytes)
            for what, (kind, flags) in rivals.items():
                a, b = theirs(kind, paths), ours(sys.argv[1], docs, flags)
                print(json.dumps({
                    "bench": "text", "letters": letters, "rows": what,
                    "documents": len(paths),
                    "sklearn_mb_per_cpu_second": round(size / 1e6 / a, 1),
                    "akin_mb_per_cpu_second": round(size / 1e6 / b, 1),
                    "ratio": round(a / b, 1)}), flush=True)


main()
