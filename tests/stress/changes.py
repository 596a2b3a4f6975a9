"""akin serve whose disk fails while a collection changes.

    changes.py AKIN STORAGE [STEP [CASE...]]

STORAGE is the library of storage.c; CASE is a part of a case's name. A vector
is added, an item removed, a model learned, another version used, a document
sent, and a thumbnail kept: at each call of these that stores something, or at
every STEP-th, the server is killed, or the call fails with ENOSPC or EIO.
Afterwards the collection is sound, and either as before or as it is after the
change without a fault, or an item is there and waits to be indexed; when the
disk works again, the same request makes or completes the change. Prints
"N passed, M failed".
"""
import http.client
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import serve

MOST = 400  # calls of one change


def wait_for_start(c):
    """The first job of a new server adds files that were sent to the last one;
    it is forgotten where there are none."""
    while True:
        c.request("GET", "/api/v1/jobs/1")
        if json.loads(c.getresponse().read()).get("state") not in (
                "waiting", "running"):
            return
        time.sleep(0.005)


def state(akin, folder):
    """What a new server answers about the collection."""
    server = serve.Server(akin, folder)
    c = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
    wait_for_start(c)
    texts = [serve.ask(c, "GET", path)[1]
             for path in ("search?like=0", "items", "versions", "feedback")]
    c.close()
    server.end()
    texts[0].pop("seconds")
    return json.dumps(texts)


