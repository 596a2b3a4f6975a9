"""Load on akin serve, by wrk on the same machine.

    serve.py AKIN [--large] [--requests N]

Prints a JSON line for each measurement: searches by one item in small
collections, feedback of 8 clients, and with --large searches among a million
items of 300 words (makes 5 GB of files in TMPDIR, takes minutes). With
--requests N, how much memory N searches add. "limit" is what the same server
answers to GET /health, which does no work. `cpu_us` is processor time of the
server for a request.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "serve"
SECONDS = 5
REPEATS = 3


class Server:
    def __init__(self, akin, folder, name):
        self.process = subprocess.Popen(
            [akin, "serve", name, "--port", "0", "--log-file", "log"],
            cwd=folder, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def figure(self, file, pattern):
        text = pathlib.Path(f"/proc/{self.process.pid}/{file}").read_text()
        return re.search(pattern, text)

    def cpu(self):
        """Seconds of processor time so far."""
        ticks = self.figure("stat", r"\) (.*)")[1].split()
        return (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self):
        return int(self.figure("status", r"VmRSS:\s+(\d+)")[1])


def in_ms(text):
    value, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(value) * {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}[unit]


def load(server, script, collection, items, connections, seconds=SECONDS):
    """One run of wrk; `script` is a file, or a path to get."""
    words = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "--latency"]
    words += [server.url + script] if script.startswith("/") else \
        ["-s", HERE / script, server.url]
    before = server.cpu()
    out = subprocess.run(words, check=True, capture_output=True, text=True, env={
        **os.environ, "COLLECTION": collection, "ITEMS": str(items)}).stdout
    n = int(re.search(r"(\d+) requests in", out)[1])
    if "Non-2xx" in out:
        sys.exit(f"serve.py: requests failed:\n{out}")
    return {"per_second": float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1]),
            "p50_ms": in_ms(re.search(r"\n +50% +(\S+)", out)[1]),
            "p99_ms": in_ms(re.search(r"\n +99% +(\S+)", out)[1]),
            "cpu_us": round(1e6 * (server.cpu() - before) / n), "n": n}


def report(what, items, connections, runs):
    """The run with the median rate."""
    runs.sort(key=lambda r: r["per_second"])
    print(json.dumps({"what": what, "items": items, "connections": connections,
                      **runs[len(runs) // 2],
                      "slowest": runs[0]["per_second"],
                      "fastest": runs[-1]["per_second"]}), flush=True)


def make_documents(akin, folder):
    draw = random.Random(1)
    words = [f"w{i}" for i in range(5000)]
    weights = [1 / (i + 5) for i in range(5000)]
    with open(folder / "docs.jsonl", "w") as f:
        for i in range(1000):
            text = " ".join(draw.choices(words, weights, k=80))
            print(json.dumps({"id": str(i), "text": text}), file=f)
    akin("documents", "docs.jsonl", "--out", "documents")
    return 1000


def make_vectors(akin, folder):
    draw = random.Random(2)
    with open(folder / "rows.csv", "w") as f:
        for _ in range(1000):
            print(",".join(f"{draw.gauss(0, 1):.4f}" for _ in range(64)), file=f)
    akin("vectors", "rows.csv", "--out", "vectors")
    return 1000


def make_pictures(akin, folder):
    akin("synth", "scenes", "--landmarks", "12", "--views", "20", "--out", "town")
    akin("images", "town", "--words", "4000", "--out", "pictures")
    return 240


def bags(name, rows, dim, classes):
    def make(akin, folder):
        akin("synth", "bags", "--rows", rows, "--dim", dim, "--classes", classes,
             "--out", f"{name}.svm")
        akin("vectors", f"{name}.svm", "--out", name)
        (folder / f"{name}.svm").unlink()
        return int(rows)
    return name, make


SMALL = [("documents", make_documents), ("vectors", make_vectors),
         ("pictures", make_pictures), bags("bags", "2000", "10000", "20")]
LARGE = bags("million", "1000000", "100000", "1000")


def measure_searches(run, akin, folder, name, make, connections):
    items = make(akin, folder)
    with Server(run, folder, name) as server:
        load(server, "search.lua", name, items, connections, 2)  # warm
        report(f"search, {name}", items, connections,
               [load(server, "search.lua", name, items, connections)
                for _ in range(REPEATS)])
    return items


def measure_feedback(run, akin, folder, name, items):
    akin("learn", name, "--after", "0")
    with Server(run, folder, name) as server:
        report("feedback", items, 8,
               [load(server, "feedback.lua", name, items, 8)
                for _ in range(REPEATS)])
        report("limit", items, 16,
               [load(server, "/health", name, items, 16)
                for _ in range(REPEATS)])


def measure_memory(run, folder, name, items, wanted):
    """After a tenth of the requests everything is as large as it will be."""
    with Server(run, folder, name) as server:
        done, first = 0, None
        while done < wanted:
            done += load(server, "search.lua", name, items, 16, 5)["n"]
            first = first or (done >= wanted / 10 and server.resident()) or None
        last = server.resident()
        print(json.dumps({"what": "memory", "requests": done, "first_kib": first,
                          "last_kib": last, "growth": last / first - 1.0}))


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("akin")
    p.add_argument("--large", action="store_true")
    p.add_argument("--requests", type=int, default=0)
    o = p.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("serve.py: no wrk (scripts/setup.sh --bench installs it)")
    run = str(pathlib.Path(o.akin).resolve())
    with tempfile.TemporaryDirectory(prefix="akin-bench-") as folder:
        folder = pathlib.Path(folder)

        def akin(*words):
            subprocess.run([run, *words, "--quiet"], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
        for name, make in SMALL:
            items = measure_searches(run, akin, folder, name, make, 16)
            if name == "documents" and o.requests:
                measure_memory(run, folder, name, items, o.requests)
        measure_feedback(run, akin, folder, "documents", 1000)
        if o.large:
            measure_searches(run, akin, folder, *LARGE, 8)


main()
