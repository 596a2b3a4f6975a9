"""Write what follows from the tables of commands and learners.

    gen.py AKIN ROOT [--check]

AKIN is the program, ROOT the project. Made are include/akin/learners.h (that
alone when AKIN is "-", for a learner that is not built yet), docs/man/akin.1,
the completions of bash, zsh and fish in completions/, the tables between
`<!-- options: NAME -->` and `<!-- /options -->` in docs/reference/learners/*.md,
the table of learners in README.md there, a first page for a learner that has
none, the classes of the Python package and their stubs in
python/src/akin/_learners.py and .pyi, and the rooms of tools/layers.txt between `<!-- rooms -->` and
`<!-- /rooms -->` in docs/explanation/architecture.md, and the routes of
src/server/routes.def in docs/reference/serve.md. --check changes nothing
and fails when a file is not what it would be.
"""
import json
import pathlib
import re
import subprocess
import sys
import textwrap

import gen_completions
import gen_python
from check_layers import Layers


def ask(akin, *words):
    out = subprocess.run([akin, *words, "--json"], check=True,
                         capture_output=True, text=True).stdout
    return json.loads(out)


# ---- the options of learners, in C ------------------------------------------

HEADER = """/* akin/learners.h - the options of every learner and their defaults.
 * Included by akin/learn.h. Options are double, int64_t or const char *.
 * Made by tools/gen.py from src/learn/learners.def and the tables of the
 * learners; do not edit. */
/* clang-format off */
#ifndef AKIN_LEARNERS_H
#define AKIN_LEARNERS_H

#include <akin/learn.h>
"""

C_TYPES = {"F64": "double ", "I64": "int64_t ", "WORD": "const char *"}


def entries(root):
    """(family, name, fields) of learners.def; fields are (type, name, value)."""
    text = (root / "src/learn/learners.def").read_text()
    for family, name, rest in re.findall(
            r"^(?:LEARNER|NAMING_METHOD)\((\w+)/\w+, (\w+),((?:[^()]|\([^()]*\))*)\)$", text, re.M):
        yield family, name, re.findall(r"(\w+)\((\w+), ([^()]*)\)", rest)


def comment(text, indent):
    lines = textwrap.wrap(text, 74 - len(indent))
    return f"{indent}/* " + f"\n{indent} * ".join(lines) + " */\n"


def old_comments(text):
    """The comments above the structs and fields of the header as it is."""
    found = {}
    struct = ""
    for m in re.finditer(r"(?:^ */\* ((?:[^*]|\*(?!/))*) \*/\n)?^ *"
                         r"(?:typedef struct akin_(\w+)_options|"
                         r"(?:double |int64_t |const char \*)(\w+);)",
                         text, re.M):
        struct = m[2] or struct
        found[struct, m[3]] = re.sub(r"\s*\n *\* ", " ", m[1] or "")
    return found


def struct_of(name, fields, said):
    out = comment(said[name, None], "") if said.get((name, None)) else ""
    out += f"typedef struct akin_{name}_options {{\n    akin_options head;\n"
    for type_, field, _ in fields:
        if said.get((name, field)):
            out += comment(said[name, field], "    ")
        out += f"    {C_TYPES[type_]}{field};\n"
    return out + f"}} akin_{name}_options;\n"


def defaults_of(name, fields):
    lines = [f"#define AKIN_{name.upper()}_DEFAULTS", "    {",
             f'        {{"{name.replace("_", "-")}", '
             f"sizeof(akin_{name}_options)}},"]
    lines += [f"        .{field} = {value}," for _, field, value in fields]
    return " \\\n".join(lines + ["    }"]) + "\n"


def learners_h(root, learners):
    said = old_comments((root / "include/akin/learners.h").read_text())
    for l in learners:
        name = l["name"].replace("-", "_")
        said[name, None] = (f"{l['summary']}; "
                            f"docs/reference/learners/{l['name']}.md")
        said.update({(name, o["name"]): o["help"] for o in l["options"]})
    out = HEADER
    for _, name, fields in entries(root):
        out += "\n" + struct_of(name, fields, said)
        out += "\n" + defaults_of(name, fields)
    return out + "\n#endif\n"


# ---- the man page -----------------------------------------------------------

MAN_HEAD = """.\\" Made by tools/gen.py; do not edit.
.TH AKIN 1 "" "akin {version}" "User Commands"
.SH NAME
akin \\- learn what similar means, then search by it
.SH SYNOPSIS
.B akin
.I COMMAND
[\\fIARGUMENT\\fR...] [\\fB\\-\\-option\\fR \\fIVALUE\\fR...]
.SH DESCRIPTION
.B akin
learns from examples when two items are alike, and then scores, searches and
explains by it. An option and its value may be joined by = instead of a blank.
Rows are numbered from 0. A dash as a file name is standard input where a
stream makes sense. Defaults stand in [brackets].
"""

MAN_TAIL = """.SH EXIT STATUS
.TP
.B 0
done
.TP
.B 1
it could not be done: reading or writing failed, memory ran out, or a value was
not finite
.TP
.B 2
the command line or an input file is wrong
.TP
.B 130
interrupted
.PP
A message is one line on standard error. Output files are written under another
name and renamed when they are whole.
"""


