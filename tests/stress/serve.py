"""akin serve under clients that send feedback, while the server dies or its
disk fails.

    serve.py AKIN STORAGE [KILLS [CASE...]]

STORAGE is the library of storage.c; CASE is a part of a case's name. KILLS times [100] the server is killed
while 8 clients send events, then at each call that stores something, and each
of these calls fails with ENOSPC and EIO. Afterwards no event that was
acknowledged is missing, none is there twice, and what is learned from the
events is what is learned from the same events told to another collection.
Prints "N passed, M failed".
"""
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

CLIENTS = 8
ITEMS = 12
KILLS_EACH = 500


def make_collection(akin, folder, after=0):
    rows = random.Random(1)
    lines = "".join(
        ",".join(f"{rows.random() + (i % 3 == j):.3f}" for j in range(3)) + "\n"
        for i in range(ITEMS))
    (folder / "rows.csv").write_text(lines)
    subprocess.run([akin, "vectors", "rows.csv", "--out", "c", "--quiet"],
                   cwd=folder, check=True)
    subprocess.run([akin, "learn", "c", "--after", str(after), "--quiet"],
                   cwd=folder, check=True)


def make_documents(akin, folder, name):
    (folder / "texts").mkdir()
    for i, text in enumerate(("river water", "river fish", "bank money",
                              "money loan")):
        (folder / "texts" / f"{i}.txt").write_text(text)
    subprocess.run([akin, "documents", "texts", "--out", name, "--quiet"],
                   cwd=folder, check=True)


class Server:
    def __init__(self, akin, folder, storage=None, part="catalog.sqlite",
                 names=("c",), **faults):
        env = dict(os.environ)
        if storage:
            env["LD_PRELOAD"] = str(storage)
            env["AKIN_STORAGE_PART"] = part
            env["AKIN_STORAGE_FROM"] = str(folder / "faults")
            env.update((f"AKIN_STORAGE_{k.upper()}", str(v))
                       for k, v in faults.items())
        self.process = subprocess.Popen(
            [akin, "serve", *names, "--port", "0", "--log-file", "log"],
            cwd=folder, env=env, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)$", line.strip())[1])

    def end(self, signal="terminate"):
        getattr(self.process, signal)()
        self.process.communicate(timeout=120)
        return self.process.returncode


def ask(connection, method, path, body=None):
    connection.request(method, "/api/v1/collections/c/" + path,
                       body and json.dumps(body),
                       {"Content-Type": "application/json"} if body else {})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


class Clients:
    """Send events until told to stop; what was acknowledged, by key."""

    def __init__(self, port, run, most=10**9):
        self.known, self.statuses = {}, set()
        self.stop = False
        self.threads = [threading.Thread(target=self.work, args=(port, run, k, most))
                        for k in range(CLIENTS)]
        for t in self.threads:
            t.start()

    def work(self, port, run, k, most):
        draw = random.Random(1000 * run + k)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        for i in range(most):
            query, good, bad = draw.sample(range(ITEMS), 3)
            key = f"{run}-{k}-{i}"
            try:
                status, answer = ask(connection, "POST", "feedback", {
                    "query": query, "good": [good], "bad": [bad], "key": key})
            except (OSError, http.client.HTTPException, ValueError):
                return
            self.statuses.add(status)
            if status == 200:
                self.known[key] = answer["event"]
            if self.stop:
                return

    def join(self):
        self.stop = True
        for t in self.threads:
            t.join()


