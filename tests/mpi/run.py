"""akin under mpirun: run.py AKIN CASE [N]

  same      1, 2 and 4 ranks write the same files and print the same JSON
  online    learners whose ranks have examples of their own: the same files in
            every run, about as good as those of one rank
  ends      exit codes, one message, standard input, a rank that is killed
  restarts  kill -9 of a rank at N random moments; each time the command is
            repeated, and goes on from its checkpoint

Exit 77: there is no mpirun, or akin was built without MPI."""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

AKIN = os.path.abspath(sys.argv[1])
ENDS = 120  # seconds in which a job that fails has ended, on a busy machine too
# Ranks of one machine; root is what CI runs as.
os.environ.update({
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_btl": "self,vader",
    # A sanitizer would report what MPI itself never frees.
    "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0",
})
# Keys that tell of the run and not of the result.
RUN_KEYS = {"seconds", "peak_rss_mib", "ranks", "communicated_bytes",
            "total_seconds", "rate"}


def line(ranks, words):
    """The command line on so many ranks; 0: without mpirun."""
    return (["mpirun", "-q", "-np", str(ranks)] if ranks else []) + [AKIN] + words


def akin(ranks, words, folder, stdin=subprocess.DEVNULL):
    return subprocess.run(line(ranks, words), cwd=folder, stdin=stdin,
                          capture_output=True, timeout=300)


def without_run_keys(x):
    if isinstance(x, dict):
        return {k: without_run_keys(v) for k, v in x.items()
                if k not in RUN_KEYS}
    return [without_run_keys(v) for v in x] if isinstance(x, list) else x


def content(folder, name):
    with open(os.path.join(folder, name), "rb") as f:
        return f.read()


def files(folder):
    return {os.path.relpath(os.path.join(path, name), folder):
            content(path, name)
            for path, _, names in os.walk(folder) for name in sorted(names)}


def check(condition, what):
    if not condition:
        sys.exit("FAILED: " + what)


SPARSE = ["--data", "../train.svm", "--out", "m.safetensors", "--verdict",
          "none"]
DENSE = ["--data", "../dense.csv", "--out", "m.safetensors", "--verdict",
         "none"]

MANY = ["--data", "../many.csv", "--out", "m.safetensors", "--verdict", "none"]

