"""pca, lda, logistic, kernel-ridge and blend against plain NumPy and, where it is installed, scikit-learn.
usage: check_classes.py AKIN; exits 77 (skipped) without NumPy."""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as missing:
    print(missing)
    sys.exit(77)
try:
    from sklearn.covariance import ledoit_wolf_shrinkage
    from sklearn.decomposition import PCA
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LogisticRegression
except ImportError:
    PCA = None

AKIN = os.path.abspath(sys.argv[1])
checked = 0


def akin(*args):
    done = subprocess.run([AKIN, *map(str, args), '--quiet'], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def table(rng, n, d, classes):
    """Rows around class means, on axes of unequal length, saved with labels."""
    y = np.arange(n) % classes
    x = rng.standard_normal((classes, d))[y] + rng.standard_normal((n, d))
    x = (x @ rng.standard_normal((d, d)) + 3 * rng.standard_normal(d)).astype('f4')
    np.save('x.npy', x)
    np.savetxt('y.txt', y, '%d')
    return x.astype(float), y


def distances(learner, *args):
    """Squared distances of all pairs of rows after training."""
    akin('train', learner, '--data', 'x.npy', '--labels', 'y.txt', '--as-is', *args,
         '--out', 'm.safetensors')
    akin('embed', 'm.safetensors', '--data', 'x.npy', '--out', 'e.npy')
    return apart(np.load('e.npy').astype(float))


def apart(e):
    return ((e[:, None] - e[None]) ** 2).sum(-1)


def close(what, got, want, tol=1e-4):
    global checked
    gap = np.max(np.abs(got - want)) / np.max(np.abs(want))
    assert gap < tol, f'{what}: {gap:.3g} apart'
    checked += 1


def pca(x, rank, whiten):
    x = x - x.mean(0)
    _, s, vt = np.linalg.svd(x, full_matrices=False)
    scale = (s[:rank] / np.sqrt(len(x) - 1)) ** -whiten
    return x @ vt[:rank].T * scale


def shrunk(z, d, shrinkage):
    """(3) and (7) of lda.c."""
    n = len(z)
    s = z.T @ z / n
    mu = np.trace(s) / d
    if shrinkage < 0:
        away = ((s - mu * np.eye(d)) ** 2).sum()
        noise = sum(((np.outer(v, v) - s) ** 2).sum() for v in z) / n ** 2
        shrinkage = min(1, noise / away)
    return (1 - shrinkage) * s + shrinkage * mu * np.eye(d), shrinkage


def scaled(x, y):
    """(1) of lda.c."""
    x = x - x.mean(0)
    means = np.stack([x[y == c].mean(0) for c in range(y.max() + 1)])
    return x / np.sqrt(np.maximum(((x - means[y]) ** 2).mean(0), 0.1 * (x ** 2).mean(0)))


def lda(x, y, rank, shrinkage, directions):
    """By the generalised problem Sb v = f S v in all d dimensions."""
    x = scaled(x, y)
    means = np.stack([x[y == c].mean(0) for c in range(y.max() + 1)])
    s, _ = shrunk(x - means[y], x.shape[1], shrinkage)
    sb = sum((y == c).mean() * np.outer(m, m) for c, m in enumerate(means))
    w, v = np.linalg.eigh(s)
    t = v / np.sqrt(w)
    f, r = np.linalg.eigh(t.T @ sb @ t)
    f, r = f[::-1][:rank], r[:, ::-1][:, :rank]
    return x @ t @ r * (np.sqrt(f / (1 + f)) if directions == 'weighted' else 1)


def check(rng, n, d, classes):
    x, y = table(rng, n, d, classes)
    for rank in 1, 3:
        for whiten in 0, 0.5, 1:
            close(f'pca {n} x {d}, rank {rank}, whiten {whiten}',
                  distances('pca', '--rank', rank, '--whiten', whiten),
                  apart(pca(x, rank, whiten)))
    spread = np.linalg.svd(x - x.mean(0), compute_uv=False) ** 2
    enough = 1 + int(np.argmax(np.cumsum(spread) >= 0.9 * spread.sum()))
    close('share of the variance', distances('pca', '--variance', 0.9), apart(pca(x, enough, 0)))
    for rank in 2, classes - 1:
        for shrinkage in -1, 0.2, 1:
            for directions in 'weighted', 'equal':
                close(f'lda {n} x {d}, rank {rank}, shrinkage {shrinkage}, {directions}',
                      distances('lda', '--rank', rank, '--shrinkage', shrinkage,
                                '--directions', directions),
                      apart(lda(x, y, rank, shrinkage, directions)))
    if PCA is None:
        return
    close('pca of scikit-learn', distances('pca', '--rank', 3, '--whiten', 1),
          apart(PCA(3, whiten=True).fit_transform(x)))
    z = scaled(x, y)
    z = z - np.stack([z[y == c].mean(0) for c in range(classes)])[y]
    close('Ledoit and Wolf', shrunk(z, d, -1)[1], ledoit_wolf_shrinkage(z, assume_centered=True))
    if n > 2 * d:
        model = LinearDiscriminantAnalysis().fit(x, y)  # divides by n - classes
        close('lda of scikit-learn', distances('lda', '--shrinkage', 0, '--directions', 'equal')
              * (n - classes) / n, apart(model.transform(x)))


def check_constant(rng):
    """What rounding leaves of constant columns separates no classes."""
    x, _ = table(rng, 61, 5, 3)
    alone = distances('lda', '--shrinkage', 0)
    same = np.broadcast_to(rng.standard_normal(9), (61, 9))
    np.save('x.npy', np.hstack([x, same]).astype('f4'))
    close('lda with constant columns', distances('lda', '--shrinkage', 0), alone)


def probabilities(z):
    p = np.exp(z - z.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


def predicted(n, classes, *args):
    """akin predict of all rows: n x classes."""
    p = np.zeros((n, classes))
    for line in akin('predict', 'm.safetensors', *args, '--top', classes,
                     '--exact').splitlines():
        i, label, score = line.split()
        p[int(i), int(label)] = float(score)
    return p


def slope(x, y, z, step):
    """How fast the mean loss of predictions changes along `step`, by differences."""
    def loss(t):
        p = probabilities(z + t * step)
        return -(y * np.log(p)).sum(1).mean()
    return (loss(1e-5) - loss(-1e-5)) / 2e-5


def check_logistic(rng, classes, sparse, data):
    """The gradient of the objective is zero where the program stops: the slope of the loss,
    by differences of its own predictions, against that of the penalty."""
    n, d, strength = 90, 6, 0.5
    x, y = table(rng, n, d, classes)
    if sparse:
        x *= rng.random(x.shape) < 0.4
        with open('x.svm', 'w') as file:
            for row, label in zip(x, y):
                file.write(' '.join([str(label)] + [f'{j + 1}:{v:.9g}' for j, v in enumerate(row)
                                                    if v != 0]) + '\n')
    akin('train', 'logistic', *data, '--as-is', '--lambda', strength, '--tol', 1e-9, '--sharpness',
         1, '--out', 'm.safetensors')
    penalty = strength * ((x - x.mean(0)) ** 2).sum() / n
    p = predicted(n, classes, *data)
    z = np.log(p)
    z -= z.mean(1, keepdims=True)
    design = np.hstack([x, np.ones((n, 1))])
    w = np.linalg.lstsq(design, z, rcond=None)[0]
    close('predictions are a softmax', design @ w, z, 1e-6)
    target = np.eye(classes)[y]
    for j in range(d + 1):
        for c in range(classes):
            step = np.zeros((d + 1, classes))
            step[j, c] = 1
            got = slope(x, target, z, design @ step) + (penalty / n * w[j, c] if j < d else 0)
            assert abs(got) < 1e-6, f'gradient {got:.3g} at {j}, {c}'
    np.savetxt('all.txt', [(i, (3 * i + 1) % n) for i in range(n)], '%d')
    out = akin('score', 'm.safetensors', *data, '--pairs', 'all.txt', '--score', 'dot',
               '--exact')
    got = np.array([line.split()[2] for line in out.splitlines()], float)
    close('dot product of posteriors', got, (p * p[(3 * np.arange(n) + 1) % n]).sum(1), 1e-6)
    if PCA is not None:
        share = 2 if classes == 2 else 1  # of two labels it has one vector, twice as long
        model = LogisticRegression(C=share / penalty, solver='newton-cg', tol=1e-7,
                                   max_iter=5000).fit(x, y)
        close('logistic of scikit-learn', p, model.predict_proba(x), 1e-5)


def check_blend(rng, n, d, classes):
    """Labels from the logits of logistic and of Gaussian classes, by S in the span of the
    rows; distances from the parts that each has."""
    x, y = table(rng, n, d, classes)
    data = ['--data', 'x.npy', '--labels', 'y.txt', '--as-is']
    akin('train', 'logistic', *data, '--lambda', 0.3, '--sharpness', 1, '--tol', 1e-9,
         '--out', 'm.safetensors')
    z = np.log(predicted(n, classes, '--data', 'x.npy'))
    z -= z.mean(1, keepdims=True)
    e = x - x.mean(0)
    _, spread, axes = np.linalg.svd(e, full_matrices=False)
    e = e @ axes[spread > 1e-9 * spread[0]].T
    means = np.stack([e[y == c].mean(0) for c in range(classes)])
    share = np.bincount(y) / n
    s, _ = shrunk(e - means[y], e.shape[1], -1)
    inverse = np.linalg.inv(s)
    g = e @ inverse @ means.T - 0.5 * ((means @ inverse) * means).sum(1) + np.log(share)
    train = ['train', 'blend', *data, '--lambda', 0.3, '--out', 'm.safetensors']
    for weight in 0, 0.3:
        akin(*train, '--share', weight)
        want = probabilities(weight * z + (1 - weight) * g)
        close(f'blend of labels, share {weight}', predicted(n, classes, '--data', 'x.npy'), want,
              3e-2 if weight else 1e-4)  # logistic ends at a gradient of 0.001
    w, v = np.linalg.eigh(s)
    t = v / np.sqrt(w)
    f, r = np.linalg.eigh(t.T @ (means.T * share) @ means @ t)
    f, r = f[::-1][:classes - 1], r[:, ::-1][:, :classes - 1]
    parts = {'whitened': [e @ t], 'lda': [e @ t @ r * np.sqrt(f / (1 + f))]}
    parts['rows'] = parts['lda'] + [x]
    for name, blocks in parts.items():
        akin(*train, '--with', name, '--share', 0.4)
        akin('embed', 'm.safetensors', '--data', 'x.npy', '--out', 'e.npy')
        want = 0.4 * even(apart(z)) + sum(0.6 / len(blocks) * even(apart(b)) for b in blocks)
        close(f'blend with {name}', apart(np.load('e.npy').astype(float)), want, 3e-2)


def least_loss(f, y):
    """The logarithm of s with the least loss of softmax(s f), on a fine grid."""
    grid = np.linspace(0, np.log(128), 20001)
    return grid[np.argmin([-(y * np.log(probabilities(np.exp(g) * f) + 1e-300)).sum()
                           for g in grid[::100]]) * 100]


def check_kernel_ridge(rng, kernel, n, support):
    """The solution over the support rows, told by a model of all other rows' kernels; the
    scale from rows left out one by one."""
    classes, lam, narrow = 3, 0.3, 1.5
    x, y = table(rng, n, 5, classes)
    akin('train', 'kernel-ridge', '--data', 'x.npy', '--labels', 'y.txt', '--as-is', '--kernel',
         kernel, '--narrow', narrow, '--lambda', lam, '--support', support, '--out',
         'm.safetensors')
    p = predicted(n, classes, '--data', 'x.npy')
    with open('m.safetensors', 'rb') as file:
        size = int.from_bytes(file.read(8), 'little')
        head = json.loads(file.read(size))
        begin, end = head['left.kernel']['data_offsets']
        file.seek(8 + size + begin)
        gamma = np.frombuffer(file.read(end - begin), 'f8')[1]
        begin, end = head['left.dense']['data_offsets']
        file.seek(8 + size + begin)
        s = np.frombuffer(file.read(end - begin), 'f4').reshape(-1, 5).astype(float)
    def k(a, b):
        apart_ = ((a[:, None] - b[None]) ** 2).sum(-1)
        return np.exp(-gamma * (apart_ if kernel == 'rbf' else np.sqrt(apart_)))
    assert len(s) == (support or n)
    target = np.eye(classes)[y]
    mean = target.mean(0)
    def solve(rows):
        ks = k(x[rows], s)
        return np.linalg.solve(ks.T @ ks + lam * k(s, s), ks.T @ (target[rows] - mean))
    f = mean + k(x, s) @ solve(np.arange(n))
    out = np.stack([mean + k(x[i:i + 1], s)[0] @ solve(np.delete(np.arange(n), i))
                    for i in range(n)])
    if support:
        best = np.exp(least_loss(out, target))
        close(f'kernel-ridge {kernel} {support}', p, probabilities(best * f), 2e-2)
    z = np.log(p)
    z -= z.mean(1, keepdims=True)
    f -= f.mean(1, keepdims=True)
    scale = (z * f).sum() / (f * f).sum()
    close(f'kernel-ridge {kernel} {support}: logits', z, scale * f, 1e-3)
    if not support:
        full = k(x, x) + lam * np.eye(n)
        out = np.stack([mean + np.delete(k(x, x)[i], i) @ np.linalg.solve(
            np.delete(np.delete(full, i, 0), i, 1), np.delete(target - mean, i, 0))
            for i in range(n)])
        best = np.exp(least_loss(out, target))
        close(f'kernel-ridge {kernel}: scale', np.log(scale), np.log(best), 2e-2)


def even(distances):
    return distances / distances.mean()


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    generator = np.random.default_rng(5)
    check(generator, 60, 7, 4)
    check(generator, 24, 40, 4)  # fewer rows than columns
    check_constant(generator)
    check_blend(generator, 60, 7, 4)
    check_blend(generator, 24, 40, 3)
    for kernel in 'laplacian', 'rbf':
        check_kernel_ridge(generator, kernel, 60, 0)
        check_kernel_ridge(generator, kernel, 60, 25)
    for labels in 2, 4:
        check_logistic(generator, labels, False, ['--data', 'x.npy', '--labels', 'y.txt'])
        check_logistic(generator, labels, True, ['--data', 'x.svm'])
print(checked, 'checks passed')
