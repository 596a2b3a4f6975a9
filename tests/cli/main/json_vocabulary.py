"""Check the JSON of all commands: json_vocabulary.py FILE..., and say what is
wrong with keys and types."""
import json
import pathlib
import re
import sys

NUMBER = (int, float)
# Wherever a key occurs its value has this type; null: not known.
TYPES = {
    "rows": (int, list), "dim": int, "nonzeros": int, "rank": int, "labels": (int, list),
    "examples": (int, str), "updates": int, "iterations": int, "skipped": int,
    "removed": int, "queries": int, "bytes": int, "faces": int, "photos": int,
    "seconds": NUMBER, "score": (*NUMBER, str), "map": NUMBER, "error": NUMBER,
    "accuracy": NUMBER, "precision": NUMBER, "theta": NUMBER, "loss": (*NUMBER, str),
    "model": str, "out": (str, list), "report": str, "recipe": (str, dict),
    "kind": str, "learner": str, "file": str, "type": str,
    "converged": bool, "rounds_converged": bool, "stopped": bool,
    "sound": bool, "finished": bool, "resumable": bool, "prune": bool,
    "plain": bool, "center": bool, "needed": bool, "positional": bool,
    "advanced": bool, "online": bool, "trains": bool, "names_faces": bool,
    "right_alone": bool, "samples": bool, "weighs_pairs": bool,
    "prototypes": bool, "check_derivatives": bool, "self_votes": bool,
    "agrees": bool, "takes_parameters": bool,
}
# Another word for what has a key already.
REFUSED = {
    "n": "rows", "count": "rows", "n_rows": "rows", "pictures": "rows",
    "columns": "dim", "features": "dim", "classes": "labels",
    "left_out": "skipped", "gone": "removed", "time": "seconds",
    "elapsed": "seconds", "path": "file", "output": "out", "collection": "out",
}
# A folder of pictures has no rows, and a picture of a collection that is gone
# from its folder keeps its row; columns of a paper's table are its own.
ALLOWED = {("synth-scenes", "pictures"), ("images", "gone"),
           ("faces", "gone")}
WRITERS = ("synth", "train", "tune", "embed", "export", "index", "images", "text", "name",
           "convert", "split", "explain-pictures")


def walk(value, path=()):
    if isinstance(value, dict):
        for key, v in value.items():
            yield path + (key,), v
            yield from walk(v, path + (key,))
    elif isinstance(value, list):
        for v in value:
            yield from walk(v, path)


def complaints(name, top):
    if name.split("-")[0] in WRITERS or name in WRITERS:
        if "out" not in top:
            yield "no key out"
    for path, value in walk(top):
        key = path[-1].rsplit(".", 1)[-1]
        where = ".".join(path)
        if name == "reproduce" and "rows" in path[:-1] or "units" in path[:-1]:
            continue
        if not re.fullmatch(r"[A-Za-z0-9_.%-]+", key):
            yield f"{where}: not a plain word"
        if key in REFUSED and (name, key) not in ALLOWED:
            yield f"{where}: is called {REFUSED[key]} elsewhere"
        if isinstance(value, str) and value in ("yes", "no", "true", "false"):
            yield f"{where}: {value!r} is a text, not a boolean"
        types = TYPES.get(key)
        if types is None or value is None:
            continue
        types = types if isinstance(types, tuple) else (types,)
        if type(value) not in types:
            yield f"{where}: {value!r} is of type {type(value).__name__}"


objects = {pathlib.Path(f).stem: json.loads(pathlib.Path(f).read_text())
           for f in sys.argv[1:]}
for name, top in objects.items():
    for text in complaints(name, top):
        print(f"{name}: {text}")
# Collections have a case of their own.
run = set(objects) | {name.split("-")[0] for name in objects} | {
    "codebook", "documents", "duplicates", "faces", "feedback", "images",
    "learn", "remove", "serve", "tag", "vectors"}
for command in objects.get("help", {"commands": []})["commands"]:
    if command["name"] not in run:
        print(f"{command['name']}: not checked")
print(len(objects), "objects")
