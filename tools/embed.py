#!/usr/bin/env python3
"""Write the lines of a text file as an array of C strings.

    embed.py INPUT OUTPUT NAME
"""
import sys


def main():
    source, target, name = sys.argv[1:]
    with open(source, encoding="utf-8") as f:
        lines = f.read().splitlines()
    with open(target, "w", encoding="utf-8") as f:
        f.write(f"static const char *const {name}[] = {{\n")
        for line in lines:
            text = line.replace("\\", "\\\\").replace('"', '\\"')
            f.write(f'    "{text}\\n",\n')
        f.write("};\n")


main()
