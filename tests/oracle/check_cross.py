"""Learners between two kinds of rows against plain NumPy, SciPy and scikit-learn.
usage: check_cross.py AKIN; exits 77 (skipped) without the packages."""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import scipy.optimize
    from sklearn.cross_decomposition import CCA
    from sklearn.svm import LinearSVC
except ImportError as missing:
    print(missing)
    sys.exit(77)

AKIN = os.path.abspath(sys.argv[1])
checked = 0


def akin(*args):
    done = subprocess.run([AKIN, *map(str, args), '--quiet'], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def two_views(rng, classes=3, n=(40, 32), d=(9, 6)):
    """Rows of two kinds around class means, saved with their labels."""
    sides = []
    for name, rows, dim in zip(('left', 'right'), n, d):
        y = rng.integers(0, classes, rows)
        x = rng.standard_normal((classes, dim))[y] + rng.standard_normal((rows, dim))
        x = (x - x.mean(0)).astype('f4')
        np.save(name + '.npy', x)
        np.savetxt(name + '.txt', y, '%d')
        sides += [x.astype(float), y]
    return sides


SIDES = ['--data', 'left.npy', '--right', 'right.npy']
LABELS = ['--labels', 'left.txt', '--right-labels', 'right.txt']


def train(learner, *args):
    akin('train', learner, *SIDES, '--as-is', *args, '--out', 'm.safetensors')


def scores(n, *args):
    """All pairs of the two sides by the model."""
    np.savetxt('all.txt', [(i, j) for i in range(n[0]) for j in range(n[1])], '%d')
    out = akin('score', 'm.safetensors', *SIDES, '--pairs', 'all.txt', *args)
    return np.array([line.split()[2] for line in out.splitlines()], float).reshape(n)


def close(what, got, want, tol=1e-5):
    global checked
    gap = np.max(np.abs(got - want)) / max(1.0, np.max(np.abs(want)))
    assert gap < tol, f'{what}: {gap:.3g} apart'
    checked += 1


def cosine(a, b):
    a = a / np.linalg.norm(a, axis=1)[:, None]
    b = b / np.linalg.norm(b, axis=1)[:, None]
    return a @ b.T


def cca(x, y, match, rank, reg, power):
    m = match.sum()
    cx, cy, cxy = x.T * match.sum(1) @ x / m, y.T * match.sum(0) @ y / m, x.T @ match @ y / m
    cx += reg * np.trace(cx) / len(cx) * np.eye(len(cx))
    cy += reg * np.trace(cy) / len(cy) * np.eye(len(cy))

    def root(c):
        w, v = np.linalg.eigh(c)
        return v / np.sqrt(w) @ v.T
    u, s, vt = np.linalg.svd(root(cx) @ cxy @ root(cy))
    s = s[:rank] ** power
    return root(cx) @ u[:, :rank] * s, root(cy) @ vt[:rank].T * s


def check_cca(rng):
    x, a, y, b = two_views(rng)
    match = (a[:, None] == b).astype(float)
    for rank, reg, power in (2, 0.01, 1.0), (2, 0.5, 0.0), (1, 0.1, 2.0):
        train('cca', *LABELS, '--pairs', 'all', '--rank', rank, '--reg', reg, '--power', power,
              '--score', 'cosine')
        p, q = cca(x, y, match, rank, reg, power)
        close('cca by labels', scores(match.shape), cosine(x @ p, y @ q))
    # Row by row and without a ridge: the same as scikit-learn, by correlations.
    y = (x[:, :6] @ rng.standard_normal((6, 6)) + rng.standard_normal((40, 6))).astype('f4')
    y -= y.mean(0)
    np.save('right.npy', y)
    np.savetxt('pairs.txt', [(i, i, 1) for i in range(40)], '%d')
    train('cca', '--pairs', 'pairs.txt', '--rank', 3, '--reg', 0, '--power', 0)
    y = y.astype(float)
    p, q = cca(x, y, np.eye(40), 3, 0.0, 0.0)
    close('cca of pairs', scores((40, 40)), cosine(x @ p, y @ q))
    theirs = CCA(n_components=3, scale=False, max_iter=100000, tol=1e-12).fit(x, y)
    u, v = theirs.transform(x, y)
    want = [np.corrcoef(u[:, k], v[:, k])[0, 1] for k in range(3)]
    got = [np.corrcoef(x @ p[:, k], y @ q[:, k])[0, 1] for k in range(3)]
    close('correlations', np.array(got), np.array(want), 1e-6)


def check_arc(rng):
    """The same minimum as L-BFGS on the full matrix, also with fewer rows than columns."""
    for d in (9, 6), (60, 6):
        x, a, y, b = two_views(rng, d=d)
        match = a[:, None] == b
        for C, low, up in (100.0, 1.0, -1.0), (3.0, 0.5, 0.0):
            args = ['--C', C, '--lower', low, '--upper', up, '--score', 'dot', '--tol', 1e-10]
            train('arc-t', *LABELS, '--pairs', 'all', *args)
            w = np.where(match, 0.5 / match.sum(), 0.5 / (~match).sum())

            def J(v):
                W = v.reshape(x.shape[1], y.shape[1])
                f = x @ W @ y.T
                m = np.where(match, np.minimum(f - low, 0), np.maximum(f - up, 0))
                return 0.5 * v @ v + C * (w * m * m).sum(), v + 2 * C * (x.T @ (w * m) @ y).ravel()
            best = scipy.optimize.minimize(J, np.zeros(x.shape[1] * y.shape[1]), jac=True, method='L-BFGS-B',
                                           options={'maxiter': 20000, 'maxfun': 40000, 'ftol': 1e-15,
                                                    'gtol': 1e-10})
            close('arc-t', scores(match.shape), x @ best.x.reshape(x.shape[1], y.shape[1]) @ y.T, 1e-4)


def features(x, kernel, origin='mean', length='one', gamma=0.7):
    """z(x) of the rows, with z'z the kernel (taken from the mean and scaled)."""
    square = ((x[:, None] - x) ** 2).sum(2)
    k = {'linear': x @ x.T, 'rbf': np.exp(-gamma * square), 'poly': (gamma * x @ x.T + 1) ** 3}[kernel]
    w, q = np.linalg.eigh(k)
    z = q[:, w > 1e-10 * w[-1]] * np.sqrt(w[w > 1e-10 * w[-1]])
    z = z - z.mean(0) if origin == 'mean' else z
    return z / np.sqrt((z * z).sum(1).mean()) if length == 'one' else z


def kernel_flags(kernel, origin, length):
    return ['--kernel', kernel, '--gamma', 0.7, '--origin', origin, '--length', length]


PLACES = (('mean', 'one'), ('zero', 'given'), ('mean', 'given'))


def check_arc_kernel(rng):
    """A kernel is its features; two of them; and the linear one is no kernel at all."""
    x, a, y, b = two_views(rng, n=(24, 20))
    match = a[:, None] == b
    w = np.where(match, 0.5 / match.sum(), 0.5 / (~match).sum())
    ends = ['--C', 10, '--score', 'dot', '--tol', 1e-12]
    for (left, right), place in zip((('rbf', 'poly'), ('linear', 'rbf'), ('rbf', 'rbf')), PLACES):
        p, q = features(x, left, *place), features(y, right, *place)

        def J(v):
            f = p @ v.reshape(p.shape[1], -1) @ q.T
            m = np.where(match, np.minimum(f - 1, 0), np.maximum(f + 1, 0))
            return 0.5 * v @ v + 10 * (w * m * m).sum(), v + 20 * (p.T @ (w * m) @ q).ravel()
        best = scipy.optimize.minimize(J, np.zeros(p.shape[1] * q.shape[1]), jac=True, method='L-BFGS-B',
                                       options={'maxiter': 20000, 'ftol': 1e-15, 'gtol': 1e-10})
        train('arc-t', *LABELS, *ends, *kernel_flags(left, *place), '--kernel-right', right)
        close(f'arc-t {left} {right}', scores(match.shape), p @ best.x.reshape(p.shape[1], -1) @ q.T, 1e-4)
    train('arc-t', *LABELS, *ends)
    plain = scores(match.shape)
    train('arc-t', *LABELS, *ends, *kernel_flags('linear', 'zero', 'given'))
    close('arc-t linear', scores(match.shape), plain, 1e-8)
    np.save('left.npy', x @ x.T)
    np.save('right.npy', y @ y.T)
    train('arc-t', *LABELS, *ends, *kernel_flags('precomputed', 'zero', 'given'))
    close('arc-t precomputed', scores(match.shape), plain, 1e-5)


def label_scores(n, labels, data='left.npy'):
    out = akin('predict', 'm.safetensors', '--data', data, '--top', labels)
    got = np.zeros((n, labels))
    for line in out.splitlines():
        row, label, score = line.split()
        got[int(row), int(label)] = float(score)
    return got


def machines(z, a, labels, loss, C):
    """One against all others, by LIBLINEAR."""
    loss = 'hinge' if loss == 'hinge' else 'squared_hinge'
    return np.array([z @ LinearSVC(C=C, loss=loss, dual=True, fit_intercept=False, tol=1e-10, max_iter=1000000)
                     .fit(z, np.where(a == label, 1, -1)).coef_[0] for label in range(labels)]).T


def check_svm_kernel(rng):
    x, a, _, _ = two_views(rng, classes=3, n=(50, 20), d=(5, 3))
    args = ['train', 'svm-t', '--data', 'left.npy', '--labels', 'left.txt', '--as-is', '--bias', 0, '--tol', 1e-10,
            '--out', 'm.safetensors', '--loss', 'hinge2', '--C', 1]
    for kernel, place in zip(('rbf', 'poly', 'linear'), PLACES):
        akin(*args, *kernel_flags(kernel, *place))
        close(f'svm-t {kernel}', label_scores(50, 3), machines(features(x, kernel, *place), a, 3, 'hinge2', 1), 1e-4)
    akin(*args)
    plain = label_scores(50, 3)
    akin(*args, *kernel_flags('linear', 'zero', 'given'))
    close('svm-t linear', label_scores(50, 3), plain, 1e-8)
    np.save('left.npy', x @ x.T)
    akin(*args, *kernel_flags('precomputed', 'zero', 'given'))
    close('svm-t precomputed', label_scores(50, 3), plain, 1e-5)


def spectral(g, lam):
    """min over H of tr(G'(I + H)^-1 G) / 2, trace H <= lam, and its derivative (I + H)^-1 G."""
    u, s, vt = np.linalg.svd(g, full_matrices=False)
    mu = max((s[:k].sum() / (lam + k) for k in range(1, len(s) + 1)), default=0)
    return 0.5 * (s * np.minimum(s, mu)).sum(), (u * np.minimum(s, mu)) @ vt


def check_hfa(rng):
    """The minimum over all weights by L-BFGS, for which H has a closed form."""
    x, a, y, b = two_views(rng, n=(30, 14))
    ends = ['--loss', 'hinge2', '--tol', 1e-9, '--max-iterations', 5000, '--max-sweeps', 100000]
    for kernel, place, lam, C in (('none', None, 10, 1), ('none', None, 100, 0.1), ('rbf', PLACES[0], 10, 1)):
        p, q = (x, y) if kernel == 'none' else (features(x, kernel, *place), features(y, kernel, *place))
        z = np.block([[p, np.zeros((30, q.shape[1]))], [np.zeros((14, p.shape[1])), q]])
        sign = np.where(np.concatenate([a, b])[:, None] == np.arange(3), 1.0, -1.0)

        def J(v):
            g = v.reshape(-1, 3)
            value, slope = spectral(g, lam)
            miss = np.maximum(0, 1 - sign * (z @ g))
            return value + C * (miss * miss).sum(), (slope - 2 * C * z.T @ (sign * miss)).ravel()
        best = scipy.optimize.minimize(J, np.zeros(z.shape[1] * 3), jac=True, method='L-BFGS-B',
                                       options={'maxiter': 20000, 'maxfun': 40000, 'ftol': 1e-15, 'gtol': 1e-9})
        flags = [] if kernel == 'none' else kernel_flags(kernel, *place)
        train('hfa', *LABELS, *ends, *flags, '--lambda', lam, '--C', C)
        got = label_scores(14, 3, 'right.npy')
        close(f'hfa {kernel} {lam} {C}', got, (z @ best.x.reshape(-1, 3))[30:], 1e-3)
    train('hfa', *LABELS, *ends, '--lambda', 10)
    plain = label_scores(14, 3, 'right.npy')
    train('hfa', *LABELS, *ends, '--lambda', 10, *kernel_flags('linear', 'zero', 'given'))
    close('hfa linear', label_scores(14, 3, 'right.npy'), plain, 1e-5)


def check_symm(rng):
    """The optimality conditions of the metric: M^-1 = I + sum of multipliers times pairs, which
    means that M moves within the span of the differences alone, and matching pairs come nearer."""
    x, a, y, b = two_views(rng, d=(6, 6))
    match = a[:, None] == b
    train('symm', *LABELS, '--pairs', 'all', '--gamma', 1.0, '--tol', 1e-9)
    got = -scores(match.shape)
    plain = ((x[:, None] - y) ** 2).sum(2)
    ratio = got / plain
    assert ratio[match].mean() < ratio[~match].mean(), 'symm does not bring matching pairs nearer'
    # A metric, by its own scores: fit M to all distances and look at its eigenvalues.
    z = (x[:, None] - y).reshape(-1, 6)
    basis = np.einsum('ni,nj->nij', z, z).reshape(len(z), -1)
    M = np.linalg.lstsq(basis, got.ravel(), rcond=None)[0].reshape(6, 6)
    close('symm is a metric', np.einsum('ni,ij,nj->n', z, (M + M.T) / 2, z), got.ravel(), 1e-4)
    assert np.linalg.eigvalsh((M + M.T) / 2).min() > 0


def check_svm(rng):
    x, a, _, _ = two_views(rng, classes=4, n=(80, 20), d=(5, 3))
    args = ['train', 'svm-t', '--data', 'left.npy', '--labels', 'left.txt', '--as-is', '--bias', 0, '--tol', 1e-9,
            '--out', 'm.safetensors']
    for loss, C in ('hinge', 1.0), ('hinge', 0.05), ('hinge2', 1.0), ('hinge2', 20.0):
        akin(*args, '--loss', loss, '--C', C)
        close(f'svm-t {loss} {C}', label_scores(80, 4), machines(x, a, 4, loss, C), 1e-4)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for check in (check_cca, check_arc, check_arc_kernel, check_symm, check_svm, check_svm_kernel,
                  check_hfa):
        check(np.random.default_rng(7))
    os.chdir('/')
print(f'{checked} comparisons')
