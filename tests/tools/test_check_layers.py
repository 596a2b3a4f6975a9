"""check_layers.py finds each kind of fault in a small tree, and no other."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CHECK = os.path.join(HERE, "..", "..", "tools", "check_layers.py")
RULES = """
include :
base :
la : base      # kernels
data : base la
cli : include
public include: akin.h
public base: base.h
public data: data.h
external la: cblas.h
everywhere: stddef.h stdint.h math.h
"""
# A tree without a fault, in which every rule is used.
SOUND = {
    "include/akin/akin.h": "#include <akin/data.h>\n",
    "include/akin/base.h": "",
    "include/akin/data.h": "#include <akin/base.h>\n",
    "src/base/ctx.h": "#include <akin/base.h>\ntypedef struct ak_ctx ak_ctx;\n",
    "src/la/dense.c": '#include "base/ctx.h"\n#include <cblas.h>\n',
    "src/data/rows.c": '#include "base/ctx.h"\n#include "la/dense.h"\n',
    "src/cli/main.c": "#include <akin/akin.h>\n",
}


class Layers(unittest.TestCase):
    def check(self, files, rules=RULES):
        """Exit status and output of the check over these files."""
        with tempfile.TemporaryDirectory() as root:
            files = {"tools/layers.txt": rules, **SOUND, **files}
            for name, text in files.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
            run = subprocess.run(
                [sys.executable, CHECK, "--root", root, "--build",
                 os.path.join(root, "build")],
                capture_output=True, text=True, check=False)
            return run.returncode, run.stdout

    def refused(self, name, text, word, **more):
        code, out = self.check({name: text}, **more)
        self.assertEqual(code, 1, out)
        self.assertIn(word, out)
        self.assertIn("1 faults", out)

    def test_allowed_includes_pass(self):
        code, out = self.check({
            "src/la/a.c": '#include "la/a.h"\n#include "base/ctx.h"\n'
                          "#include <cblas.h>\n#include <math.h>\n",
            "src/data/x_shim.cc": "#include <vector>\n#include <cmath>\n",
            "src/data/x_shim.h": '#include <stddef.h>\nextern "C" {}\n'})
        self.assertEqual(code, 0, out)

    def test_room_above_may_not_include_room_below(self):
        self.refused("src/base/a.c", '#include "la/a.h"\n',
                     "src/base/a.c:1: 'base' may not include 'la'")

    def test_line_may_not_name_a_later_line(self):
        code, out = self.check(
            {}, rules=RULES.replace("base :\n", "base : la\n"))
        self.assertEqual(code, 1)
        self.assertIn("would allow a cycle", out)

    def test_edge_that_nobody_uses(self):
        self.refused("src/data/rows.c", '#include "base/ctx.h"\n',
                     "'data' names 'la' and includes nothing of it")

    def test_external_header_that_nobody_uses(self):
        self.refused("src/la/dense.c", '#include "base/ctx.h"\n',
                     "'la' does not include <cblas.h>")

    def test_room_without_a_folder(self):
        code, out = self.check({}, rules=RULES + "server : include\n")
        self.assertEqual(code, 1)
        self.assertIn("there is no folder src/server", out)

    def test_public_header_of_a_room_above(self):
        self.refused("src/la/a.c", "#include <akin/data.h>\n",
                     "'la' may not include <akin/data.h>, which is of 'data'")

    def test_library_may_not_include_all_public_headers(self):
        self.refused("src/data/a.c", "#include <akin/akin.h>\n",
                     "'data' may not include <akin/akin.h>")

    def test_public_header_obeys_the_line_of_its_room(self):
        self.refused("include/akin/base.h", "#include <akin/data.h>\n",
                     "'base' may not include <akin/data.h>")

    def test_public_header_without_a_room(self):
        self.refused("include/akin/more.h", "", "no line 'public ROOM: ...'")

    def test_public_header_uses_an_edge(self):
        code, out = self.check({
            "include/akin/data.h": "#include <akin/base.h>\n",
            "src/data/rows.c": '#include "la/dense.h"\n'})
        self.assertEqual(code, 0, out)

    def test_type_of_a_header_defined_again(self):
        for text in ("typedef struct ak_ctx { int n; } ak_ctx;\n",
                     "enum ak_ctx { A };\n",
                     "typedef union { struct { int a; } b; } ak_ctx;\n",
                     "typedef int ak_ctx[3];\n",
                     "typedef int (*ak_ctx)(void *, int (*)(int));\n"):
            code, out = self.check({
                "src/base/ctx.h": "#include <akin/base.h>\n"
                                  "typedef struct ak_ctx {\n} ak_ctx;\n",
                "src/la/a.c": text})
            self.assertEqual(code, 1, text + out)
            self.assertIn("src/base/ctx.h: type 'ak_ctx' is also one of "
                          "src/la/a.c", out)

    def test_types_that_may_stand_twice(self):
        code, out = self.check({
            "src/base/ctx.h": "#include <akin/base.h>\n"
                              "typedef struct ak_ctx {\n} ak_ctx;\n",
            "src/la/a.h": "typedef struct ak_ctx ak_ctx;\n"
                          "/* struct ak_ctx { */\n",
            "src/la/a.c": "typedef struct job { int n; } job;\n",
            "src/la/b.c": "typedef struct job { int n; } job;\n"})
        self.assertEqual(code, 0, out)

    def test_unknown_folder(self):
        self.refused("src/misc/a.c", "", "src/misc: no such room")

    def test_file_outside_rooms(self):
        self.refused("src/a.c", "", "belongs into a room")

    def test_external_of_another_room(self):
        self.refused("src/data/a.c", "\n#include <cblas.h>\n",
                     "src/data/a.c:2: 'data' may not use <cblas.h>")

    def test_include_not_rooted_at_src(self):
        self.refused("src/la/a.c", '#include "a.h"\n', "start with a room")

    def test_include_that_climbs(self):
        self.refused("src/la/a.c", '#include "la/../data/a.h"\n', "climbs out")

    def test_quoted_include_in_a_public_header(self):
        self.refused("include/akin/data.h", '#include "base/ctx.h"\n',
                     "in a public header")

    def test_missing_public_header(self):
        self.refused("src/la/a.c", "#include <akin/none.h>\n",
                     "not under include/")

    def test_computed_include(self):
        self.refused("src/la/a.c", "#include HEADER\n", "cannot be checked")

    def test_def_lists_are_read(self):
        self.refused("src/base/a.def", '#include "data/a.h"\n', "may not")

    def test_generated_headers_are_read(self):
        self.refused("build/src/base/gen.h", '#include "data/a.h"\n', "may not")

    def test_cpp_outside_a_shim(self):
        self.refused("src/la/a.cc", "", "*_shim.cc and helpers only")
        self.refused("src/la/a.hh", "", "*_shim.cc and helpers only")

    def test_shim_header_with_more(self):
        self.refused("src/la/a_shim.h",
                     'extern "C" {}\n#include <math.h>\n', "header of a shim")

    def test_shim_header_without_extern_c(self):
        self.refused("src/la/a_shim.h", "#include <stddef.h>\n", 'extern "C"')


if __name__ == "__main__":
    unittest.main()
