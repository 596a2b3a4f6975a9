"""Hold the tree under src/ and include/ to tools/layers.txt.

    check_layers.py [--root DIR] [--build DIR]

Checked are every #include, public and other; that each room, edge and external
header in layers.txt is used; and that a type of a header has no namesake.
Prints one line per fault, FILE:LINE: what is wrong, and exits 1 if there is
any. With --build the generated headers under DIR/src/ROOM/ are read too.
"""
import argparse
import os
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include\b\s*(.*)')
TARGET = re.compile(r'"([^"]+)"|<([^>]+)>')
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
TAGGED = re.compile(r'\b(?:struct|enum|union)\s+(\w+)\s*\{')
BRACES = re.compile(r'\{[^{}]*\}')
TYPEDEF = re.compile(r'\btypedef\b([^;]*);')
ENDINGS = (".c", ".h", ".cc", ".hh", ".def")
SHIM_HEADER_MAY = {"stddef.h", "stdint.h"}


def is_cxx(room, path):
    """May the file be C++? A helper is a program of its own."""
    return path.endswith("_shim.cc") or (room == "helpers" and
                                         path.endswith((".cc", ".hh")))


class Room:
    """A line of layers.txt: where it stands, the rooms it names, the text."""

    def __init__(self, place, names, holds):
        self.place, self.may, self.holds = place, names, holds


class Layers:
    """layers.txt: rooms in order, what each may use, and faults of its own."""

    def __init__(self, path):
        self.rooms = {}
        self.external = {}  # room -> header -> place
        self.owner = {}     # public header -> room
        self.everywhere = set()
        self.faults = []
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                text, _, holds = (part.strip() for part in line.partition("#"))
                if text:
                    self._line(f"tools/layers.txt:{number}", text, holds)

    def _line(self, place, text, holds):
        head, colon, rest = text.partition(":")
        words, names = head.split(), rest.split()
        if not colon or not words or len(words) > 2:
            self._fault(place, f"cannot read '{text}'")
        elif words == ["everywhere"]:
            self.everywhere.update(names)
        elif len(words) == 1:
            self._room(place, words[0], names, holds)
        elif words[0] not in ("external", "public"):
            self._fault(place, f"cannot read '{text}'")
        elif words[1] not in self.rooms:
            self._fault(place, f"no room '{words[1]}' above this line")
        elif words[0] == "public":
            self.owner.update((f"akin/{name}", words[1]) for name in names)
        else:
            self.external.setdefault(words[1], {}).update(
                (name, place) for name in names)

    def _room(self, place, room, names, holds):
        if room in self.rooms:
            self._fault(place, f"room '{room}' stands here twice")
        for name in names:
            if name not in self.rooms:
                self._fault(place, f"'{room}' names '{name}', which is not "
                                   "above it (that would allow a cycle)")
        self.rooms[room] = Room(place, names, holds)

    def _fault(self, place, what):
        self.faults.append(f"{place}: {what}")


