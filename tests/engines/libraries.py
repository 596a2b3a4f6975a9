"""Exports in Faiss, hnswlib and NumPy: the files load, and the vectors that
query.py makes of raw queries find what akin search finds.

    libraries.py AKIN

Exit 77 (skipped) without all of them (scripts/setup.sh --engines).
"""
import importlib
import json
import pathlib
import subprocess
import sys
import tempfile

TOP = 10
RESULTS = []
try:
    import faiss
    import hnswlib
    import numpy as np
    import scipy.sparse
except ImportError as e:
    print(f"skipped: {e.name} is not installed (scripts/setup.sh --engines)")
    sys.exit(77)


def check(what, ok):
    print(f"{'ok' if ok else 'not ok'} {what}", flush=True)
    RESULTS.append(bool(ok))


def query_of(folder):
    """The module that the export itself has."""
    spec = importlib.util.spec_from_file_location("query", folder / "query.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Query(folder)


def rows_of(path):
    lines = path.read_text().splitlines()
    if path.suffix == ".csv":
        return [dict(enumerate(map(float, x.split(",")[:-1])))
                for x in lines[1:]]
    return [{int(i) - 1: float(v) for i, v in
             (e.split(":") for e in x.split()[1:])} for x in lines]


def equal(expected, scores, ids):
    """Queries of equal items and scores."""
    n = 0
    for e, s, i in zip(expected, scores, ids):
        hits = e["hits"]
        n += all(abs(h["score"] - x) < 1e-5 * max(1, abs(x))
                 for h, x in zip(hits, s)) and (
            {h["row"] for h in hits} == set(map(int, i)))
    return n


class Exports:
    def __init__(self, akin, work, model, queries):
        self.work, self.model = work, model
        self.run = lambda *words: subprocess.check_output(
            [akin, *words], cwd=work)
        self.queries = rows_of(work / queries)
        self.file = queries
        self.expected = json.loads(self.run(
            "search", f"{model}.index", "--queries", queries, "--top",
            str(TOP), "--json"))["results"]

    def export(self, to):
        """The folder, and the vectors of all queries."""
        name = f"{self.model}.{to}"
        self.run("export", f"{self.model}.index", "--to", to, "--out", name)
        self.run("verify-export", name, "--against", f"{self.model}.index",
                 "--queries", self.file)
        q = query_of(self.work / name)
        return self.work / name, [q.vector(x) for x in self.queries]

    def faiss(self, distance):
        folder, v = self.export("faiss")
        index = faiss.read_index(str(folder / "items.faiss"))
        scores, ids = index.search(np.array(v, "float32"), TOP)
        n = equal(self.expected, -scores if distance else scores, ids)
        check(f"{self.model}: Faiss, {index.ntotal} items, {n} of {len(v)} "
              f"queries equal", n == len(v))

    def hnswlib(self, distance):
        folder, v = self.export("hnswlib")
        dim = len(v[0])
        index = hnswlib.Index("l2" if distance else "ip", dim)
        index.load_index(str(folder / "items.hnsw"))
        index.set_ef(400)
        ids, gaps = index.knn_query(np.array(v, "float32"), k=TOP)
        scores = -gaps if distance else 1 - gaps
        n = equal(self.expected, scores, ids)
        found = sum(len({h["row"] for h in e["hits"]} & set(map(int, i)))
                    for e, i in zip(self.expected, ids))
        recall = found / (TOP * len(v))
        check(f"{self.model}: hnswlib, {index.get_current_count()} items, {n} "
              f"of {len(v)} queries equal, recall {recall:.4f}",
              recall >= 0.99)

    def numpy(self, distance):
        folder, v = self.export("numpy")
        ids = np.load(folder / "ids.npy")
        if (folder / "items.npz").exists():
            u = scipy.sparse.load_npz(folder / "items.npz").toarray()
            full = np.zeros((len(v), u.shape[1]))
            for i, x in enumerate(v):
                full[i, list(x)] = list(x.values())
            v = full
        else:
            u = np.load(folder / "items.npy")
        v = np.array(v)
        s = v @ u.T
        if distance:
            s = 2 * s - (v * v).sum(1)[:, None] - (u * u).sum(1)
        order = np.argsort(-s, axis=1, kind="stable")[:, :TOP]
        n = equal(self.expected, np.take_along_axis(s, order, 1), ids[order])
        check(f"{self.model}: NumPy, {len(ids)} items, {n} of {len(v)} queries "
              f"equal", n == len(v))


def main():
    akin = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="akin-libraries-") as folder:
        work = pathlib.Path(folder)

        def run(*words):
            subprocess.run([akin, *words], cwd=work, check=True,
                           stdout=subprocess.DEVNULL)

        run("synth", "bags", "--rows", "1000", "--dim", "400", "--words", "40",
            "--classes", "5", "--class-words", "30", "--out", "all.svm")
        lines = (work / "all.svm").read_text().splitlines(True)
        (work / "items.svm").write_text("".join(lines[:800]))
        (work / "q.svm").write_text("".join(lines[800:]))
        draw = np.random.default_rng(1)
        points = draw.normal(size=(800, 6)) * [1, 5, 2, 9, 1, 3]
        points[:, 0] += np.arange(800) % 3 * 3
        table = ["a,b,c,d,e,f,label"] + [
            ",".join(f"{x:.4f}" for x in p) + f",c{i % 3}"
            for i, p in enumerate(points)]
        (work / "items.csv").write_text("\n".join(table[:601]) + "\n")
        (work / "q.csv").write_text("\n".join(table[:1] + table[601:]) + "\n")
        for learner, data, flags in (
                ("solis-ada", "svm", ["--dim", "400", "--sample", "10000"]),
                ("loreta-1", "svm", ["--dim", "400", "--sample", "10000",
                                     "--rank", "12"]),
                ("loreta-psd", "svm", ["--dim", "400", "--sample", "10000",
                                       "--rank", "12"]),
                ("lmnn", "csv", [])):
            run("train", learner, "--data", f"items.{data}", "--verdict",
                "none", "--out", learner, "--quiet", *flags)
            run("index", learner, "--data", f"items.{data}", "--out",
                f"{learner}.index", "--quiet")
            x = Exports(akin, work, learner, f"q.{data}")
            distance = learner == "lmnn"
            x.numpy(distance)
            if learner != "solis-ada":
                x.faiss(distance)
                x.hnswlib(distance)
    sys.exit(0 if all(RESULTS) else 1)


main()
