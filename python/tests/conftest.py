"""Data that several tests use, and the program to compare results with."""
import os
import subprocess
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine


@pytest.fixture(autouse=True)
def quiet():
    """What the learners warn of is not what most tests are about."""
    import akin
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", akin.AkinWarning)
        yield


@pytest.fixture(scope="session")
def iris():
    X, y = load_iris(return_X_y=True)
    return X.astype(np.float32), y


@pytest.fixture(scope="session")
def wine():
    """Rows in an order that is not that of the classes."""
    X, y = load_wine(return_X_y=True)
    order = np.random.RandomState(0).permutation(len(X))
    return X[order].astype(np.float32), y[order]


@pytest.fixture(scope="session")
def words():
    """Sparse counts of two topics, with words that both have."""
    from scipy.sparse import csr_matrix
    rng = np.random.RandomState(1)
    y = rng.randint(0, 2, 160)
    rate = np.full((160, 400), 0.02)
    rate[:, :40] += 0.2 * (y == 0)[:, None]
    rate[:, 40:80] += 0.2 * (y == 1)[:, None]
    return csr_matrix(rng.poisson(rate).astype(np.float32)), y


@pytest.fixture(scope="session")
def pairs(iris):
    """Numbers of two rows of iris, and +1 where they are of one class."""
    X, y = iris
    rng = np.random.RandomState(2)
    ij = np.array([(i, j) for i, j in rng.randint(0, len(X), (300, 2))
                   if i != j])
    return ij, np.where(y[ij[:, 0]] == y[ij[:, 1]], 1, -1)


@pytest.fixture(scope="session")
def triplets(iris):
    X, y = iris
    rng = np.random.RandomState(3)
    drawn = rng.randint(0, len(X), (3000, 3))
    q, p, n = y[drawn].T
    return drawn[(q == p) & (q != n) & (drawn[:, 0] != drawn[:, 1])]


@pytest.fixture(scope="session")
def train():
    """train(learner, folder, *flags): the bytes that `akin train` writes."""
    program = os.environ.get("AKIN_PROGRAM")
    if not program:
        pytest.skip("AKIN_PROGRAM names no program")

    def run(learner, folder, *flags):
        out = folder / "cli.safetensors"
        subprocess.run([program, "train", learner, "--quiet", "--out", str(out),
                        *map(str, flags)], check=True, cwd=folder,
                       stdout=subprocess.DEVNULL)
        return out.read_bytes()

    return run
