"""Hold the public headers, include/akin/*.h, to the shape of the API.

    check_api.py [--root DIR]

  order     parameters come as out, ctx, object, input, options:
              out      pointers that the call writes through: `T **`, or `T *`
                       without const where T is no handle
              ctx      `akin_ctx *`
              object   `akin_THING *` of a function akin_THING_VERB, any
                       handle without const, or `akin_options *`: the learner
                       that works, with its settings
              input    everything else
              options  `const akin_..._options *`
              info     `akin_..._info *` that is filled on the way; where it
                       is the result itself it is an out
  free      akin_..._free and akin_..._close take one object, return nothing
  defaults  an AKIN_..._DEFAULTS names each field that it sets; only the head
            of a learner's options, {name, size}, has none
  fields    a field of an options struct has a comment on its line or above it

A handle is a struct that is declared and not defined. Prints one line per
fault, FILE:LINE: what is wrong, and exits 1 if there is any.
"""
import argparse
import os
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
FUNCTION = re.compile(r"\bAKIN_API\b([^;()]*?)\b(akin_\w+)\s*\(([^;]*)\)\s*;",
                      re.S)
HANDLE = re.compile(r"\btypedef\s+struct\s+(akin_\w+)\s+\1\s*;")
STRUCT = re.compile(r"\btypedef\s+struct\s+(akin_\w+)\s*\{(.*?)\}\s*\1\s*;",
                    re.S)
DEFAULTS = re.compile(r"#\s*define\s+(AKIN_\w+_DEFAULTS)\b((?:.*\\\n)*.*)")
ORDER = ("out", "ctx", "object", "input", "options", "info")


def blank(found):
    """A comment as blanks, so that places stay what they are."""
    return re.sub(r"[^\n]", " ", found.group())


def split(text):
    """The parts of a list, commas within brackets apart."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


class Headers:
    """All public headers: handles, and the faults that are found."""

    def __init__(self, root):
        self.faults = []
        self.functions = 0
        folder = os.path.join(root, "include", "akin")
        self.texts = {}
        for name in sorted(os.listdir(folder)):
            if name.endswith(".h"):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    self.texts[f"include/akin/{name}"] = f.read()
        self.codes = {name: COMMENT.sub(blank, text)
                      for name, text in self.texts.items()}
        self.handles = {handle for code in self.codes.values()
                        for handle in HANDLE.findall(code)}

    def fault(self, name, at, what):
        line = self.texts[name].count("\n", 0, at) + 1
        self.faults.append(f"{name}:{line}: {what}")

    def role(self, function, parameter):
        """Which of ORDER a parameter is."""
        declared = re.match(r"(const\s+)?(?:struct\s+)?(\w+)\s*((?:\*\s*"
                            r"(?:const\s*)?)*)\w*\s*(?:\[\w*\])?$", parameter)
        if declared is None:  # a function
            return "input"
        const, type_, stars = declared.groups()
        depth = stars.count("*")
        if depth == 0 or type_ == "void":
            return "input"
        if type_ == "akin_ctx":
            return "ctx" if depth == 1 else "out"
        if depth > 1:
            return "input" if "const" in stars else "out"
        if function.startswith(type_ + "_") or type_ == "akin_options":
            return "object"
        if type_.endswith("_options"):
            return "options"
        if const:
            return "input"
        if type_ in self.handles:
            return "object"
        return "info" if type_.endswith("_info") else "out"

    def order(self, name, at, function, parameters):
        last = ("", "out")
        for parameter in parameters:
            role = self.role(function, parameter)
            if role == "info" and last[1] == "out":
                role = "out"
            now = (parameter, role)
            if ORDER.index(now[1]) < ORDER.index(last[1]):
                self.fault(name, at, f"{function}: '{now[0]}' ({now[1]}) comes "
                                     f"after '{last[0]}' ({last[1]})")
                return
            last = now

    def function(self, name, found):
        returns, function, text = (" ".join(g.split()) for g in found.groups())
        parameters = [] if text == "void" else split(text)
        self.functions += 1
        self.order(name, found.start(), function, parameters)
        if not re.search(r"_(free|close)$", function):
            return
        if returns != "void" or len(parameters) != 1:
            self.fault(name, found.start(),
                       f"{function} must take one object and return void")

    def defaults(self, name, found):
        text = found.group(2).replace("\\\n", "\n").strip()
        for value in split(text[1:-1]):
            if not value.startswith((".", "{")):
                self.fault(name, found.start(),
                           f"{found.group(1)}: '{value}' names no field "
                           "(write .field = value)")
                return

    def fields(self, name, found):
        """The text with comments has the places of the one without."""
        begin, end = found.span(2)
        noted = [c.span() for c in COMMENT.finditer(self.texts[name], begin,
                                                     end + 1)]
        for field in re.finditer(r"[^;\s][^;]*;", found.group(2)):
            at, stop = begin + field.start(), begin + field.end()
            after = self.texts[name].find("\n", stop)
            if any(stop <= c[0] < after for c in noted):
                continue
            above = self.texts[name][:at].rstrip()
            if above.endswith("*/"):
                start = above.rfind("/*")
                line = above[above.rfind("\n", 0, start) + 1:start]
                if not line.strip():
                    continue
            declared = " ".join(field.group().split())
            if not re.fullmatch(r"akin_options head;", declared):
                self.fault(name, at, f"{found.group(1)}: '{declared}' has no "
                                     "comment")

    def check(self):
        for name, code in self.codes.items():
            for found in FUNCTION.finditer(code):
                self.function(name, found)
            for found in DEFAULTS.finditer(code):
                self.defaults(name, found)
            for found in STRUCT.finditer(code):
                if found.group(1).endswith("_options"):
                    self.fields(name, found)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", default=os.path.dirname(here))
    headers = Headers(parser.parse_args().root)
    headers.check()
    print("\n".join([*headers.faults, f"{headers.functions} functions, "
                                      f"{len(headers.faults)} faults"]))
    return 1 if headers.faults else 0


if __name__ == "__main__":
    sys.exit(main())
