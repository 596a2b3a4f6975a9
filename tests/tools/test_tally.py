"""tally.py counts cases as the programs report them."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TALLY = os.path.join(HERE, "..", "..", "tools", "tally.py")


def run(*tests):
    """What it says of (result, output) pairs: on both of its outputs."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as log:
        for result, output in tests:
            log.write(json.dumps({"name": "x", "result": result,
                                  "stdout": output}) + "\n")
        log.flush()
        done = subprocess.run([sys.executable, TALLY, log.name], text=True,
                              capture_output=True, check=True)
    return done.stdout, done.stderr


def tally(*tests):
    """[passed, failed, skipped] of (result, output) pairs."""
    return [int(n) for n in run(*tests)[0].split()]


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

    def test_a_failure_far_from_the_end_is_shown(self):
        many = "".join(f"ok    case {i}\n" for i in range(90))
        for line in ("FAIL  boxes: one", "not ok drains", "FAIL: test_x (y)",
                     "[  FAILED  ] keeps_W", "AssertionError: 1 != 2"):
            said = run(("FAIL", f"{many}{line}\nwhy\n{many}1 passed, 1 failed\n"))
            self.assertIn(f"    {line}\n    why\n    ok    case 0\n", said[1])
            self.assertNotIn("case 30\n", said[1])
            self.assertEqual(said[1].count(line), 1)
            self.assertTrue(said[1].endswith("1 passed, 1 failed\n"))

    def test_a_failure_in_the_tail_is_shown_once(self):
        said = run(("FAIL", "x\nFAIL  here\nwhy\n0 passed, 1 failed\n"))
        self.assertEqual(said[1].count("FAIL  here"), 1)

    def test_skip_and_timeout(self):
        self.assertEqual(tally(("SKIP", "no data"), ("TIMEOUT", "")),
                         [0, 1, 1])


if __name__ == "__main__":
    unittest.main()