# Commands whose files and JSON are the same for any number of ranks.
SAME = {
    "embed": ["embed", "../model.safetensors", "--data", "../test.svm",
              "--out", "places.npy"],
    "retrieval": ["eval", "../model.safetensors", "--data", "../test.svm",
                  "--task", "retrieval"],
    "knn": ["eval", "cosine", "--data", "../test.svm", "--task", "knn",
            "--train", "../train.svm", "--k", "3"],
    "predict": ["predict", "../model.safetensors", "--data", "../test.svm",
                "--train", "../train.svm", "--k", "5"],
    "score": ["score", "../model.safetensors", "--data", "../test.svm",
              "--pairs", "../pairs.csv"],
    "search": ["search", "../rows.index", "--queries", "../test.svm",
               "--top", "7"],
    "search dense": ["search", "../places.index", "--queries", "../test.svm",
                     "--top", "7"],
    "index": ["index", "cosine", "--data", "../train.svm", "--out",
              "rows.index"],
    "index dense": ["index", "../model.safetensors", "--data", "../train.svm",
                    "--out", "rows.index"],
    "index shards": ["index", "tfidf", "--data", "../part-*.svm", "--shards",
                     "5", "--out", "rows.shards"],
    "index few shards": ["index", "tfidf", "--data", "../part-*.svm",
                         "--shards", "2", "--out", "rows.shards"],
    "index shards dense": ["index", "../model.safetensors", "--data",
                           "../train.svm", "--shards", "3", "--out",
                           "rows.shards"],
    "search shards": ["search", "../rows.shards", "--queries", "../test.svm",
                      "--top", "7"],
    "embed parts": ["embed", "../model.safetensors", "--data",
                    "../part-*.svm", "--out", "places.npy"],
    "codebook": ["codebook", "../patches", "--words", "20", "--out",
                 "words.safetensors", "--bags", "bags.svm"],
    "tune": ["tune", "lda", "--data", "../dense.csv", "--trials", "4",
             "--out", "m.safetensors"],
    "auto": ["train", "auto", "--data", "../dense.csv", "--effort", "1",
             "--out", "m.safetensors"],
    "compare": ["compare", "--data", "../dense.csv", "lda", "pca", "nca"],
    "rsl grid": ["train", "rsl", "--rank", "3", "--kernel", "none", *DENSE],
    "rsl list": ["train", "rsl", "--rank", "3", "--kernel", "none", "--pairs",
                 "../pairs.csv", *DENSE],
    "rsl aligned": ["train", "rsl", "--rank", "3", "--right", "../twin.csv",
                    "--pairs", "../twins.csv", "--kernel", "none", "--data",
                    "../points.csv", "--out", "m.safetensors", "--verdict",
                    "none"],
    "rsl, verdict": ["train", "rsl", "--rank", "3", "--kernel", "none",
                     *DENSE[:-2]],
    "s3ml": ["train", "s3ml", *DENSE],
    "logistic": ["train", "logistic", *SPARSE],
    "logistic dense": ["train", "logistic", *DENSE],
    "pca": ["train", "pca", *SPARSE],
    "pca dense": ["train", "pca", *MANY],
    "lda": ["train", "lda", *MANY],
    "mahalanobis": ["train", "mahalanobis", *MANY],
    "cca": ["train", "cca", *MANY],
    "nca": ["train", "nca", "--max-iterations", "5", *MANY],
    "lmnn": ["train", "lmnn", "--max-iterations", "20", *MANY],
    "itml": ["train", "itml", *MANY],
    "s2ml": ["train", "s2ml", *DENSE],
    "sdml": ["train", "sdml", *DENSE],
    "pa, verdict": ["train", "pa", "--sample", "3000", *SPARSE[:-2]],
    "tune solis-ada": ["tune", "solis-ada", "--data", "../train.svm",
                       "--trials", "3", "--sample", "3000", "--out",
                       "m.safetensors"],
}

# Commands whose files are the same for a number of ranks.
ONLINE = {
    "solis-ada": ["train", "solis-ada", "--sample", "70000", *SPARSE],
    "solis-ada, verdict": ["train", "solis-ada", "--sample", "70000",
                           *SPARSE[:-2]],
    "loreta-psd": ["train", "loreta-psd", "--sample", "70000", *SPARSE],
    "loreta-psd, validated": ["train", "loreta-psd", "--sample", "70000",
                              "--validate", "0.2", *SPARSE],
}


