"""Exports for OpenSearch and Elasticsearch.

    search_engines.py AKIN JAVA_SOURCE

The files are compared with the forms that the engines document; no engine runs
here. The scoring of rank_features runs in Lucene, on which both are built,
where its jars and a Java compiler are installed (scripts/setup.sh --engines).
"""
import glob
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

TOP = 10
RESULTS = []


def check(what, ok):
    print(f"{'ok' if ok else 'not ok'} {what}", flush=True)
    RESULTS.append(bool(ok))


def fits(value, form):
    """Whether a value has a form: a type, a set of values, or the forms of the
    keys of an object, which has no other keys."""
    if isinstance(form, type):
        return isinstance(value, form) and not (form is int and value is True)
    if isinstance(form, set):
        return value in form
    if isinstance(form, list):
        return isinstance(value, list) and all(fits(x, form[0]) for x in value)
    return (isinstance(value, dict) and value.keys() == form.keys() and
            all(fits(value[key], form[key]) for key in form))


# Create index: settings and mappings.
def index_form(to, sparse):
    if sparse:
        field = {"features": {"type": {"rank_features"}}}
    elif to == "opensearch":
        field = {"embedding": {
            "type": {"knn_vector"}, "dimension": int,
            "method": {"name": {"hnsw"}, "engine": {"faiss"},
                       "space_type": {"l2", "innerproduct"}}}}
    else:
        field = {"embedding": {
            "type": {"dense_vector"}, "dims": int, "index": {True},
            "similarity": {"l2_norm", "max_inner_product"}}}
    form = {"mappings": {"properties": {"name": {"type": {"keyword"}},
                                        **field}}}
    if to == "opensearch" and not sparse:
        form = {"settings": {"index": {"knn": {True}}}, **form}
    return form


CLAUSE = {"rank_feature": {"field": str, "boost": float, "linear": {}}}
SWITCH = {"actions": list}


def search_form(to, sparse, minus):
    if sparse:
        form = {"size": int, "query": {"bool": {"should": [CLAUSE]}}}
        if minus:
            form["rescore"] = {
                "window_size": int,
                "query": {"rescore_query": {"bool": {"should": [CLAUSE]}},
                          "query_weight": {1}, "rescore_query_weight": {-1},
                          "score_mode": {"total"}}}
        return form
    script = ({"lang": {"knn"}, "source": {"knn_score"},
               "params": {"field": {"embedding"}, "query_value": [float],
                          "space_type": {"l2", "innerproduct"}}}
              if to == "opensearch" else
              {"source": str, "params": {"q": [float]}})
    return {"size": int, "query": {"script_score": {
        "query": {"match_all": {}}, "script": script}}}


def render(source, params):
    """Mustache, as far as the templates use it."""
    text = source
    while "{{#subtract}}" in text:
        begin = text.index("{{#subtract}}")
        end = text.index("{{/subtract}}")
        inner = text[begin + len("{{#subtract}}"):end]
        text = (text[:begin] + (inner if params["subtract"] else "") +
                text[end + len("{{/subtract}}"):])
    for key, value in params.items():
        text = text.replace("{{#toJson}}" + key + "{{/toJson}}",
                            json.dumps(value))
        text = text.replace("{{" + key + "}}", json.dumps(value))
    return json.loads(text)


def items_of(folder):
    lines = pathlib.Path(folder, "items.ndjson").read_text().split("\n")
    heads, documents = lines[0:-1:2], lines[1:-1:2]
    assert lines[-1] == "" and len(heads) == len(documents)
    return [(json.loads(h), json.loads(d)) for h, d in zip(heads, documents)]


def check_files(work, to, sparse, queries):
    folder = pathlib.Path(work, to + ("_sparse" if sparse else "_dense"))
    index = json.loads((folder / "index.json").read_text())
    check(f"{folder.name}: index.json", fits(index, index_form(to, sparse)))
    field = ({"features": dict} if sparse else {"embedding": [float]})
    items = items_of(folder)
    check(f"{folder.name}: {len(items)} items of items.ndjson", all(
        fits(h, {"index": {"_id": str}}) and
        fits({**d, **{k: [float(x) for x in v] for k, v in d.items()
                      if isinstance(v, list)}}, {"name": str, **field})
        for h, d in items))
    if sparse:
        check(f"{folder.name}: values are positive", all(
            x > 0 for _, d in items for x in d["features"].values()))
    actions = json.loads((folder / "switch.json").read_text())
    check(f"{folder.name}: switch.json", actions == {"actions": [
        {"remove": {"index": "akin_v*", "alias": "akin"}},
        {"add": {"index": "akin_v1", "alias": "akin"}}]})
    template = json.loads((folder / "search.json").read_text())
    check(f"{folder.name}: search.json", fits(template, {
        "script": {"lang": {"mustache"}, "source": str}}))
    bodies = []
    for q in queries[:20]:
        out = subprocess.check_output([
            sys.executable, folder / "query.py", "--top", str(TOP),
            *[f"{c}:{v}" for c, v in q.items()]])
        bodies.append(render(template["script"]["source"], json.loads(out)))
    check(f"{folder.name}: {len(bodies)} requests", all(
        fits(b, search_form(to, sparse, "rescore" in b)) for b in bodies))
    return items


