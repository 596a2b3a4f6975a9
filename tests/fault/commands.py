"""Commands whose disk fails once.

    commands.py AKIN STORAGE [STEP [COMMAND...]]

STORAGE is the library of tests/stress/storage.c; COMMAND is a part of a
command. At each call that stores something, or at every STEP-th, the call fails
with ENOSPC or EIO, or the process is killed. A command that fails says so in
one line and exits with 1. Each of its outputs is then as before; where there
are several, all are. It leaves no other file, unless it was killed. Run again
without a fault, it gives what an undisturbed run gives, and all other files are
gone. Prints "N passed, M failed".
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

MOST = 2000  # calls of one command

# Of each: what makes its input, the command, and its outputs.
DATA = ("akin synth bags --rows 60 --dim 50 --words 20 --classes 3 "
        "--class-words 5 --out d.svm")
MODEL = DATA + "; akin train lda --data d.svm --out m.safetensors"
INDEX = MODEL + "; akin index m.safetensors --data d.svm --out x.index"
FACES = ("akin synth faces --photos 60 --captions c.csv --truth t.csv "
         "--out f.npy")
COMMANDS = [
    (DATA, "akin train lda --data d.svm --out m.safetensors",
     ["m.safetensors"]),
    (DATA, "akin train solis-ada --data d.svm --sample 200 --out m.safetensors",
     ["m.safetensors"]),
    (DATA, "akin tune lda --data d.svm --trials 2 --out m.safetensors",
     ["m.safetensors"]),
    (DATA, "akin split d.svm --out a.svm b.svm", ["a.svm", "b.svm"]),
    (DATA, "akin convert d.svm e.csv", ["e.csv"]),
    (MODEL, "akin embed m.safetensors --data d.svm --out e.npy", ["e.npy"]),
    (MODEL, "akin index m.safetensors --data d.svm --out x.index",
     ["x.index"]),
    (INDEX, "akin index x.index --add d.svm --out y.index", ["y.index"]),
    (INDEX, "akin export x.index --to numpy --out e", ["e"]),
    (INDEX, "akin index m.safetensors --data d.svm --shards 2 --out s", ["s"]),
    (FACES, "akin name f.npy --captions c.csv --quiet --out n.csv "
     "--save-model s.safetensors", ["n.csv", "s.safetensors"]),
]


def contents(path):
    """Bytes of a file, or of all files of a folder; None: there is none."""
    if path.is_dir():
        return {str(p.relative_to(path)): contents(p)
                for p in sorted(path.rglob("*")) if p.is_file()}
    return path.read_bytes() if path.exists() else None


class Trial:
    """A command in a folder of its own."""

    def __init__(self, akin, storage, folder, make, command, outputs):
        self.folder, self.outputs = folder, outputs
        self.command = command.split()
        self.storage = storage
        self.env = dict(os.environ, PATH=f"{akin.parent}:{os.environ['PATH']}",
                        LC_ALL="C.UTF-8")
        self.run_shell(make)
        self.inputs = sorted(os.listdir(folder))
        self.run_shell(command)
        self.wanted = self.state()
        self.old = {name: b"old\n" for name in outputs if "." in name}
        self.clear()

    def run_shell(self, line):
        subprocess.run(["bash", "-ec", line], cwd=self.folder, env=self.env,
                       check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE)

    def state(self):
        return {name: contents(self.folder / name) for name in self.outputs}

    def clear(self):
        """As before the command; outputs that are files were there."""
        for name in set(os.listdir(self.folder)) - set(self.inputs):
            path = self.folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name, old in self.old.items():
            (self.folder / name).write_bytes(old)

    def run(self, n=None, how=None):
        env = dict(self.env)
        if how:
            env.update(LD_PRELOAD=str(self.storage), AKIN_STORAGE_AT=str(n),
                       AKIN_STORAGE_PART=str(self.folder),
                       AKIN_STORAGE_HOW=how)
        return subprocess.run(self.command, cwd=self.folder, env=env,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=120, check=False)

    def strange(self):
        return sorted(set(os.listdir(self.folder)) - set(self.inputs) -
                      set(self.outputs))

    def fail(self, n, how):
        """(was a call hit, what is wrong)."""
        self.clear()
        before = self.state()
        done = self.run(n, how)
        if done.returncode == 0:
            return False, "" if self.state() == self.wanted else "wrong output"
        lines = done.stderr.decode(errors="replace").splitlines()
        if how != "kill":
            if done.returncode != 1:
                return True, f"exit {done.returncode}: {lines}"
            if len([l for l in lines if l.startswith("akin: ")]) != 1:
                return True, f"said {lines}"
            if self.state() != before:
                changed = [k for k, v in self.state().items() if v != before[k]]
                return True, f"{changed} changed: {lines}"
            if self.strange():
                return True, f"left {self.strange()}: {lines}"
        elif any(v not in (before[k], self.wanted[k])
                 for k, v in self.state().items()):
            return True, "an output is incomplete"
        again = self.run()
        if again.returncode != 0 or self.state() != self.wanted:
            return True, f"again: exit {again.returncode}, {again.stderr}"
        return True, f"left {self.strange()}" if self.strange() else ""


def fail_each(trial, how, step):
    hits = untouched = 0
    wrong = []
    for n in range(1, MOST, step):
        hit, why = trial.fail(n, how)
        if why:
            wrong.append(f"call {n}: {why}")
        hits += hit
        untouched = 0 if hit else untouched + step
        if untouched >= 10:
            break
    return hits, wrong


def main():
    akin, storage = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    step = int(sys.argv[3]) if sys.argv[3:] else 1
    passed = failed = 0
    for make, command, outputs in COMMANDS:
        if sys.argv[4:] and not any(part in command for part in sys.argv[4:]):
            continue
        with tempfile.TemporaryDirectory(prefix="akin-fault-") as name:
            trial = Trial(akin, storage, pathlib.Path(name).resolve(), make,
                          command, outputs)
            for how in ("ENOSPC", "EIO", "kill"):
                hits, wrong = fail_each(trial, how, step)
                passed, failed = passed + (not wrong), failed + bool(wrong)
                print(f"{'not ok' if wrong else 'ok'} {command}, {how}: "
                      f"{hits} calls matter", *wrong, sep="\n    ", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
