"""Floors of face detection and description: faces.py AKIN EXAMPLES ORL [NEWS]

EXAMPLES is the folder of dlib's labelled photographs (examples/faces of its source):
of the 43 faces in training.xml and testing.xml at least 42 must be found, and nothing
else in these photographs. ORL is a folder per person of small grey pictures; enlarged
three times, a face must be found in 99 % of them, and the 1-nearest-neighbour error of
the two descriptors must not be above ERROR. Photographs composed of them, with names for
captions, are named: at least END_TO_END of the persons must get their name. NEWS is laid
out like news_naming: its vectors go through akin faces --vectors and akin name. Exits 77
(skipped) where akin has no faces or there is no such folder.
"""
import csv
import json
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

import numpy as np

FOUND, LABELLED = 42, 43
WITH_A_FACE = 0.99
END_TO_END = 0.95
ERROR = {"resnet": 0.005, "patches": 0.08}


def run(akin, *arguments):
    done = subprocess.run([akin, *arguments, "--json", "--quiet"], text=True,
                          capture_output=True, check=False)
    if done.returncode == 2 and "scripts/setup.sh --faces" in done.stderr:
        print("skipped:", done.stderr.strip())
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def faces(collection):
    """Photo, box and row of each face."""
    db = sqlite3.connect(collection + "/catalog.sqlite")
    return [(os.fsdecode(name), box, np.frombuffer(row, "<f4"))
            for name, *box, row in db.execute(
                "SELECT p.name, f.x, f.y, f.width, f.height, r.row FROM faces f "
                "JOIN photos p ON p.id = f.photo "
                "JOIN features r ON r.key = 16 * f.item ORDER BY f.item")]


def overlap(a, b):
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    both = max(w, 0) * max(h, 0)
    return both / (a[2] * a[3] + b[2] * b[3] - both)


def labelled(folder):
    """The boxes of each photograph."""
    boxes = {}
    for name in ("training.xml", "testing.xml"):
        root = xml.etree.ElementTree.parse(os.path.join(folder, name)).getroot()
        for image in root.iter("image"):
            boxes[image.get("file")] = [
                [float(b.get(k)) for k in ("left", "top", "width", "height")]
                for b in image.iter("box")]
    return boxes


def examples(akin, folder, out):
    """Are the labelled faces found, and no others?"""
    truth = labelled(folder)
    os.mkdir(out + "/photos")
    for name in truth:
        shutil.copy(os.path.join(folder, name), out + "/photos")
    info = run(akin, "faces", out + "/photos", "--out", out + "/examples.akin")
    found = wrong = 0
    shares = []
    for photo, box, _ in faces(out + "/examples.akin"):
        best = max((overlap(box, b) for b in truth[photo]), default=0.0)
        found += best >= 0.3
        wrong += best < 0.3
        shares.append(best)
    print(f"dlib's photographs: {found} of {LABELLED} faces found, {wrong} others, "
          f"mean overlap {np.mean(shares):.2f}, {info['seconds']:.1f} s; "
          f"stages {info['stages']}")
    return found >= FOUND and wrong == 0


def read_png(path):
    """A grey PNG of 8 bits."""
    with open(path, "rb") as f:
        data = f.read()
    at, pixels = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 0), path
        pixels += body if kind == b"IDAT" else b""
        at += 12 + size
    lines = np.frombuffer(zlib.decompress(pixels), np.uint8).reshape(height, width + 1)
    out = np.zeros((height + 1, width + 1), np.int32)
    for y in range(height):
        kind, line = lines[y, 0], lines[y, 1:].astype(np.int32)
        for x in range(width):
            a, b, c = out[y + 1, x], out[y, x + 1], out[y, x]
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            out[y + 1, x + 1] = (line[x] + (0, a, b, (a + b) // 2, paeth)[kind]) % 256
    return out[1:, 1:]


def write_png(path, grey):
    def part(kind, body):
        return (struct.pack(">I", len(body)) + kind + body +
                struct.pack(">I", zlib.crc32(kind + body)))
    lines = b"".join(b"\0" + line.tobytes() for line in grey.astype(np.uint8))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" +
                part(b"IHDR", struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0],
                                          8, 0, 0, 0, 0)) +
                part(b"IDAT", zlib.compress(lines, 1)) + part(b"IEND", b""))


def enlarge(grey, times):
    """Bilinear."""
    for axis in (0, 1):
        n = grey.shape[axis]
        at = np.clip((np.arange(n * times) + 0.5) / times - 0.5, 0, n - 1)
        low = np.minimum(at.astype(int), n - 2)
        part = (at - low).reshape((-1, 1) if axis == 0 else (1, -1))
        grey = (np.take(grey, low, axis) * (1 - part) +
                np.take(grey, low + 1, axis) * part)
    return np.rint(grey)


def nearest_error(rows, labels):
    x = np.array(rows, np.float64)
    x2 = (x * x).sum(1)
    d = x2[:, None] + x2[None, :] - 2 * x @ x.T
    np.fill_diagonal(d, np.inf)
    labels = np.array(labels)
    return float(np.mean(labels[d.argmin(1)] != labels))


