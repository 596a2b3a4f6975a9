"""Many clients do all that akin serve can do, at the same time.

    threads.py AKIN [SECONDS]

For a build with -Db_sanitize=thread, which sees threads that use the same
memory without a lock; other builds show crashes and answers that are wrong.
Clients search, send feedback, learn, switch versions, add and remove items,
read jobs and their events, lists, metrics and the page for SECONDS [20]. The
server answers all of it with what the interface has for it, and ends with 0.
Prints "N passed, M failed".
"""
import collections
import http.client
import json
import pathlib
import random
import sys
import tempfile
import threading
import time

import serve

# What clients that get in each other's way may be told: no such item, event,
# version or job; too many of them; another is at work.
ALLOWED = {200, 202, 304, 400, 404, 503}


def search(draw):
    item = draw.randrange(serve.ITEMS + 4)
    path = draw.choice((
        f"search?like={item}", f"search?like={item}&unlike=0&top=3",
        f"items/{item}/neighbours", f"items/{item}", f"search?like={item}&user=u",
        f"search?like={item}&version=0&feedback=none", "items?top=5",
        f"diff?like={item}&from=0", f"items/{item}/explain?with=1",
        "duplicates", "versions", "learn", "feedback?top=3", ""))
    return "GET", path.rstrip("/"), None


def ask_by_features(draw):
    return "POST", "search", {
        "features": {"values": [draw.random() for _ in range(3)]}, "top": 3}


def feedback(draw):
    if draw.random() < 0.1:
        return "DELETE", f"feedback/{draw.randrange(200)}", None
    query, good, bad = draw.sample(range(serve.ITEMS), 3)
    return "POST", "feedback", {
        "query": query, "good": [good], "bad": [bad],
        "user": draw.choice(("u", "v")), "key": str(draw.randrange(10**9))}


def change(draw):
    kind = draw.randrange(10)
    if kind == 0:
        return "POST", "learn", {}
    if kind == 1:
        return "POST", f"versions/{draw.randrange(3)}", {}
    if kind < 6:
        return "POST", "items", {"name": f"x{draw.randrange(6)}", "features": {
            "values": [draw.random() for _ in range(3)]}}
    return "DELETE", f"items/{serve.ITEMS + draw.randrange(40)}", None


def documents(draw):
    path = "/api/v1/collections/d/"
    kind = draw.randrange(6)
    if kind == 0:
        return "PUT", f"{path}items?name={draw.randrange(5)}.txt", draw.choice(
            ("river boat", "bank coin", "money on the river"))
    if kind == 1:
        return "DELETE", f"{path}items/{draw.randrange(4, 20)}", None
    if kind == 2:
        return "PUT", f"{path}search", "a boat on the river"
    if kind == 3:
        return "POST", f"{path}feedback", {"query": "river", "good": [0],
                                           "bad": [2], "user": "u"}
    return "GET", path + draw.choice((
        "search?text=river+bank", "items/0/original", "items",
        "search?like=0&user=u", "duplicates")), None


def look(draw):
    return "GET", draw.choice((
        "/metrics", "/health", "/api/v1/jobs", "/api/v1/collections", "/",
        "/api/v1/openapi.json", f"/api/v1/jobs/{draw.randrange(1, 60)}",
        f"/api/v1/jobs/{draw.randrange(1, 60)}/events")), None


def cancel(draw):
    if draw.random() < 0.5:
        return "POST", "/api/v1/session", {"token": "x"}
    return "DELETE", f"/api/v1/jobs/{draw.randrange(1, 60)}", None


KINDS = (search, ask_by_features, feedback, feedback, documents, change, look,
         cancel)


class Client(threading.Thread):
    def __init__(self, port, number, until):
        super().__init__()
        self.port, self.number, self.until = port, number, until
        self.statuses = collections.Counter()
        self.wrong = ""

    def run(self):
        draw = random.Random(self.number)
        make = KINDS[self.number % len(KINDS)]
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=250)
        while time.time() < self.until and not self.wrong:
            method, path, body = make(draw)
            if not path.startswith("/"):
                path = f"/api/v1/collections/c/{path}".rstrip("/")
            try:
                is_text = isinstance(body, str)
                c.request(method, path,
                          body if body is None or is_text else json.dumps(body),
                          {"Content-Type": "text/plain" if is_text
                           else "application/json"})
                answer = c.getresponse()
                text = answer.read()
            except (ConnectionResetError, BrokenPipeError):
                c.close()  # idle for 10 s on a machine that is busy
                self.statuses["closed"] += 1
                continue
            except (OSError, http.client.HTTPException) as e:
                self.wrong = f"{method} {path}: {e!r}"
                return
            self.statuses[answer.status] += 1
            if answer.status not in ALLOWED:
                self.wrong = f"{method} {path}: {answer.status} {text[:300]}"
            if make in (change, cancel, look, documents):
                time.sleep(0.02)


def main():
    akin = pathlib.Path(sys.argv[1]).resolve()
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 20.0
    with tempfile.TemporaryDirectory(prefix="akin-threads-") as name:
        folder = pathlib.Path(name)
        serve.make_collection(akin, folder, after=40)
        serve.make_documents(akin, folder, "d")
        server = serve.Server(akin, folder, names=("c", "d"))
        until = time.time() + seconds
        clients = [Client(server.port, k, until) for k in range(2 * len(KINDS))]
        for c in clients:
            c.start()
        for c in clients:
            c.join()
        wrong = "\n".join(c.wrong for c in clients if c.wrong)
        server.process.terminate()
        _, log = server.process.communicate(timeout=120)
        if server.process.returncode or "ThreadSanitizer" in log:
            wrong += f"\nexit {server.process.returncode}\n{log}"
    statuses = sum((c.statuses for c in clients), collections.Counter())
    print(f"{sum(statuses.values())} answers in {seconds:.0f} s:",
          dict(sorted(statuses.items(), key=str)))
    print("not ok threads " + wrong if wrong else "ok threads")
    print(f"{int(not wrong)} passed, {int(bool(wrong))} failed")
    return 1 if wrong else 0


sys.exit(main())