def make_inputs(root):
    for words in (
            ["synth", "bags", "--rows", "300", "--dim", "400", "--classes",
             "5", "--out", "train.svm"],
            ["synth", "bags", "--rows", "150", "--dim", "400", "--classes",
             "5", "--seed", "2", "--out", "test.svm"],
            ["train", "loreta-psd", "--data", "train.svm", "--rank", "5",
             "--sample", "2000", "--verdict", "none", "--out",
             "model.safetensors"],
            ["index", "cosine", "--data", "train.svm", "--out", "rows.index"],
            ["index", "model.safetensors", "--data", "train.svm", "--out",
             "places.index"],
            ["embed", "model.safetensors", "--data", "train.svm", "--out",
             "dense.csv"]):
        done = akin(0, words, root)
        check(done.returncode == 0, f"{words}: {done.stderr.decode()}")
    with open(os.path.join(root, "train.svm"), encoding="ascii") as f:
        lines = f.readlines()
    for k in range(3):
        with open(os.path.join(root, f"part-{k}.svm"), "w",
                  encoding="ascii") as f:
            f.writelines(lines[k * 100:(k + 1) * 100])
    done = akin(0, ["index", "tfidf", "--data", "part-*.svm", "--shards", "5",
                    "--out", "rows.shards"], root)
    check(done.returncode == 0, f"shards: {done.stderr.decode()}")
    with open(os.path.join(root, "pairs.csv"), "w", encoding="ascii") as f:
        for i in range(100):
            f.write(f"{i} {i * 7 % 150} {1 if i % 2 else -1}\n")
    draw = random.Random(1)
    for name in ("points.csv", "twin.csv"):
        with open(os.path.join(root, name), "w", encoding="ascii") as f:
            for _ in range(3000):
                f.write(",".join(f"{draw.gauss(0, 1):.6f}" for _ in range(8))
                        + "\n")
    with open(os.path.join(root, "many.csv"), "w", encoding="ascii") as f:
        f.write("label,a,b,c,d,e,f\n")  # enough rows for several blocks
        for i in range(1200):
            f.write(f"{i % 3}," + ",".join(f"{draw.gauss(i % 3 * 0.5, 1):.4f}"
                                           for _ in range(6)) + "\n")
    os.mkdir(os.path.join(root, "patches"))
    for i in range(6):
        path = os.path.join(root, "patches", f"{i}.csv")
        with open(path, "w", encoding="ascii") as f:
            for _ in range(400):
                f.write(",".join(f"{draw.random():.4f}" for _ in range(16))
                        + "\n")
    with open(os.path.join(root, "twins.csv"), "w", encoding="ascii") as f:
        for i in range(3000):
            f.write(f"{i} {i} {1 if draw.random() < 0.5 else -1}\n")


def run_same(root, words, ranks):
    """What is written and printed."""
    folder = os.path.join(root, "out")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    done = akin(ranks, words + ["--json"], folder)
    check(done.returncode == 0,
          f"{words} on {ranks} ranks: {done.stderr.decode()}")
    printed = json.loads(done.stdout)
    if ranks > 1:
        check(printed["ranks"] == ranks, f"{words}: ranks")
        check("communicated_bytes" in printed, f"{words}: communicated_bytes")
    else:
        check("ranks" not in printed, f"{words}: ranks of one")
    return files(folder), without_run_keys(printed), printed


def same(root):
    make_inputs(root)
    for name, words in SAME.items():
        began = time.time()
        first = run_same(root, words, 0)
        sent = []
        for ranks in (2, 4):
            other = run_same(root, words, ranks)
            check(other[0].keys() == first[0].keys(), f"{name}: files")
            for path, content in first[0].items():
                check(other[0][path] == content,
                      f"{name}: {path} differs on {ranks} ranks")
            check(other[1] == first[1],
                  f"{name}: JSON differs on {ranks} ranks")
            sent.append(other[2]["communicated_bytes"])
        print(f"{name}: the same on 1, 2 and 4 ranks; bytes "
              f"{sent[0]} and {sent[1]}; {time.time() - began:.1f} s",
              flush=True)


def map_of(root):
    """How well the model ranks the rows that it learned from."""
    done = akin(0, ["eval", "out/m.safetensors", "--data", "train.svm",
                    "--task", "retrieval", "--json"], root)
    return json.loads(done.stdout)["map"]


def online(root):
    make_inputs(root)
    for name, words in ONLINE.items():
        first = run_same(root, words, 0)
        score = map_of(root)
        for ranks in (2, 4):
            other = run_same(root, words, ranks)
            near = map_of(root)
            check(run_same(root, words, ranks)[:2] == other[:2],
                  f"{name}: two runs on {ranks} ranks differ")
            check(other[0] != first[0], f"{name}: nothing was divided")
            # Where to stop may differ by a check.
            if "--validate" not in words:
                check(other[1]["examples"] == first[1]["examples"],
                      f"{name}: examples")
                check(abs(near - score) < 0.02,
                      f"{name}: {near} on {ranks} ranks, {score} on one")
            print(f"{name}: map {score:.4f}, {near:.4f} on {ranks} ranks, "
                  f"bytes {other[2]['communicated_bytes']}", flush=True)


def our_lines(done):
    return [x for x in done.stderr.decode().splitlines()
            if x.startswith("akin:")]


