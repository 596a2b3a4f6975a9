"""Attacks on a running server: paths that lead elsewhere, requests that are too
large, and clients that are slow.

    attack.py AKIN [SLOW]

SLOW [200] clients send a byte of a request each second, or read nothing of an
answer. All of them are shut out within 30 seconds, and meanwhile others get
their answers. Prints "N passed, M failed".
"""
import itertools
import pathlib
import resource
import socket
import sys
import tempfile
import time

import run

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


def oversize(server):
    """Each is refused at once."""
    post = ("POST /api/v1/collections/photos/search HTTP/1.1\r\nHost: 127.0.0.1"
            "\r\nContent-Type: application/json\r\nConnection: close\r\n")
    deep = "[" * 100000
    many = "&".join(["like=0"] * 3000)
    cases = {
        "url": get("/" + "a" * 10**6),
        "header": get("/health", "X: " + "a" * 10**6 + "\r\n"),
        "headers": get("/health", "X: a\r\n" * 10**5),
        "arguments": get("/api/v1/collections/photos/search?" + many),
        "text": get("/api/v1/collections/documents/search?text=" + "a+" * 3500),
        "top": get("/api/v1/collections/photos/search?like=0&top=1000000000"),
        "length": (post + "Content-Length: 1000000000000\r\n\r\n").encode(),
        "depth": (post + f"Content-Length: {len(deep)}\r\n\r\n{deep}").encode(),
    }
    for name, data in cases.items():
        begun = time.time()
        status, _ = status_of(server, data)
        seconds = time.time() - begun
        if not 400 <= status < 500 or seconds > 2:
            return f"{name}: {status} after {seconds:.2f} s"
    peak = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    peak = int(peak.split("VmHWM:")[1].split()[0])
    return f"{peak} KiB of memory" if peak > 64 * 1024 else ""


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
    while slow and time.time() - begun < 40:
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
    if slow or took > 30:
        return f"{len(slow)} slow clients are left after {took:.0f} s"
    return f"others waited {late:.2f} s" if late > 1 else ""


def main():
    akin = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
    failed = 0
    cases = {"traversals": traversals, "oversize": oversize,
             "slow clients": lambda s: slow_clients(s, count)}
    with tempfile.TemporaryDirectory(prefix="akin-http-") as folder:
        fixture = pathlib.Path(folder)
        run.make_fixture(akin, fixture)
        for name, case in cases.items():
            server = run.Server(akin, fixture, ["--log-file", "log"])
            wrong = case(server) + server.stop()
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {name}", wrong)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
