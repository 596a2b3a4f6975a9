"""exif.py JPEG FOLDER: the picture with what a camera writes: sound, of values
that cannot be, cut off, and damaged in many ways."""
import random
import struct
import sys


def ifd(entries, base):
    values, data = b'', b''
    at = base + 2 + 12 * len(entries) + 4
    for tag, kind, count, value in entries:
        if len(value) > 4:
            data += value + b'\0' * (len(value) % 2)
            value = struct.pack('<I', at + len(data) - len(value) - len(value) % 2)
        values += struct.pack('<HHI', tag, kind, count) + value.ljust(4, b'\0')
    return struct.pack('<H', len(entries)) + values + b'\0' * 4 + data


def text(tag, s):
    return tag, 2, len(s) + 1, s.encode() + b'\0'


def rationals(tag, *pairs):
    return tag, 5, len(pairs), b''.join(struct.pack('<II', *p) for p in pairs)


def exif(make, model, date, latitude, south, longitude, west):
    def first(more, place):
        return ifd([text(0x10f, make), text(0x110, model),
                    (0x8769, 4, 1, struct.pack('<I', more)),
                    (0x8825, 4, 1, struct.pack('<I', place))], 8)
    more = 8 + len(first(0, 0))
    photo = ifd([text(0x9003, date)], more)
    place = more + len(photo)
    gps = ifd([text(1, south), rationals(2, *latitude), text(3, west),
               rationals(4, *longitude)], place)
    return b'Exif\0\0II*\0\x08\0\0\0' + first(more, place) + photo + gps


def write(name, segment):
    with open(f'{sys.argv[2]}/{name}.jpg', 'wb') as f:
        f.write(jpeg[:2] + b'\xff\xe1' + struct.pack('>H', len(segment) + 2)
                + segment + jpeg[2:])


with open(sys.argv[1], 'rb') as f:
    jpeg = f.read()
sound = exif('Canon', 'Canon EOS (5D)', '2020:05:17 12:30:00',
             [(48, 1), (51, 1), (2961, 100)], 'N', [(2, 1), (17, 1), (402, 10)], 'W')
write('sound', sound)
write('wrong', exif('Maker', 'M1', '0000:00:00 99:99:99', [(95, 1), (0, 1), (0, 1)],
                    'S', [(1, 0), (1, 1), (1, 1)], 'E'))
for k in range(0, len(sound), 20):
    write(f'cut{k:03}', sound[:k])
draw = random.Random(1)
for k in range(40):
    damaged = bytearray(sound)
    for _ in range(1 + k % 4):
        damaged[draw.randrange(len(damaged))] = draw.randrange(256)
    write(f'damaged{k:02}', bytes(damaged))