def roff(text):
    """Text with the characters that roff would read guarded."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line
                     for line in text.split("\n"))


def man_option(o):
    if o["positional"]:
        left = f"\\fI{roff(o['name'])}\\fR"
    else:
        left = f"\\fB{roff('--' + o['name'])}\\fR"
        if o["argument"]:
            left += f" \\fI{roff(o['argument'])}\\fR"
    right = roff(o["help"])
    if o["default"] is not None:
        right += f" [{roff(o['default'])}]"
    return f".TP\n{left}\n{right}\n"


def man_command(c, shared):
    out = f".SS {roff(c['usage'])}\n"
    out += "".join(f"{roff(p)}\n.PP\n" for p in c["about"].split("\n"))
    also = []
    for g in c["groups"]:
        if g["title"] in shared:
            also.append(g["title"].split(":")[0])
        else:
            out += "".join(map(man_option, g["options"]))
    if also:
        out += f".PP\nAlso: {roff(', '.join(also))}.\n"
    if c["examples"]:
        out += f".PP\n.nf\n{roff(c['examples'])}\n.fi\n"
    return out


def man_learner(l):
    out = f".SS {roff(l['name'])}\n{roff(l['summary'])}.\n{roff(l['when'])}.\n"
    for o in l["options"]:
        argument = o["choices"] or ("N" if o["type"] == "integer" else "X")
        out += man_option({"positional": False, "name": o["flag"],
                           "argument": argument, "help": o["help"],
                           "default": text_of(o["default"])})
    return out


def man_method(m):
    flags = ", ".join("--" + f for f in m["flags"])
    return (f".TP\n.B {roff(m['name'])}\n{roff(m['summary'])}.\n"
            f"{roff(m['when'])}.\n" +
            (f"Heeds {roff(flags)}.\n" if flags else ""))


def man_page(help_, learners):
    count = {}
    groups = {}
    for c in help_["commands"]:
        for g in c["groups"]:
            count[g["title"]] = count.get(g["title"], 0) + 1
            groups[g["title"]] = g
    shared = [t for t in groups if count[t] > 1 and t != "Arguments"]
    out = MAN_HEAD.format(version=help_["version"])
    out += ".SH COMMANDS\n"
    out += "".join(man_command(c, shared) for c in help_["commands"])
    out += ".SH OPTIONS OF SEVERAL COMMANDS\n"
    for title in shared:
        out += f".SS {roff(title)}\n"
        out += "".join(map(man_option, groups[title]["options"]))
    out += ".SH LEARNERS\n" + "".join(map(man_learner, learners))
    out += ".SH METHODS OF AKIN NAME\n"
    out += "".join(map(man_method, help_["naming_methods"]))
    return out + MAN_TAIL


# ---- tables of the learners' manuals ----------------------------------------

def text_of(x):
    """A number as akin prints it: 1e-5, not 1e-05."""
    return re.sub(r"e([+-])0*(\d)", lambda m: "e" + m[1].strip("+") + m[2],
                  x if isinstance(x, str) else f"{x:.15g}")


def limit_of(x):
    """The end of a range: 1e12, 100, 2147483647."""
    return text_of(f"{x:g}" if float(f"{x:g}") == x else x)


def range_of(o):
    if o["choices"]:
        return ", ".join(f"`{w}`" for w in o["choices"].split("|"))
    return f"{limit_of(o['min'])} to {limit_of(o['max'])}"


def option_table(l):
    if not l["options"]:
        return "There are none.\n"
    out = "| flag | meaning | default | range |\n|---|---|---|---|\n"
    for o in l["options"]:
        only = f"`akin {o['use']}`: " if l["trains"] and l["names_faces"] and \
            o["use"] != "any" else ""
        out += (f"| `--{o['flag']}` | {only}{o['help']} "
                f"| `{text_of(o['default'])}` "
                f"| {range_of(o)} |\n")
    return out


def manual(text, learners):
    """The text of a page with its tables as they should be."""
    table = {l["name"]: option_table(l) for l in learners}

    def fill(m):
        return f"<!-- options: {m[1]} -->\n{table[m[1]]}<!-- /options -->"

    return re.sub(r"<!-- options: (\S+) -->\n(?:.*?\n)??<!-- /options -->",
                  fill, text, flags=re.S)


PAGE = """# {name}

`{name}` learns: {summary} [{paper}].

## Options

<!-- options: {name} -->
<!-- /options -->

## When to use it

{When}.
"""

NAMING_PAGE = """# {name}

`{name}` names the faces of captioned photos: {summary}. Run it as
`akin name --method {name}`; [naming](../naming.md) explains how names are given.

## Options

<!-- options: {name} -->
<!-- /options -->

## When to use it

