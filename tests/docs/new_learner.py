"""The learners of docs/how-to/add-a-learner.md, added to a copy of the tree.

    new_learner.py ROOT

Each code block of the page below a line `PATH`: is appended to that file of the
copy. Then the copy is generated, built and tested as the page says, and the
commands of the page run. So the page is complete, and a new learner needs the
files that the page names and no others.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PAGE = "docs/how-to/add-a-learner.md"
FILES = {"src/learn/diagonal/eg_diag.c", "src/learn/metric/rca.c",
         "src/learn/learners.def"}


def run(folder, *words):
    p = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, check=False)
    if p.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {p.returncode}\n{p.stdout[-4000:]}")


def main(root):
    page = (pathlib.Path(root) / PAGE).read_text(encoding="utf-8")
    blocks = re.findall(r"^`(\S+)`:\n```c\n(.*?)^```$", page, re.M | re.S)
    commands = re.findall(r"^\$ akin (.*)$", page, re.M)
    assert {path for path, _ in blocks} == FILES and commands
    with tempfile.TemporaryDirectory(prefix="akin-learner-") as folder:
        tree = os.path.join(folder, "akin")
        shutil.copytree(root, tree, symlinks=True, ignore=lambda at, names: [
            n for n in names if os.path.samefile(at, root) and
            (n == ".git" or n.startswith("build"))])
        for path, code in blocks:
            with open(os.path.join(tree, path), "a", encoding="utf-8") as f:
                f.write(code)
        python = sys.executable
        run(tree, python, "tools/gen.py", "-", ".")
        run(tree, "meson", "setup", "build", "-Dwerror=true")
        run(tree, "ninja", "-C", "build", "src/cli/akin",
            "tests/test_learn_conformance")
        run(tree, python, "tools/gen.py", "build/src/cli/akin", ".")
        run(tree, "build/tests/test_learn_conformance")
        for command in commands:
            run(tree, "build/src/cli/akin", *command.split())
    print(f"{len(blocks)} blocks in {len(FILES)} files, "
          f"{len(commands)} commands: ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
