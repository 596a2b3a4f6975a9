"""XMP against exiftool: check_xmp.py AKIN FAKE_FACE

Regions that akin writes are where the pixels are, in all eight orientations of EXIF, as
exiftool reads them. Regions, names and persons that exiftool writes, as digiKam does, are
read by akin; what is exported, embedded by exiftool and imported again is the same. Other
properties of a sidecar stay. Exits 77 (skipped) where there is no exiftool.
"""
import csv
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

WIDTH, HEIGHT = 160, 96  # of a picture as it is seen
EACH = 16                # regions of a photo
NAMES = ["Ann Lee", "Bj\u00f6rk \u00c5", "\u674e\u5c0f\u9f99", 'A "B" <C> & D;E, F',
         "\u0645\u062d\u0645\u062f", "e\u0301lan", "\U0001f600 Smile", "O'Neil | 100 %"]


# ---- pictures: JPEG of blocks that are each of one colour ----

def bits_of(value, size):
    return format(value, "b").zfill(size) if size else ""


def difference(d):
    size = abs(d).bit_length()
    return format(size, "04b") + bits_of(d if d >= 0 else d + (1 << size) - 1, size)


def write_jpeg(path, width, height, is_red):
    """Blocks of 8 by 8 pixels, red or black: Y, Cb, Cr of JFIF."""
    colours = {True: (76, 85, 255), False: (0, 128, 128)}
    last, bits = [0, 0, 0], []
    for y in range(0, height, 8):
        for x in range(0, width, 8):
            for c, value in enumerate(colours[is_red(x, y)]):
                dc = 8 * (value - 128)
                bits.append(difference(dc - last[c]) + "0")  # no AC
                last[c] = dc
    text = "".join(bits)
    text += "1" * (-len(text) % 8)
    data = int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\0")

    def part(marker, body):
        return b"\xff" + bytes([marker]) + struct.pack(">H", len(body) + 2) + body
    dc_table = bytes([0x00]) + bytes([0, 0, 0, 12] + [0] * 12) + bytes(range(12))
    ac_table = bytes([0x10]) + bytes([1] + [0] * 15) + b"\0"
    with open(path, "wb") as f:
        f.write(b"\xff\xd8" + part(0xdb, b"\0" + b"\1" * 64) +
                part(0xc0, struct.pack(">BHHB", 8, height, width, 3) +
                     b"".join(bytes([c, 0x11, 0]) for c in (1, 2, 3))) +
                part(0xc4, dc_table) + part(0xc4, ac_table) +
                part(0xda, b"\3\1\0\2\0\3\0\0\x3f\0") + data + b"\xff\xd9")


def stored_place(o, x, y):
    """Where a pixel that is seen at x, y is stored; EXIF 2.32, 4.6.4."""
    w, h = WIDTH - 1, HEIGHT - 1
    return {1: (x, y), 2: (w - x, y), 3: (w - x, h - y), 4: (x, h - y), 5: (y, x),
            6: (y, w - x), 7: (h - y, w - x), 8: (h - y, x)}[o]


def stored_size(o):
    return (WIDTH, HEIGHT) if o < 5 else (HEIGHT, WIDTH)


def stored_box(o, box):
    """Of a box x, y, width, height in pixels, by its corners."""
    x, y, w, h = box
    ends = [stored_place(o, x - .5, y - .5), stored_place(o, x + w - .5, y + h - .5)]
    xs, ys = sorted(e[0] + .5 for e in ends), sorted(e[1] + .5 for e in ends)
    return xs[0], ys[0], xs[1] - xs[0], ys[1] - ys[0]


def paint(path, o, box):
    """A picture that is seen with a red square, stored by the orientation."""
    x, y, w, h = box
    red = {stored_place(o, i, j) for i in range(x, x + w) for j in range(y, y + h)}
    write_jpeg(path, *stored_size(o), lambda i, j: (i, j) in red)


# ---- programs ----

