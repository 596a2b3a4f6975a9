"""Hold every #include under src/ and include/ to tools/layers.txt.

    check_layers.py [--root DIR] [--build DIR]

Prints one line per fault, FILE:LINE: what is wrong, and exits 1 if there is
any. With --build the generated headers under DIR/src/ROOM/ are read too.
"""
import argparse
import os
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include\b\s*(.*)')
TARGET = re.compile(r'"([^"]+)"|<([^>]+)>')
ENDINGS = (".c", ".h", ".cc", ".def")
SHIM_HEADER_MAY = {"stddef.h", "stdint.h"}


class Layers:
    """layers.txt: rooms in order, what each may use, and faults of its own."""

    def __init__(self, path):
        self.rooms = {}
        self.external = {}
        self.everywhere = set()
        self.faults = []
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                text = line.split("#")[0].strip()
                if text:
                    self._line(f"{path}:{number}", text)

    def _line(self, place, text):
        head, colon, rest = text.partition(":")
        words, names = head.split(), rest.split()
        if not colon or not words or len(words) > 2:
            self._fault(place, f"cannot read '{text}'")
        elif words == ["everywhere"]:
            self.everywhere.update(names)
        elif words[0] == "external" and len(words) == 2:
            if words[1] not in self.rooms:
                self._fault(place, f"no room '{words[1]}' above this line")
            self.external.setdefault(words[1], set()).update(names)
        elif len(words) == 1:
            self._room(place, words[0], names)
        else:
            self._fault(place, f"cannot read '{text}'")

    def _room(self, place, room, names):
        if room in self.rooms:
            self._fault(place, f"room '{room}' stands here twice")
        for name in names:
            if name not in self.rooms:
                self._fault(place, f"'{room}' names '{name}', which is not "
                                   "above it (that would allow a cycle)")
        self.rooms[room] = set(names)

    def _fault(self, place, what):
        self.faults.append(f"{place}: {what}")


def c_files(folder):
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(ENDINGS):
                yield os.path.join(where, name)


def quoted_fault(layers, room, target):
    """What is wrong with #include "target" in this room, or None."""
    other = target.split("/")[0]
    if room == "include":
        return f'"{target}" in a public header (only <akin/...> and C11)'
    if "/" not in target or other not in layers.rooms or other == "include":
        return f'"{target}" does not start with a room under src/'
    if ".." in target.split("/"):
        return f'"{target}" climbs out of its room'
    if other != room and other not in layers.rooms[room]:
        return f"'{room}' may not include '{other}' (\"{target}\")"
    return None


def angle_fault(layers, root, room, path, target):
    """What is wrong with #include <target> in this room, or None."""
    if target.startswith("akin/"):
        if os.path.exists(os.path.join(root, "include", target)):
            return None
        return f"<{target}> is not under include/"
    if target in layers.everywhere or target in layers.external.get(room, ()):
        return None
    if path.endswith("_shim.cc") and "." not in target:
        return None
    return (f"'{room}' may not use <{target}> (C11, POSIX, or a line "
            f"'external {room}: ...' in tools/layers.txt)")


def check_file(layers, root, room, path):
    """Faults of one file, as (line, text)."""
    if path.endswith(".cc") and not path.endswith("_shim.cc"):
        yield 1, "C++ is for *_shim.cc only"
    shim_header = path.endswith("_shim.h")
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    if shim_header and 'extern "C"' not in text:
        yield 1, 'the header of a shim needs extern "C"'
    for number, line in enumerate(text.split("\n"), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        target = TARGET.match(found.group(1))
        if not target:
            yield number, "an #include that names no file cannot be checked"
            continue
        quoted, angle = target.groups()
        if shim_header and not (angle and (angle in SHIM_HEADER_MAY or
                                           angle.startswith("akin/"))):
            yield number, ("the header of a shim includes only <stddef.h>, "
                           "<stdint.h> and <akin/...>")
            continue
        fault = (quoted_fault(layers, room, quoted) if quoted else
                 angle_fault(layers, root, room, path, angle))
        if fault:
            yield number, fault


def folders(layers, root, build):
    """(room, folder) for all there is to read, and faults of the folders."""
    src = os.path.join(root, "src")
    found = [("include", os.path.join(root, "include"))]
    faults = []
    for name in sorted(os.listdir(src)):
        path = os.path.join(src, name)
        if os.path.isdir(path) and name in layers.rooms and name != "include":
            found.append((name, path))
        elif os.path.isdir(path):
            faults.append(f"src/{name}: no such room in tools/layers.txt")
        elif name.endswith(ENDINGS):
            faults.append(f"src/{name}: belongs into a room")
    if build:
        for room in layers.rooms:
            path = os.path.join(build, "src", room)
            if os.path.isdir(path):
                found.append((room, path))
    return found, faults


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", default=os.path.dirname(here))
    parser.add_argument("--build")
    args = parser.parse_args()
    layers = Layers(os.path.join(args.root, "tools", "layers.txt"))
    found, faults = folders(layers, args.root, args.build)
    count = 0
    for room, folder in found:
        for path in c_files(folder):
            count += 1
            name = os.path.relpath(path, args.root)
            faults += [f"{name}:{line}: {what}" for line, what
                       in check_file(layers, args.root, room, path)]
    for fault in layers.faults + faults:
        print(fault)
    print(f"{count} files, {len(layers.faults + faults)} faults")
    return 1 if layers.faults or faults else 0


if __name__ == "__main__":
    sys.exit(main())
