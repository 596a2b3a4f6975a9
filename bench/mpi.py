"""What a second rank gains.

    bench/mpi.py AKIN [--times N] [--only WORD]

One JSON line for each command: seconds of one process and of two ranks, each
with one thread, by the wall and of all processors, both the least of several
runs that take turns; the efficiency, which is the seconds of one process over
those of two ranks, by the wall also divided by two; and the bytes that ranks
received. By the processors, ranks that wait cost little: on an idle machine
the wall says more, on a busy one it says nothing.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

import numpy as np

os.environ.update({
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_btl": "self,vader",
})


def train(learner, data, *options):
    return ["train", *learner.split(), "--data", f"{data}.npy", *options,
            "--verdict", "none", "--out", "m.safetensors"]


def labelled(learner, data):
    return train(learner, data, "--labels", f"{data}.labels.npy")


CASES = {
    "rsl, 40,000 aligned pairs":
        train("rsl --rank 20 --kernel none --max-iterations 10", "left",
              "--right", "right.npy", "--pairs", "pairs.csv"),
    "rsl, all pairs of 2,800 rows":
        labelled("rsl --rank 10 --kernel none --max-iterations 10 --pairs all",
                 "rows2800"),
    "codebook, 100,000 points, 1,000 words":
        ["codebook", "points.npy", "--words", "1000", "--out",
         "words.safetensors"],
    "lrml, 40,000 rows": labelled("lrml", "rows40000"),
    "nca, 2,000 rows": labelled("nca --max-iterations 10", "rows2000"),
    "lmnn, 5,000 rows": labelled("lmnn --max-iterations 20", "rows5000"),
    "itml, 10,000 pairs": labelled("itml", "wide2000"),
    "lda, 20,000 rows": labelled("lda", "wide20000"),
    "mahalanobis, 20,000 rows": labelled("mahalanobis", "wide20000"),
    "cca, 20,000 rows": labelled("cca", "wide20000"),
}


def make_inputs(folder):
    draw = np.random.default_rng(1)

    def rows(name, n, d):
        labels = np.arange(n) % 10
        x = 0.5 * draw.normal(size=(10, d))[labels] + draw.normal(size=(n, d))
        np.save(os.path.join(folder, f"{name}.npy"), x.astype(np.float32))
        np.save(os.path.join(folder, f"{name}.labels.npy"), labels)

    rows("rows2000", 2000, 50)
    rows("rows2800", 2800, 50)
    rows("rows5000", 5000, 50)
    rows("rows40000", 40000, 50)
    rows("wide2000", 2000, 150)
    rows("wide20000", 20000, 400)
    rows("left", 40000, 40)
    rows("right", 40000, 40)
    np.save(os.path.join(folder, "points.npy"),
            draw.normal(size=(100000, 64)).astype(np.float32))
    sign = np.where(draw.random(40000) < 0.5, 1, -1)
    i = np.arange(40000)
    np.savetxt(os.path.join(folder, "pairs.csv"), np.stack([i, i, sign], 1),
               fmt="%d")


def run(akin, ranks, words, folder):
    """Seconds by the wall and of all processors, and the bytes received."""
    start = ["mpirun", "-q", "-np", str(ranks)] if ranks > 1 else []
    begin = time.perf_counter()
    with subprocess.Popen(
            start + [akin] + words + ["--threads", "1", "--quiet", "--json"],
            cwd=folder, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL) as job:
        printed = job.stdout.read()
        _, status, used = os.wait4(job.pid, 0)
        job.returncode = os.waitstatus_to_exitcode(status)
    if job.returncode != 0:
        raise SystemExit(f"{words}: {printed.decode()}")
    return (time.perf_counter() - begin, used.ru_utime + used.ru_stime,
            json.loads(printed).get("communicated_bytes", 0))


def main():
    args = argparse.ArgumentParser()
    args.add_argument("akin")
    args.add_argument("--times", type=int, default=3)
    args.add_argument("--only", default="")
    args = args.parse_args()
    akin = os.path.abspath(args.akin)
    with tempfile.TemporaryDirectory() as folder:
        make_inputs(folder)
        for name, words in CASES.items():
            if args.only not in name:
                continue
            runs = np.array([[run(akin, ranks, words, folder)
                              for ranks in (1, 2)] for _ in range(args.times)])
            wall, cpu, received = runs.min(axis=0).T
            print(json.dumps({
                "bench": "mpi", "case": name,
                "wall_1": round(wall[0], 2), "wall_2": round(wall[1], 2),
                "wall_efficiency": round(wall[0] / wall[1] / 2, 2),
                "cpu_1": round(cpu[0], 2), "cpu_2": round(cpu[1], 2),
                "cpu_efficiency": round(cpu[0] / cpu[1], 2),
                "bytes": int(received[1])}), flush=True)


if __name__ == "__main__":
    main()
