# Pictures for the cases: pictures FOLDER KINDS EACH makes EACH noisy PNG of
# each of KINDS patterns, in sub-folders k0, k1, ...
pictures() {
    /usr/bin/python3 - "$@" <<'END'
import os, random, struct, sys, zlib

def png(path, w, h, rgb, keep=1.0):
    raw = b''.join(b'\0' + rgb[y * w * 3:(y + 1) * w * 3] for y in range(h))
    def chunk(name, data):
        crc = zlib.crc32(name + data)
        return struct.pack('>I', len(data)) + name + data + struct.pack('>I', crc)
    head = struct.pack('>IIBBBBB', w, h, 8, 2, 0, 0, 0)
    with open(path, 'wb') as f:
        f.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head)
                + chunk(b'IDAT', zlib.compress(raw)) + chunk(b'IEND', b''))

folder, kinds, each = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
W = 96
for k in range(kinds):
    os.makedirs(f'{folder}/k{k}', exist_ok=True)
    spots = random.Random(k)
    spots = [(spots.randrange(8, W - 8), spots.randrange(8, W - 8),
              spots.randrange(3, 9), spots.randrange(3, 9),
              [spots.randrange(256) for _ in range(3)]) for _ in range(30)]
    for i in range(each):
        r = random.Random(100 * k + i)
        rgb = bytearray([120] * (W * W * 3))
        dx, dy = r.randrange(-3, 4), r.randrange(-3, 4)
        for x, y, a, b, colour in spots:
            for v in range(max(0, y + dy - b), min(W, y + dy + b)):
                for u in range(max(0, x + dx - a), min(W, x + dx + a)):
                    at = 3 * (v * W + u)
                    rgb[at:at + 3] = bytes(colour)
        for at in range(len(rgb)):
            rgb[at] = max(0, min(255, rgb[at] + r.randrange(-6, 7)))
        png(f'{folder}/k{k}/{i}.png', W, W, bytes(rgb))
END
}
