"""Read what akin writes with a reader that shares nothing with it.

    read_safetensors.py WRITE_TENSORS GOLDEN

WRITE_TENSORS FILE writes a file of known tensors; GOLDEN is a model. Only the
format's own rules are used (and json, struct and array).
"""
import array
import json
import os
import struct
import subprocess
import sys
import tempfile

CODES = {"U8": "B", "I32": "i", "I64": "q", "F32": "f", "F64": "d"}


def read(path):
    with open(path, "rb") as f:
        raw = f.read()
    (length,) = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8:8 + length].decode("utf-8"))
    data = raw[8 + length:]
    assert (8 + length) % 64 == 0, "the data are not aligned"
    notes = header.pop("__metadata__")
    assert all(isinstance(v, str) for v in notes.values())
    tensors, at = {}, 0
    for name, x in sorted(header.items(), key=lambda e: e[1]["data_offsets"]):
        begin, end = x["data_offsets"]
        values = array.array(CODES[x["dtype"]])
        assert begin == at, "a hole or an overlap"
        assert begin % values.itemsize == 0, "not aligned"
        values.frombytes(data[begin:end])
        count = 1
        for n in x["shape"]:
            count *= n
        assert len(values) == count
        assert len(notes["xxh3." + name]) == 16
        tensors[name] = (x["shape"], values.tolist())
        at = end
    assert at == len(data)
    assert notes["format"] == "akin" and notes["format_version"] == "1"
    return notes, tensors


def main(program, golden):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.safetensors")
        subprocess.run([program, path], check=True)
        notes, tensors = read(path)
    assert notes["text"] == 'a "quoted" \u00fc\n'
    assert tensors == {
        "u8": ([3], [1, 2, 255]),
        "i32": ([2, 2], [1, -2, 3, -4]),
        "i64": ([1], [-(1 << 62)]),
        "f32": ([], [0.5]),
        "f64": ([2, 1, 1, 2], [0.1, -0.0, 1e-300, 1e300]),
        "none": ([0, 7], []),
    }
    notes, tensors = read(golden)
    assert notes["kind"] == "diagonal" and notes["dim"] == "6"
    assert tensors["w.index"] == ([2], [1, 5])
    assert tensors["w.value"] == ([2], [-1.5, 2.0])
    assert tensors["state.g"][1][4] == 1e-300


if __name__ == "__main__":
    main(*sys.argv[1:])
