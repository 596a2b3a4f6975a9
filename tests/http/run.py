"""Run the cases of one folder: run.py AKIN FOLDER [--update].

A case is NAME.http: requests, and the answers expected. A request is its first
line, headers, an empty line and a body; an answer is the same with "< " before
each line, and a line --- begins the next exchange. The runner adds Host,
Connection: close and the length of a body, unless a line "# raw" says that the
request is sent as it is (\\xNN is a byte, \\* N repeats the line's last byte);
it has to end with an empty line. A body of @FILE is that file of the fixture.

Of an answer the status and the headers and body that the case names must be
there; {*} is anything. A body is compared as JSON where it is JSON, and the
keys of an expected object that an answer lacks, or has beside them, fail.
A line "# akin serve FLAGS" before the first request gives flags to the server.
Each case has a server of its own, over copies of the collections photos,
documents, vectors and both (pictures and texts, and a model of the two); FLAGS
may add faces (vectors) and people (faces of photos).
--update writes the answers that came.
"""
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 50  # seconds: the server itself closes what is idle after 60


def make_fixture(akin, folder):
    """Four small collections, and files to send."""
    script = f"""
set -e
source {HERE.parent}/cli/images/pictures.bash
pictures p 3 4
pictures new 1 1
mkdir texts
for i in 1 2 3 4; do
    echo "common noise$((i % 3)) river water" > texts/r$i
    echo "common noise$((i % 3)) money loan" > texts/m$i
done
printf '1,0\\n0.9,0.1\\n0,1\\n0.1,0.9\\n' > rows.csv
printf 'a\\nb\\nc\\nd\\n' > names.txt
echo 0123456789abcdef-secret > token.txt
akin images p --out photos --words 40 --quiet
akin documents texts --out documents --quiet
printf 'name,year,maker\\na,1979,Ann\\nb,1.5,Ben\\nc,,Cy\\n' > facts.csv
akin vectors rows.csv --names names.txt --fields facts.csv --out vectors --quiet
cp -r photos both
for k in 0 1 2; do
    words=(tower bridge garden)
    for i in 0 1 2 3; do echo "t$k$i,a ${{words[k]}} of stone,k$k"; done
done | sed '1i id,text,label' > captions.csv
akin documents both --add captions.csv --quiet
akin train rsl --data both/words --right both/terms --out both.model --quiet
akin documents both --model both.model
printf '1,0,.1\\n0,1,0\\n1,.1,0\\n0,1,.1\\n.9,0,0\\n0,0,1\\n0,.1,1\\n' > faces.csv
printf 'photo,faces,names\\np,0;1,Ann;Bob\\nq,2;3,Ann;Bob\\nr,4;5,Ann;Cid\\ns,6,Cid\\n' \
    > people.csv
akin faces --vectors faces.csv --captions people.csv --out faces --quiet
source {HERE.parent}/cli/faces.sh
mv photos pictures && paint_photos && mv photos painted && mv pictures photos
akin faces painted --captions captions.csv --out people --quiet
"""
    env = dict(os.environ, PATH=f"{akin.parent}:{os.environ['PATH']}",
               CASES=str(HERE.parent / "cli" / "faces"))
    subprocess.run(["bash", "-c", script], cwd=folder, env=env, check=True,
                   capture_output=True)


class Server:
    """akin serve over copies of the collections."""

    def __init__(self, akin, fixture, flags):
        self.folder = tempfile.TemporaryDirectory(prefix="akin-http-")
        shutil.copytree(fixture, self.folder.name, dirs_exist_ok=True)
        command = [akin, "serve", "photos", "documents", "vectors",
                   "both", "--port", "0", *flags]
        env = os.environ
        if "people" in flags:  # as tests/cli/faces.sh does
            env = dict(env, AKIN_LIBEXEC=f"{self.folder.name}/lib",
                       AKIN_FACES=f"{self.folder.name}/weights")
        self.process = subprocess.Popen(
            command, cwd=self.folder.name, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=env)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"listening on http://(.*):(\d+)\n", line)
        if not found:
            raise RuntimeError(line + self.process.communicate()[1])
        self.host, self.port = found[1].strip("[]"), int(found[2])

    def ask(self, data):
        """All bytes that come back until the connection is closed."""
        with socket.create_connection((self.host, self.port), TIMEOUT) as s:
            s.sendall(data)
            parts = []
            try:
                while part := s.recv(65536):
                    parts.append(part)
            except ConnectionResetError:
                pass
            return b"".join(parts)

    def stop(self):
        """What went wrong at the end, as text."""
        self.process.terminate()
        try:
            _, log = self.process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "the server does not end after SIGTERM\n"
        finally:
            self.folder.cleanup()
        if self.process.returncode or "Sanitizer" in log:
            return f"exit {self.process.returncode}\n{log}"
        return ""


