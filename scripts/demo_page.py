"""A page of queries and their results, before and after learning.

demo_page.py COLLECTION MODEL PAGE TFIDF.json LEARNED.json WORDS USED
"""
import html
import json
import os
import subprocess
import sys

TOP = 6

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2.5em auto; color: #222;
       max-width: 1240px; background: #fafaf8; padding: 0 1em }
h1 { font-weight: 600; margin-bottom: .2em }
table.figures { border-collapse: collapse; margin: 1.5em 0 2.5em }
.figures td, .figures th { padding: .3em 1.4em .3em 0; text-align: right;
                           border-bottom: 1px solid #ddd }
.figures td:first-child, .figures th:first-child { text-align: left }
.query { display: grid; grid-template-columns: 190px 1fr; gap: 18px;
         margin-bottom: 2.2em; align-items: center }
.query > figure img { width: 190px }
.hits { display: flex; gap: 8px; align-items: center; margin: 4px 0 }
.hits > span { width: 84px; color: #666; font-size: 13px; text-align: right }
figure { margin: 0 } img { display: block; border-radius: 3px }
.hits img { width: 142px; border: 4px solid #c8452f }
.hits img.right { border-color: #3c9a4e }
figcaption { font-size: 12px; color: #666 }
.figures td:last-child { text-align: left } .why { max-width: 100% }
.bar { display: inline-block; height: 10px; background: #3c9a4e;
       margin-left: .6em }
"""


def search(collection, row, model):
    p = subprocess.run(["akin", "search", collection, "--like", str(row),
                        "--top", str(TOP), "--model", model, "--json"],
                       check=True, capture_output=True)
    return json.loads(p.stdout)["results"][0]["hits"]


def label(name):
    return name.split("/")[0] if "/" in name else None


def image(hit, page, kind=""):
    path = os.path.relpath(hit["file"], os.path.dirname(page) or ".")
    name = html.escape(hit["name"])
    return f'<img src="{html.escape(path)}" alt="{name}" title="{name}"{kind}>'


def hits_row(title, hits, wanted, page):
    cells = "".join(
        image(h, page, ' class="right"' if label(h["name"]) == wanted else "")
        for h in hits)
    return f'<div class="hits"><span>{title}</span>{cells}</div>'


def right(hits, wanted):
    return sum(label(h["name"]) == wanted for h in hits)


def figures(rows):
    out = ["<table class=figures><tr><th>similarity<th>mAP<th>first is right"
           "<th>words it uses<th>zeros<th></tr>"]
    for name, path, used, words in rows:
        f = json.load(open(path))
        out.append(f"<tr><td>{name}<td>{100 * f['map']:.1f} %"
                   f"<td>{100 * f['precision_at']['1']:.1f} %<td>{used:,}"
                   f"<td>{100 * (1 - used / words):.1f} %<td>"
                   f"<span class=bar style='width:{300 * f['map']:.0f}px'>"
                   "</span></tr>")
    return "".join(out) + "</table>"


def main():
    collection, model, page, before, after, words, used = sys.argv[1:]
    everything = subprocess.run(
        ["akin", "search", collection, "--like", "0", "--top", "100000",
         "--json"], check=True, capture_output=True)
    first = search(collection, 1, "tfidf") + json.loads(
        everything.stdout)["results"][0]["hits"]
    by_name = {h["name"]: h for h in first}
    queries = {}
    for name in sorted(by_name):
        if label(name):
            queries.setdefault(label(name), []).append(by_name[name])
    parts = [f"<!doctype html><meta charset=utf-8><title>akin</title>"
             f"<style>{STYLE}</style><h1>Learning what makes a landmark</h1>"
             "<p>Each picture on the left is a query. Beside it are its results "
             "in the collection, by TF-IDF and by the similarity that was "
             "learned from other views. Green: the same landmark.</p>",
             figures([("TF-IDF", before, int(words), int(words)),
                      ("solis-ada", after, int(used), int(words))])]
    for wanted, all_of_it in queries.items():
        q = all_of_it[len(all_of_it) // 2]
        old = search(collection, q["row"], "tfidf")
        new = search(collection, q["row"], model)
        parts.append(
            f'<div class=query><figure>{image(q, page)}<figcaption>'
            f'{html.escape(q["name"])}<br>{right(old, wanted)} of {TOP} right '
            f'before, {right(new, wanted)} after</figcaption></figure><div>'
            + hits_row("TF-IDF", old, wanted, page)
            + hits_row("learned", new, wanted, page) + "</div></div>")
    parts.append("<h2>Why are two of them alike?</h2><p>Features that are the "
                 "same visual word in both pictures. Stronger ones add more to "
                 "the score. Green ones move from one picture to the other as "
                 "most do.</p><img class=why src=why.svg>")
    with open(page, "w", encoding="utf-8") as f:
        f.write("\n".join(parts))


main()
