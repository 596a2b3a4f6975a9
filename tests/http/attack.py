"""Attacks on a running server: paths that lead elsewhere, requests that two
programs read in two ways, requests that are too large, markup in names, and
clients that are slow.

    attack.py AKIN [SLOW [CASE...]]

CASE is a part of a case's name. SLOW [200] clients send a byte of a request each second, or read nothing of an
answer. All of them are shut out, and meanwhile others get their answers. How
long that takes is printed, as is "N passed, M failed".
"""
import itertools
import json
import pathlib
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

import run

MOST_SECONDS = 120  # for what takes 30
PIECES = ("..", "%2e%2e", ".%2e", "..%2f", "..%5c", "%252e%252e", "..;",
          "%c0%ae%c0%ae", "....//", "..\\", "%2e%2e%2f", "/..")
TARGETS = ("etc/passwd", "proc/self/environ", "catalog.sqlite", "token.txt",
           "photos/catalog.sqlite", "p/k0/0.png")
BEFORE = ("/", "/api/v1/collections/", "/api/v1/collections/photos/items/",
          "/api/v1/collections/photos/items/0/", "//", "/index.html/",
          "/api/v1/collections/photos/../")


def status_of(server, data):
    answer = server.ask(data)
    return int(answer.split(b" ")[1]) if answer.startswith(b"HTTP/") else 0, answer


def get(path, more=""):
    return (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
            f"{more}\r\n").encode()


def traversals(server):
    """None of 500 paths leads to a file."""
    paths = [f"{b}{(p + '/') * depth}{t}" for b, p, t, depth in itertools.product(
        BEFORE, PIECES, TARGETS, (1, 4))][:504]
    for path in paths:
        status, answer = status_of(server, get(path))
        if not 400 <= status < 500 or b"root:" in answer or b"SQLite" in answer:
            return f"{path}: {status}"
    return ""


def post(length, body="{}", more=""):
    """A request whose length is said by these lines."""
    return (f"POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type:"
            f" application/json\r\n{more}{length}\r\n{body}").encode()


def ask_with(line):
    return f"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n{line}\r\n".encode()


def first_line(line):
    return f"{line}\r\nHost: 127.0.0.1\r\n\r\n".encode()


CHUNKS = "2\r\n{}\r\n0\r\n\r\n"
LENGTHS = {
    "two lengths": "Content-Length: 2\r\nContent-Length: 2\r\n",
    "two other lengths": "Content-Length: 2\r\nContent-Length: 30\r\n",
    "two in one": "Content-Length: 2, 2\r\n",
    "two in one, other": "Content-Length: 2,30\r\n",
    "plus": "Content-Length: +2\r\n",
    "minus": "Content-Length: -2\r\n",
    "minus zero": "Content-Length: -0\r\n",
    "hexadecimal": "Content-Length: 0x2\r\n",
    "fraction": "Content-Length: 2.0\r\n",
    "exponent": "Content-Length: 2e0\r\n",
    "blank inside": "Content-Length: 2 2\r\n",
    "empty": "Content-Length:\r\n",
    "letters": "Content-Length: two\r\n",
    "beyond 64 bits": "Content-Length: 18446744073709551618\r\n",
    "blank before the colon": "Content-Length : 2\r\n",
    "tab before the colon": "Content-Length\t: 2\r\n",
    "line feed alone": "X: y\nContent-Length: 2\r\n",
    "return alone": "X: y\rContent-Length: 2\r\n",
    "byte 0": "Content-Length: 2\0\r\n",
    "vertical tab": "Content-Length: \v2\r\n",
    "folded": "Content-Length:\r\n 2\r\n",
}
ENCODINGS = {
    "chunked": "Transfer-Encoding: chunked\r\n",
    "and a length": "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
    "and a length after": "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n",
    "capitals": "TRANSFER-ENCODING: CHUNKED\r\n",
    "two": "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
    "list": "Transfer-Encoding: gzip, chunked\r\n",
    "unknown": "Transfer-Encoding: xchunked\r\n",
    "identity": "Transfer-Encoding: identity\r\n",
    "empty": "Transfer-Encoding:\r\n",
    "quoted": 'Transfer-Encoding: "chunked"\r\n',
    "tab": "Transfer-Encoding:\tchunked\r\n",
    "vertical tab": "Transfer-Encoding:\vchunked\r\n",
    "blank before the colon": "Transfer-Encoding : chunked\r\n",
    "blank before the name": " Transfer-Encoding: chunked\r\n",
    "folded": "Transfer-Encoding:\r\n chunked\r\n",
    "behind a line feed": "X: y\nTransfer-Encoding: chunked\r\n",
    "behind a return": "X: y\rTransfer-Encoding: chunked\r\n",
    "byte 0": "Transfer-Encoding: chunked\0\r\n",
}
LINES = {
    "folded": "X: a\r\n b\r\n", "folded by a tab": "X: a\r\n\tb\r\n",
    "no colon": "nothing\r\n", "no name": ": a\r\n", "blank in a name": "X Y: a\r\n",
    "byte 0 in a name": "X\0Y: a\r\n", "byte 0 in a value": "X: a\0b\r\n",
    "line feeds": "X: a\n", "return": "X: a\rY: b\r\n", "bell": "X: \a\r\n",
    "delete": "X: \x7f\r\n", "bracket in a name": "X[]: a\r\n",
    "two hosts": "Host: 127.0.0.1\r\n", "another host": "Host: evil.example\r\n",
    "a body": "Content-Length: 2\r\n", "its length": "Content-Length: 5 \r\n",
}
FIRST_LINES = {
    "no version": "GET /health", "HTTP/0.9": "GET /health HTTP/0.9",
    "HTTP/2.0": "GET /health HTTP/2.0", "HTTP/1.1.1": "GET /health HTTP/1.1.1",
    "small letters": "GET /health http/1.1", "byte 0": "GET /heal\0th HTTP/1.1",
    "%00": "GET /health%00 HTTP/1.1", "two URLs": "GET /health /health HTTP/1.1",
    "star": "GET * HTTP/1.1", "preface": "PRI * HTTP/2.0\r\n\r\nSM",
    "elsewhere": "GET http://evil.example/health HTTP/1.1",
    "connect": "CONNECT evil.example:80 HTTP/1.1", "trace": "TRACE / HTTP/1.1",
    "small method": "get /health HTTP/1.1", "other method": "BREW / HTTP/1.1",
    "sign in the method": "GE(T /health HTTP/1.1",
}