def raw(text):
    def repeat(found):
        return found[1] * int(found[2])
    text = re.sub(r"(.)\\\* (\d+)", repeat, text)
    data = text.encode().replace(b"\n", b"\r\n")
    return re.sub(rb"\\x([0-9a-f]{2})",
                  lambda m: bytes([int(m[1], 16)]), data)


def request(text, fixture, is_raw):
    if is_raw:
        return raw(text)
    head, _, body = text.partition("\n\n")
    body = body.rstrip("\n")
    data = body.encode()
    if body.startswith("@"):
        data = (fixture / body[1:]).read_bytes()
    lines = head.rstrip("\n").split("\n")
    names = {line.split(":")[0].lower() for line in lines[1:]}
    if "host" not in names:
        lines.insert(1, "Host: 127.0.0.1")
    lines.append("Connection: close")
    if data and "content-length" not in names:
        lines.append(f"Content-Length: {len(data)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def parse(answer):
    """The first line, the headers and the body of an answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines if ": " in line)
    if headers.get("Transfer-Encoding") == "chunked":
        joined = b""
        while body and (size := int(body.split(b"\r\n")[0], 16)):
            body = body.partition(b"\r\n")[2]
            joined += body[:size]
            body = body[size + 2:]
        body = joined
    return first, headers, body


def alike(expected, got):
    """Is the value as expected? A text may have {*} for anything."""
    if isinstance(expected, str) and "{*}" in expected:
        text = got if isinstance(got, str) else json.dumps(got)
        parts = map(re.escape, expected.split("{*}"))
        return re.fullmatch("(?s:.*)".join(parts), text) is not None
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(
            alike(expected[k], got[k]) for k in expected)
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(alike, expected, got))
    if isinstance(expected, float) and isinstance(got, (int, float)):
        return abs(expected - got) <= 1e-6 * max(1, abs(expected))
    return expected == got


def as_json(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def difference(expected, answer):
    """Why the answer is not as expected, None where it is."""
    first, *lines = expected.split("\n")
    got_first, headers, body = parse(answer)
    if not alike(first, got_first):
        return f"expected {first}, got {got_first or 'nothing'}"
    while lines and lines[0]:
        name, _, value = lines.pop(0).partition(": ")
        if not alike(value, headers.get(name, "")):
            return f"expected {name}: {value}, got {headers.get(name)}"
    wanted = "\n".join(lines[1:])
    text = body.decode("utf-8", "replace")
    if not wanted:
        return None
    if as_json(wanted) is not None:
        good = alike(as_json(wanted), as_json(text))
    else:
        good = alike(wanted, text.rstrip("\n"))
    return None if good else f"expected {wanted}\ngot {text}"


def shown(answer):
    """An answer as a case has it."""
    first, headers, body = parse(answer)
    text = body.decode("utf-8", "replace")
    if as_json(text) is not None:
        text = json.dumps(as_json(text))
    elif not text.isprintable() and len(text) > 300:
        text = ""
    lines = [first]
    lines += [f"Content-Type: {headers['Content-Type']}"] \
        if "Content-Type" in headers else []
    if text:
        lines += ["", *text.rstrip("\n").split("\n")]
    return "".join(f"< {line}".rstrip() + "\n" for line in lines)


def exchanges(text):
    """Comments, and (request, expected answer) of each exchange."""
    comments, parts = [], []
    for part in re.split(r"^---\n", text, flags=re.M):
        lines = part.splitlines()
        own = [line for line in lines if line.startswith("#")]
        comments.append(own)
        sent = [line for line in lines if line[:1] not in ("#", "<")]
        answer = [line[2:] for line in lines if line.startswith("<")]
        parts.append(("\n".join(sent) + "\n", "\n".join(answer)))
    return comments, parts


def run(case, akin, fixture, update):
    """What is wrong with a case, as text."""
    comments, parts = exchanges(case.read_text())
    flags = [line.split()[3:] for line in comments[0]
             if line.startswith("# akin serve ")]
    server = Server(akin, fixture, flags[0] if flags else [])
    wrong, out = "", []
    for own, (sent, expected) in zip(comments, parts):
        waits = [float(line.split()[2]) for line in own
                 if line.startswith("# wait ")]
        time.sleep(sum(waits))
        answer = server.ask(request(sent, fixture, "# raw" in own))
        why = difference(expected, answer)
        wrong += f"{sent.splitlines()[0]}: {why}\n" if why else ""
        kept = "".join(f"< {line}".rstrip() + "\n"
                       for line in expected.split("\n"))
        head = "".join(line + "\n" for line in own)
        out.append(head + sent + (shown(answer) if why else kept))
    if update and wrong:
        case.write_text("---\n".join(out))
    return wrong + server.stop()


def main():
    akin = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2])
    cases = sorted(folder.rglob("*.http"))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="akin-http-") as name:
        fixture = pathlib.Path(name)
        make_fixture(akin, fixture)
        for case in cases:
            wrong = run(case, akin, fixture, "--update" in sys.argv[3:])
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} "
                  f"{case.relative_to(folder).with_suffix('')}")
            print(wrong, end="")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
