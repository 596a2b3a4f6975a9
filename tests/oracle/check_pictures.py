"""What is seen in pictures, beside VLFeat itself and plain NumPy.
usage: check_pictures.py AKIN DUMP_PICTURE DRIVE_VLFEAT; exits 77 without NumPy.

SIFT is compared with drive_vlfeat, which calls VLFeat's functions as its command
`sift` does; with the command itself where $VLFEAT_SIFT is its path; and with
vl_sift of VLFeat's toolbox where Octave has it (Debian: octave-vlfeat)."""
import glob
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as missing:
    print(missing)
    sys.exit(77)

AKIN, DUMP, DRIVE = map(os.path.abspath, sys.argv[1:4])
SETTINGS = [(0, 0.0, 10.0), (-1, 3.4, 10.0), (1, 1.0, 5.0)]  # octave, peak, edge


def run(*args):
    done = subprocess.run([str(a) for a in args], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def features(text):
    return np.array([line.split() for line in text.splitlines()], float).reshape(-1, 132)


def scenes():
    """Photographs of a town, as arrays height x width x 3."""
    run(AKIN, 'synth', 'scenes', '--landmarks', 1, '--views', 2, '--others', 1,
        '--width', 330, '--height', 241, '--out', 'town', '--quiet')
    for name in sorted(glob.glob('town/**/*.jpg', recursive=True)):
        ppm = run(DUMP, 'pixels', name)
        head, pixels = ppm.split(b'\n', 1)
        width, height = map(int, head.split()[1:3])
        yield np.frombuffer(pixels, 'u1').reshape(height, width, 3)


def write(name, image):
    kind = b'P5' if image.ndim == 2 else b'P6'
    with open(name, 'wb') as f:
        f.write(b'%s\n%d %d\n255\n' % (kind, image.shape[1], image.shape[0]))
        f.write(image.tobytes())


# ---- features ---------------------------------------------------------------


def by_command(octave, peak, edge):
    run(os.environ['VLFEAT_SIFT'], 'grey.pgm', '--output=ascii://out.sift',
        f'--first-octave={octave}', f'--peak-thresh={peak}', f'--edge-thresh={edge}')
    with open('out.sift') as f:
        return features(f.read())


def by_octave(octave, peak, edge):
    """The toolbox turns pictures over, as it has columns first: it is given the
    picture turned over, and what it says is turned back."""
    run('octave-cli', '--no-gui', '--norc', '--eval',
        f"I = single(imread('grey.pgm'))'; [f, d] = vl_sift(I, 'FirstOctave', {octave}, "
        f"'PeakThresh', {peak}, 'EdgeThresh', {edge}); "
        "dlmwrite('out.txt', [f; double(d)]', 'delimiter', ' ', 'precision', 9)")
    with open('out.txt') as f:
        out = features(f.read())
    turned = out.copy()
    turned[:, :2] = out[:, 1::-1] - 1
    turned[:, 3] = np.pi / 2 - out[:, 3]
    grid = out[:, 4:].reshape(-1, 4, 4, 8)[:, ::-1]
    turned[:, 4:] = grid[..., -np.arange(8) % 8].reshape(-1, 128)
    return turned


def has_toolbox():
    try:
        found = run('octave-cli', '--no-gui', '--norc', '--eval', "disp(exist('vl_sift'))")
        return found.strip() == b'3'
    except (OSError, AssertionError):
        return False


def compare(who, ours, theirs, most=1.0):
    """The same features in the same order. Bytes are rounded here, cut there;
    255 stands for what is more, which wraps around in the command."""
    assert len(ours) == len(theirs) > 20, f'{who}: {len(ours)} features, not {len(theirs)}'
    gap = np.abs(ours - theirs)
    gap[:, 4:][ours[:, 4:] == 255] = 0
    turn = np.abs(gap[:, 3] - 2 * np.pi * np.round(gap[:, 3] / (2 * np.pi)))
    assert gap[:, :3].max() < 2e-3 and turn.max() < 1e-4, f'{who}: other places'
    assert gap[:, 4:].max() <= most, f'{who}: descriptors {gap[:, 4:].max()} apart'
    return len(ours)


def check_sift(image, others):
    """Returns how many features are the same, by who else found them."""
    grey = np.round(image @ [0.299, 0.587, 0.114]).astype('u1')
    write('grey.pgm', grey)
    write('grey.ppm', np.repeat(grey[:, :, None], 3, 2))
    counts = dict.fromkeys(['functions', *others], 0)
    for setting in SETTINGS:
        ours = features(run(DUMP, 'sift', 'grey.ppm', *setting))
        exact = features(run(DRIVE, 'grey.pgm', *setting))
        is_described = exact[:, 4:].any(1)  # not in the last row: VLFeat says nothing
        exact = exact[is_described]
        counts['functions'] += compare('functions', ours, exact, 0.6)
        for name, other in others.items():
            counts[name] += compare(name, ours, other(*setting)[is_described])
        v = exact[:, 4:]
        v[:] = 512 * np.sqrt(v / v.sum(1, keepdims=True))
        compare('roots', features(run(DUMP, 'sift', 'grey.ppm', *setting, 'root')), exact, 0.501)
    return counts


# ---- colours ----------------------------------------------------------------


def luv(rgb):
    c = rgb / 255.0
    light = np.where(c > 0.04045, ((c + 0.055) / 1.055) ** 2.4, c / 12.92)
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                       [0.0193339, 0.1191920, 0.9503041]])
    white = np.array([0.95047, 1.0, 1.08883])
    xyz = light @ to_xyz.T

    def chroma(v):
        total = np.maximum(v @ [1.0, 15.0, 3.0], 1e-300)
        return np.stack([4 * v[..., 0] / total, 9 * v[..., 1] / total], -1)
    y = xyz[..., 1]
    lightness = np.where(y > (6 / 29) ** 3, 116 * np.cbrt(y) - 16, (29 / 3) ** 3 * y)
    uv = 13 * lightness[..., None] * (chroma(xyz) - chroma(white))
    return np.concatenate([lightness[..., None], uv], -1)


