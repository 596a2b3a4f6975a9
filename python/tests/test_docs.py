"""The code of README.md and of docs/python does what the pages say."""
import doctest
import os
import pathlib
import re
import runpy

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs/python").glob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | \
    doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
@pytest.mark.filterwarnings("ignore")
def test_a_page(page, tmp_path, monkeypatch):
    """All blocks of a page run as one session, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```pycon\n(.*?)```", page.read_text(), re.S)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name,
                                               os.fspath(page), 0)
    assert test.examples
    said = []
    result = doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(
        test, out=said.append)
    assert result.failed == 0, "".join(said)


@pytest.mark.parametrize(
    "page", sorted((ROOT / "docs/python/notebooks").glob("*.py")),
    ids=lambda p: p.stem)
@pytest.mark.filterwarnings("ignore")
def test_a_notebook(page, tmp_path, monkeypatch):
    """From top to bottom; its last cell has what must be true."""
    import matplotlib
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(os.fspath(page))
