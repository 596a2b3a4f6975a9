"""Floor of the whole way from photographs to names: captioned.py AKIN ORL

ORL is a folder per person of small grey pictures. Photographs are composed of them,
one to four persons on a background, enlarged three times, with captions in prose:
titles, positions, rows, credits, persons who are not pictured, persons who are not
named. `akin faces` and `akin name` must give ACCURACY of the faces the right name, or
none where the caption does not have it. `akin faces` is also killed in the middle and
resumed: the collection and the names must be the same bytes. Then the photographs get
other captions, whose names occur once: without a look at the pixels, ACCURACY of the
faces must get the right name by the positions alone. Exits 77 (skipped) where akin has
no faces or there is no such folder.
"""
import csv
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import numpy as np

from faces import enlarge, overlap, read_png, run, write_png

ACCURACY = 0.95
SEED = 17
WIDTH, HEIGHT = 276, 336  # of a picture, enlarged

NAMES = """Martha Ellington;José Pereira;Anne-Marie Dubois;Walter J. Hobson;Ludwig van Houten
Priya Raman;Colin McAllister;Sven Lindqvist;Ruth Abernathy;Oscar de la Fuente;Grace Okafor
Dmitri Volkov;Helen Marsh;Tobias Keller;Yuki Tanaka;Samuel O'Rourke;Ingrid Solheim;Peter Novak
Farah Haddad;Leo Fontaine;Edith Blackwood;Marco Bellini;Nora Whitfield;Hugo Santos;Claire Redmond
Abdul Rahimi;Victor Lang;Tessa Grayson""".replace("\n", ";").split(";")
ABSENT = ["Simon Drake", "Paulina Weiss", "Ernest Holloway", "Rosa Jimenez"]
CREDITS = ["Photo by {}.", "(Photo: {})", "{}/Harbor News"]
PHOTOGRAPHERS = ["Gordon Pike", "Lena Fisk", "Alan Burke"]
TITLES = ["", "", "", "Mayor ", "Dr. ", "Senator ", "Professor ", "Judge "]
ROLES = ["", "", ", the treasurer,", ", head of the harbor board,"]
EVENTS = ["at the opening of the town library", "after the council meeting in Bern",
          "during a visit to the shipyard", "at a dinner on Friday, March 3, 1978",
          "at the county fair"]
ONE = ["{0}{r} speaks {e}.", "{0} waves {e}.", "Portrait of {0}, taken {e}.",
       "{0}{r} smiles {e}. {s0} has worked there since 1961."]
TWO = ["{0} (L) and {1} (R) {e}.", "{0}, left, shakes hands with {1} {e}.",
       "{1}, right, listens to {0} {e}.", "{0} and {1} talk {e}.",
       "{1} with {0} {e}. {s1} left early.", "{0} (left) greets {1} {e}."]
THREE = ["From left: {0}, {1} and {2} {e}.", "{0}, {1} and {2} pose {e}.",
         "{1}, center, with {0}, left, and {2}, right, {e}.",
         "Left to right, {0}, {1}, and {2} {e}.", "{2}, {0} and {1} laugh {e}."]
FOUR = ["From left, {0}, {1}, {2} and {3} {e}.", "{2}, {0}, {3} and {1} {e}.",
        "{1}, second from left, and {3}, far right, with {0} and {2} {e}."]
ROWS = ["Front row, from left: {2}, {3}. Back row, from left: {0}, {1}.",
        "Back row from left: {0} and {1}; front row from left: {2} and {3}."]

PLACED = {1: ONE[1:3], 2: TWO[:2] + TWO[5:], 3: [THREE[0], THREE[2], THREE[3]],
          4: FOUR[:1]}