def hsv(rgb):
    import colorsys
    flat = [colorsys.rgb_to_hsv(*(p / 255.0)) for p in rgb.reshape(-1, 3)]
    return np.array(flat).reshape(rgb.shape)


def moments(x):
    """Five rows of five blocks; mean, deviation, skewness of each channel."""
    height, width = x.shape[:2]
    cut = [[i * side // 5 for i in range(6)] for side in (height, width)]
    out = []
    for r in range(5):
        for c in range(5):
            block = x[cut[0][r]:cut[0][r + 1], cut[1][c]:cut[1][c + 1]].reshape(-1, 3)
            off = block - block.mean(0)
            out.append(np.stack([block.mean(0), np.sqrt((off ** 2).mean(0)),
                                 np.cbrt((off ** 3).mean(0))], -1))
    return np.array(out).ravel()


def check_moments(image):
    write('colour.ppm', image)
    for name, space in ('luv', luv), ('hsv', hsv):
        got = np.array(run(DUMP, 'moments', 'colour.ppm', name).split(), float)
        want = moments(space(image))
        gap = np.abs(got - want) / (1e-3 + np.abs(want))
        assert got.shape == (225,) and gap.max() < 1e-3, f'{name}: {gap.max():.2g} apart'


def main():
    others = {}
    if 'VLFEAT_SIFT' in os.environ:
        others['command'] = by_command
    if has_toolbox():
        others['toolbox'] = by_octave
    total = {}
    rng = np.random.default_rng(1)
    for image in scenes():
        for name, n in check_sift(image, others).items():
            total[name] = total.get(name, 0) + n
        check_moments(image[60:161, 80:204])
        others.pop('toolbox', None)  # a second for each start of Octave
    for shape in (5, 5), (7, 23):
        check_moments(rng.integers(0, 256, (*shape, 3)).astype('u1'))
    print('features that are the same:', total)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