class Desk:
    def __init__(self, akin, fake_face, folder):
        self.akin, self.folder = akin, folder
        lib, weights = os.path.join(folder, "lib"), os.path.join(folder, "weights")
        os.mkdir(lib)
        os.mkdir(weights)
        helpers = os.path.join(os.path.dirname(os.path.dirname(akin)), "helpers")
        os.symlink(os.path.join(helpers, "akin-decode"), lib + "/akin-decode")
        shutil.copy(fake_face, lib + "/akin-face")
        os.chmod(lib + "/akin-face", 0o755)
        with open(weights + "/shape_predictor_5_face_landmarks.dat", "w"):
            pass
        self.env = dict(os.environ, AKIN_LIBEXEC=lib, AKIN_FACES=weights,
                        LC_ALL="C.UTF-8")

    def run(self, *command, code=0):
        done = subprocess.run([self.akin, *command], capture_output=True, text=True,
                              check=False, cwd=self.folder, env=self.env)
        if done.returncode != code:
            sys.exit("%s: exit %d\n%s" % (" ".join(command), done.returncode,
                                          done.stderr))
        return done.stderr

    def exiftool(self, *command):
        done = subprocess.run(["exiftool", "-charset", "utf8", *command],
                              capture_output=True, text=True, check=False,
                              cwd=self.folder, env=self.env)
        if done.returncode != 0:
            sys.exit("exiftool: " + done.stdout + done.stderr)
        return done.stdout

    def tell(self, folder, facts):
        """Write properties into the photos: {name: {tag: value}}."""
        with open(os.path.join(self.folder, "facts.json"), "w", encoding="utf-8") as f:
            json.dump([{"SourceFile": "%s/%s" % (folder, name), **all_}
                       for name, all_ in facts.items()], f, ensure_ascii=False)
        self.exiftool("-q", "-n", "-overwrite_original", "-j=facts.json",
                      *("%s/%s" % (folder, name) for name in facts))

    def ask(self, *files):
        return {os.path.basename(r["SourceFile"]): r for r in json.loads(
            self.exiftool("-j", "-n", "-struct", "-a", *files))}

    def faces(self, collection):
        """Boxes and names of each photo."""
        self.run("export", collection, "--to", "csv", "--out", "tables")
        with open(self.folder + "/tables/faces.csv", newline="",
                  encoding="utf-8") as f:
            found = {}
            for r in csv.DictReader(f):
                found.setdefault(r["photo"], []).append(
                    ([float(r[k]) for k in ("x", "y", "width", "height")], r["name"]))
            return found


def check(good, what):
    if not good:
        sys.exit("not so: " + what)


def near(a, b, most=1.0):
    return len(a) == len(b) and all(abs(x - y) <= most for x, y in zip(a, b))


def same_faces(found, wanted, what):
    """The same boxes, within a pixel, and names; faces are sorted by their place."""
    check(len(found) == len(wanted), "%s: %d faces, %d expected" % (
        what, len(found), len(wanted)))
    left = list(found)
    for box, name in wanted:
        hits = [f for f in left if near(f[0], box) and f[1] == name]
        check(hits, "%s: no face %r %s among %s" % (what, name, box, left[:3]))
        left.remove(hits[0])


def box_of(area, width, height):
    w, h = area["W"] * width, area["H"] * height
    return area["X"] * width - w / 2, area["Y"] * height - h / 2, w, h


def area_of(box, width, height):
    x, y, w, h = box
    return {"X": (x + w / 2) / width, "Y": (y + h / 2) / height, "W": w / width,
            "H": h / height, "Unit": "normalized"}


# ---- cases ----

def pixels_are_where_regions_say(desk):
    os.mkdir(desk.folder + "/seen")
    square = (24, 32, 32, 32)
    for o in range(1, 9):
        paint("%s/seen/o%d.jpg" % (desk.folder, o), o, square)
    desk.tell("seen", {"o%d.jpg" % o: {"IFD0:Orientation": o} for o in range(1, 9)})
    desk.run("faces", "seen", "--out", "seen.akin")
    for photo, faces in desk.faces("seen.akin").items():
        same_faces(faces, [(list(square), "")], "pixels of " + photo)
    desk.run("export", "seen.akin", "--to", "xmp", "--out", "seen")
    for name, r in desk.ask(*("seen/o%d.jpg.xmp" % o for o in range(1, 9))).items():
        o, info = int(name[1]), r["RegionInfo"]
        w, h = stored_size(o)
        check(info["AppliedToDimensions"] == {"W": w, "H": h, "Unit": "pixel"},
              name + ": dimensions")
        region = info["RegionList"][0]
        check(region["Type"] == "Face" and region["Area"]["Unit"] == "normalized" and
              near(box_of(region["Area"], w, h), stored_box(o, square)),
              name + ": region")
    desk.run("faces", "seen", "--from-xmp", "--out", "again.akin")
    for photo, faces in desk.faces("again.akin").items():
        same_faces(faces, [(list(square), "")], "regions of " + photo)


