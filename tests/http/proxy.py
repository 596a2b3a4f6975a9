"""The nginx example of docs/reference/serve.md in front of a server.

    proxy.py AKIN ROOT

Takes the configuration from the page, with a certificate and ports of its own,
and asks through it: over TLS, with the name of --origin, with a token. Exits 77
(skipped) where nginx or openssl is not installed.
"""
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time

import run

NAME = "photos.example.org"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def configuration(page, folder, port, behind):
    block = re.search(r"^server \{\n.*?^\}\n", page, re.M | re.S)[0]
    block = block.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    block = block.replace("127.0.0.1:8080", f"127.0.0.1:{behind}")
    block = block.replace("/etc/ssl/photos", f"{folder}/photos")
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if os.geteuid() == 0 else ""
    return (f"{user}pid {folder}/nginx.pid;\nerror_log {folder}/error.log;\n"
            f"worker_processes 1;\ndaemon off;\nevents {{}}\nhttp {{\n"
            f"access_log off;\n{paths}{block}}}\n")


def ask(port, method, path, body=None, headers=None):
    context = ssl._create_unverified_context()
    c = http.client.HTTPSConnection("127.0.0.1", port, timeout=20,
                                    context=context)
    for _ in range(50):
        try:
            c.connect()
            break
        except ConnectionRefusedError:
            time.sleep(0.1)
    c.request(method, path, body, {"Host": NAME, **(headers or {})})
    answer = c.getresponse()
    return answer, answer.read()


def problems(port, fixture):
    """What is not as it should be, as text."""
    token = {"Authorization": "Bearer 0123456789abcdef-secret"}
    answer, _ = ask(port, "GET", "/")
    if answer.status != 200:
        return f"the page: {answer.status}"
    answer, _ = ask(port, "GET", "/api/v1/collections")
    if answer.status != 401:
        return f"without the token: {answer.status}"
    answer, _ = ask(port, "GET", "/api/v1/jobs", headers={
        **token, "Origin": "https://evil.example"})
    if answer.status != 403:
        return f"of another site: {answer.status}"
    answer, _ = ask(port, "POST", "/api/v1/session", json.dumps(
        {"token": "0123456789abcdef-secret"}), {
            "Content-Type": "application/json", "Origin": f"https://{NAME}"})
    cookie = answer.getheader("Set-Cookie", "")
    if answer.status != 200 or "; Secure" not in cookie:
        return f"a session: {answer.status} {cookie}"
    session = {"Cookie": cookie.split(";")[0], "Origin": f"https://{NAME}"}
    picture = (fixture / "new/k0/0.png").read_bytes()
    answer, data = ask(port, "PUT", "/api/v1/collections/photos/search?top=1",
                       picture, {**session, "Content-Type": "image/png"})
    hits = json.loads(data).get("hits", [])
    if [h["name"] for h in hits] != ["k0/0.png"]:
        return f"a picture: {answer.status} {data[:200]}"
    return ""


def main():
    if not shutil.which("nginx") or not shutil.which("openssl"):
        print("nginx or openssl is not installed")
        return 77
    akin = pathlib.Path(sys.argv[1]).resolve()
    page = pathlib.Path(sys.argv[2], "docs/reference/serve.md").read_text()
    with tempfile.TemporaryDirectory(prefix="akin-proxy-") as name:
        fixture = pathlib.Path(name) / "fixture"
        fixture.mkdir()
        run.make_fixture(akin, fixture)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048",
                        "-nodes", "-subj", f"/CN={NAME}", "-keyout",
                        "photos.key", "-out", "photos.pem"], cwd=name,
                       check=True, capture_output=True)
        server = run.Server(akin, fixture, [
            "--token", "token.txt", "--origin", f"https://{NAME}"])
        port = free_port()
        conf = pathlib.Path(name, "nginx.conf")
        conf.write_text(configuration(page, name, port, server.port))
        nginx = subprocess.Popen(["nginx", "-c", conf, "-p", name],
                                 stderr=subprocess.DEVNULL)
        try:
            wrong = problems(port, fixture)
        finally:
            nginx.terminate()
            nginx.wait()
            end = server.stop()
        wrong += end
    print("not ok " + wrong if wrong else "ok proxy")
    print(f"{int(not wrong)} passed, {int(bool(wrong))} failed")
    return 1 if wrong else 0


sys.exit(main())
