#!/usr/bin/env python3
"""Turn a raw query into the vector, or the request, that the engine takes.

    query.py [--top K] COLUMN:VALUE...

Columns are numbered from 0. Prints one line of JSON: the body of a search for
OpenSearch and Elasticsearch, else the vector. Import it to keep the table in
memory: Query(folder).vector({3: 2.0, 17: 1.0}).
"""
import argparse
import csv
import json
import math
import pathlib

G = {
    "none": lambda c, s: c,
    "binary": lambda c, s: 1.0 if c else 0.0,
    "tf": lambda c, s: c / s if c else 0.0,
    "sqrt": lambda c, s: math.sqrt(c),
    "log": lambda c, s: math.log1p(c),
}


class Query:
    """The query side of an export."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.by = self.manifest["query"]
        with open(folder / "features.csv", newline="") as f:
            rows = list(csv.DictReader(f))
        self.source = [int(r["source"]) for r in rows]
        self.idf, self.shift, self.factor, self.weight = (
            [float(r[key]) for r in rows]
            for key in ("idf", "shift", "factor", "weight"))
        self.axes = [[float(x) for x in r["axes"][1:-1].split(",") if x]
                     for r in rows]

    def prepared(self, row):
        """Features of a raw row {column: value}, those that are 0 left out."""
        raw = [row.get(s, 0.0) for s in self.source]
        total, g = sum(raw), G[self.by["weights"]]
        z = {}
        for j, c in enumerate(raw):
            x = (g(c, total) * self.idf[j] - self.shift[j]) * self.factor[j]
            if x:
                z[j] = x
        by = self.by["global"]
        square = sum(x * x for x in z.values())
        if self.by["unit"] and square > 0:
            by /= math.sqrt(square)
        return {j: x * by for j, x in z.items()}

    def vector(self, row):
        """A list of numbers, or {feature: number} where items are sparse."""
        z = self.prepared(row)
        if self.by["axes"]:
            v = list(self.by["offset"]) or [0.0] * self.manifest["dim"]
            for j, x in z.items():
                for c, a in enumerate(self.axes[j]):
                    v[c] += x * a
            v = dict(enumerate(v))
        else:
            v = {j: self.weight[j] * x for j, x in z.items()}
        size = {"none": lambda: 1.0,
                "vector": lambda: sum(x * x for x in v.values()),
                "weighted": lambda: sum(abs(v[j] * x) for j, x in z.items())}
        square = size[self.by["length"]]()
        v = {j: x / math.sqrt(square) if square > 0 else 0.0
             for j, x in v.items()}
        if self.manifest["vectors"] == "sparse":
            return {j: x for j, x in v.items() if x}
        return [v.get(c, 0.0) for c in range(self.manifest["dim"])]

    def request(self, row, top=10):
        """The parameters of search.json, for opensearch and elasticsearch."""
        v = self.vector(row)
        if isinstance(v, list):
            return {"vector": v, "top": top}
        clause = {
            sign: [{"rank_feature": {"field": f"features.f{j}",
                                     "boost": abs(x), "linear": {}}}
                   for j, x in sorted(v.items()) if (x > 0) == (sign == "plus")]
            for sign in ("plus", "minus")}
        return {**clause, "subtract": bool(clause["minus"]), "top": top,
                "window": max(1000, top)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("entries", nargs="*", metavar="COLUMN:VALUE")
    args = parser.parse_args()
    row = {int(c): float(v) for c, v in (e.split(":") for e in args.entries)}
    q = Query(pathlib.Path(__file__).resolve().parent)
    engine = q.manifest["to"] in ("opensearch", "elasticsearch")
    print(json.dumps(q.request(row, args.top) if engine else q.vector(row)))


if __name__ == "__main__":
    main()
