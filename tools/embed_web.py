#!/usr/bin/env python3
"""Write the files of the page as a table of C, for src/server/assets.c.

    embed_web.py OUTPUT DEPFILE FOLDER

Each has a URL, a content type, an ETag of its bytes, and the bytes. DEPFILE
tells ninja which files these are.
"""
import hashlib
import pathlib
import sys

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


def array(name, data):
    lines = [", ".join(map(str, data[i:i + 20]))
             for i in range(0, len(data), 20)]
    body = ",\n    ".join(lines) or "0"
    return f"static const unsigned char {name}[] = {{\n    {body}}};\n"


def main():
    target, depfile, folder = map(pathlib.Path, sys.argv[1:])
    paths = sorted(p for p in folder.rglob("*") if p.suffix in TYPES)
    rows = ""
    with open(target, "w", encoding="utf-8") as f:
        for k, path in enumerate(paths):
            data = path.read_bytes()
            f.write(array(f"file_{k}", data))
            tag = hashlib.sha256(data).hexdigest()[:16]
            rows += (f'    {{"/{path.relative_to(folder).as_posix()}", '
                     f'"{TYPES[path.suffix]}", "\\"{tag}\\"", file_{k}, '
                     f"{len(data)}}},\n")
        f.write(f"static const asset web_files[] = {{\n{rows}}};\n")
    needs = " ".join(str(p).replace(" ", "\\ ") for p in [folder, *paths])
    depfile.write_text(f"{target}: {needs}\n")


main()