def stored(akin, folder):
    out = subprocess.run([akin, "feedback", "c", "--list"], cwd=folder,
                         check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def losses(akin, folder, known):
    """What is wrong with the events that are stored, as text."""
    events = stored(akin, folder)
    numbers = {}
    for e in events:
        if e["key"] in numbers:
            return f"{e['key']} is there twice"
        numbers[e["key"]] = e["number"]
    lost = [k for k, n in known.items() if numbers.get(k) != n]
    return f"{len(lost)} acknowledged events are lost: {lost[:3]}" if lost else ""


def learned(akin, folder, name):
    """The bytes of the model that is learned from all events."""
    subprocess.run([akin, "learn", name, "--quiet"], cwd=folder, check=True,
                   capture_output=True)
    versions = sorted((folder / name / "versions").glob("*.safetensors"))
    return versions[-1].read_bytes() if versions else b""


def differs_from_replay(akin, folder):
    def run(*words):
        subprocess.run([akin, *words], cwd=folder, check=True,
                       capture_output=True)
    shutil.rmtree(folder / "again", ignore_errors=True)
    run("vectors", "rows.csv", "--out", "again")
    run("learn", "again", "--after", "0")
    run("feedback", "c", "--export", "events.jsonl")
    run("feedback", "again", "--import", "events.jsonl")
    same = learned(akin, folder, "c") == learned(akin, folder, "again")
    return "" if same else "the model is not that of the same events"


def kill_often(akin, folder, kills):
    """Killed at any moment; a collection of its own for some of the kills each,
    as checks read all of its events."""
    events = 0
    for first in range(0, kills, KILLS_EACH):
        part = folder / f"from-{first}"
        part.mkdir()
        make_collection(akin, part)
        known, wrong = kill_some(akin, part, min(KILLS_EACH, kills - first))
        if wrong:
            return f"after {first} kills: {wrong}"
        events += known
        print(f"{min(first + KILLS_EACH, kills)} kills, {events} events "
              "acknowledged", flush=True)
        shutil.rmtree(part)
    return ""


def kill_some(akin, folder, kills):
    """How many events were acknowledged, and what is wrong."""
    known = {}
    draw = random.Random()  # what it hits depends on the machine anyway
    for run in range(kills):
        server = Server(akin, folder)
        clients = Clients(server.port, run)
        time.sleep(draw.uniform(0.0, 0.15))
        server.end("kill")
        clients.join()
        known.update(clients.known)
        if run % 50 == 49 or run == kills - 1:
            wrong = losses(akin, folder, known)
            if wrong:
                return len(known), f"after {run + 1} kills: {wrong}"
    return len(known), differs_from_replay(akin, folder)


def fail_each(akin, folder, storage, how):
    """The n-th call fails or kills, for each n until none does."""
    known, hit = {}, 0
    for n in range(1, 1000):
        (folder / "faults").unlink(missing_ok=True)
        server = Server(akin, folder, storage, at=n, how=how)
        (folder / "faults").touch()
        clients = Clients(server.port, 100000 * len(how) + n, most=2)
        for t in clients.threads:
            t.join()
        (folder / "faults").unlink()
        gone = server.process.poll()
        known.update(clients.known)
        if how == "ENOSPC":
            if not clients.statuses <= {200, 507}:
                return f"call {n}: answers {clients.statuses}"
            after = Clients(server.port, 5000000 + n, most=1)
            for t in after.threads:
                t.join()
            if after.statuses != {200}:
                return f"call {n}: with space again, answers {after.statuses}"
            known.update(after.known)
        code = server.end() if gone is None else gone
        if how == "EIO" and 500 in clients.statuses and code != 1:
            return f"call {n}: the disk failed and the exit code is {code}"
        wrong = losses(akin, folder, known)
        if wrong:
            return f"call {n}: {wrong}"
        untouched = clients.statuses == {200} and code == 0 and \
            len(clients.known) == 2 * CLIENTS
        hit += not untouched
        if untouched and n > 60:
            break
    if hit == 0:
        return "no call failed"
    print(f"{how} at each of {n} calls, {len(known)} events acknowledged")
    return differs_from_replay(akin, folder)


def main():
    akin, storage = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    failed = 0
    cases = [("killed", lambda f: kill_often(akin, f, kills))] + [
        (f"{how} at each call", lambda f, how=how: fail_each(akin, f, storage, how))
        for how in ("kill", "ENOSPC", "EIO")]
    cases = [(name, case) for name, case in cases
             if not sys.argv[4:] or any(part in name for part in sys.argv[4:])]
    for name, case in cases:
        with tempfile.TemporaryDirectory(prefix="akin-serve-") as folder:
            folder = pathlib.Path(folder)
            make_collection(akin, folder)
            wrong = case(folder)
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {name}", wrong, flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
