# Photos with squares for faces, and a program that finds them, so that cases
# need no dlib: fake_face.py.
mkdir lib weights
ln -s "$(dirname "$(command -v akin)")/../helpers/akin-decode" lib/akin-decode
cp "$CASES/../fake_face.py" lib/akin-face
chmod +x lib/akin-face
touch weights/shape_predictor_5_face_landmarks.dat
export AKIN_LIBEXEC=$PWD/lib AKIN_FACES=$PWD/weights

# paint FILE WIDTH HEIGHT [X,SIDE,RED,GREEN,BLUE]...: a PNG with squares in its
# middle.
paint() {
    python3 - "$@" <<'END'
import struct
import sys
import zlib

path, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rows = [bytearray(b"\0" + b"\x28" * 3 * width) for _ in range(height)]
for square in sys.argv[4:]:
    x, side, *colour = map(int, square.split(","))
    for y in range((height - side) // 2, (height + side) // 2):
        rows[y][1 + 3 * x:1 + 3 * (x + side)] = bytes(colour) * side


def part(kind, body):
    return (struct.pack(">I", len(body)) + kind + body +
            struct.pack(">I", zlib.crc32(kind + body)))


with open(path, "wb") as f:
    f.write(b"\x89PNG\r\n\x1a\n" +
            part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            part(b"IDAT", zlib.compress(b"".join(rows))) + part(b"IEND", b""))
END
}

# Three persons (a colour each) in photos: two together, one alone, nobody.
paint_photos() {
    mkdir -p photos/2019
    paint photos/ann_bob.png 120 60 10,30,250,10,10 70,34,250,240,10
    paint photos/2019/bob.png 80 60 20,30,250,236,12
    paint photos/cat.png 90 50 10,40,250,10,240
    paint photos/empty.png 50 50
    cat >captions.csv <<'END'
photo,names
ann_bob.png,Ann;Bob
2019/bob.png,Bob
cat.png,Cat
END
}
