"""Run the commands of the documentation and compare what they print.

    run.py AKIN ROOT [--slow] [--update] [PAGE...]

PAGE is a path below ROOT; without one, README.md and docs/**/*.md are run.

The ```console blocks of a page run from top to bottom in one folder, with akin
on the PATH; at first the folder has nothing but the project's examples/. A line
`$ COMMAND` is a command. A backslash at its end, or `> ` at the beginning of the
next line, continues it. The lines below it are its standard output, then its
standard error. A command must exit with 0, or with N where it ends in `# exit
N`. Its output is compared where the page shows any:

    a line `...`                stands for any number of lines
    times and rates             `237 ms`, `539 k/s` may differ
    `N updates`, `N iterations` may differ beside an objective: a solver stops
                                at its tolerance after more or fewer of them
    other numbers               may differ by 2 %: processors round differently
    lines of progress           are not compared

An italic line directly above a block marks it:

    *Not run: WHY.*             the tests leave the block out
    *Slow: HOW LONG.*           only --slow runs the block, in the full suite,
                                and only pages with such a block

A page must not hide commands from this test: a line that calls akin in a code
block of another kind is an error. --update writes the outputs into the pages,
also where they differ in digits alone.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIMEOUT = 600
MARK = re.compile(r"\*(Not run|Slow): .*\*$")
CALL = re.compile(r"(?: {4})?(?:\$ )?akin [a-z]")
EXIT = re.compile(r"# exit (\d+)$")
PROGRESS = re.compile(r"akin: .*\d ?[kM]?/s|akin: [\w ]+ \.\.\.$|"
                      r"akin: [\w ]+ [\d,]+ of "
                      r"(?:[\d,]+ \(\d+ %\)|at most [\d,]+)(?:, |$)|"
                      r"akin: iterations .*\bloss\b")
TIME = re.compile(r"\d[\d.,]*(?: (?:ms|s|min|h|[kM]/s)|/s)(?![\w/])")
COUNT = re.compile(r"\d[\d,]*(?= (?:updates?|iterations?)\b.*\bobjective\b)")
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")


class Command:
    """A command of a page; its output is lines[begin:end] there."""

    def __init__(self, text, begin):
        self.text, self.begin, self.end = text, begin, begin
        m = EXIT.search(text)
        self.status = int(m[1]) if m else 0


def blocks(lines):
    """(kind, mark, begin, end) of the code blocks; indented ones have no kind."""
    at, above = 0, ""
    while at < len(lines):
        begin = at
        if lines[at].startswith("```"):
            kind = lines[at][3:].strip()
            begin = at = at + 1
            while at < len(lines) and not lines[at].startswith("```"):
                at += 1
            mark = MARK.match(above)
            yield kind or "none", mark and mark[1], begin, at
        elif lines[at].startswith("    "):
            yield "none", None, at, at + 1
        elif lines[at]:
            above = lines[at]
        at += 1


def has_slow(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    return any(mark == "Slow" for _, mark, _, _ in blocks(lines))


def commands_of(lines, begin, end):
    found = []
    at = begin
    while at < end:
        if lines[at].startswith("$ "):
            text = lines[at][2:]
            while at + 1 < end and (text.endswith("\\") or
                                    lines[at + 1].startswith("> ")):
                at += 1
                if text.endswith("\\"):
                    text = text[:-1] + lines[at]
                else:
                    text += "\n" + lines[at][2:]
            found.append(Command(text, at + 1))
        if found:
            found[-1].end = at + 1
        at += 1
    return found


def parse(lines, slow):
    """The commands to run, and complaints about the page."""
    found, complaints = [], []
    for kind, mark, begin, end in blocks(lines):
        if kind != "console":
            complaints += [f"{i + 1}: calls akin outside a console block"
                           for i in range(begin, end) if CALL.match(lines[i])]
        elif not lines[begin].startswith("$ "):
            complaints.append(f"{begin + 1}: expected a command")
        elif mark is None or (mark == "Slow" and slow):
            found += commands_of(lines, begin, end)
    return found, complaints


def without_times(line):
    return " ".join(COUNT.sub("#", TIME.sub("#", line)).split())


def equal(shown, got):
    """Whether two lines agree but for times, and numbers within 2 %."""
    shown, got = without_times(shown), without_times(got)
    if shown == got:
        return True
    a, b = NUMBER.findall(shown), NUMBER.findall(got)
    if len(a) != len(b) or NUMBER.sub("#", shown) != NUMBER.sub("#", got):
        return False
    a = [float(x.replace(",", "")) for x in a]
    b = [float(x.replace(",", "")) for x in b]
    return all(abs(x - y) <= 0.02 * abs(x) for x, y in zip(a, b))


def matches(shown, got):
    """Whether the lines of a page agree with those that were printed."""
    if not shown:
        return not got
    if shown[0] == "...":
        return any(matches(shown[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and equal(shown[0], got[0]) and matches(shown[1:], got[1:])


def digits_differ(shown, got):
    """Whether lines that agree differ in more than times."""
    return [without_times(x) for x in shown] != [without_times(x) for x in got]


def run(command, folder, env):
    p = subprocess.run(["bash", "-c", command.text],
                       cwd=folder, env=env, stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=TIMEOUT)
    out = (p.stdout + p.stderr).decode("utf-8", "replace").splitlines()
    return p.returncode, [line for line in out if not PROGRESS.match(line)]


def run_page(path, root, akin, slow, update):
    """The number of commands that ran, and complaints."""
    lines = path.read_text(encoding="utf-8").split("\n")
    found, complaints = parse(lines, slow)
    env = dict(os.environ, LC_ALL="C.UTF-8")
    env["PATH"] = f"{akin.parent}:{env['PATH']}"
    changed = []
    with tempfile.TemporaryDirectory(prefix="akin-docs-") as folder:
        os.symlink(root / "examples", folder + "/examples")
        for c in found:
            status, got = run(c, folder, env)
            shown = lines[c.begin:c.end]
            if status != c.status:
                complaints.append(f"{c.begin}: exit {status}: {c.text}\n" +
                                  "\n".join(got))
                break
            wrong = shown and not matches(shown, got)
            if wrong or (shown and "..." not in shown and
                         digits_differ(shown, got)):
                changed.append((c, got))
            if wrong and not update:
                complaints.append(
                    f"{c.begin}: {c.text}\nexpected:\n" + "\n".join(shown) +
                    "\nprinted:\n" + "\n".join(got))
    if update and changed:
        for c, got in reversed(changed):
            lines[c.begin:c.end] = got
        path.write_text("\n".join(lines), encoding="utf-8")
    return len(found), complaints


def main():
    flags = [a for a in sys.argv[1:] if a.startswith("--")]
    akin, root, *pages = [pathlib.Path(a) for a in sys.argv[1:]
                          if not a.startswith("--")]
    root, akin = root.resolve(), akin.resolve()
    paths = [root / p for p in pages] or \
        [root / "README.md", *sorted(root.glob("docs/**/*.md"))]
    if "--slow" in flags:
        paths = [p for p in paths if has_slow(p)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda p: run_page(
            p, root, akin, "--slow" in flags, "--update" in flags), paths))
    total = 0
    failed = 0
    for path, (count, complaints) in zip(paths, results):
        total += count
        failed += bool(complaints)
        if count or complaints:
            print(f"{'not ok' if complaints else 'ok'} "
                  f"{path.relative_to(root)}: {count} commands")
        for c in complaints:
            print(f"{path.relative_to(root)}:{c}")
    print(f"{len(paths)} pages, {total} commands; "
          f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed or not total else 0


sys.exit(main())
