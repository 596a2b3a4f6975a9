"""Find functions that a header under src/ declares and nobody else uses.

    check_unused.py [--root DIR]

A function that only its own file uses is static there, and one that no file
uses goes. A function that tests, benches and fuzzers alone use has a comment
above its declaration that says so ("for tests"). Prints one line per fault,
FILE:LINE: what is wrong, and exits 1 if there is any.
"""
import argparse
import os
import re
import sys

NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
DECLARED = re.compile(r"^(?!typedef|return|#)(?:\w+[\s*]+)+([a-z]\w*)\(", re.M)
ENDINGS = (".c", ".h", ".cc", ".def")


def blank(found):
    """Comments and strings as blanks, so that places stay what they are."""
    return re.sub(r"[^\n]", " ", found.group())


def read(root, *folders):
    """Texts of the files below these folders, by name."""
    found = {}
    for folder in folders:
        for where, inner, names in os.walk(os.path.join(root, folder)):
            inner.sort()
            for name in sorted(names):
                if name.endswith(ENDINGS):
                    path = os.path.join(where, name)
                    with open(path, encoding="utf-8", errors="replace") as f:
                        found[os.path.relpath(path, root)] = f.read()
    return found


def uses_of(codes):
    """How often each file has each word: word -> file -> count."""
    found = {}
    for name, code in codes.items():
        for word in re.findall(r"\w+", code):
            files = found.setdefault(word, {})
            files[name] = files.get(name, 0) + 1
    return found


def defines(code, function):
    """Does this file define the function?"""
    return re.search(rf"^[A-Za-z_][^;{{}}()#]*\b{function}\([^;{{}}]*\)\s*\{{",
                     code, re.M) is not None


def is_for_tests(text, at):
    """Does the comment above place `at` say that it is for tests?"""
    above = text[:at].rstrip()
    words = re.findall(r"\w+", above[above.rfind("/*"):])
    return above.endswith("*/") and "for tests" in " ".join(words).lower()


def fault_of(function, header, codes, uses):
    """What is wrong with a declared function, or None."""
    inside = 0  # uses in the files that declare and define it
    for name, count in uses[function].items():
        own = defines(codes[name], function)
        if not own and name != header:
            return None
        inside += count - 1
    if inside > 0 and header in uses[function] and \
            uses[function][header] > 1:
        return None  # an inline function of the header uses it
    return "own" if inside > 0 else "nobody"


def faults_of(root):
    texts = read(root, "src")
    codes = {name: NOT_CODE.sub(blank, text) for name, text in texts.items()}
    uses = uses_of(codes)
    tried = uses_of(read(root, "tests", "bench"))
    for header in (name for name in codes if name.endswith(".h")):
        for found in DECLARED.finditer(codes[header]):
            function = found.group(1)
            fault = fault_of(function, header, codes, uses)
            if fault is None or function in tried and (
                    fault == "own" or
                    is_for_tests(texts[header], found.start())):
                continue
            line = codes[header].count("\n", 0, found.start()) + 1
            what = "is used in its own file alone (make it static)"
            if function in tried:
                what = 'is used by tests alone (say "for tests" above it)'
            elif fault == "nobody":
                what = "is used by nobody"
            yield f"{header}:{line}: {function} {what}"


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", default=os.path.dirname(here))
    faults = list(faults_of(parser.parse_args().root))
    print("\n".join([*faults, f"{len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
