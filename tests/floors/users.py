"""Two users with different tastes: users.py AKIN KIND FOLDER [QUERIES]

KIND is newsgroups, topics (FOLDER in the layout of ng20) or photos (of
caltech101_images). Both users judge the first 20 answers to 60 queries each, in two
rounds, by classes of their own:

    newsgroups  anna: of the same group (rec.autos); bert: of the same family (rec)
    topics      a document is two messages of different families; anna wants the group
                of the first one again, bert that of the second
    photos      anna: of the same kind (a pagoda); bert: of the same sort (a building)

Then akin learn makes the shared model of all events, and akin learn --user what each of
them adds to it. For 60 other queries of each user that nobody judged, the precision at
10 without learning, by the shared model, and by that of the user. The user's must not be
below the shared one by more than the noise, the standard error of a difference; for
topics, where tastes differ most, it must be above. Exits 77 (skipped) without the folder.
"""
import csv
import gzip
import json
import os
import random
import sys
import tempfile

import rounds

TOP, JUDGED, ROUNDS = 10, 20, 2
USERS = ("anna", "bert")
SORTS = {"Motorbikes": "vehicle", "airplanes": "vehicle", "car_side": "vehicle",
         "ketch": "vehicle", "minaret": "building", "pagoda": "building",
         "Leopards": "nature", "sunflower": "nature"}


def groups(folder):
    with open(os.path.join(folder, "classes.csv"), encoding="utf-8") as f:
        return {row["label"]: row["name"] for row in csv.DictReader(f)}


def newsgroups(program, folder, out, work):
    labels = rounds.newsgroups(program, folder, out, work)
    if labels is None:
        return None
    names = groups(folder)
    return {k: (v, names[v].split(".")[0]) for k, v in labels.items()}


def topics(program, folder, out, work):
    source = os.path.join(folder, "counts.svm.gz")
    if not os.path.exists(source):
        return None
    names = groups(folder)
    with gzip.open(os.path.join(folder, "vocab.txt.gz"), "rt") as f:
        terms = f.read().split()
    with gzip.open(source, "rt") as f:
        lines = [x.split() for x in f]
    random.Random(3).shuffle(lines)
    first = [x for x in lines if names[x[0]].split(".")[0] in ("comp", "sci")]
    second = [x for x in lines if names[x[0]].split(".")[0] in ("rec", "talk")]
    labels, path = {}, os.path.join(work, "topics.jsonl")
    with open(path, "w", encoding="utf-8") as f:
        for i, (a, b) in enumerate(zip(first[:2000], second)):
            words = []
            for pair in a[1:] + b[1:]:
                term, count = pair.split(":")
                words += [terms[int(term) - 1]] * int(count)
            labels["n%d" % i] = (a[0], b[0])
            f.write(json.dumps({"name": "n%d" % i, "text": " ".join(words)}) + "\n")
    rounds.akin(program, "documents", path, "--out", out, "--stop-words", "none")
    return labels


def photos(program, folder, out, work):
    labels = rounds.photos(program, folder, out, work)
    return labels and {k: (v, SORTS.get(v, "thing")) for k, v in labels.items()}


def ask(program, where, query, *flags):
    found = json.loads(rounds.akin(program, "search", where, "--like", query, "--top",
                                   str(JUDGED), *flags))
    return [h["name"] for h in found["results"][0]["hits"]]


def judge(program, where, queries, labels, number):
    for u, user in enumerate(USERS):
        lines = []
        for q in queries[user]:
            hits = ask(program, where, q, "--user", user)
            wanted = labels[q][u]
            lines.append(json.dumps({
                "key": "%d/%s/%s" % (number, user, q), "query": q, "user": user,
                "good": [h for h in hits if labels[h][u] == wanted],
                "bad": [h for h in hits if labels[h][u] != wanted]}))
        rounds.akin(program, "feedback", where, "--file", "-", text="\n".join(lines))


def precision(program, where, queries, labels, u, *flags):
    right = 0
    for q in queries:
        hits = ask(program, where, q, "--feedback", "none", *flags)[:TOP]
        right += sum(labels[h][u] == labels[q][u] for h in hits)
    return right / TOP / len(queries)


def run(program, make, folder, n):
    with tempfile.TemporaryDirectory() as work:
        where = os.path.join(work, "c")
        labels = make(program, folder, where, work)
        if labels is None:
            return None
        rounds.akin(program, "learn", where, "--after", "0")
        names = sorted(labels)
        random.Random(4).shuffle(names)
        asked = {u: names[i * n:(i + 1) * n] for i, u in enumerate(USERS)}
        others = names[2 * n:3 * n]
        for k in range(ROUNDS):
            judge(program, where, asked, labels, k)
            print(" ".join(rounds.akin(program, "learn", where).split()), flush=True)
            for user in USERS:
                print(" ".join(rounds.akin(program, "learn", where, "--user",
                                           user).split()), flush=True)
        table = {}
        for u, user in enumerate(USERS):
            table[user] = [
                precision(program, where, others, labels, u, *flags)
                for flags in (("--version", "0"), (), ("--user", user))]
            print("%s: without learning %.3f  shared %.3f  own %.3f" %
                  (user, *table[user]), flush=True)
        return table


def main(program, kind, folder, queries="60"):
    make = {"newsgroups": newsgroups, "topics": topics, "photos": photos}[kind]
    table = run(program, make, folder, int(queries))
    if table is None:
        print("skipped: no such data set")
        return 77
    noise = (0.25 / int(queries) / TOP) ** 0.5 * 2 ** 0.5
    bad = ["%s: own below shared" % u for u, (_, shared, own) in table.items()
           if own < shared - noise]
    bad += ["%s: own not above shared" % u for u, (_, shared, own) in table.items()
            if kind == "topics" and own <= shared]
    print("\n".join(bad) or "never worse by more than %.3f" % noise)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
