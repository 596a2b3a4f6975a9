"""How an index in shards grows: scale.py measure|table ...

  scale.py measure AKIN BENCH_SHARDS FOLDER [ROWS...]   JSON lines
  scale.py table FILE                                   model and measurement

`measure` makes bags of about 91 different words of 100,000 in FOLDER, in parts
of 100,000 rows, and indexes 10^4, 10^5, 10^6 and 10^7 of them (or ROWS) by tfidf
in shards of at most 625,000 rows, on 1 process and, from 10^6 on, on 2 and 4
ranks. BENCH_SHARDS searches 200 queries one by one. Seconds are those of the
processor, because other work on a machine disturbs them least.

`table` takes the constants of the model of docs/scale.md from 10^6 rows (memory:
10^5 and 10^6), and prints what it says of all."""
import json
import os
import subprocess
import sys

PART = 100000
MOST = 625000
QUERIES = 200


def run(words, **more):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL,
                   stdin=subprocess.DEVNULL, **more)


def child(out, words):
    """Run a command; add what it took to a file."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    line = {"rank": int(os.environ.get("OMPI_COMM_WORLD_RANK", 0)),
            "cpu_seconds": used.ru_utime + used.ru_stime,
            "peak_rss_mib": used.ru_maxrss / 1024}
    with open(out, "a", encoding="ascii") as f:
        f.write(json.dumps(line) + "\n")
    sys.exit(os.waitstatus_to_exitcode(status))


def measured(ranks, words, folder):
    """What each rank took."""
    out = os.path.join(folder, "ranks.json")
    if os.path.exists(out):
        os.unlink(out)
    words = [sys.executable, __file__, "child", out] + words
    if ranks > 1:
        words = ["mpirun", "-q", "--oversubscribe", "-np", str(ranks)] + words
    run(words)
    with open(out, encoding="ascii") as f:
        return sorted((json.loads(x) for x in f), key=lambda x: x["rank"])


def make_parts(akin, folder, rows):
    """The pattern of the parts that have these rows."""
    def path(name):
        return os.path.join(folder, name)

    def bags(n, seed, name, like=True):
        if os.path.exists(path(name)):
            return
        source = (["--like", path("base.svm")] if like
                  else ["--dim", "100000", "--words", "120"])
        run([akin, "synth", "bags", "--rows", str(n), "--classes", "0",
             "--seed", str(seed), "--quiet", "--out", path(name)] + source)

    bags(20000, 1, "base.svm", False)
    bags(QUERIES, 77, "q.svm")
    for k in range(max(1, rows // PART)):
        bags(PART, 1000 + k, f"part-{k:02d}.svm")
    if rows < PART:
        with open(path("part-00.svm"), encoding="ascii") as whole, \
                open(path(f"first-{rows}.svm"), "w", encoding="ascii") as f:
            for _ in range(rows):
                f.write(whole.readline())
        return path(f"first-{rows}.svm")
    return path({PART: "part-00.svm", 10 * PART: "part-0?.svm",
                 100 * PART: "part-??.svm"}[rows])


def bytes_of(folder):
    return sum(os.path.getsize(os.path.join(folder, x))
               for x in os.listdir(folder))


def measure(akin, bench, folder, *sizes):
    for rows in [int(x) for x in sizes] or [10**4, 10**5, 10**6, 10**7]:
        data = make_parts(akin, folder, rows)
        large = rows > PART
        shards = max(4, -(-rows // MOST)) if large else 1
        index = os.path.join(folder, f"{rows}.shards")
        for ranks in (1, 2, 4) if large else (1,):
            took = measured(ranks, [akin, "index", "tfidf", "--data", data,
                                    "--shards", str(shards), "--threads", "1",
                                    "--quiet", "--out", index], folder)
            line = {"build": rows, "ranks": ranks, "shards": shards,
                    "cpu_seconds": sum(x["cpu_seconds"] for x in took),
                    "most_cpu_seconds": max(x["cpu_seconds"] for x in took),
                    "peak_rss_mib": max(x["peak_rss_mib"] for x in took),
                    "bytes": bytes_of(index)}
            print(json.dumps(line), flush=True)
        found = subprocess.run([bench, index, os.path.join(folder, "q.svm")],
                               check=True, capture_output=True).stdout
        line = {"search": rows, "shards": shards, **json.loads(found)}
        print(json.dumps(line), flush=True)


def read(path):
    builds, searches = {}, {}
    with open(path, encoding="ascii") as f:
        for line in map(json.loads, f):
            if "build" in line:
                builds[line["build"], line["ranks"]] = line
            else:
                searches[line["search"]] = line
    return builds, searches


def table(path):
    builds, searches = read(path)
    low, high = 10**5, 10**6

    def build(n, key):
        return builds[n, 1][key]

    def shard_rows(n):
        return n / build(n, "shards")

    slope = ((build(high, "peak_rss_mib") - build(low, "peak_rss_mib"))
             / (shard_rows(high) - shard_rows(low)))

    def memory(n):
        return (build(high, "peak_rss_mib")
                + slope * (shard_rows(n) - shard_rows(high)))

    def in_proportion(real):
        return lambda n: real(high) * n / high, real

    figures = {
        "build, s": in_proportion(lambda n: build(n, "cpu_seconds")),
        "memory of a rank, MiB": (memory, lambda n: build(n, "peak_rss_mib")),
        "index, MB": in_proportion(lambda n: build(n, "bytes") / 1e6),
        "query p50, ms": in_proportion(lambda n: searches[n]["p50_ms"]),
        "query p99, ms": in_proportion(lambda n: searches[n]["p99_ms"]),
    }
    sizes = sorted(searches)
    print("| figure | " + " | ".join(f"{n:,} model | measured" for n in sizes)
          + " |")
    print("|---|" + "---|" * (2 * len(sizes)))
    for name, (model, real) in figures.items():
        cells = [f"{model(n):.4g} | {real(n):.4g}" for n in sizes]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print()
    print("| rows | ranks | all, s | busiest rank, s | memory of a rank, MiB |")
    print("|---|---|---|---|---|")
    for (n, ranks), x in sorted(builds.items()):
        print(f"| {n:,} | {ranks} | {x['cpu_seconds']:.1f} | "
              f"{x['most_cpu_seconds']:.1f} | {x['peak_rss_mib']:.0f} |")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[1] == "child":
        child(sys.argv[2], sys.argv[3:])
    {"measure": measure, "table": table}[sys.argv[1]](*sys.argv[2:])


if __name__ == "__main__":
    main()