def orl(akin, folder, out):
    """Is a face found in each picture, and is its nearest neighbour the same person?"""
    os.mkdir(out + "/orl")
    pictures = {}
    n = 0
    for person in sorted(os.listdir(folder)):
        if not os.path.isdir(os.path.join(folder, person)):
            continue
        os.mkdir(f"{out}/orl/{person}")
        for name in sorted(os.listdir(os.path.join(folder, person))):
            grey = enlarge(read_png(os.path.join(folder, person, name)), 3)
            write_png(f"{out}/orl/{person}/{name}", grey)
            pictures.setdefault(person, []).append(grey)
            n += 1
    good = True
    for descriptor, most in ERROR.items():
        collection = f"{out}/{descriptor}.akin"
        info = run(akin, "faces", out + "/orl", "--descriptor", descriptor,
                   "--threads", "1", "--out", collection)
        # The largest face of a picture is that of the person.
        best = {}
        for photo, box, row in faces(collection):
            if photo not in best or box[2] > best[photo][0]:
                best[photo] = (box[2], row)
        error = nearest_error([row for _, row in best.values()],
                              [photo.split("/")[0] for photo in best])
        print(f"{n} pictures of persons, {descriptor}: a face in {len(best)}, "
              f"{info['rows']} faces, 1-NN error {100 * error:.2f} %, "
              f"{n / info['seconds']:.1f} photos/s, stages {info['stages']}")
        good &= len(best) >= WITH_A_FACE * n and error <= most
    return end_to_end(akin, pictures, out) and good


def compose(pictures, out):
    """Photos of two or three persons on a grey ground, every picture in one of them;
    their captions have one more name in three. Where each person is."""
    draw = random.Random(1)
    persons = sorted(pictures)
    left = {p: list(pictures[p]) for p in persons}
    captions, places = [["photo", "names"]], {}
    os.mkdir(out + "/composed")
    while any(left.values()):
        some = [p for p in persons if left[p]]
        shown = draw.sample(some, min(draw.choice((2, 3)), len(some)))
        ground = np.full((360, 300 * len(shown)), 128.0)
        photo = f"{len(places):03}.png"
        for k, person in enumerate(shown):
            grey = left[person].pop()
            ground[12:12 + grey.shape[0], 300 * k + 12:300 * k + 12 + grey.shape[1]] = grey
        places[photo] = shown
        names = list(shown)
        if draw.random() < 1 / 3:
            names.append(draw.choice([p for p in persons if p not in shown]))
        draw.shuffle(names)
        captions.append([photo, ";".join(names)])
        write_png(f"{out}/composed/{photo}", ground)
    with open(out + "/composed.csv", "w", newline="") as f:
        csv.writer(f).writerows(captions)
    return places


def end_to_end(akin, pictures, out):
    """Photos and captions in, names out."""
    places = compose(pictures, out)
    run(akin, "faces", out + "/composed", "--captions", out + "/composed.csv",
        "--out", out + "/composed.akin")
    found = faces(out + "/composed.akin")
    with open(out + "/truth.csv", "w", newline="") as f:
        csv.writer(f).writerows([["face", "name"], *(
            [i, places[photo][int((box[0] + box[2] / 2) // 300)]]
            for i, (photo, box, _) in enumerate(found))])
    named = run(akin, "name", out + "/composed.akin", "--truth", out + "/truth.csv",
                "--out", out + "/names.csv")
    shown = sum(len(p) for p in places.values())
    right = named["accuracy"] * len(found) / shown
    print(f"{len(places)} composed photos: {len(found)} of {shown} faces found, "
          f"accuracy {named['accuracy']:.4f}, of all persons shown {right:.4f}")
    return right >= END_TO_END


def news(akin, folder, out):
    """Vectors in, names out."""
    run(akin, "faces", "--vectors", folder + "/features128.npy", "--captions",
        folder + "/captions.csv", "--out", out + "/news.akin")
    truth = folder + "/truth.csv"
    both = [run(akin, "name", *faces, "--truth", truth, "--out", out + "/names.csv")
            for faces in ([out + "/news.akin"],
                          [folder + "/features128.npy", "--captions",
                           folder + "/captions.csv"])]
    print(f"news, from a collection: accuracy {both[0]['accuracy']:.4f}, "
          f"from files: {both[1]['accuracy']:.4f}")
    return both[0]["accuracy"] == both[1]["accuracy"]


def main():
    akin, *folders = sys.argv[1:]
    good = tried = 0
    with tempfile.TemporaryDirectory() as out:
        for part, folder in zip((examples, orl, news), folders):
            if os.path.isdir(folder):
                tried += 1
                good += part(akin, folder, out)
            else:
                print(f"{part.__name__}: no folder {folder}")
    if tried == 0:
        print("skipped: none of the folders exists")
        sys.exit(77)
    sys.exit(0 if good == tried else "a floor is not reached")


if __name__ == "__main__":
    main()
