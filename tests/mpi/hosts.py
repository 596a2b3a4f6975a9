"""akin on two hosts, which are network namespaces: hosts.py AKIN

Each has an address and a host name of its own. mpirun runs on the first and starts
processes on the second; messages between them go over TCP, through the one link between
the two. Files are the same as those of one process.

Exit 77: there is no mpirun, akin was built without MPI, or namespaces cannot be made (that
needs root)."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import run as mpi
from run import AKIN, akin, check

NAME = f"akin{os.getpid()}-"
NET = "198.18.77."  # RFC 2544: never a real network
# In the place of ssh: a host is the namespace that its address ends with.
AGENT = f"""#!/bin/sh
host=${{1##*.}}
shift
exec ip netns exec {NAME}$host unshare --uts sh -c 'hostname host'$host'; '"$*"
"""


def ip(*words):
    done = subprocess.run(["ip", *words], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        print("skipped: ip", *words, done.stderr)
        sys.exit(77)
    return done.stdout


def make_hosts():
    for host in "12":
        ip("netns", "add", NAME + host)
    ip("link", "add", "link1", "netns", NAME + "1", "type", "veth", "peer",
       "name", "link2", "netns", NAME + "2")
    for host in "12":
        ip("-n", NAME + host, "addr", "add", f"{NET}{host}/24", "dev",
           "link" + host)
        ip("-n", NAME + host, "link", "set", "link" + host, "up")
        ip("-n", NAME + host, "link", "set", "lo", "up")


def remove_hosts():
    for host in "12":
        subprocess.run(["ip", "netns", "del", NAME + host], check=False,
                       capture_output=True)


def carried():
    """Bytes that have gone over the link, both ways."""
    link, = json.loads(ip("-n", NAME + "1", "-s", "-j", "link", "show",
                          "link1"))
    return link["stats64"]["rx"]["bytes"] + link["stats64"]["tx"]["bytes"]


def on_hosts(words, root):
    """mpirun on the first host, two processes on each."""
    mpirun = ["mpirun", "-q", "--mca", "plm_rsh_agent", root + "/agent",
              "--host", f"{NET}1:2,{NET}2:2", "-np", "4", *words]
    return subprocess.run([root + "/agent", NET + "1", *mpirun],
                          cwd=os.path.join(root, "out"), timeout=120,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          check=False)


def compare(root, name):
    words = mpi.SAME[name] + ["--json"]
    alone = mpi.run_same(root, mpi.SAME[name], 0)
    before = carried()
    shutil.rmtree(os.path.join(root, "out"))
    os.mkdir(os.path.join(root, "out"))
    done = on_hosts([AKIN, *words], root)
    check(done.returncode == 0, f"{name}: {done.stderr.decode()}")
    printed = json.loads(done.stdout)
    check(printed["ranks"] == 4, f"{name}: ranks")
    check(mpi.files(os.path.join(root, "out")) == alone[0], f"{name}: files")
    check(mpi.without_run_keys(printed) == alone[1], f"{name}: JSON")
    check(carried() > before, f"{name}: nothing went over the link")
    print(f"{name}: {printed['communicated_bytes']} bytes communicated, "
          f"{carried() - before} over the link")


def main():
    if os.geteuid() != 0 or any(shutil.which(x) is None
                                for x in ("ip", "mpirun", "unshare")):
        sys.exit(77)
    # Within a host in shared memory, between hosts by TCP.
    os.environ["OMPI_MCA_btl"] = "self,vader,tcp"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with tempfile.TemporaryDirectory() as root:
        if b"without MPI" in akin(2, ["version"], root).stderr:
            sys.exit(77)
        try:
            make_hosts()
            with open(root + "/agent", "w", encoding="ascii") as f:
                f.write(AGENT)
            os.chmod(root + "/agent", 0o755)
            os.mkdir(os.path.join(root, "out"))
            names = set(on_hosts(["hostname"], root).stdout.split())
            check(names == {b"host1", b"host2"}, f"hosts are {names}")
            mpi.make_inputs(root)
            for name in ("embed", "rsl list", "rsl aligned", "index"):
                compare(root, name)
        finally:
            remove_hosts()


if __name__ == "__main__":
    main()
