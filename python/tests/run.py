"""Run the tests of the Python package; the last line is what tools/tally.py
counts.

    run.py [ARGUMENT...]

Arguments are those of pytest. AKIN_PROGRAM names the program that results are
compared with. Exit 77, skipped, where pytest or scikit-learn is not installed.
"""
import importlib.util
import pathlib
import sys


class Count:
    """Cases by how they ended."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed += 1
        elif report.skipped:
            self.skipped += 1
        elif report.when == "call":
            self.passed += 1

    def pytest_collectreport(self, report):
        if report.failed:
            self.failed += 1


def main():
    for name in ("pytest", "sklearn", "pandas"):
        if importlib.util.find_spec(name) is None:
            print(f"no {name}: scripts/setup.sh --python installs it")
            sys.exit(77)
    import pytest
    count = Count()
    status = pytest.main(
        ["-q", "-p", "no:cacheprovider", "--durations=8",
         *(sys.argv[1:] or [str(pathlib.Path(__file__).parent)])],
        plugins=[count])
    print(f"{count.passed} passed, {count.failed} failed, "
          f"{count.skipped} skipped")
    sys.exit(status)


if __name__ == "__main__":
    main()
