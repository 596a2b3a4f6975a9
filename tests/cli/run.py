"""Run the cases of one folder: run.py AKIN FOLDER [--update].

A case is NAME.sh, run by bash in an empty folder with akin on the PATH and
CASES naming the folder the case lies in. Beside it stand NAME.stdout,
NAME.stderr and NAME.exit; one that is missing means nothing, nothing and 0.
In an expected text {*} is anything within a line, and a line {**} any number
of lines. --update writes what came out, for files that hold neither.

Lines of progress on standard error do not count: akin writes the first after a
second, so that a loaded machine has some that an idle one has not.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIMEOUT = 600  # seconds for a case; a sanitizer on a busy machine is slow
# "akin: pictures 4 of 11 (36 %), 2.1/s", "akin: triplets 4,096, 2 M/s"
PROGRESS = re.compile(r"^akin: [a-z -]+ (?:[\d,]+ of (?:at most )?[\d,]+(?: \(\d+ %\))?"
                      r"(?:, .*)?|[\d,]+, [\d.]+(?: [kMGT])?(?:/s| m?s each).*|\.\.\.)\n", re.M)


def pattern(expected):
    """The expected text as a regular expression."""
    parts = re.split(r"(^\{\*\*\}\n|\{\*\})", expected, flags=re.M)
    special = {"{*}": "[^\n]*", "{**}\n": "(?:[^\n]*\n)*"}
    return re.compile("".join(special.get(p, re.escape(p)) for p in parts))


def run(case, akin):
    env = dict(os.environ, LC_ALL="C.UTF-8", CASES=str(case.parent.resolve()))
    env["PATH"] = f"{akin.parent}:{env['PATH']}"
    with tempfile.TemporaryDirectory(prefix="akin-cli-") as folder:
        p = subprocess.run(["bash", str(case.resolve())], cwd=folder, env=env,
                           stdin=subprocess.DEVNULL, capture_output=True,
                           timeout=TIMEOUT)
    return {"stdout": p.stdout.decode("utf-8", "replace"),
            "stderr": PROGRESS.sub("", p.stderr.decode("utf-8", "replace")),
            "exit": str(p.returncode) + "\n"}


def differences(case, got, update):
    """What is not as the files beside the case say, as text."""
    for what, text in got.items():
        path = case.with_suffix("." + what)
        empty = "0\n" if what == "exit" else ""
        expected = path.read_text() if path.exists() else empty
        if pattern(expected).fullmatch(text):
            continue
        if update and "{*" not in expected:
            if text == empty:
                path.unlink()
            else:
                path.write_text(text)
            continue
        yield f"{what} expected:\n{expected}{what} was:\n{text}"


def main():
    akin = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2])
    update = "--update" in sys.argv[3:]
    cases = sorted(folder.glob("*.sh"))
    failed = 0
    for case in cases:
        wrong = list(differences(case, run(case, akin), update))
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {case.stem}")
        for text in wrong:
            print(text)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


sys.exit(main())
