#!/usr/bin/env python3
"""Write the bytes of a file as an array of C, aligned to 8 bytes.

    embed_bytes.py INPUT OUTPUT NAME
"""
import struct
import sys


def main():
    source, target, name = sys.argv[1:]
    with open(source, "rb") as f:
        data = f.read()
    words = struct.unpack(f"<{(len(data) + 7) // 8}Q",
                          data + bytes(-len(data) % 8)) or (0,)
    with open(target, "w", encoding="ascii") as f:
        f.write("#include <stddef.h>\n#include <stdint.h>\n")
        f.write(f"static const size_t {name}_size = {len(data)};\n")
        f.write(f"static const uint64_t {name}[] = {{\n")
        for i in range(0, len(words), 4):
            f.write("".join(f"{w:#x}U," for w in words[i:i + 4]) + "\n")
        f.write("};\n")


main()
