"""Floors on captions that no tagger learns from: persons_held_out.py AKIN

The captions are in persons_held_out.txt beside this file, which says how they are
marked. They are never used for training. What counts is as in persons.py.
"""
import os
import re
import sys
import tempfile

import persons

FLOORS = {"f1": 0.96, "in_picture": 0.97, "position": 0.97}
PRESENCE = {"": True, "y": True, "n": False, "c": "credit"}


def add(names, mark):
    mention, name, presence, position = (mark.split("|") + [""] * 3)[:4]
    name = name or mention
    names.append({"name": name, "mentions": [mention],
                  "in_picture": PRESENCE[presence], "position": position or None})
    return mention


def parse(line, photo):
    text, *more = line.replace("\\t", "\t").split(" ++ ")
    names = []
    caption = re.sub(r"\{([^{}]*)\}", lambda m: add(names, m.group(1)), text)
    for mark in more:
        add(names, mark)
    return {"photo": photo, "caption": caption, "names": names}


def read(path):
    with open(path, encoding="utf-8") as f:
        lines = [line.rstrip("\n") for line in f if not line.startswith("#")]
    return [parse(line, str(k)) for k, line in enumerate(lines)]


def main():
    rows = read(os.path.splitext(os.path.abspath(__file__))[0] + ".txt")
    with tempfile.TemporaryDirectory() as folder:
        failed = persons.report("held out", persons.measure(
            rows, persons.find(rows, folder)), FLOORS)
    print("\n".join(failed))
    return 1 if failed else 0


sys.exit(main())