def ends(root):
    make_inputs(root)
    done = akin(2, ["nonsense"], root)
    check(done.returncode == 2 and len(our_lines(done)) == 1, "no command")
    done = akin(3, ["eval", "cosine", "--data", "absent.svm"], root)
    check(done.returncode == 2 and len(our_lines(done)) == 1,
          f"no file: {done.stderr.decode()}")
    done = akin(2, ["train", "pca", "--data", "train.svm", "--out",
                    "absent/m.safetensors"], root)
    check(done.returncode == 1 and len(our_lines(done)) == 1,
          f"no folder: {done.stderr.decode()}")
    with open(os.path.join(root, "wrong.svm"), "w", encoding="ascii") as f:
        f.write("1 1:1\n" * 50 + "1 1:x\n")
    done = akin(2, ["index", "cosine", "--data", "wrong.svm", "--shards", "4",
                    "--out", "wrong.shards"], root)
    check(done.returncode == 2 and our_lines(done) ==
          ["akin: wrong.svm:51:5: not a value (expected a number)"],
          f"an error of one rank: {done.stderr.decode()}")
    check(not [x for x in os.listdir(root) if x.startswith("wrong.shards")],
          "an error of one rank: a folder is left")
    done = akin(2, ["info", "train.svm"], root)
    alone = akin(0, ["info", "train.svm"], root)
    check(done.returncode == 0 and done.stdout == alone.stdout,
          "a command of rank 0 alone")
    measure = ["eval", "model.safetensors", "--task", "retrieval", "--json",
               "--data"]
    with open(os.path.join(root, "test.svm"), "rb") as f:
        done = akin(2, measure + ["-"], root, f)
    check(done.returncode == 0, f"standard input: {done.stderr.decode()}")
    piped = json.loads(done.stdout)
    alone = json.loads(akin(0, measure + ["test.svm"], root).stdout)
    check(piped["map"] == alone["map"], "standard input")
    one_fails(root)
    killed(root)


def one_fails(root):
    """Rank 1 has an error that rank 0 has not: it waits 5 s, then ends all."""
    measure = ["eval", "cosine", "--task", "retrieval", "--data"]
    words = (line(1, measure + ["test.svm"]) + [":", "-np", "1", AKIN]
             + ["eval", "absent.st", "--task", "retrieval", "--data",
               "test.svm"])
    began = time.time()
    done = subprocess.run(words, cwd=root, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=ENDS)
    seconds = time.time() - began
    check(our_lines(done) == ["akin: rank 1: absent.st: "
                              "No such file or directory"],
          f"one fails: {done.stderr.decode()}")
    check(done.returncode == 2, f"one fails: exit {done.returncode}")
    print(f"rank 1 fails alone: ended in {seconds:.1f} s", flush=True)


