"""Files of NumPy, SciPy and scikit-learn as akin reads them, and akin's as they
do. usage: check_files.py DUMP_ROWS [MAKE_MAT]; exits 77 (skipped) without NumPy
or SciPy. Without scikit-learn its svmlight files are not compared."""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
except ImportError as missing:
    print(missing)
    sys.exit(77)
try:
    from sklearn.datasets import dump_svmlight_file, load_svmlight_file
except ImportError:
    dump_svmlight_file = load_svmlight_file = None

DUMP = os.path.abspath(sys.argv[1])
MAKE_MAT = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
checked = 0


def run(*args):
    return subprocess.run([DUMP, *args], capture_output=True, text=True)


def read(path, *args, said=None):
    done = run(path, *args)
    assert done.returncode == 0, done.stderr
    assert said is None or done.stderr == said, done.stderr
    lines = done.stdout.split('\n')
    n, d = map(int, lines[0].split())
    x, labels = np.zeros((n, d), 'f4'), []
    for i, line in enumerate(lines[1:n + 1]):
        label, *entries = line.split('\t')
        labels.append(label)
        for entry in entries:
            column, value = entry.split(':')
            x[i, int(column)] = value
    return x, labels


def same(path, x, *args, labels=None, said=None):
    global checked
    got, got_labels = read(path, *args, said=said)
    assert got.shape == x.shape, (path, got.shape, x.shape)
    assert np.array_equal(got, x.astype('f4')), path
    if labels is not None:
        assert got_labels == [str(y) for y in labels], (path, got_labels)
    checked += 1


def refused(path, *args, what=''):
    global checked
    done = run(path, *args)
    assert done.returncode == 2, (path, done.stdout[:200], done.stderr)
    assert done.stderr.startswith(path) and what in done.stderr, done.stderr
    checked += 1


def arrays(a):
    for kind in '<f4 >f4 <f8 >f8 i1 <i2 >i2 <i4 >i4 <i8 >i8 ' \
                'u1 <u2 >u2 <u4 >u4 <u8 >u8 ?'.split():
        b = a > 0 if kind == '?' else (np.abs(a) if 'u' in kind else a)
        if 'f' not in kind and kind != '?':
            b = 10 * b
        b = b.astype(kind)
        for order in 'CF':
            np.save('a.npy', np.asarray(b, order=order))
            same('a.npy', b)
    for version in (1, 0), (2, 0), (3, 0):
        with open('a.npy', 'wb') as f:
            np.lib.format.write_array(f, a, version=version)
        same('a.npy', a)
    np.save('a.npy', a[:, 0])
    same('a.npy', a[:, :1])
    np.save('a.npy', np.array([1, 'x', None], dtype=object))
    refused('a.npy', what='objects')
    np.save('a.npy', a.reshape(-1, 1, 1))
    refused('a.npy', what='dimensions')


def labels_of_arrays(a):
    np.save('a.npy', a)
    names = ['u', 'vé', '日本', 'w w', '0', '-1', 'z'] * 3
    for y in np.arange(21) - 5, np.arange(21) % 2 > 0, np.array(names), \
            np.array(names[3:10] * 3).astype('>U7'), \
            np.arange(21).astype('f8'):
        np.save('y.npy', y)
        told = [int(k) for k in y] if y.dtype.kind in 'ibf' else y
        same('a.npy', a, '--labels', 'y.npy', labels=told)
    np.save('y.npy', np.array([b'ab', b'c', b''] * 7))
    same('a.npy', a, '--labels', 'y.npy', labels=['ab', 'c', ''] * 7)


def archives(a, s):
    y = ['a', 'bb', 'é'] * 7
    for save in np.savez, np.savez_compressed:
        save('a.npz', X=a, y=np.array(y))
        same('a.npz', a, labels=y)
        save('a.npz', data=a, other=a[:3])
        same('a.npz', a)
        same('a.npz', a[:3], '--variable', 'other')
        save('a.npz', Q=a)
        refused('a.npz', what='Q.npy')
    backwards = s.copy()
    for i in range(s.shape[0]):
        row = slice(s.indptr[i], s.indptr[i + 1])
        backwards.indices[row] = s.indices[row][::-1]
        backwards.data[row] = s.data[row][::-1]
    for m in s, s.tocsc(), backwards, s.astype('f8'):
        for packed in True, False:
            sp.save_npz('s.npz', m, compressed=packed)
            same('s.npz', s.toarray())
    sp.save_npz('s.npz', s.tocoo())
    refused('s.npz', what='layout')


