"""Count the cases in a log of `meson test`, and show what failed.

    tally.py BUILD_DIR/meson-logs/testlog.json

Prints "PASSED FAILED SKIPPED". A program that reports its cases (cmocka,
unittest, or a line "N passed, M failed") counts with them, any other as one.
Of those that failed, the lines that say what did and the last ones go to
standard error, with what was skipped.
"""
import json
import re
import sys

CMOCKA = {word: re.compile(r"^\[ +%s +\] (\d+) test\(s\)" % word, re.M)
          for word in ("PASSED", "FAILED", "SKIPPED")}
OWN = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
UNITTEST = re.compile(r"^Ran (\d+) tests? in ", re.M)
UNITTEST_BAD = re.compile(r"\b(?:failures|errors)=(\d+)")
FAILURE = re.compile(r"^(?:FAIL\b|not ok\b|\[  FAILED  \]|AssertionError\b)")
TAIL = 25
AFTER = 6  # lines that go with one that says what failed
MOST = 100


def cases(text):
    """[passed, failed, skipped] as the program says, or None."""
    own = OWN.findall(text)
    if own:
        return [int(n or 0) for n in own[-1]]
    if CMOCKA["PASSED"].search(text) or CMOCKA["FAILED"].search(text):
        return [sum(int(n) for n in CMOCKA[word].findall(text))
                for word in ("PASSED", "FAILED", "SKIPPED")]
    ran = UNITTEST.search(text)
    if ran:
        bad = sum(int(n) for n in UNITTEST_BAD.findall(text))
        return [int(ran.group(1)) - bad, bad, 0]
    return None


def telling(lines):
    """What failed, as far as that stands before the tail."""
    kept = sorted({k for i, line in enumerate(lines[:-TAIL])
                   if FAILURE.match(line) for k in range(i, i + 1 + AFTER)
                   if k < len(lines) - TAIL})[:MOST]
    return [lines[k] for k in kept] + (["..."] if kept else [])


def count(test):
    text = test.get("stdout", "") + "\n" + test.get("stderr", "")
    if test["result"] == "SKIP":
        print(f"--- {test['name']}: skipped", *text.strip().splitlines()[-1:],
              sep="\n    ", file=sys.stderr)
        return [0, 0, 1]
    found = cases(text)
    if test["result"] in ("OK", "EXPECTEDFAIL"):
        return found if found and sum(found) else [1, 0, 0]
    lines = text.strip().splitlines()
    print(f"--- {test['name']}: {test['result']}", *telling(lines),
          *lines[-TAIL:], sep="\n    ", file=sys.stderr)
    return found if found and found[1] else [0, 1, 0]


def main(path):
    total = [0, 0, 0]
    with open(path, encoding="utf-8") as f:
        for line in f:
            total = [a + b for a, b in zip(total, count(json.loads(line)))]
    print(*total)


if __name__ == "__main__":
    main(sys.argv[1])