def ranks_of(mpirun):
    """Process ids of the ranks that an mpirun has started."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                parent = int(re.sub(r".*\)", "", f.read()).split()[1])
            if parent == mpirun and os.readlink(f"/proc/{pid}/exe") == AKIN:
                found.append(int(pid))
        except (OSError, ValueError):
            continue
    return sorted(found)


def killed(root):
    """kill -9 of each rank in turn: mpirun ends and names it."""
    words = ["train", "loreta-psd", "--data", "train.svm", "--rank", "40",
             "--sample", "100000000", "--verdict", "none", "--quiet", "--out",
             "killed.safetensors"]
    for rank in range(2):
        with subprocess.Popen([x for x in line(2, words) if x != "-q"],
                              cwd=root, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as job:
            while len(ranks_of(job.pid)) < 2:
                time.sleep(0.05)
            time.sleep(1.0)
            began = time.time()
            os.kill(ranks_of(job.pid)[rank], signal.SIGKILL)
            _, said = job.communicate(timeout=ENDS)
            seconds = time.time() - began
        text = said.decode()
        named = re.findall(r"process rank (\d+) .*signal 9", text)
        check(len(named) == 1, f"killed: {text}")
        check("akin:" not in text, f"killed: {text}")
        check(not os.path.exists(os.path.join(root, "killed.safetensors")),
              "killed: a file is left")
        print(f"rank {named[0]} killed: ended in {seconds:.1f} s", flush=True)


# Runs of a second or so, with many checkpoints.
LONG = {
    "rsl": ["train", "rsl", "--rank", "3", "--right", "twin.csv", "--pairs",
            "twins.csv", "--kernel", "none", "--data", "points.csv",
            "--starts", "12", "--every", "2"],
    "logistic": ["train", "logistic", "--data", "train.svm", "--tol", "0",
                 "--max-iterations", "150", "--every", "5"],
    "loreta-psd": ["train", "loreta-psd", "--data", "train.svm", "--rank",
                   "20", "--sample", "60000", "--every", "5000"],
}


def rank_of(pid):
    with open(f"/proc/{pid}/environ", "rb") as f:
        found = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", f.read())
    return int(found.group(1))


def run_and_kill(words, folder, draw, most):
    """Kill a rank after a while; None: the run had ended by then."""
    with subprocess.Popen([x for x in line(2, words) if x != "-q"],
                          cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as job:
        while len(ranks_of(job.pid)) < 2 and job.poll() is None:
            time.sleep(0.01)
        time.sleep(draw.uniform(0.0, most))
        pids = ranks_of(job.pid)
        began = time.time()
        rank = None
        if len(pids) == 2:
            try:
                pid = draw.choice(pids)
                rank = rank_of(pid)
                os.kill(pid, signal.SIGKILL)
            except (OSError, AttributeError):
                rank = None
        _, said = job.communicate(timeout=300)
        seconds = time.time() - began
    text = said.decode()
    named = re.findall(r"process rank (\d+) .*signal 9", text)
    if rank is None or (job.returncode == 0 and not named):
        return None
    check(named == [str(rank)], f"rank {rank} killed: {text}")
    check("akin:" not in text, f"rank {rank} killed: {text}")
    check(seconds < 10.0, f"rank {rank} killed: {seconds:.1f} s")
    return seconds


def restarts(root):
    make_inputs(root)
    moments = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    draw = random.Random(moments)
    more = ["--verdict", "none", "--quiet", "--out"]
    checkpoint = ["--checkpoint", "state.checkpoint"]
    whole, most = {}, {}
    for name, words in LONG.items():
        began = time.time()
        alone = [x for i, x in enumerate(words)
                 if "--every" not in (x, words[i - 1])]
        done = akin(2, alone + more + ["whole"], root)
        check(done.returncode == 0, f"{name}: {done.stderr.decode()}")
        most[name] = time.time() - began
        whole[name] = content(root, "whole")
    killed_in, ended, continued, name = [], 0, 0, None
    while len(killed_in) < moments or name is not None:
        name = name or draw.choice(list(LONG))
        words = LONG[name] + checkpoint + more + ["out"]
        continued += "state.checkpoint" in os.listdir(root)
        may_kill = len(killed_in) < moments
        seconds = may_kill and run_and_kill(words, root, draw, most[name])
        if seconds:
            killed_in.append(seconds)
            continue
        if not may_kill:
            done = akin(draw.choice((0, 2, 3)), words, root)
            check(done.returncode == 0, f"{name}: {done.stderr.decode()}")
        check(content(root, "out") == whole[name], f"{name}: out differs")
        check("state.checkpoint" not in os.listdir(root),
              f"{name}: the checkpoint is left")
        ended += 1
        name = None
    print(f"{len(killed_in)} kills: ended in {min(killed_in):.1f} to "
          f"{max(killed_in):.1f} s; {continued} runs went on from a "
          f"checkpoint; {ended} ended, with the same bytes", flush=True)


def main():
    if shutil.which("mpirun") is None:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as root:
        if b"without MPI" in akin(2, ["version"], root).stderr:
            sys.exit(77)
        {"same": same, "online": online, "ends": ends,
         "restarts": restarts}[sys.argv[2]](root)


if __name__ == "__main__":
    main()