class Tree:
    """What is read of the files: faults, edges that are used, types."""

    def __init__(self, layers, root):
        self.layers, self.root = layers, root
        self.faults = []
        self.used = set()   # (room, room or external header)
        self.types = {}     # name -> files that define it
        self.count = 0

    def quoted(self, room, target):
        """What is wrong with #include "target" in this room, or None."""
        rooms = self.layers.rooms
        other = target.split("/")[0]
        self.used.add((room, other))
        if "/" not in target or other not in rooms or other == "include":
            return f'"{target}" does not start with a room under src/'
        if ".." in target.split("/"):
            return f'"{target}" climbs out of its room'
        if other != room and other not in rooms[room].may:
            return f"'{room}' may not include '{other}' (\"{target}\")"
        return None

    def public(self, room, target):
        """What is wrong with #include <akin/...> in this room, or None."""
        if not os.path.exists(os.path.join(self.root, "include", target)):
            return f"<{target}> is not under include/"
        owner = self.layers.owner.get(target)
        self.used.update({(room, "include"), (room, owner)})
        may = self.layers.rooms[room].may
        if room in (owner, "include") or "include" in may or owner in may:
            return None
        return f"'{room}' may not include <{target}>, which is of '{owner}'"

    def angle(self, room, path, target):
        """What is wrong with #include <target> in this room, or None."""
        self.used.add((room, target))
        if target in self.layers.everywhere or \
                target in self.layers.external.get(room, ()):
            return None
        if is_cxx(room, path) and "." not in target:
            return None
        return (f"'{room}' may not use <{target}> (C11, POSIX, or a line "
                f"'external {room}: ...' in tools/layers.txt)")

    def line(self, room, path, line):
        """What is wrong with this line of a file, or None."""
        found = INCLUDE.match(line)
        if not found:
            return None
        target = TARGET.match(found.group(1))
        if not target:
            return "an #include that names no file cannot be checked"
        quoted, angle = target.groups()
        if path.endswith("_shim.h") and not (
                angle and (angle in SHIM_HEADER_MAY or
                           angle.startswith("akin/"))):
            return ("the header of a shim includes only <stddef.h>, "
                    "<stdint.h> and <akin/...>")
        if quoted and path.startswith(os.path.join(self.root, "include")):
            return f'"{quoted}" in a public header (only <akin/...> and C11)'
        if quoted:
            return self.quoted(room, quoted)
        if angle.startswith("akin/"):
            return self.public(room, angle)
        return self.angle(room, path, angle)

    def file(self, room, path):
        self.count += 1
        name = os.path.relpath(path, self.root)
        if path.endswith((".cc", ".hh")) and not is_cxx(room, path):
            self.faults.append(
                f"{name}:1: C++ is for *_shim.cc and helpers only")
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        if path.endswith("_shim.h") and 'extern "C"' not in text:
            self.faults.append(
                f'{name}:1: the header of a shim needs extern "C"')
        for number, line in enumerate(text.split("\n"), 1):
            fault = self.line(room, path, line)
            if fault:
                self.faults.append(f"{name}:{number}: {fault}")
        for type_ in types_of(text):
            self.types.setdefault(type_, set()).add(name)

    def public_header(self, path):
        """A public header obeys the line of the room that owns it."""
        name = os.path.relpath(path, os.path.join(self.root, "include"))
        if name not in self.layers.owner:
            self.faults.append(f"include/{name}: no line 'public ROOM: ...' in "
                               "tools/layers.txt names it")
        self.file(self.layers.owner.get(name, "include"), path)

    def folder(self, room, folder):
        for where, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(where, name)
                if name.endswith(ENDINGS) and room == "include":
                    self.public_header(path)
                elif name.endswith(ENDINGS):
                    self.file(room, path)

    def unused(self):
        """Faults of layers.txt: what it allows and nobody needs."""
        for name, room in self.layers.rooms.items():
            for other in room.may:
                if (name, other) not in self.used:
                    yield (f"{room.place}: '{name}' names '{other}' and "
                           "includes nothing of it")
            for header, place in self.layers.external.get(name, {}).items():
                if (name, header) not in self.used:
                    yield f"{place}: '{name}' does not include <{header}>"

    def namesakes(self):
        """Types of a header that another file defines too."""
        for name, files in sorted(self.types.items()):
            headers = sorted(f for f in files if f.endswith(".h"))
            if headers and len(files) > 1:
                others = ", ".join(sorted(files - {headers[0]}))
                yield f"{headers[0]}: type '{name}' is also one of {others}"


def types_of(text):
    """Names of the types that a file defines; declarations do not count."""
    text = NOT_CODE.sub(" ", re.sub(r'extern\s+"C"\s*\{', "", text))
    found = set(TAGGED.findall(text))
    while BRACES.search(text):
        text = BRACES.sub("@", text)
    for body in TYPEDEF.findall(text):
        if re.fullmatch(r"\s*(struct|enum|union)\s+\w+\s+\w+\s*", body):
            continue
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", body)
        words = re.findall(r"\w+", re.sub(r"\([^()]*\)|\[[^]]*\]", "", body))
        found.add(pointer[1] if pointer else words[-1])
    return found


def rooms_of(layers, root):
    """Folders under src/ that are rooms, and faults of the others."""
    src = os.path.join(root, "src")
    found, faults = [], []
    for name in sorted(os.listdir(src)):
        if not os.path.isdir(os.path.join(src, name)):
            if name.endswith(ENDINGS):
                faults.append(f"src/{name}: belongs into a room")
        elif name in layers.rooms and name != "include":
            found.append(name)
        else:
            faults.append(f"src/{name}: no such room in tools/layers.txt")
    for name, room in layers.rooms.items():
        if name not in found and name != "include":
            faults.append(f"{room.place}: there is no folder src/{name}")
    return found, faults


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", default=os.path.dirname(here))
    parser.add_argument("--build")
    args = parser.parse_args()
    layers = Layers(os.path.join(args.root, "tools", "layers.txt"))
    rooms, faults = rooms_of(layers, args.root)
    tree = Tree(layers, args.root)
    tree.folder("include", os.path.join(args.root, "include"))
    for room in rooms:
        tree.folder(room, os.path.join(args.root, "src", room))
        if args.build:
            tree.folder(room, os.path.join(args.build, "src", room))
    faults += layers.faults + tree.faults
    faults += [*tree.unused(), *tree.namesakes()]
    print("\n".join([*faults, f"{tree.count} files, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