{When}.
"""

FAMILIES = {"diagonal": "One weight for each column",
            "lowrank": "Low rank, and full bilinear similarities",
            "metric": "Full metrics", "sparse": "Sparse metrics",
            "rank": "Ranking labels", "cross": "Two kinds of rows",
            "captions": "Captions of photographs"}


def learner_table(root, learners):
    """All learners by family, in the order of learners.def."""
    names = [(family, name) for family, name, _ in entries(root)]
    info = {l["name"].replace("-", "_"): l for l in learners}
    out = "| name | learns | use it for | ranks share |\n|---|---|---|---|\n"
    for family in dict(names):
        out += f"| **{FAMILIES.get(family, family)}** | | | |\n"
        for l in (info[name] for f, name in names if f == family):
            shares = (l["shares"] or "").split(";")[0]
            out += (f"| [`{l['name']}`]({l['name']}.md) | {l['summary']} "
                    f"| {l['when']} | {shares} |\n")
    return out


def learner_index(text, root, learners):
    return re.sub(r"(<!-- learners -->\n).*?(<!-- /learners -->)",
                  lambda m: m[1] + learner_table(root, learners) + m[2], text,
                  flags=re.S)


# ---- the rooms --------------------------------------------------------------

def architecture(path, layers):
    """The page with the table of rooms as it should be."""
    table = "| room | holds | may include |\n|---|---|---|\n"
    for name, room in layers.rooms.items():
        may = " ".join(f"`{other}`" for other in room.may)
        table += f"| `{name}` | {room.holds} | {may} |\n"
    return re.sub(r"<!-- rooms -->\n.*<!-- /rooms -->",
                  lambda _: f"<!-- rooms -->\n{table}<!-- /rooms -->",
                  path.read_text(), flags=re.S)


# ---- all --------------------------------------------------------------------

def check_flags(help_, learners):
    """A learner's parameter must not hide a flag of its commands. --score is
    the same for every learner: the command passes it on."""
    passed_on = {"score"}
    for c in help_["commands"]:
        if not c["takes_parameters"]:
            continue
        use = "name" if c["name"] == "name" else "train"
        flags = {o["name"] for g in c["groups"] for o in g["options"]} - passed_on
        for l in learners:
            if not l["names_faces" if use == "name" else "trains"]:
                continue
            for o in l["options"]:
                if o["flag"] in flags and o["use"] in ("any", use):
                    sys.exit(f"--{o['flag']} of {l['name']} is also a flag of "
                             f"akin {c['name']}")


# ---- the routes of the server -----------------------------------------------

def routes(page, listed):
    """The page with the table of routes as it should be."""
    table = "| route | arguments | body | answer |\n|---|---|---|---|\n"
    for entry in re.findall(r"^ROUTE\((.*?\"\))$", listed, re.M | re.S):
        texts = re.findall(r'"([^"]*)"', entry)
        path, arguments, body, answer, text = texts[0], *texts[1:4], texts[-1]
        route = f"{entry.split(',')[0]} {path}"
        named = ", ".join(f"`{a}`" for a in arguments.split())
        kind = "" if "/" not in answer else f" (`{answer}`)"
        table += f"| `{route}` | {named} | {body} | {text}{kind} |\n"
    return re.sub(r"<!-- routes -->\n.*<!-- /routes -->",
                  lambda _: f"<!-- routes -->\n{table}<!-- /routes -->",
                  page.read_text(), flags=re.S)


def main():
    akin, root = sys.argv[1], pathlib.Path(sys.argv[2])
    check = "--check" in sys.argv[3:]
    header = root / "include/akin/learners.h"
    if akin == "-":
        header.write_text(learners_h(root, []))
        return
    help_ = ask(akin, "help")
    learners = ask(akin, "learners")["learners"]
    check_flags(help_, learners)
    made = {header: learners_h(root, learners),
            root / "docs/man/akin.1": man_page(help_, learners)}
    for shell, text in gen_completions.make(help_, learners):
        made[root / f"completions/akin.{shell}"] = text
    package = root / "python/src/akin"
    made[package / "_learners.py"], made[package / "_learners.pyi"] = \
        gen_python.make(learners)
    page = root / "docs/explanation/architecture.md"
    made[page] = architecture(page, Layers(root / "tools/layers.txt"))
    page = root / "docs/reference/serve.md"
    made[page] = routes(page, (root / "src/server/routes.def").read_text())
    pages = root / "docs/reference/learners"
    for l in learners:
        page = pages / f"{l['name']}.md"
        text = page.read_text() if page.exists() else \
            (PAGE if l["trains"] else NAMING_PAGE).format(
                When=l["when"][0].upper() + l["when"][1:], **l)
        if f"<!-- options: {l['name']} -->" not in text:
            sys.exit(f"{page}: has no place for the options of {l['name']}")
        made[page] = manual(text, learners)
    made[pages / "README.md"] = learner_index(
        (pages / "README.md").read_text(), root, learners)
    stale = [p for p, text in made.items()
             if not p.exists() or p.read_text() != text]
    if check and stale:
        sys.exit("not up to date (run tools/gen.py): " +
                 ", ".join(str(p.relative_to(root)) for p in stale))
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path])


if __name__ == "__main__":
    main()
