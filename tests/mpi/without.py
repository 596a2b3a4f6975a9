"""A build without MPI: without.py AKIN_WITHOUT_MPI AKIN LIBAKIN

It has no trace of MPI, works alone, and says one line under mpirun. Exit 77: there is no
mpirun, nm or readelf."""
import os
import re
import shutil
import subprocess
import sys

import run as mpi  # takes the first argument for akin
from run import check

TRACES = re.compile(r"\b(P?MPI_[A-Z]|ompi_|opal_|libmpi|libopen-|libpmix)")


def traces(path):
    """Symbols and libraries of MPI in a program or library."""
    found = set()
    for command in (["nm", "--undefined-only"], ["nm", "-D"],
                    ["readelf", "-d", "-W"]):
        done = subprocess.run([*command, path], capture_output=True, text=True,
                              check=False)
        found.update(TRACES.findall(done.stdout))
    with open(path, "rb") as f:
        text = f.read().decode("latin-1")
    found.update(re.findall(r"\bP?MPI_(?:Init|Comm|Abort|Finalize)\w*", text))
    return found


def main():
    without, akin, libakin = map(os.path.abspath, sys.argv[1:4])
    if any(shutil.which(x) is None for x in ("mpirun", "nm", "readelf")):
        sys.exit(77)
    for path in (without, libakin):
        check(not traces(path), f"{path} has {traces(path)}")
    alone = mpi.akin(0, ["version"], ".")
    check(alone.returncode == 0 and not alone.stderr, "alone")
    for ranks in (2, 3):
        done = mpi.akin(ranks, ["version"], ".")
        said = done.stderr.decode()
        check(done.returncode == 2, f"exit {done.returncode}")
        check(mpi.our_lines(done) == ["akin: this akin was built without MPI; "
                                      "run it without mpirun, or build it "
                                      "with -Dmpi=enabled"], said)
        check(not done.stdout, "it has done something")
    # One with MPI has traces, or nothing was looked at.
    done = subprocess.run(["mpirun", "-q", "-np", "2", akin, "version"],
                          capture_output=True, check=False)
    check((b"without MPI" in done.stderr) != bool(traces(akin)),
          f"{akin} has {traces(akin)}")


if __name__ == "__main__":
    main()