def unsound(akin, folder):
    """What `akin check` says against the collection."""
    done = subprocess.run([akin, "check", "c"], cwd=folder, text=True,
                          capture_output=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


class Change:
    """A request, and the job that it starts."""

    def __init__(self, name, method, path, body, kind="application/json",
                 source="vectors"):
        self.name, self.source = name, source
        self.method, self.path, self.kind = method, path, kind
        self.body = json.dumps(body) if isinstance(body, dict) else body

    def ask(self, port):
        """(status, what the job came to), None where the server is gone."""
        c = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        headers = {"Content-Type": self.kind} if self.body else {}
        try:
            c.request(self.method, "/api/v1/collections/c/" + self.path,
                      self.body, headers)
            answer = c.getresponse()
            text = answer.read()
            if answer.status != 202:
                return answer.status, text
            number = json.loads(text)["job"]
            while True:
                c.request("GET", f"/api/v1/jobs/{number}")
                job = json.loads(c.getresponse().read())
                if job["state"] not in ("waiting", "running"):
                    return 202, job
                time.sleep(0.005)
        except (OSError, http.client.HTTPException, ValueError):
            return None


CHANGES = (
    Change("add", "POST", "items",
           {"name": "new", "features": {"values": [0.9, 0.2, 0.3]}}),
    Change("remove", "DELETE", "items/3", None),
    Change("learn", "POST", "learn", {}),
    Change("version", "POST", "versions/0", {}),
    Change("document", "PUT", "items?name=new.txt", "river water and a boat",
           "text/plain", "documents"),
    Change("thumbnail", "GET", "items/0/thumbnail", None, source="pictures"),
)


def make_sources(akin, folder):
    """A folder for each kind of collection, to be copied for each run."""
    def run(cwd, *words):
        subprocess.run([akin, *words, "--quiet"], cwd=cwd, check=True,
                       capture_output=True)
    vectors = folder / "vectors"
    vectors.mkdir()
    serve.make_collection(akin, vectors)
    n = serve.ITEMS
    (vectors / "events").write_text("".join(json.dumps(
        {"query": str(i), "good": [str((i + 3) % n)], "bad": [str((i + 1) % n)],
         "key": str(i)}) + "\n" for i in range(n)))
    run(vectors, "feedback", "c", "--file", "events")
    run(vectors, "learn", "c")
    documents = folder / "documents"
    documents.mkdir()
    serve.make_documents(akin, documents, "c")
    pictures = folder / "pictures"
    pictures.mkdir()
    here = pathlib.Path(__file__).resolve().parent.parent
    subprocess.run(["bash", "-ec", f"source {here}/cli/images/pictures.bash\n"
                    "pictures p 2 3"], cwd=pictures, check=True,
                   capture_output=True)
    run(pictures, "images", "p", "--out", "c", "--words", "20")


def copy(sources, change, to):
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(sources / change.source, to, symlinks=True)


def has_succeeded(answer):
    return answer is not None and (
        answer[0] == 200 or (answer[0] == 202 and answer[1]["state"] == "done"))


def without_fault(akin, folder, change):
    """What the state is before, and after the change."""
    before = state(akin, folder)
    server = serve.Server(akin, folder)
    answer = change.ask(server.port)
    server.end()
    if not has_succeeded(answer):
        raise RuntimeError(f"{change.name}: {answer}")
    return before, state(akin, folder)


def repeat(change, server, how):
    """The disk works again. What is wrong, as text."""
    if server.process.poll() is not None:
        return "" if how == "EIO" else "the server is gone"
    again = change.ask(server.port)
    if change.name == "remove" and again is not None and again[0] == 404:
        return ""  # it was removed before the fault
    return "" if has_succeeded(again) else f"and again: {again}"


def state_after_repeat(akin, folder, change):
    """An item is stored before it is indexed; whoever was not told that it was
    added asks again."""
    server = serve.Server(akin, folder)
    change.ask(server.port)
    server.end()
    return state(akin, folder)


def fail_once(akin, folder, storage, change, how, n, states):
    """(was a call hit, what is wrong)."""
    faults = folder / "faults"
    server = serve.Server(akin, folder, storage, at=n, how=how,
                          part=str(folder / "c"))
    faults.touch()
    answer = change.ask(server.port)
    faults.unlink()
    wrong, hit = "", not has_succeeded(answer)
    if how != "kill" and answer is not None and answer[0] not in (
            200, 202, 507 if how == "ENOSPC" else 500):
        wrong = f"answered {answer}"
    if how == "kill":
        server.end("kill")
    elif hit:
        wrong = wrong or repeat(change, server, how)
    code = 0 if how == "kill" else server.end()
    if code not in ((0, 1) if how == "EIO" else (0,)):
        wrong = wrong or f"exit {code}"
    wrong = wrong or unsound(akin, folder)
    now = state(akin, folder)
    allowed = states if how in ("kill", "EIO") else states[1:]
    if how == "kill" and not wrong and now not in allowed:
        now = state_after_repeat(akin, folder, change)
        allowed = states[1:]
    if now not in allowed and not wrong:
        wrong = f"neither as before nor as after:\n{now}\n" + "\n".join(states)
    return hit, wrong


def fail_each(akin, sources, storage, change, how, step):
    with tempfile.TemporaryDirectory(prefix="akin-changes-") as name:
        folder = pathlib.Path(name) / "w"
        copy(sources, change, folder)
        states = without_fault(akin, folder, change)
        hits, untouched = 0, 0
        for n in range(1, MOST, step):
            copy(sources, change, folder)
            hit, wrong = fail_once(akin, folder, storage, change, how, n, states)
            if wrong:
                return f"call {n}: {wrong}"
            hits += hit
            untouched = 0 if hit else untouched + step
            if untouched >= 20:
                break
        print(f"{change.name}, {how}: {hits} calls matter")
        return ""


def main():
    akin, storage = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    step = int(sys.argv[3]) if sys.argv[3:] else 1
    cases = [(f"{change.name} {how}", change, how) for change in CHANGES
             for how in ("kill", "ENOSPC", "EIO")]
    cases = [c for c in cases if not sys.argv[4:]
             or any(part in c[0] for part in sys.argv[4:])]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="akin-changes-") as name:
        sources = pathlib.Path(name)
        make_sources(akin, sources)
        for name, change, how in cases:
            wrong = fail_each(akin, sources, storage, change, how, step)
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {name}", wrong, flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