def matlab(a, s):
    y = np.arange(21) % 4
    names = np.array(['one', 'zwei', 'trois'] * 7)
    for packed in True, False:
        scipy.io.savemat('m.mat', {'X': a, 'y': y}, do_compression=packed)
        same('m.mat', a, labels=y)
        scipy.io.savemat('m.mat', {'fts': a, 'labels': names.astype(object),
                                   'odd': a[:3]}, do_compression=packed)
        same('m.mat', a, labels=names)
        same('m.mat', a[:3], '--variable', 'odd')
        scipy.io.savemat('m.mat', {'s': s.tocsc(), 't': 'text'},
                         do_compression=packed)
        same('m.mat', s.toarray())
    scipy.io.savemat('m.mat', {'X': a, 'who': names})  # a matrix of letters
    same('m.mat', a, '--label-variable', 'who', labels=names)
    for kind in 'f8 f4 i1 u1 i2 u2 i4 u4 i8 u8 ?'.split():
        b = (np.abs(a) * 10).astype(kind)
        scipy.io.savemat('m.mat', {'Q': b})
        same('m.mat', b)
    scipy.io.savemat('m.mat', {'p': a, 'q': a})
    refused('m.mat', what='p q')
    refused('m.mat', '--variable', 'r', what='p q')
    scipy.io.savemat('m.mat', {'X': a, 'data': 2 * a})
    refused('m.mat', what='not clear; `variable` selects one of: X data')
    same('m.mat', 2 * a, '--variable', 'data')
    scipy.io.savemat('m.mat', {'w': a, 'fea': 2 * a, 'gnd': y, 'label': y + 1})
    same('m.mat', 2 * a, labels=y + 1,
         said='m.mat: using variable fea (`variable` selects another of: '
         'w fea gnd label); using labels label (`label_variable` selects others: '
         'gnd)\n')
    same('m.mat', a, '--variable', 'w', '--label-variable', 'gnd', labels=y,
         said='')
    scipy.io.savemat('m.mat', {'X': a + 1j})
    refused('m.mat', what='real')
    scipy.io.savemat('m.mat', {'X': a, 'y': y[:4]})
    refused('m.mat', '--label-variable', 'y', what='21 labels')
    with open('m.mat', 'wb') as f:
        f.write(b'nothing')
    refused('m.mat', what='not a MATLAB file')
    refused('none.mat', what='No such file')


def matlab_versions(make_mat):
    x = np.array([[1, 4.5], [2, 5], [3, 6]])
    s = np.array([[10, 0, 0, 0], [0, 0, 30, 0], [0, 0, 20, 0]])
    for version in '5', '7.3':
        subprocess.run([make_mat, 'v.mat', version], check=True)
        same('v.mat', x, '--variable', 'X', labels=[7, 8, 7])
        same('v.mat', s, '--variable', 'S', '--label-variable', 'names',
             labels=['a', 'b', 'c'])


def text(a, s):
    labels = np.arange(s.shape[0]) % 3
    for base in (True, False) if dump_svmlight_file else ():
        dump_svmlight_file(s, labels, 's.svm', zero_based=base)
        if base:  # an index 0 decides, and the last column must be there
            with open('s.svm', 'a') as f:
                f.write('0 0:0 %d:0\n' % (s.shape[1] - 1))
            same('s.svm', sp.vstack([s, s[:1] * 0]).toarray(),
                 labels=list(labels) + [0])
    np.savetxt('a.csv', a, delimiter=',')
    same('a.csv', a)
    np.savetxt('a.tsv.gz', a, delimiter='\t', header='b\tc', comments='')
    refused('a.tsv.gz')
    header = '\t'.join('c%d' % k for k in range(a.shape[1]))
    np.savetxt('a.tsv.gz', a, delimiter='\t', header=header, comments='')
    same('a.tsv.gz', a)


def written(a, s):
    y = np.array(['p', 'q;r', ''] * 7)
    np.savez('a.npz', X=a, y=y)
    assert run('a.npz', '--out', 'b.npz').returncode == 0
    with np.load('b.npz') as back:
        assert np.array_equal(back['X'], a) and np.array_equal(back['y'], y)
    for y, kind in (np.arange(21) - 5, 'i8'), (np.arange(21) % 3 > 0, 'i8'), \
            (np.arange(21).astype('f8'), 'i8'), (np.arange(21) / 2, 'U3'):
        np.savez('y.npz', X=a, y=y)
        assert run('y.npz', '--out', 'b.npz').returncode == 0
        with np.load('b.npz') as back:
            assert back['y'].dtype == kind and \
                np.array_equal(back['y'].astype(y.dtype), y), back['y']
    assert run('a.npz', '--out', 'b.npy').returncode == 0
    assert np.array_equal(np.load('b.npy'), a)
    assert run('a.npz', '--out', 'b.csv').returncode == 0
    back = np.genfromtxt('b.csv', delimiter=',', skip_header=1, dtype='f4')
    assert np.array_equal(back[:, :-1], a)
    sp.save_npz('s.npz', s)
    assert run('s.npz', '--out', 't.npz').returncode == 0
    assert (sp.load_npz('t.npz') != s).nnz == 0
    np.save('y.npy', np.arange(s.shape[0]))
    done = run('s.npz', '--labels', 'y.npy', '--out', 't.svm')
    assert done.returncode == 0, done.stderr
    if load_svmlight_file is None:
        return
    x, labels = load_svmlight_file('t.svm', n_features=s.shape[1])
    assert (x.astype('f4') != s).nnz == 0
    assert np.array_equal(labels, np.arange(s.shape[0]))


def main():
    rng = np.random.default_rng(20)
    a = rng.normal(size=(21, 5)).astype('f4')
    s = sp.random(50, 40, 0.2, format='csr', dtype='f4', random_state=1)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        arrays(a)
        labels_of_arrays(a)
        archives(a, s)
        text(a, s)
        if MAKE_MAT:
            matlab(a, s)
            matlab_versions(MAKE_MAT)
        written(a, s)
        os.chdir('/')
    print(checked, 'files as expected')


main()
