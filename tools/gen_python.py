"""The classes of the Python package, one for each learner, and their stubs."""
import keyword
import textwrap

ACRONYMS = set("""psd gd pa da ada tg afb mi oasis lego qpao lmnn pca lda itml s3ml
s2ml sdml nca lrml cca arc t svm hfa rsl tfidf asml mms mildml lr""".split())

HEAD = '''"""A class for each learner.

Made by tools/gen.py from the registry of the library; do not edit.
"""
'''

STUB_HEAD = """# Made by tools/gen.py; do not edit.
from typing import Any, Literal

from numpy.random import RandomState

"""

# Of every class: name, type, default, meaning. Of these a class has those that
# its learner heeds.
RUN = {
    "sample": ("int", 0,
               "Triplets (or pairs) to draw from the labels; 0: chosen from "
               "the data."),
    "passes": ("int", 0,
               "Passes over the examples. 0: 1 for given examples, for a "
               "`sample` and for `partial_fit`, else as many as lower the "
               "loss, at most 30."),
    "sampler": ('Literal["uniform", "warp"]', "uniform",
                "How negatives are drawn: uniformly, or until one is ranked "
                "too high, weighted by how soon that is (`warp`)."),
    "pair_weights": ('Literal["balanced", "printed"]', "balanced",
                     "Matching and other pairs have the same total weight "
                     "(`balanced`), or every pair has the same weight "
                     "(`printed`)."),
    "compare": ('Literal["auto", "dot", "cosine", "distance"]', "auto",
                "How the model compares rows; `auto`: what does best on "
                "held-out examples."),
    "verdict": ('Literal["auto", "none"] | None', "auto",
                "Compare with the measure that learning began from, on "
                "held-out examples: `verdict_`."),
    "weights": ("str | None", None,
                "Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, "
                "`log`, `tfidf`, `binary-idf` or `sqrt-idf`. None: the "
                "learner's own, {weights}."),
    "scale": ("str | None", None,
              "Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the "
              "learner's own, {scale}."),
    "norm": ("str | None", None,
             "Length of rows: `none`, `l2` or `global`. None: the learner's "
             "own, {norm}."),
    "center": ("bool | None", None,
               "Subtract the mean of each column. None: the learner's own, "
               "{center}."),
    "n_neighbors": ("int", 1, "Neighbours that vote in `predict`."),
    "preprocessor": ("Any", None,
                     "Rows that indices refer to, as in metric-learn: an array "
                     "or a function of indices."),
    "random_state": ("int | RandomState | None", None,
                     "Seed of the random numbers; None: that of the library, "
                     "always the same."),
    "n_jobs": ("int | None", None,
               "Threads; None or -1: all cores. Results do not depend on it."),
    "verbose": ("int", 0,
                "1: a progress bar (tqdm); 2: also what the library notes."),
}


def class_name(learner):
    """LoretaPSD of loreta-psd."""
    return "".join(w.upper() if w in ACRONYMS else w.capitalize()
                   for w in learner.split("-"))


def parameter(name):
    """A name that is no keyword of Python: lambda_."""
    return name + "_" if keyword.iskeyword(name) else name


def number(x):
    return str(x) if isinstance(x, int) else f"{x:g}"


def option_type(o):
    if o["type"] == "string":
        words = o["choices"].split("|") if o["choices"] else []
        if not words or any(w.isupper() for w in words):
            return "str | float" if "NUMBER" in words else "str"
        return "Literal[" + ", ".join(f'"{w}"' for w in words) + "]"
    return "int" if o["type"] == "integer" else "float"


def option_default(o):
    if o["type"] == "number":
        return float(o["default"])
    return o["default"]


def option_help(o):
    text = o["help"][0].upper() + o["help"][1:]
    if o["type"] == "string":
        if not o["choices"]:
            return text + "."
        words = [w.lower() if w.isupper() else f"`{w}`"
                 for w in o["choices"].split("|")]
        return f"{text}: {', '.join(words)}."
    return f"{text}; {number(o['min'])} to {number(o['max'])}."


def run_names(l):
    """The parameters besides options that the learner heeds."""
    compares = l["makes"] != "ranker"
    heeds = {"sample": l["samples"], "passes": l["online"],
             "sampler": l["online"] and "triplets" in l["takes"],
             "pair_weights": l["weighs_pairs"], "compare": compares,
             "verdict": True, "n_neighbors": compares}
    return [name for name in RUN if heeds.get(name, True)]