def rows_of(path):
    rows = []
    for line in pathlib.Path(path).read_text().splitlines():
        rows.append({int(i) - 1: float(v) for i, v in
                     (e.split(":") for e in line.split()[1:])})
    return rows


def check_lucene(work, akin, java, items, queries):
    jars = [glob.glob(f"/usr/share/java/lucene-{part}-8*.jar")
            for part in ("core", "analyzers-common")]
    if not all(jars) or not shutil.which("javac"):
        print("skipped: the scoring in Lucene (scripts/setup.sh --engines)")
        return
    path = ":".join([x[0] for x in jars] + [str(work)])
    subprocess.run(["javac", "-cp", path, "-d", work, java], check=True)
    with open(work / "items.txt", "w") as f:
        for head, d in items:
            entries = " ".join(f"{k}:{v!r}" for k, v in d["features"].items())
            f.write(f"{head['index']['_id']} {entries}\n")
    sys.path.insert(0, str(work / "opensearch_sparse"))
    from query import Query
    q = Query(work / "opensearch_sparse")
    requests = [q.request(x, TOP) for x in queries]
    with open(work / "queries.txt", "w") as f:
        for r in requests:
            entries = [(c["rank_feature"]["field"].split(".")[1],
                        sign * c["rank_feature"]["boost"])
                       for sign, key in ((1, "plus"), (-1, "minus"))
                       for c in r[key]]
            f.write(f"{r['window']} " +
                    " ".join(f"{n}:{b!r}" for n, b in entries) + "\n")
    out = subprocess.check_output(
        ["java", "-cp", path, "Ranks", work / "items.txt",
         work / "queries.txt", str(TOP)], text=True).splitlines()
    expected = json.loads(subprocess.check_output(
        [akin, "search", "m.index", "--queries", "queries.svm", "--top",
         str(TOP), "--json"], cwd=work))["results"]
    worst, found, wanted, negative = 0.0, 0, 0, 0
    for line, r, e in zip(out, requests, expected):
        words = line.split()
        got = {int(i): float(s) for i, s in zip(words[::2], words[1::2])}
        ranked = list(got.values())
        negative += bool(r["minus"])
        for k, h in enumerate(e["hits"]):
            wanted += 1
            found += h["row"] in got
            worst = max(worst, abs(h["score"] - ranked[k]))
    check(f"Lucene: {len(out)} queries, {negative} of them with weights below "
          f"0: recall {found / wanted:.3f}, scores within {worst:.1e}",
          len(out) == len(queries) and negative > 0 and
          found >= 0.97 * wanted and worst < 1 / 256)


def signed_triplets(lines):
    """Rows of two classes are said to be unlike their own, so that weights of
    both signs are learned."""
    labels = [x.split()[0] for x in lines]
    odd = sorted(set(labels))[:2]
    draw = random.Random(1)
    text = []
    while len(text) < 4000:
        q, p, n = (draw.randrange(len(labels)) for _ in range(3))
        if p == q or labels[p] != labels[q] or labels[n] == labels[q]:
            continue
        if labels[q] in odd:
            p, n = n, p
        text.append(f"{q} {p} {n}\n")
    return "".join(text)


def main():
    akin = str(pathlib.Path(sys.argv[1]).resolve())
    java = pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory(prefix="akin-engines-") as folder:
        work = pathlib.Path(folder)

        def run(*words):
            subprocess.run([akin, *words], cwd=work, check=True,
                           stdout=subprocess.DEVNULL)

        run("synth", "bags", "--rows", "700", "--dim", "400", "--words", "40",
            "--classes", "5", "--class-words", "30", "--out", "all.svm")
        lines = (work / "all.svm").read_text().splitlines(True)
        (work / "items.svm").write_text("".join(lines[:500]))
        (work / "queries.svm").write_text("".join(lines[500:]))
        (work / "triplets").write_text(signed_triplets(lines[:500]))
        train = ["--data", "items.svm", "--dim", "400", "--verdict", "none",
                 "--quiet"]
        run("train", "oasis-diag", *train, "--triplets", "triplets", "--C",
            "1", "--passes", "3", "--out", "m")
        run("train", "loreta-psd", *train, "--sample", "10000", "--rank",
            "10", "--out", "f")
        for name in "m", "f":
            run("index", name, "--data", "items.svm", "--out",
                f"{name}.index", "--quiet")
        queries = rows_of(work / "queries.svm")
        for to in "opensearch", "elasticsearch":
            for name, kind in {"m": "sparse", "f": "dense"}.items():
                run("export", f"{name}.index", "--to", to, "--out",
                    f"{to}_{kind}", "--quiet")
                run("verify-export", f"{to}_{kind}", "--against",
                    f"{name}.index", "--queries", "queries.svm")
                items = check_files(work, to, kind == "sparse", queries)
                if to == "opensearch" and kind == "sparse":
                    check_lucene(work, akin, java, items, queries)
    sys.exit(0 if all(RESULTS) else 1)


main()