def smuggled():
    """Requests that others could read in another way, by name."""
    for name, lines in LENGTHS.items():
        yield f"length, {name}", post(lines)
    for name, lines in ENCODINGS.items():
        yield f"encoding, {name}", post(lines, CHUNKS)
        yield f"encoding, keep-alive, {name}", post(
            lines, CHUNKS, "Connection: keep-alive\r\n").replace(b"1.1", b"1.0", 1)
    for name, lines in LINES.items():
        yield f"header, {name}", ask_with(lines)
    for name, line in FIRST_LINES.items():
        yield f"first line, {name}", first_line(line)
    yield "line feeds alone", ask_with("").replace(b"\r\n", b"\n")
    yield "no host", b"GET /health HTTP/1.1\r\n\r\n"
    yield "no host, version 1.0", b"GET /health HTTP/1.0\r\n\r\n"
    yield "blank before the headers", ask_with("").replace(b"Host", b" Host")


def smuggling(server):
    """Each is refused, and what follows on the connection is not looked at."""
    second = ask_with("X: second\r\n")
    count = 0
    for count, (name, data) in enumerate(smuggled(), 1):
        try:
            answer = server.ask(data + second)
        except TimeoutError:
            return f"{name}: the connection stays open"
        statuses = [int(s) for s in re.findall(rb"^HTTP/1\.[01] (\d+)", answer,
                                               re.M)]
        # An error of libmicrohttpd 0.9.75 itself has its headers twice.
        if len(set(statuses)) > 1 or not all(
                400 <= s < 500 or s in (501, 505) for s in statuses):
            return f"{name}: {statuses}"
    print(f"{count} requests were refused")
    return ""


def memory(server, which):
    """KiB of the server: VmRSS now, VmHWM at most."""
    text = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(text.split(which + ":")[1].split()[0])


def oversize(server):
    """Each is refused, and takes no memory to speak of."""
    search = ("POST /api/v1/collections/photos/search HTTP/1.1\r\nHost: 127.0.0."
              "1\r\nContent-Type: application/json\r\nConnection: close\r\n")
    file = search.replace("POST", "PUT").replace("application/json", "image/png")

    def body(text):
        return (search + f"Content-Length: {len(text)}\r\n\r\n{text}").encode()
    cases = {
        "url": get("/" + "a" * 10**6),
        "header": get("/health", "X: " + "a" * 10**6 + "\r\n"),
        "headers": get("/health", "X: a\r\n" * 10**5),
        "method": b"A" * 10**6 + b" / HTTP/1.1\r\n\r\n",
        "arguments": get("/api/v1/collections/photos/search?"
                         + "&".join(["like=0"] * 3000)),
        "text": get("/api/v1/collections/documents/search?text=" + "a+" * 3500),
        "top": get("/api/v1/collections/photos/search?like=0&top=1000000000"),
        "offset": get("/api/v1/collections/photos/items?offset=99999999999999999"),
        "length": (search + "Content-Length: 1000000000000\r\n\r\n").encode(),
        "file": (file + "Content-Length: 33554433\r\n\r\n").encode(),
        "sent": body("[" + "1," * (1 << 20) + "1]"),
        "depth": body("[" * 100000),
        "ids": body('{"like": [' + "0," * 200000 + "0]}"),
        "features": body('{"features": {"values": [' + "1," * 200000 + "1]}}"),
        "long text": body(json.dumps({"text": "a " * 300000})),
        "keys": body("{" + ",".join(f'"k{i}": 1' for i in range(60000)) + "}"),
    }
    before, slowest = memory(server, "VmRSS"), (0.0, "")
    for name, data in cases.items():
        begun = time.time()
        status, _ = status_of(server, data)
        seconds = time.time() - begun
        slowest = max(slowest, (seconds, name))
        if not 400 <= status < 500:
            return f"{name}: {status}"
    growth = memory(server, "VmHWM") - before
    print(f"{len(cases)} requests were refused, the slowest ({slowest[1]}) after "
          f"{1e3 * slowest[0]:.1f} ms; memory grew by {growth / 1024:.1f} MiB "
          f"from {before / 1024:.1f}")
    return f"memory grew by {growth} KiB" if growth > 64 * 1024 else ""


