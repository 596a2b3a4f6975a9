"""Send requests that were changed at random to a server, again and again.

    fuzz.py AKIN [COUNT [SEED]]

Takes the requests of all cases beside it, changes bytes, lines and lengths, and
sends COUNT [2000] of them, some several on a connection. The server answers
each or closes the connection, goes on, and ends with 0. Build it with
-Db_sanitize=address,undefined to see more.
"""
import pathlib
import random
import socket
import sys
import tempfile

import run

HERE = pathlib.Path(__file__).resolve().parent
WORDS = (b"\0", b"\r\n", b"\n", b" ", b":", b"%00", b"%2f", b"..", b"{", b"[",
         b'"', b"\xff", b"Content-Length: 5\r\n", b"Host: a\r\n", b"?like=0",
         b"Transfer-Encoding: chunked\r\n", b"99999999999999999999", b"-1",
         b"Expect: 100-continue\r\n", b"HTTP/1.0", b"Connection: keep-alive\r\n")


def seeds(fixture):
    """All requests of the cases, as bytes."""
    for case in sorted(HERE.rglob("*.http")):
        comments, parts = run.exchanges(case.read_text())
        for own, (sent, _) in zip(comments, parts):
            data = run.request(sent, fixture, "# raw" in own)
            if len(data) < 20000:
                yield data


def change(data, draw):
    data = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(data) + 1)
        kind = draw.randrange(4)
        if kind == 0:
            data[at:at] = draw.choice(WORDS)
        elif kind == 1:
            del data[at:at + draw.choice((1, 2, 8, 40))]
        elif kind == 2 and at < len(data):
            data[at] = draw.randrange(256)
        else:
            other = draw.randrange(len(data) + 1)
            data[at:at] = data[other:other + draw.choice((4, 16, 64))]
    return bytes(data)


def send(server, data):
    with socket.create_connection((server.host, server.port), 20) as s:
        s.settimeout(0.5)
        try:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
            while s.recv(65536):
                pass
        except OSError:
            pass


def main():
    akin = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="akin-http-") as folder:
        fixture = pathlib.Path(folder)
        run.make_fixture(akin, fixture)
        known = list(seeds(fixture))
        server = run.Server(akin, fixture, ["faces", "people", "--log-file", "log"])
        for i in range(count):
            data = b"".join(change(draw.choice(known), draw)
                            for _ in range(draw.choice((1, 1, 1, 3))))
            send(server, data)
            if i % 100 == 99 and server.process.poll() is not None:
                print(f"seed {seed}: the server ended by request {i}: {data!r}")
                break
        answer = server.ask(run.request("GET /health HTTP/1.1\n", fixture, False)) \
            if server.process.poll() is None else b""
        wrong = server.stop()
        if not answer.startswith(b"HTTP/1.1 200 "):
            wrong += "the server does not answer any more\n"
    print(wrong, end="")
    print(f"{0 if wrong else 1} passed, {1 if wrong else 0} failed")
    return 1 if wrong else 0


sys.exit(main())
