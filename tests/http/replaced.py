"""Another collection in the place of the one that akin serve has open.

    replaced.py AKIN

What is acknowledged afterwards is in the collection that is there, searches
find its items, and events are refused where there is none or where the server
may not write. A collection that is gone keeps nobody from the others, and files
of jobs that were cancelled are not added later. Prints "N passed, M failed".
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request


def make(akin, folder, rows, *flags):
    (folder / "rows.csv").write_text(
        "".join(f"{i % 7}.5,{i % 3}.25\n" for i in range(rows)))
    subprocess.run([akin, "vectors", "rows.csv", "--out", "c", "--quiet", *flags],
                   cwd=folder, check=True)


class Server:
    def __init__(self, akin, folder, before=(), names=("c",)):
        self.process = subprocess.Popen(
            [*before, akin, "serve", *names, "--port", "0", "--log-file",
             folder.parent / "log"], cwd=folder, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def ask(self, path, body=None):
        return self.send("POST" if body else "GET", f"collections/c/{path}",
                         json.dumps(body).encode() if body else None,
                         "application/json")

    def send(self, method, path, data=None, kind="text/plain"):
        request = urllib.request.Request(
            f"{self.url}/api/v1/{path}", data,
            {"Content-Type": kind} if data else {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as e:
            return e.code, json.load(e)

    def event(self, key):
        return self.ask("feedback", {"query": 1, "good": [2], "key": key})

    def end(self):
        self.process.terminate()
        return self.process.wait(60)


def keys_of(akin, folder):
    out = subprocess.run([akin, "feedback", "c", "--list"], cwd=folder,
                         check=True, capture_output=True, text=True).stdout
    return [json.loads(line)["key"] for line in out.splitlines()]


def replaced(akin, folder):
    server = Server(akin, folder)
    server.event("a")
    server.ask("search?like=1")
    make(akin, folder, 40, "--force")
    status, _ = server.event("b")
    found = server.ask("search?like=39&top=1")
    server.end()
    if status != 200 or keys_of(akin, folder) != ["b"]:
        return f"status {status}, events {keys_of(akin, folder)}"
    return "" if found[0] == 200 else f"the new items are not found: {found}"


def removed(akin, folder):
    server = Server(akin, folder)
    server.event("a")
    shutil.rmtree(folder / "c")
    status, answer = server.event("b")
    server.end()
    return "" if status == 404 else f"status {status}: {answer}"


def one_of_two(akin, folder):
    shutil.copytree(folder / "c", folder / "d")
    server = Server(akin, folder, names=("c", "d"))
    shutil.rmtree(folder / "d")
    status, answer = server.send("GET", "collections")
    server.end()
    listed = [x["name"] for x in answer.get("collections", [])]
    failed = [x["name"] for x in answer.get("failed", [])]
    return "" if (status, listed, failed) == (200, ["c"], ["d"]) \
        else f"status {status}: {answer}"


def cancelled(akin, folder):
    """What was added is there after a restart, and nothing else."""
    (folder / "texts").mkdir()
    (folder / "texts" / "first.txt").write_text("river water")
    subprocess.run([akin, "documents", "texts", "--out", "e", "--quiet"],
                   cwd=folder, check=True)
    server = Server(akin, folder, names=("e",))
    jobs = [server.send("PUT", f"collections/e/items?name={i}.txt",
                        b"river %d" % i * 50)[1]["job"] for i in range(40)]
    for job in sorted(set(jobs))[1:]:
        server.send("DELETE", f"jobs/{job}")
    server.end()
    server = Server(akin, folder, names=("e",))
    before = server.send("GET", "collections/e")[1]["items"]
    server.send("PUT", "collections/e/items?name=last.txt", b"river fish")
    server.end()
    server = Server(akin, folder, names=("e",))
    files = {x.name for x in (folder / "e.uploads").iterdir()}
    items = server.send("GET", "collections/e/items?top=100")[1]["items"]
    server.end()
    names = {x["name"] for x in items} - {"first.txt"}
    if names - {"last.txt"} != files - {"last.txt"}:
        return f"{before} items: {sorted(names ^ files)}"
    return ""


def read_only(akin, folder):
    if os.geteuid() != 0:
        os.chmod(folder / "c", 0o555)
        server = Server(akin, folder)
    else:
        for path in (folder.parent, folder):
            os.chmod(path, 0o777)
        nobody = ["setpriv", "--reuid", "65534", "--regid", "65534",
                  "--clear-groups"]
        if subprocess.run([*nobody, akin, "--version"],
                          stdout=subprocess.DEVNULL).returncode != 0:
            print("# read_only is left out: nobody else may run the program")
            return ""
        server = Server(akin, folder, nobody)
    status, answer = server.event("a")
    search = server.ask("search?like=1")[0]
    code = server.end()
    os.chmod(folder / "c", 0o755)
    if status != 403:
        return f"status {status}: {answer}"
    return "" if (search, code) == (200, 0) else f"search {search}, exit {code}"


def main():
    akin = pathlib.Path(sys.argv[1]).resolve()
    failed = 0
    cases = [replaced, removed, one_of_two, cancelled, read_only]
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="akin-replaced-") as folder:
            folder = pathlib.Path(folder) / "in"
            folder.mkdir()
            make(akin, folder, 20)
            wrong = case(akin, folder)
        failed += bool(wrong)
        print("not ok" if wrong else "ok", case.__name__, wrong)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