def caption(draw, persons, rows, unnamed):
    """Of persons from left to right, or from the back to the front row."""
    named = [p for p in persons if p != unnamed]
    full = [draw.choice(TITLES) + NAMES[p] for p in named]
    texts = {1: ONE, 2: TWO, 3: THREE, 4: ROWS if rows else FOUR}
    if len(named) < len(persons):
        # Positions would be those of other persons.
        text = "{} {}.".format(" and ".join(full), draw.choice(EVENTS))
    else:
        last = {f"s{k}": NAMES[p].split()[-1] for k, p in enumerate(named)}
        text = draw.choice(texts[len(full)]).format(
            *full, e=draw.choice(EVENTS), r=draw.choice(ROLES), **last)
    if draw.random() < 0.15:
        text += f" Not pictured: {draw.choice(ABSENT)}."
    if draw.random() < 0.3:
        text += " " + draw.choice(CREDITS).format(draw.choice(PHOTOGRAPHERS))
    return text


def deal(draw, pictures):
    """All pictures into photographs of one to four different persons."""
    left = pictures[:]
    draw.shuffle(left)
    photos = []
    while left:
        size = draw.choice((1, 2, 2, 2, 3, 3, 4))
        photo = []
        for one in left[:]:
            if len(photo) < size and one[0] not in [p for p, _ in photo]:
                photo.append(one)
                left.remove(one)
        photos.append(photo)
    return photos


