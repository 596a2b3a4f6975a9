"""The completions of zsh and fish, where these shells are installed; those of
bash are tested by tests/cli/main/completion.sh."""
import os
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "..", "completions")

# zsh completes inside its line editor alone. In its place stand functions that
# print what they are asked to complete.
ZSH = """
_describe() { print -rl -- "${(@P)4}" }
_arguments() { print -rl -- "$@" }
words=($=LINE '') CURRENT=$#words
source "$SCRIPT"
"""


class Completions(unittest.TestCase):
    def run_shell(self, shell, *args, **env):
        run = subprocess.run([shell, *args], capture_output=True, text=True,
                             cwd=self.folder.name, check=False,
                             env={**os.environ, "HOME": self.folder.name,
                                  **env})
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        return run.stdout.splitlines()

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        open(os.path.join(self.folder.name, "rows.svm"), "w").close()

    def fish(self, line):
        """Candidates for the last word of the line."""
        found = self.run_shell("fish", "--no-config", "-c",
                               "source $SCRIPT; complete -C $LINE", LINE=line,
                               SCRIPT=os.path.join(FOLDER, "akin.fish"))
        return [text.split("\t")[0] for text in found]

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish(self):
        self.assertEqual(self.fish("akin lear"), ["learners"])
        self.assertEqual(self.fish("akin learners solis-ad"), ["solis-ada"])
        self.assertEqual(self.fish("akin embed m --sid"), ["--side"])
        self.assertEqual(self.fish("akin embed m --side "), ["left", "right"])
        self.assertEqual(self.fish("akin embed m --data ro"), ["rows.svm"])
        self.assertEqual(self.fish("akin train lmnn-diag --max-it"),
                         ["--max-iterations"])
        self.assertEqual(self.fish("akin train oasis --max-it"), [])
        self.assertIn("faces", self.fish("akin synth "))

    def zsh(self, line):
        return self.run_shell("zsh", "-f", "-c", ZSH, LINE=line,
                              SCRIPT=os.path.join(FOLDER, "akin.zsh"))

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        self.run_shell("zsh", "-n", os.path.join(FOLDER, "akin.zsh"))
        self.assertTrue(any(line.startswith("learners:")
                            for line in self.zsh("akin")))
        embed = self.zsh("akin embed m")
        self.assertTrue(any(line.startswith("--side=[") and
                            line.endswith(":(left right)") for line in embed))
        self.assertTrue(any(line.startswith("--data=[") and
                            line.endswith(":FILE:_files") for line in embed))
        self.assertTrue(any(line.startswith("--max-iterations=[")
                            for line in self.zsh("akin train lmnn-diag")))
        self.assertFalse(any(line.startswith("--max-iterations=[")
                             for line in self.zsh("akin train oasis")))
        self.assertIn("1: :(bags labels faces scenes)", self.zsh("akin synth"))


if __name__ == "__main__":
    unittest.main()