def random_faces(draw):
    found = []
    for k in range(EACH):
        w, h = draw.uniform(4, 60), draw.uniform(4, 40)
        box = [draw.uniform(0, WIDTH - w), draw.uniform(0, HEIGHT - h), w, h]
        name = "" if k % 4 == 3 else "%s %d" % (NAMES[k % len(NAMES)], k)
        found.append((box, name))
    return found


def mwg(faces, o, as_seen):
    w, h = (WIDTH, HEIGHT) if as_seen else stored_size(o)
    regions = []
    for box, name in faces:
        regions.append({"Area": area_of(box if as_seen else stored_box(o, box), w, h),
                        "Type": "Face", **({"Name": name} if name else {})})
    return {"RegionInfo": {"AppliedToDimensions": {"W": w, "H": h, "Unit": "pixel"},
                           "RegionList": regions},
            "PersonInImage": [n for _, n in faces if n]}


def microsoft(faces, o):
    w, h = stored_size(o)
    regions = []
    for box, name in faces:
        x, y, a, b = stored_box(o, box)
        regions.append({"Rectangle": "%.9f, %.9f, %.9f, %.9f" % (
            x / w, y / h, a / w, b / h), "PersonDisplayName": name})
    return {"RegionInfoMP": {"Regions": regions}}


def other_programs_are_read(desk):
    """Returns the faces of each photo."""
    draw, wanted, facts = random.Random(7), {}, {}
    os.mkdir(desk.folder + "/tagged")
    for o in range(1, 9):
        kinds = ["mwg", "people"] + (["turned"] if o >= 5 else [])
        for kind in kinds:
            name = "%s%d.jpg" % (kind, o)
            write_jpeg("%s/tagged/%s" % (desk.folder, name), *stored_size(o),
                       lambda x, y: False)
            faces = random_faces(draw)
            if kind == "people":
                faces = [(box, n) for box, n in faces if n]
            facts[name] = {"IFD0:Orientation": o, **(
                microsoft(faces, o) if kind == "people" else
                mwg(faces, o, kind == "turned"))}
            wanted[name] = faces
    write_jpeg(desk.folder + "/tagged/nobody.jpg", WIDTH, HEIGHT, lambda x, y: False)
    desk.tell("tagged", facts)
    desk.run("faces", "tagged", "--from-xmp", "--out", "tagged.akin")
    found = desk.faces("tagged.akin")
    for name, faces in wanted.items():
        same_faces(found.get(name, []), faces, "of exiftool, " + name)
    check("nobody.jpg" not in found, "no faces in nobody.jpg")
    return wanted


def round_trip(desk, wanted):
    desk.run("export", "tagged.akin", "--to", "xmp", "--out", "out")
    read = desk.ask("out", "-ext", "xmp")
    for name, faces in wanted.items():
        o, r = int(name[-5]), read[name + ".xmp"]
        w, h = stored_size(o)
        same_faces([(box_of(g["Area"], w, h), g.get("Name", ""))
                    for g in r["RegionInfo"]["RegionList"]],
                   [(stored_box(o, box), n) for box, n in faces], "export of " + name)
        check(sorted(r["PersonInImage"]) == sorted(n for _, n in faces if n),
              name + ": persons")
    check("PersonInImage" not in read["nobody.jpg.xmp"] and
          not read["nobody.jpg.xmp"]["RegionInfo"].get("RegionList"),
          "nobody: %s" % read["nobody.jpg.xmp"])
    os.mkdir(desk.folder + "/bare")
    for name in [*wanted, "nobody.jpg"]:
        o = int(name[-5]) if name in wanted else 1
        write_jpeg("%s/bare/%s" % (desk.folder, name), *stored_size(o),
                   lambda x, y: False)
    desk.tell("bare", {n: {"IFD0:Orientation": int(n[-5])} for n in wanted})
    desk.exiftool("-q", "-overwrite_original", "-tagsfromfile",
                  desk.folder + "/out/%f.%e.xmp", "-xmp:all", "bare")
    desk.run("faces", "bare", "--from-xmp", "--out", "bare.akin")
    found = desk.faces("bare.akin")
    for name, faces in wanted.items():
        same_faces(found[name], faces, "embedded, " + name)
    desk.run("export", "bare.akin", "--to", "xmp", "--out", "out2")
    for name in wanted:
        with open("%s/out/%s.xmp" % (desk.folder, name), "rb") as f, \
                open("%s/out2/%s.xmp" % (desk.folder, name), "rb") as g:
            check(f.read() == g.read(), name + ": the same sidecar")


