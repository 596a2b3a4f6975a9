"""Exports in PostgreSQL itself: loading, two versions and the switch between
them, changes since an earlier export, shards behind postgres_fdw.

    postgres.py AKIN

Debian has no pgvector. A type `vector` that is a text, with operators in SQL,
stands in for it: scripts, functions and results are tested here, speed and
HNSW are not (pglite.mjs has pgvector itself). The servers run in a temporary
folder, on Unix sockets, as another user where this one is root. Exit 77
(skipped) without PostgreSQL.
"""
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

STAND_IN = """
CREATE TYPE vector;
CREATE FUNCTION vector_in(cstring) RETURNS vector
    LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION vector_out(vector) RETURNS cstring
    LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE FUNCTION vector_typmod_in(cstring[]) RETURNS integer
    LANGUAGE internal IMMUTABLE STRICT AS 'varchartypmodin';
CREATE TYPE vector (INPUT = vector_in, OUTPUT = vector_out,
    TYPMOD_IN = vector_typmod_in, LIKE = text);
CREATE CAST (vector AS text) WITHOUT FUNCTION;
CREATE CAST (text AS vector) WITHOUT FUNCTION;
CREATE FUNCTION to_vector(real[]) RETURNS vector LANGUAGE sql IMMUTABLE AS
    $$ SELECT ('[' || array_to_string($1, ',') || ']')::text::vector $$;
CREATE CAST (real[] AS vector) WITH FUNCTION to_vector(real[]);
CREATE FUNCTION minus_dot(vector, vector) RETURNS double precision
    LANGUAGE sql IMMUTABLE AS $$
    SELECT -sum(a::double precision * b::double precision)
    FROM unnest(string_to_array(trim(both '[]' from $1::text), ','),
                string_to_array(trim(both '[]' from $2::text), ',')) AS x(a, b)
    $$;
CREATE OPERATOR <#> (LEFTARG = vector, RIGHTARG = vector,
    FUNCTION = minus_dot);
"""
TOP = 10


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def binaries():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not found or not os.path.exists(f"{found[-1]}/initdb"):
        skip("no PostgreSQL (scripts/setup.sh --engines)")
    return found[-1]


class Cluster:
    """A server of its own in a folder, stopped by its process."""

    def __init__(self, folder, port, user):
        self.folder, self.port = folder, port
        self.user = ["runuser", "-u", user, "--"] if user else []
        self.name = user or subprocess.check_output(
            ["id", "-un"], text=True).strip()
        self.process = None

    def create(self):
        self.run(f"{BIN}/initdb", "-D", f"{self.folder}/data", "-A", "trust",
                 "-E", "UTF8", "--locale=C", "-N")

    def run(self, *words):
        subprocess.run([*self.user, *words], check=True, cwd="/",
                       stdout=subprocess.DEVNULL)

    def start(self):
        self.process = subprocess.Popen(
            [*self.user, f"{BIN}/postgres", "-D", f"{self.folder}/data", "-k",
             self.folder, "-p", str(self.port), "-c", "listen_addresses=",
             "-c", "fsync=off", "-c", "log_min_messages=fatal"], cwd="/",
            stderr=subprocess.DEVNULL)
        for _ in range(300):
            if subprocess.run([f"{BIN}/pg_isready", "-q", "-h", self.folder,
                               "-p", str(self.port)]).returncode == 0:
                return
            threading.Event().wait(0.1)
        raise SystemExit("not ok: the server does not start")

    def stop(self):
        if self.process is not None:
            pid = int(pathlib.Path(f"{self.folder}/data/postmaster.pid")
                      .read_text().split()[0])
            os.kill(pid, 2)  # fast shutdown
            self.process.wait()

    def psql(self, *words, text=None, where="/"):
        p = subprocess.run(
            ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-h",
             self.folder, "-p", str(self.port), "-U", self.name, "-d",
             "postgres", *words], input=text, text=True, capture_output=True,
            cwd=where)
        if p.returncode != 0:
            raise SystemExit(f"not ok: {words}: {p.stderr}")
        return p.stdout

    def script(self, folder, name, *words):
        """A script of an export, without the extension that is not there."""
        path = pathlib.Path(folder, name)
        text = path.read_text().replace(
            "CREATE EXTENSION IF NOT EXISTS vector;\n", "")
        return self.psql(*words, "-f", "-", text=text, where=folder)