MARKUP = '<script>alert(1)<!--&"'


def stored_script(server):
    """Markup in names, labels and texts is text in every answer."""
    c = "/api/v1/collections/evil/"
    for path in ("items", "search?like=0", "items/0/neighbours",
                 "items/0/explain?with=1", "feedback", "duplicates"):
        _, headers, body = run.parse(server.ask(get(c + path)))
        if headers.get("Content-Type") != "application/json" or \
                headers.get("X-Content-Type-Options") != "nosniff":
            return f"{path}: {headers}"
        if path in ("items", "search?like=0") and MARKUP not in str(
                json.loads(body)):
            return f"{path}: {body}"
    _, headers, body = run.parse(server.ask(get(c + "items/0/drawing?with=1")))
    drawing = xml.etree.ElementTree.fromstring(body)
    if any("script" in x.tag for x in drawing.iter()) or \
            "sandbox" not in headers["Content-Security-Policy"]:
        return f"drawing: {body[:500]}"
    if MARKUP not in "".join(drawing.itertext()):
        return "the drawing does not show the name"
    status, answer = status_of(server, get("/" + "%3Cscript%3E"))
    if status != 404 or b"<script>" in answer:
        return f"a path: {answer}"
    return ""


def make_evil(akin, fixture):
    """A collection of pictures whose names and labels are markup."""
    folder = fixture / "e" / MARKUP.replace("/", "")
    folder.mkdir(parents=True)
    for i, path in enumerate(sorted((fixture / "p").rglob("*.png"))[:4]):
        shutil.copy(path, folder / f"{MARKUP}{i}.png")
    subprocess.run([akin, "images", "e", "--out", "evil", "--words", "10",
                    "--quiet"], cwd=fixture, check=True)


def connect(server, data):
    s = socket.create_connection((server.host, server.port), 30)
    s.sendall(data)
    s.setblocking(False)
    return s


def is_gone(s):
    try:
        return s.recv(1 << 16) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def feed(s):
    try:
        s.send(b"a")
    except OSError:
        pass


def slow_clients(server, count):
    """Others are answered, and the slow ones shut out."""
    body = ("POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "
            "application/json\r\nContent-Length: 100000\r\n\r\n").encode()
    kinds = (b"GET /health HTTP/1.1\r\nX: ", body, b"", b"G")
    begun = time.time()
    slow = [connect(server, kinds[i % len(kinds)]) for i in range(count)]
    seconds = []
    while slow and time.time() - begun < MOST_SECONDS:
        last = time.time()
        while time.time() - last < 1:
            asked = time.time()
            status, _ = status_of(server, get(
                "/api/v1/collections/photos/search?like=0"))
            seconds.append(time.time() - asked)
            if status != 200:
                return f"another client got {status}"
            time.sleep(0.01)
        for s in slow:
            feed(s)
        slow = [s for s in slow if not is_gone(s)]
    took = time.time() - begun
    seconds.sort()
    late = seconds[int(0.99 * len(seconds))]
    print(f"{count} slow clients were gone after {took:.1f} s; "
          f"others' 99 % of {len(seconds)}: {1e3 * late:.1f} ms")
    if slow:
        return f"{len(slow)} slow clients are left after {took:.0f} s"
    return "others waited for the slow ones" if len(seconds) < 5 else ""


def main():
    akin = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
    failed = 0
    cases = {"traversals": traversals, "smuggling": smuggling,
             "oversize": oversize, "stored script": stored_script,
             "slow clients": lambda s: slow_clients(s, count)}
    cases = {name: case for name, case in cases.items() if not sys.argv[3:]
             or any(part in name for part in sys.argv[3:])}
    with tempfile.TemporaryDirectory(prefix="akin-http-") as folder:
        fixture = pathlib.Path(folder)
        run.make_fixture(akin, fixture)
        make_evil(akin, fixture)
        for name, case in cases.items():
            server = run.Server(akin, fixture, ["evil", "--log-file", "log"])
            wrong = case(server) + server.stop()
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {name}", wrong, flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
