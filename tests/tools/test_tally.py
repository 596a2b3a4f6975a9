"""tally.py counts cases as the programs report them."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TALLY = os.path.join(HERE, "..", "..", "tools", "tally.py")


def tally(*tests):
    """[passed, failed, skipped] of (result, output) pairs."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as log:
        for result, output in tests:
            log.write(json.dumps({"name": "x", "result": result,
                                  "stdout": output}) + "\n")
        log.flush()
        out = subprocess.run([sys.executable, TALLY, log.name], text=True,
                             capture_output=True, check=True).stdout
    return [int(n) for n in out.split()]


class Tally(unittest.TestCase):
    def test_a_silent_program_is_one_case(self):
        self.assertEqual(tally(("OK", ""), ("FAIL", "")), [1, 1, 0])

    def test_cmocka(self):
        self.assertEqual(
            tally(("OK", "[  PASSED  ] 4 test(s).\n[  SKIPPED ] 2 test(s)\n")),
            [4, 0, 2])
        self.assertEqual(
            tally(("FAIL", "[  PASSED  ] 3 test(s).\n"
                           "[  FAILED  ] 1 test(s), listed below:\n")),
            [3, 1, 0])

    def test_a_crash_after_good_cases_fails(self):
        self.assertEqual(
            tally(("FAIL", "[  PASSED  ] 3 test(s).\n"))[1], 1)

    def test_own_lines(self):
        self.assertEqual(tally(("OK", "x\n37 passed, 0 failed\n")),
                         [37, 0, 0])
        self.assertEqual(tally(("FAIL", "30 passed, 7 failed, 2 skipped\n")),
                         [30, 7, 2])

    def test_unittest(self):
        self.assertEqual(tally(("OK", "Ran 16 tests in 0.5s\n\nOK\n")),
                         [16, 0, 0])
        self.assertEqual(
            tally(("FAIL", "Ran 3 tests in 0.5s\n\nFAILED (failures=1)\n")),
            [2, 1, 0])

    def test_skip_and_timeout(self):
        self.assertEqual(tally(("SKIP", "no data"), ("TIMEOUT", "")),
                         [0, 1, 1])


if __name__ == "__main__":
    unittest.main()