def check(what, ok):
    print(f"{'ok' if ok else 'not ok'} {what}", flush=True)
    RESULTS.append(ok)


def rows_of(path):
    rows = []
    for line in pathlib.Path(path).read_text().splitlines():
        entries = [e.split(":") for e in line.split()[1:]]
        rows.append(([int(i) - 1 for i, _ in entries],
                     [float(v) for _, v in entries]))
    return rows


def search(cluster, schema, rows):
    """Ids and scores of each query, by one call of psql."""
    lines = []
    for columns, vals in rows:
        lines.append(f"SELECT coalesce(json_agg(json_build_array(id, score)), "
                     f"'[]') FROM {schema}.search(ARRAY{columns}, "
                     f"ARRAY{vals}::double precision[], {TOP});")
    out = cluster.psql(text="\n".join(lines))
    return [json.loads(x) for x in out.split("\n") if x.startswith("[[")]


def expected(akin, index, queries):
    out = subprocess.check_output([akin, "search", index, "--queries", queries,
                                   "--top", str(TOP), "--json"])
    return [[(h["row"], h["score"]) for h in r["hits"]]
            for r in json.loads(out)["results"]]


def equal(hits, found):
    """Queries with equal items; those of one score may change places."""
    n = 0
    for h, f in zip(hits, found):
        scores = dict(map(tuple, f))
        n += len(h) == len(f) and all(
            abs(a[1] - b[1]) < 1e-5 and abs(scores.get(a[0], 9) - a[1]) < 1e-5
            for a, b in zip(h, f))
    return n


class Reader(threading.Thread):
    """Asks for the version in use, again and again."""

    def __init__(self, cluster, row):
        super().__init__()
        self.cluster, self.row, self.seen = cluster, row, []
        self.done = threading.Event()

    def run(self):
        columns, vals = self.row
        line = (f"SELECT akin.version(), count(*) FROM akin.search("
                f"ARRAY{columns}, ARRAY{vals}::double precision[], 10);\n")
        while not self.done.is_set():
            self.seen += self.cluster.psql(text=line * 20).split()


def main():
    akin = str(pathlib.Path(sys.argv[1]).resolve())
    root = os.geteuid() == 0
    user = "postgres" if root else None
    folder = tempfile.mkdtemp(prefix="akin-pg-", dir="/tmp")
    os.chmod(folder, 0o755)
    clusters = []
    try:
        work = os.path.join(folder, "work")
        os.mkdir(work)
        for k in range(3):
            place = os.path.join(folder, f"s{k}")
            os.mkdir(place)
            if root:
                shutil.chown(place, user, user)
            clusters.append(Cluster(place, 15432 + k, user))
        clusters[0].create()
        for c in clusters[1:]:
            c.run("cp", "-a", f"{clusters[0].folder}/data", c.folder)
        for c in clusters:
            c.start()
            c.psql(text=STAND_IN)
        test(akin, work, clusters)
    finally:
        for c in clusters:
            c.stop()
        shutil.rmtree(folder)
    sys.exit(0 if RESULTS and all(RESULTS) else 1)


