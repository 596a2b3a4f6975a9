"""libakin.so exports what the public headers declare, and nothing else.

    check_symbols.py LIBAKIN.SO INCLUDE_DIR

Exit 1 when an exported name does not start with akin_ or is not declared, or
when a function declared AKIN_API is not exported.
"""
import os
import re
import subprocess
import sys

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
DECLARED = re.compile(r"^AKIN_API\b[^;(]*?\b(\w+)\s*\(", re.M)


def exported(library):
    """Names in the dynamic symbol table; `A` is the version node."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library],
                           capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in lines.splitlines()]
    return {row[-1].split("@")[0] for row in rows if row[-2] != "A"}


def declared(folder):
    names = set()
    for where, _, files in os.walk(folder):
        for name in files:
            with open(os.path.join(where, name), encoding="utf-8") as f:
                names.update(DECLARED.findall(COMMENT.sub("", f.read())))
    return names


def main(library, folder):
    out, said = exported(library), declared(folder)
    faults = [f"{n}: exported without the prefix akin_"
              for n in sorted(out) if not n.startswith("akin_")]
    faults += [f"{n}: exported, but in no public header"
               for n in sorted(out - said) if n.startswith("akin_")]
    faults += [f"{n}: declared AKIN_API, but not exported"
               for n in sorted(said - out)]
    for fault in faults:
        print(fault)
    print(f"{len(out)} exported, {len(said)} declared, {len(faults)} faults")
    return 1 if faults or not said else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
