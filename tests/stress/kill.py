"""Writers and readers of one collection are killed again and again.

Two writers add documents, remove and restore some, give feedback and learn; two
readers search and compare what they find with the same items indexed anew. One of the
four is killed with SIGKILL at a random moment and started again. At the end
everything that was acknowledged must be there, once:

    kill.py AKIN READER [KILLS [SEED]]
"""
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

akin, reader = (os.path.abspath(p) for p in sys.argv[1:3])
kills = int(sys.argv[3]) if len(sys.argv) > 3 else 30
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
words = ("moon orbit rocket probe lander crater dust goal penalty team match "
         "keeper league coach bread oven flour yeast salt crust").split()


def text(chance, topic):
    own = words[7 * topic:7 * topic + 7]
    return " ".join(chance.choices(own, k=8) + chance.choices(words, k=4))


def write_documents(path, names, chance):
    with open(path, "w") as f:
        for name in names:
            topic = chance.randrange(3)
            f.write(json.dumps({"id": name, "text": text(chance, topic),
                                "label": f"topic{topic}"}) + "\n")


def writer(folder, number):
    """What a writer does until it is killed; acknowledgements go to a log."""
    chance = random.Random(f"{seed} {number} {time.time()}")
    log = open(folder / f"acknowledged.{number}", "a", buffering=1)

    def run(*args):
        return subprocess.run([akin, *args, "--quiet"], capture_output=True,
                              text=True)

    def names():
        found = run("search", "c", "--like", "base0", "--top", "40")
        return [line.split()[4] for line in found.stdout.splitlines()]

    def problem(p):
        if p.returncode != 0:
            print("writer:", p.args[1], p.stderr.strip(), flush=True)
        return p.returncode != 0

    step = 0
    while True:
        step += 1
        key = f"w{number}-{os.getpid()}-{step}"
        what = chance.random()
        if what < 0.55:
            some = chance.sample(names(), 3)
            p = run("feedback", "c", "--query", some[0], "--good", some[1],
                    "--bad", some[2], "--key", key)
            if p.returncode == 0:
                log.write(f"event {key} {p.stdout.split()[0]}\n")
            elif "no item" not in p.stderr:  # the other one removed it
                problem(p)
        elif what < 0.8:
            write_documents(f"{key}.jsonl", [f"{key}-{i}" for i in range(3)],
                            chance)
            if not problem(run("documents", "c", "--add", f"{key}.jsonl")):
                log.write(f"added {key}\n")
        elif what < 0.9:
            own = [n for n in names() if n.startswith(f"w{number}-")]
            if own:
                log.write(f"removing {own[0]}\n")
                problem(run("remove", "c", own[0]))
                if chance.random() < 0.5:
                    problem(run("documents", "c", "--restore", "--add",
                                own[0].rpartition("-")[0] + ".jsonl"))
        else:
            problem(run("learn", "c"))


def start(folder, kind, number):
    if kind == "writer":
        pid = os.fork()
        if pid == 0:
            os.setsid()
            os.chdir(folder)
            try:
                writer(folder, number)
            finally:
                os._exit(1)
        return pid
    with open(folder / f"read.{number}", "a") as out:
        return subprocess.Popen([reader, "c", "100000", str(random.random())[2:8]],
                                cwd=folder, stdout=out,
                                start_new_session=True).pid


def end(pid):
    """The process and what it has started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:  # it has no group of its own yet
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def check(folder):
    wrong = []
    out = subprocess.run([akin, "check", "c"], cwd=folder, capture_output=True,
                         text=True)
    if out.returncode != 0:
        wrong.append(f"not sound: {out.stderr}")
    acknowledged = [line.split() for n in (0, 1)
                    for line in open(folder / f"acknowledged.{n}")]
    listed = subprocess.run([akin, "feedback", "c", "--export", "-"],
                            cwd=folder, capture_output=True, text=True).stdout
    keys = collections.Counter(json.loads(line)["key"]
                               for line in listed.splitlines())
    wrong += [f"event {key} is there {n} times" for key, n in keys.items()
              if n != 1]
    events = [a[1] for a in acknowledged if a[0] == "event"]
    wrong += [f"event {key} is lost" for key in events if key not in keys]
    rows = subprocess.run([akin, "search", "c", "--like", "base0", "--top",
                           "1000000"], cwd=folder, capture_output=True,
                          text=True).stdout
    names = collections.Counter(line.split()[4] for line in rows.splitlines())
    removed = {a[1] for a in acknowledged if a[0] == "removing"}
    added = [f"{a[1]}-{i}" for a in acknowledged if a[0] == "added"
             for i in range(3)]
    wrong += [f"{name} is lost" for name in added
              if name not in removed and names[name] != 1]
    wrong += [f"{name} is there {n} times" for name, n in names.items() if n > 1]
    for n in (0, 1):
        told = (folder / f"read.{n}").read_text()
        wrong += [f"reader: {line}" for line in told.splitlines()
                  if not line.endswith("agree")]
    print(f"{len(events)} events and {len(added)} documents acknowledged, "
          f"{len(keys)} events and {len(names) + 1} documents there")
    return wrong


def main():
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.chdir(folder)
        write_documents("base.jsonl", [f"base{i}" for i in range(60)], chance)
        subprocess.run([akin, "documents", "base.jsonl", "--out", "c",
                        "--quiet"], check=True, stdout=subprocess.DEVNULL)
        roles = [("writer", 0), ("writer", 1), ("reader", 0), ("reader", 1)]
        for n in (0, 1):
            open(folder / f"acknowledged.{n}", "w").close()
        pids = [start(folder, *role) for role in roles]
        for _ in range(kills):
            time.sleep(chance.uniform(0.01, 0.6))
            k = chance.choice([0, 0, 1, 1, 2, 3])
            end(pids[k])
            pids[k] = start(folder, *roles[k])
        for pid in pids:
            end(pid)
        wrong = check(folder)
    for line in wrong[:20]:
        print(line)
    print(f"{kills} kills, {len(wrong)} faults")
    return wrong != []


sys.exit(main())