def test(akin, work, clusters):
    def run(*words):
        subprocess.run([akin, *words], cwd=work, check=True,
                       stdout=subprocess.DEVNULL)

    def at(name):
        return os.path.join(work, name)

    run("synth", "bags", "--rows", "500", "--dim", "300", "--words", "30",
        "--classes", "4", "--class-words", "30", "--out", "all.svm")
    lines = pathlib.Path(at("all.svm")).read_text().splitlines(True)
    for name, part in {"items.svm": lines[:400], "more.svm": lines[400:450],
                       "queries.svm": lines[450:]}.items():
        pathlib.Path(at(name)).write_text("".join(part))
    for rank in (8, 12):
        run("train", "loreta-psd", "--data", "items.svm", "--dim", "300",
            "--rank", str(rank), "--sample", "5000", "--verdict", "none",
            "--out", f"m{rank}", "--quiet")
        run("index", f"m{rank}", "--data", "items.svm", "--out",
            f"m{rank}.index", "--quiet")
    run("export", "m8.index", "--to", "pgvector", "--out", "v1", "--quiet")
    run("export", "m12.index", "--to", "pgvector", "--version", "2", "--out",
        "v2", "--quiet")
    rows, one = rows_of(at("queries.svm")), clusters[0]

    # One server, two versions, the switch.
    for name in ("schema.sql", "load.sql", "switch.sql"):
        one.script(at("v1"), name)
    hits = expected(akin, at("m8.index"), at("queries.svm"))
    n = equal(hits, search(one, "akin", rows))
    check(f"loaded: {n} of {len(rows)} queries equal", n == len(rows) == 50)
    one.script(at("v2"), "schema.sql")
    one.script(at("v2"), "load.sql")
    n = equal(hits, search(one, "akin", rows))
    check(f"a second version beside it: {n} of {len(rows)} equal",
          n == len(rows))
    reader = Reader(one, rows[0])
    reader.start()
    for name in ["v2", "v1"] * 5 + ["v2"]:
        one.script(at(name), "switch.sql")
    reader.done.set()
    reader.join()
    check(f"switched 11 times under {len(reader.seen)} searches, all complete",
          set(reader.seen) <= {"1|10", "2|10"} and len(reader.seen) > 20)
    n = equal(expected(akin, at("m12.index"), at("queries.svm")),
              search(one, "akin", rows))
    check(f"switched to version 2: {n} of {len(rows)} equal", n == len(rows))

    # Changes since an earlier export.
    run("index", "m8.index", "--add", "more.svm", "--remove", "3,17,200",
        "--out", "later.index", "--quiet")
    run("export", "later.index", "--to", "pgvector", "--since", "v1", "--out",
        "later", "--quiet")
    one.script(at("later"), "sync.sql")
    n = equal(expected(akin, at("later.index"), at("queries.svm")),
              search(one, "akin_v1", rows))
    changes = len(pathlib.Path(at("later/changes.csv"))
                  .read_text().splitlines()) - 1
    check(f"{changes} changes applied: {n} of {len(rows)} equal",
          n == len(rows) and changes == 50)
    count = one.psql(text="SELECT count(*) FROM akin_v1.items;").strip()
    check(f"{count} items after it", count == "447")

    # Shards behind postgres_fdw.
    run("export", "m8.index", "--to", "pgvector", "--shards", "2", "--name",
        "parts", "--out", "parts", "--quiet")
    run("verify-export", "parts", "--against", "m8.index", "--queries",
        "queries.svm")
    for k, c in enumerate(clusters[1:]):
        c.script(at("parts"), "schema.sql")
        c.script(at("parts"), f"load.{k}.sql")
    one.script(at("parts"), "schema.sql")
    one.script(at("parts"), "shards.sql", "-v",
               f"hosts={clusters[1].folder},{clusters[2].folder}", "-v",
               f"ports={clusters[1].port},{clusters[2].port}", "-v",
               "database=postgres", "-v", f"user={one.name}")
    here = one.psql(text="SELECT count(*) FROM parts_v1.items;").strip()
    n = equal(hits, search(one, "parts_v1", rows))
    check(f"two shards, {here} items here: {n} of {len(rows)} equal",
          n == len(rows) and here == "0")


RESULTS = []
BIN = binaries()
main()
