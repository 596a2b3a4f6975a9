"""mypy is content with the package, and the stubs with what runs."""
import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

import akin

ROOT = pathlib.Path(__file__).parents[2]
FOLDER = pathlib.Path(akin.__file__).parents[1]

USE = """
import akin

e = akin.LoretaPSD(rank=3, clock=1)
akin.SolisADA(clock="sometimes")
akin.LDA().fit([[0.0]], [1]).transform([[0.0]])
reveal_type(akin.LDA().fit([[0.0]], [1]))
reveal_type(akin.ITML().fit_pairs([[0.0]], [[0, 0]], [1]))
reveal_type(akin.OASIS().partial_fit([[0.0]], [1]).pair_score([[0.0]], [[0, 0]]))
"""


def mypy(*args):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("no mypy: scripts/setup.sh --python installs it")
    return subprocess.run(
        [sys.executable, "-m", *args], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "MYPYPATH": str(FOLDER),
             "PYTHONPATH": str(FOLDER)})


def test_the_package(tmp_path):
    ran = mypy("mypy", "--cache-dir", str(tmp_path))
    assert ran.returncode == 0, ran.stdout


def test_the_stubs():
    ran = mypy("mypy.stubtest", "akin._learners", "--mypy-config-file",
               "pyproject.toml")
    assert ran.returncode == 0, ran.stdout


def test_a_use_of_it(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    ran = mypy("mypy", "--config-file", "", "--cache-dir", str(tmp_path),
               str(tmp_path / "use.py"))
    found = [line.split(": ", 1)[1] for line in ran.stdout.splitlines()
             if "use.py" in line]
    assert len(found) == 5, ran.stdout
    assert 'Unexpected keyword argument "clock"' in found[0]
    assert "Literal['active', 'all']" in found[1].replace('"', "'")
    assert "LDA" in found[2]
    assert "ITML" in found[3]
    assert "ndarray" in found[4]