def parameters(l):
    """(name, type, default, meaning, option or "") of a class."""
    for o in l["options"]:
        # `compare` sets it; an attribute `score` would hide the method.
        if o["name"] != "score" and o["use"] in ("any", "train"):
            yield (parameter(o["name"]), option_type(o), option_default(o),
                   option_help(o), o["name"])
    recipe = {k: "yes" if v is True else "no" if v is False else f"`{v}`"
              for k, v in l["recipe"].items()}
    for name in run_names(l):
        type_, default, text = RUN[name]
        yield name, type_, default, text.format(**recipe), ""


def bases(l):
    out = []
    if l["makes"] in ("ranker", "posterior"):
        out.append("Ranker")
    if l["makes"] != "ranker":
        out.append("Comparer")
    if "labels" in l["takes"]:
        out.append("FromLabels")
    if "pairs" in l["takes"]:
        out.append("FromPairs")
    if "triplets" in l["takes"]:
        out.append("FromTriplets")
    if "captions" in l["takes"]:
        out.append("FromCaptions")
    if l["online"]:
        out.append("Online")
    return out + ["Learner"]


def paragraph(text, indent):
    return textwrap.fill(text, 79, initial_indent=indent,
                         subsequent_indent=indent, break_on_hyphens=False)


def docstring(l):
    lines = [f'    r"""{l["summary"][0].upper() + l["summary"][1:]}.', ""]
    lines.append(paragraph(
        f"Use it for: {l['when']}. The learner `{l['name']}` of `akin train`; "
        f"docs/reference/learners/{l['name']}.md explains it.", "    "))
    lines += ["", "    Parameters", "    ----------"]
    for name, type_, default, text, _ in parameters(l):
        kind = type_.replace('"', "'")
        lines.append(f"    {name} : {kind}, default={default!r}")
        lines.append(paragraph(text, "        "))
    return "\n".join(lines + ['    """'])


def signature(items):
    lines = ["    def __init__(", "        self,", "        *,"]
    lines += [f"        {item}," for item in items]
    return "\n".join(lines + ["    ) -> None:"])


def options_text(l):
    named = {name: option for name, *_, option in parameters(l) if option}
    if not named:
        return "    _options = {}"
    return "\n".join(["    _options = {"] +
                     [f'        "{name}": "{option}",'
                      for name, option in named.items()] + ["    }"])


def class_text(l):
    items = list(parameters(l))
    flags = [f'    _learner = "{l["name"]}"']
    if l["right"]:
        flags.append("    _right = True")
    if l["right_alone"]:
        flags.append("    _right_alone = True")
    if l["recipe"]["weights"] == "tfidf":
        flags.append("    _counts = True")
    body = "\n".join(f"        self.{name} = {name}" for name, *_ in items)
    return "\n".join([
        f"class {class_name(l['name'])}({', '.join(bases(l))}):",
        docstring(l), *flags, options_text(l), "",
        signature([f"{name}={default!r}" for name, _, default, *_ in items])
        .replace(") -> None:", "):"), body])


def stub_text(l):
    items = list(parameters(l))
    fields = "\n".join(f"    {name}: {type_}" for name, type_, *_ in items)
    return "\n".join([
        f"class {class_name(l['name'])}({', '.join(bases(l))}):", fields,
        signature([f"{name}: {type_} = ..." for name, type_, *_ in items]) +
        " ..."])


def make(learners):
    """The texts of _learners.py and _learners.pyi."""
    learners = [l for l in learners if l["trains"]]
    names = [class_name(l["name"]) for l in learners]
    used = sorted({b for l in learners for b in bases(l)})
    imports = "\n".join(textwrap.wrap(
        f"from akin._abilities import ({', '.join(used)})", 79,
        subsequent_indent=" " * len("from akin._abilities import (")))
    everything = textwrap.fill(", ".join(f'"{n}"' for n in names), 79,
                               initial_indent="    ", subsequent_indent="    ")
    all_ = f"__all__ = [\n{everything},\n]\n"
    source = HEAD + imports + "\n\n" + all_ + "".join(
        "\n\n" + class_text(l) + "\n" for l in learners)
    stub = STUB_HEAD + imports + "\n\n" + all_ + "".join(
        "\n" + stub_text(l) + "\n" for l in learners)
    return source, stub
