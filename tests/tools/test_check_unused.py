"""check_unused.py finds functions without a user in a small tree."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CHECK = os.path.join(HERE, "..", "..", "tools", "check_unused.py")
SOUND = {
    "src/la/dense.h": "/* ak_gone() is text. */\n"
                      "double ak_dot(int n, const double *x);\n"
                      "/* The best level, for\n * tests. */\n"
                      "int ak_level(void);\n"
                      "static inline int ak_least(int a)\n{\n"
                      "    return a;\n}\n",
    "src/la/dense.c": "double ak_dot(int n, const double *x)\n{\n"
                      "    return x[n];\n}\n\n"
                      "int ak_level(void)\n{\n    return 1;\n}\n",
    "src/data/rows.c": "static int f(void)\n{\n"
                       "    return ak_least((int)ak_dot(0, 0));\n}\n",
    "tests/unit/test_la.c": "int main(void)\n{\n    return ak_level();\n}\n",
}


class Unused(unittest.TestCase):
    def check(self, files):
        """Exit status and output of the check over these files."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**SOUND, **files}.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
            run = subprocess.run([sys.executable, CHECK, "--root", root],
                                 capture_output=True, text=True, check=False)
            return run.returncode, run.stdout

    def refused(self, files, line):
        code, out = self.check(files)
        self.assertEqual(code, 1, out)
        self.assertIn(line, out)
        self.assertIn("\n1 faults", out)

    def test_used_functions_pass(self):
        code, out = self.check({})
        self.assertEqual(code, 0, out)

    def test_function_of_nobody(self):
        self.refused({"src/la/a.h": "\nvoid ak_a(int n,\n          int m);\n",
                      "src/la/a.c": "void ak_a(int n, int m)\n{\n}\n"},
                     "src/la/a.h:2: ak_a is used by nobody")

    def test_inline_function_of_nobody(self):
        self.refused({"src/la/a.h": "static inline int ak_a(void)\n{\n"
                                    "    return 1;\n}\n"},
                     "src/la/a.h:1: ak_a is used by nobody")

    def test_function_of_its_own_file(self):
        self.refused({"src/la/a.h": "int ak_a(void);\n",
                      "src/la/a.c": "int ak_a(void)\n{\n    return 1;\n}\n"
                                    "static int b(void)\n{\n"
                                    "    return ak_a();\n}\n"},
                     "src/la/a.h:1: ak_a is used in its own file alone")

    def test_use_in_a_comment_is_none(self):
        self.refused({"src/la/a.h": "int ak_a(void);\n",
                      "src/la/a.c": "int ak_a(void)\n{\n    return 1;\n}\n",
                      "src/data/b.c": "/* ak_a() */\n"},
                     "src/la/a.h:1: ak_a is used by nobody")

    def test_function_of_tests_that_does_not_say_so(self):
        self.refused({"src/la/a.h": "/* A level. */\nint ak_a(void);\n",
                      "src/la/a.c": "int ak_a(void)\n{\n    return 1;\n}\n",
                      "bench/b.c": "int b = ak_a();\n"},
                     "src/la/a.h:2: ak_a is used by tests alone")

    def test_own_function_that_tests_use_too(self):
        code, out = self.check({
            "src/la/a.h": "int ak_a(void);\n",
            "src/la/a.c": "int ak_a(void)\n{\n    return 1;\n}\n"
                          "static int b(void)\n{\n    return ak_a();\n}\n",
            "tests/unit/test_a.c": "int a = ak_a();\n"})
        self.assertEqual(code, 0, out)


if __name__ == "__main__":
    unittest.main()
