"""Make the C source of the extension module akin._native.

    cdef.py OUT INCLUDE COMPILER...

The declarations are those of <akin/akin.h> as the compiler's preprocessor gives
them, without what system headers declare. For each `AKIN_X_DEFAULTS` of an
options struct there is a constant `akin_default_x`, for macros are not part of
the declarations.
"""
import os
import re
import subprocess
import sys

import cffi

# Called by the library; akin/_core.py has their bodies.
CALLBACKS = """
extern "Python" {
    int akin_py_progress(void *user, const akin_progress *p);
    void akin_py_log(void *user, akin_log_level level, const char *line);
}
"""


def preprocess(compiler, include, *flags):
    return subprocess.run(
        [*compiler, "-E", *flags, f"-I{include}", "-x", "c", "-"],
        input="#include <akin/akin.h>\n", check=True, capture_output=True,
        text=True).stdout


def declarations(text, include):
    """The lines of our headers, without markers and attributes."""
    ours = False
    kept = []
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = os.path.realpath(marker[1]).startswith(
                os.path.realpath(include) + os.sep)
        elif ours:
            kept.append(line)
    return re.sub(r"__attribute__ *\(\((?:[^()]|\([^()]*\))*\)\)", "",
                  "\n".join(kept))


def defaults(macros, declared):
    """(struct, name, macro) of each options struct that has defaults."""
    for macro in re.findall(r"^#define (AKIN_\w+_DEFAULTS)\b", macros, re.M):
        name = macro[len("AKIN_"):-len("_DEFAULTS")].lower()
        for struct in (f"akin_{name}_options", f"akin_{name}"):
            if re.search(rf"\}} {struct};", declared):
                yield struct, f"akin_default_{name}", macro
                break


def main():
    out, include, *compiler = sys.argv[1:]
    declared = declarations(preprocess(compiler, include), include)
    constants = list(defaults(preprocess(compiler, include, "-dM"), declared))
    ffi = cffi.FFI()
    ffi.cdef(declared)
    ffi.cdef("".join(f"extern const {struct} {name};\n"
                     for struct, name, _ in constants))
    ffi.cdef(CALLBACKS)
    ffi.set_source("akin._native", "#include <akin/akin.h>\n" + "".join(
        f"static const {struct} {name} = {macro};\n"
        for struct, name, macro in constants))
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main()
