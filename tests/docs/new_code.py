"""The code of docs/how-to/add-a-*.md, added to a copy of the tree.

    new_code.py ROOT

A code block below a line "`PATH`:" is appended to that file of the copy; below
"`PATH`, after `TEXT`:" it is inserted after the statement or list entry whose
first line contains TEXT. Then the copy is generated, built and tested as the
pages say, and their commands run. So the pages are complete: a new learner or
format needs the files that its page names and no others.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FILES = {
    "docs/how-to/add-a-learner.md": {
        "src/learn/diagonal/eg_diag.c", "src/learn/metric/rca.c",
        "src/learn/learners.def"},
    "docs/how-to/add-a-file-format.md": {
        "src/data/io/bvecs.c", "src/data/io/formats.h",
        "src/data/io/formats.c", "src/data/io/meson.build"},
}
BLOCK = re.compile(r"^`(\S+)`(?:, after `([^`\n]+)`)?:\n```\w+\n(.*?)^```$",
                   re.M | re.S)
COMMAND = re.compile(r"^\$ ((?:akin|printf) .*)$", re.M)


def run(folder, *words):
    p = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, check=False)
    if p.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {p.returncode}\n{p.stdout[-4000:]}")


def insert(path, after, code):
    """Add code at the end of a file, or after the entry that begins with a
    line containing `after`."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if after is None:
        path.write_text(text + code, encoding="utf-8")
        return
    if text.count(after) != 1:
        sys.exit(f"{path}: '{after}' occurs {text.count(after)} times")
    end = re.compile(r"[;,]\n").search(text, text.index(after)).end()
    path.write_text(text[:end] + code + text[end:], encoding="utf-8")


def main(root):
    root = pathlib.Path(root)
    pages = {name: (root / name).read_text(encoding="utf-8") for name in FILES}
    with tempfile.TemporaryDirectory(prefix="akin-code-") as folder:
        tree = pathlib.Path(folder) / "akin"
        shutil.copytree(root, tree, symlinks=True, ignore=lambda at, names: [
            n for n in names if os.path.samefile(at, root) and
            (n == ".git" or n.startswith("build"))])
        for name, text in pages.items():
            blocks = BLOCK.findall(text)
            assert {path for path, _, _ in blocks} == FILES[name], name
            for path, after, code in blocks:
                insert(tree / path, after or None, code)
        python = sys.executable
        run(tree, python, "tools/gen.py", "-", ".")
        run(tree, "meson", "setup", "build", "-Dwerror=true",
            "-Doptimization=1")
        run(tree, "ninja", "-C", "build", "src/cli/akin",
            "tests/test_learn_conformance")
        run(tree, python, "tools/gen.py", "build/src/cli/akin", ".")
        run(tree, "build/tests/test_learn_conformance")
        os.environ["PATH"] = f"{tree}/build/src/cli:{os.environ['PATH']}"
        for name, text in pages.items():
            commands = COMMAND.findall(text)
            assert commands, name
            for command in commands:
                run(tree, "bash", "-c", command)
            print(f"{name}: {len(commands)} commands: ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
