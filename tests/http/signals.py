"""Signals and the log of akin serve.

    signals.py AKIN

SIGTERM: requests that have arrived are answered, streams end, nobody else is
let in; a second signal does not wait. SIGHUP: a log that was moved is opened
anew. The log has one line for each request, whatever bytes that has. Prints "N
passed, M failed".
"""
import json
import math
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

LONG = 50  # seconds, for what takes a moment
SHUT_OUT = 15  # seconds until the server gives up on a body


class Server:
    def __init__(self, akin, folder, *flags):
        self.folder = pathlib.Path(folder)
        self.process = subprocess.Popen(
            [akin, "serve", "c", "--port", "0", "--log-file", "log", *flags],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)$", line.strip())[1])

    def connect(self, data):
        s = socket.create_connection(("127.0.0.1", self.port), LONG)
        s.sendall(data)
        return s

    def ask(self, data):
        with self.connect(data) as s:
            return everything(s)

    def signal(self, number):
        self.process.send_signal(number)

    def end(self):
        self.process.communicate(timeout=LONG)
        return self.process.returncode

    def log(self):
        return (self.folder / "log").read_bytes()


def everything(s):
    parts = []
    try:
        while part := s.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def until(holds):
    """Wait for it; false: it did not come."""
    end = time.time() + LONG
    while not holds() and time.time() < end:
        time.sleep(0.02)
    return holds()


HEAD = ("POST /api/v1/collections/c/feedback HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n")
BODY = json.dumps({"query": 0, "good": [1], "key": "k"})
HEALTH = (b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")


def is_refused(server):
    try:
        with socket.create_connection(("127.0.0.1", server.port), 1):
            return False
    except OSError:
        return True


def drains(akin, folder):
    """A request that has begun is answered, and its event stored."""
    server = Server(akin, folder)
    s = server.connect(HEAD.format(len(BODY)).encode() + BODY[:5].encode())
    server.ask(HEALTH)  # by now the first one has arrived too
    server.signal(signal.SIGTERM)
    if not until(lambda: is_refused(server)):
        return "others are still let in"
    s.sendall(BODY[5:].encode())
    answer = everything(s)
    s.close()
    code = server.end()
    if not answer.startswith(b"HTTP/1.1 200 ") or code != 0:
        return f"exit {code}, {answer!r}"
    listed = subprocess.run([akin, "feedback", "c", "--list"], cwd=folder,
                            check=True, capture_output=True, text=True).stdout
    return "" if '"k"' in listed else f"the event is not there: {listed!r}"


def twice(akin, folder):
    """Seconds from the connection of a client that then sends nothing to the
    end of the server, which gets two signals."""
    server = Server(akin, folder)
    begun = time.time()
    s = server.connect(HEAD.format(len(BODY)).encode())
    server.ask(HEALTH)
    server.signal(signal.SIGTERM)
    refused = until(lambda: is_refused(server))
    server.signal(signal.SIGTERM)
    code = server.end()
    s.close()
    return time.time() - begun if refused and code == 0 else math.inf


def second_signal(akin, folder):
    """Whoever asks twice does not wait for a client that sends nothing. A
    server that does always takes SHUT_OUT; this one only on a busy machine."""
    if any(twice(akin, folder) < SHUT_OUT for _ in range(3)):
        return ""
    return "it waits for the client, lets others in, or fails"


def reopens(akin, folder):
    """After SIGHUP lines go to a new file; the old one stays as it was."""
    server = Server(akin, folder)
    server.ask(HEALTH)
    if not until(lambda: b"/health" in server.log()):
        return "no line in the log"
    log, old = server.folder / "log", server.folder / "old"
    log.rename(old)
    server.signal(signal.SIGHUP)
    if not until(log.exists):
        return "the log was not opened again"
    before = old.read_bytes()
    server.ask(HEALTH.replace(b"/health", b"/metrics"))
    wrong = not until(lambda: b"/metrics" in server.log())
    server.signal(signal.SIGTERM)
    if server.end() != 0 or wrong or old.read_bytes() != before:
        return f"old: {old.read_bytes()!r}, new: {server.log()!r}"
    return ""


STRANGE = (b"GET /\x1b[2Ja\x07b\xff\xc3\xa9%0a\"\\ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
           b"G\x1bT /a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
           b"GET /\rb HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
           b"GET /%1b%5b2J%0d%0ax HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
           b"GET /" + b"\xe2\x80\xae" * 200 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")


def logged(akin, folder, *flags):
    """Lines of printable ASCII, one for each request and the health."""
    server = Server(akin, folder, *flags)
    for data in STRANGE:
        server.ask(data)
    server.ask(HEALTH)
    until(lambda: b"/health" in server.log())
    server.signal(signal.SIGTERM)
    server.end()
    text = server.log()
    lines = text.decode("latin-1").split("\n")[:-1]
    odd = set(text) - set(range(0x20, 0x7f)) - {0x0a}
    if odd or not text.endswith(b"\n") or len(lines) != len(STRANGE) + 1:
        return f"{len(lines)} lines with {sorted(odd)}: {text!r}"
    if flags:
        for line in lines:
            keys = set(json.loads(line))
            if keys != {"time", "address", "method", "url", "status", "bytes",
                        "ms"}:
                return f"keys {keys}"
    return ""


def main():
    akin = pathlib.Path(sys.argv[1]).resolve()
    cases = {"drains": drains, "second signal": second_signal,
             "reopens": reopens, "log": logged,
             "log json": lambda a, f: logged(a, f, "--log", "json")}
    failed = 0
    for name, case in cases.items():
        with tempfile.TemporaryDirectory(prefix="akin-signals-") as folder:
            pathlib.Path(folder, "rows.csv").write_text("1,0\n0,1\n1,1\n")
            subprocess.run([akin, "vectors", "rows.csv", "--out", "c",
                            "--quiet"], cwd=folder, check=True)
            wrong = case(akin, folder)
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {name}", wrong)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