def other_properties_stay(desk):
    os.mkdir(desk.folder + "/kept")
    for name in ("a.jpg", "b.jpg"):
        write_jpeg("%s/kept/%s" % (desk.folder, name), WIDTH, HEIGHT,
                   lambda x, y: 24 <= x < 56 and 32 <= y < 64)
        desk.exiftool("-q", "-o", "kept/%s.xmp" % name, "-XMP-dc:Subject=Family",
                      "-XMP-dc:Subject=Trip", "-XMP-xmp:Rating=4",
                      "-XMP-xmp:Label=R\u00f6t", "-XMP-dc:Description=Theirs",
                      "-XMP-iptcExt:PersonInImage=Somebody Else", "kept/" + name)
    with open(desk.folder + "/kept.csv", "w", encoding="utf-8") as f:
        f.write("photo,caption\na.jpg,Ours\n")
    desk.run("faces", "kept", "--captions", "kept.csv", "--out", "kept.akin")
    desk.run("export", "kept.akin", "--to", "xmp", "--out", "kept")
    with open(desk.folder + "/kept/a.jpg.xmp", "rb") as f:
        first = f.read()
    desk.run("export", "kept.akin", "--to", "xmp", "--out", "kept")
    with open(desk.folder + "/kept/a.jpg.xmp", "rb") as f:
        check(f.read() == first, "exported twice is the same")
    r = desk.ask("kept/a.jpg.xmp")["a.jpg.xmp"]
    check(r["Subject"] == ["Family", "Trip"] and r["Rating"] == 4 and
          r["Label"] == "R\u00f6t" and r["Description"] == "Theirs" and
          r["PersonInImage"] == ["Somebody Else"] and
          len(r["RegionInfo"]["RegionList"]) == 1 and "Warning" not in r,
          "other properties: %s" % r)
    desk.run("export", "kept.akin", "--to", "xmp", "--out", "kept", "--force")
    r = desk.ask("kept/a.jpg.xmp")["a.jpg.xmp"]
    check(r["Description"] == "Ours" and r["Rating"] == 4 and "Warning" not in r and
          "PersonInImage" not in r, "forced: %s" % r)
    for what, region in (
            ("a face called Zoe that the collection has not",
             {"Name": "Zoe", "Type": "Face", "Area": area_of((2, 2, 9, 9), 160, 96)}),
            ("regions that are not faces",
             {"Type": "Pet", "Area": area_of((2, 2, 9, 9), 160, 96)})):
        info = mwg([], 1, False)["RegionInfo"]
        info["RegionList"] = [region]
        desk.tell("kept", {"b.jpg.xmp": {"RegionInfo": info}})
        with open(desk.folder + "/kept/b.jpg.xmp", "rb") as f:
            before = f.read()
        told = desk.run("export", "kept.akin", "--to", "xmp", "--out", "kept", code=2)
        check(what in told, "refused: " + told)
        with open(desk.folder + "/kept/b.jpg.xmp", "rb") as f:
            check(f.read() == before, "a refused file stays")


def main(akin, fake_face):
    if shutil.which("exiftool") is None:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(os.path.abspath(akin), fake_face, folder)
        pixels_are_where_regions_say(desk)
        wanted = other_programs_are_read(desk)
        round_trip(desk, wanted)
        other_properties_stay(desk)
        print("%d photos, %d regions, 8 orientations: all the same" % (
            len(wanted), sum(map(len, wanted.values()))))


main(*sys.argv[1:3])