def background(noise, height, width):
    coarse = noise.uniform(60, 190, (height // 96 + 2, width // 96 + 2))
    return enlarge(coarse, 96)[:height, :width] + noise.normal(0, 4, (height, width))


def compose(noise, photo, rows):
    """The picture, and where each person is."""
    columns = 2 if rows else len(photo)
    height = 2 * (HEIGHT + 40) if rows else HEIGHT + 100
    grey = background(noise, height, columns * (WIDTH + 40) + 40)
    places = []
    for k, (_, path) in enumerate(photo):
        x = 20 + (k % columns) * (WIDTH + 40) + int(noise.integers(0, 40))
        y = (10 + (k // columns) * (HEIGHT + 40) + int(noise.integers(0, 30))
             if rows else int(noise.integers(0, 100)))
        grey[y:y + HEIGHT, x:x + WIDTH] = enlarge(read_png(path), 3)
        places.append((x, y, WIDTH, HEIGHT))
    return np.clip(grey, 0, 255), places


def write_csv(path, lines):
    with open(path, "w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows(lines)


def make(folder, out):
    """Photographs and captions; who is where, and named, in each."""
    draw, noise = random.Random(SEED), np.random.default_rng(SEED)
    persons = sorted(p for p in os.listdir(folder)
                     if os.path.isdir(os.path.join(folder, p)))[:len(NAMES)]
    pictures = [(k, os.path.join(folder, p, name)) for k, p in enumerate(persons)
                for name in sorted(os.listdir(os.path.join(folder, p)))]
    os.mkdir(out + "/photos")
    truth, lines = {}, [("photo", "caption")]
    for number, photo in enumerate(deal(draw, pictures)):
        name = f"{number:03}.png"
        rows = len(photo) == 4 and draw.random() < 0.5
        grey, places = compose(noise, photo, rows)
        write_png(f"{out}/photos/{name}", grey)
        who = [p for p, _ in photo]
        unnamed = draw.choice(who) if len(who) > 1 and draw.random() < 0.1 else None
        lines.append((name, caption(draw, who, rows, unnamed)))
        truth[name] = [("" if p == unnamed else NAMES[p], place)
                       for p, place in zip(who, places)]
    write_csv(out + "/captions.csv", lines)
    return truth


def rename(draw, truth, out):
    """Captions with names that occur once, and where each person is."""
    parts = [n.split() for n in NAMES]
    names = [f"{a[0]} {b[-1]}" for a in parts for b in parts if a is not b]
    draw.shuffle(names)
    lines, renamed = [("photo", "caption")], {}
    for photo, faces in truth.items():
        who = [names.pop() for _ in faces]
        rows = len(faces) == 4 and faces[2][1][1] > HEIGHT
        text = draw.choice(ROWS if rows else PLACED[len(who)])
        lines.append((photo, text.format(*who, e=draw.choice(EVENTS), r="")))
        renamed[photo] = [(name, place) for name, (_, place) in zip(who, faces)]
    write_csv(out, lines)
    return renamed


def names_of(akin, collection, names):
    """Names by akin name, and the bytes of what it and akin export write."""
    run(akin, "name", collection, "--out", names)
    run(akin, "export", collection, "--to", "json", "--names", names, "--out",
        names + ".d")
    run(akin, "convert", collection, names + ".npy")
    return b"".join(open(path, "rb").read() for path in
                    (names, names + ".d/faces.json", names + ".npy"))


def measure(collection, names, truth):
    """Faces right, found, planted; other places taken for faces."""
    db = sqlite3.connect(collection + "/catalog.sqlite")
    boxes = [(os.fsdecode(photo), box) for photo, *box in db.execute(
        "SELECT p.name, f.x, f.y, f.width, f.height FROM faces f JOIN photos p "
        "ON p.id = f.photo ORDER BY f.item")]
    with open(names, encoding="utf-8") as f:
        given = {int(line["face"]): line["name"] for line in csv.DictReader(f)}
    right, found, others, wrong = 0, set(), 0, []
    for face, (photo, box) in enumerate(boxes):
        places = [overlap(box, place) for _, place in truth[photo]]
        best = int(np.argmax(places))
        if places[best] < 0.1 or (photo, best) in found:
            others += 1
            continue
        found.add((photo, best))
        name = given.get(face, "")
        right += name == truth[photo][best][0]
        if name != truth[photo][best][0]:
            wrong.append((photo, name, truth[photo][best][0]))
    return right, len(found), sum(map(len, truth.values())), others, wrong


def killed(akin, out, collection):
    """akin faces, killed when half of the photos are there, and resumed."""
    command = [akin, "faces", out + "/photos", "--captions", out + "/captions.csv",
               "--out", collection, "--quiet"]
    half = len(os.listdir(out + "/photos")) // 2
    process = subprocess.Popen(command)
    count = 0
    while count < half and process.poll() is None:
        time.sleep(0.05)
        try:
            db = sqlite3.connect(f"file:{collection}/catalog.sqlite?mode=ro", uri=True)
            count = db.execute("SELECT COUNT(*) FROM photos").fetchone()[0]
            db.close()
        except sqlite3.OperationalError:
            pass
    process.send_signal(signal.SIGKILL)
    interrupted = process.wait() == -signal.SIGKILL
    subprocess.run(command, check=True)
    return interrupted, count


def once(akin, out, collection, truth):
    """Other captions for the same photographs: positions alone decide."""
    renamed = rename(random.Random(SEED), truth, out + "/once.csv")
    info = run(akin, "faces", collection, "--add", out + "/photos", "--captions",
               out + "/once.csv")
    shares = []
    for more in ([], ["--prior", os.devnull]):
        run(akin, "name", collection, *more, "--out", out + "/once-names.csv")
        right, _, planted, *_ = measure(collection, out + "/once-names.csv", renamed)
        shares.append(right / planted)
    print(f"names that occur once: {100 * shares[0]:.1f} % right, without positions "
          f"{100 * shares[1]:.1f} %; {info['looked_at']} photographs looked at again")
    return info["looked_at"] == 0 and shares[0] >= ACCURACY


def main():
    akin, folder = sys.argv[1:3]
    if not os.path.isdir(folder):
        print(f"skipped: no folder {folder}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as out:
        truth = make(folder, out)
        whole, parts = out + "/whole.akin", out + "/parts.akin"
        info = run(akin, "faces", out + "/photos", "--captions", out + "/captions.csv",
                   "--out", whole)
        first = names_of(akin, whole, out + "/whole.csv")
        right, found, planted, others, wrong = measure(whole, out + "/whole.csv", truth)
        print(f"{len(truth)} photographs, {found} of {planted} faces found, {others} "
              f"others, {100 * right / planted:.1f} % right, {info['seconds']:.1f} s")
        for one in wrong:
            print("  photo {}: '{}', not '{}'".format(*one))
        good = right >= ACCURACY * planted
        interrupted, count = killed(akin, out, parts)
        same = names_of(akin, parts, out + "/parts.csv") == first
        print(f"killed after {count} photographs and resumed: "
              f"{'the same bytes' if same else 'other bytes'}")
        good &= interrupted and same
        good &= once(akin, out, whole, truth)
    sys.exit(0 if good else "a floor is not reached")


if __name__ == "__main__":
    main()
