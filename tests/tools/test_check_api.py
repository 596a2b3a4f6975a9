"""check_api.py finds each kind of fault in a small header, and no other."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CHECK = os.path.join(HERE, "..", "..", "tools", "check_api.py")
SOUND = """
typedef struct akin_ctx akin_ctx;
typedef struct akin_rows akin_rows;
typedef struct akin_model akin_model; /* a handle; */
typedef struct akin_options { const char *learner; /* its name */ } akin_options;
typedef struct akin_read_options {
    uint64_t size; /* sizeof(akin_read_options) */
    /* 0: as many as the file has */
    int64_t dim;
    int64_t width, height; /* in pixels, of
                              each */
} akin_read_options;
typedef struct akin_model_info { int64_t rows; } akin_model_info;
#define AKIN_READ_DEFAULTS \\
    { \\
        .size = sizeof(akin_read_options), .dim = 3, \\
    }
typedef struct akin_oasis_options {
    akin_options head;
    double C; /* largest step */
} akin_oasis_options;
#define AKIN_OASIS_DEFAULTS {{"oasis", sizeof(akin_oasis_options)}, .C = 0.1}
AKIN_API akin_status akin_rows_read(akin_rows **out, akin_ctx *ctx,
                                    const char *path,
                                    const akin_read_options *options);
AKIN_API akin_status akin_learn(akin_model **out, akin_ctx *ctx,
                                const akin_options *options,
                                const akin_rows *rows, akin_model_info *info);
AKIN_API akin_status akin_name(akin_model **out, akin_ctx *ctx,
                               const akin_options *options,
                               const akin_rows *rows);
AKIN_API akin_status akin_model_score(double *scores, akin_ctx *ctx,
                                      const akin_model *m,
                                      const akin_rows *left, int64_t count);
AKIN_API int akin_model_note_at(const char **key, const akin_model *m,
                                int64_t i);
AKIN_API void akin_model_get_info(akin_model_info *info, const akin_model *m);
AKIN_API akin_status akin_text_name(akin_ctx *ctx, akin_rows *rows,
                                    const char *const *names, int64_t n);
AKIN_API void akin_ctx_on_log(akin_ctx *ctx, void (*log)(void *, const char *),
                              void *arg);
AKIN_API void akin_model_free(akin_model *m);
"""


class Api(unittest.TestCase):
    def check(self, text):
        """Exit status and output of the check over a header."""
        with tempfile.TemporaryDirectory() as root:
            folder = os.path.join(root, "include", "akin")
            os.makedirs(folder)
            with open(os.path.join(folder, "a.h"), "w",
                      encoding="utf-8") as f:
                f.write(text)
            run = subprocess.run([sys.executable, CHECK, "--root", root],
                                 capture_output=True, text=True, check=False)
            return run.returncode, run.stdout

    def refused(self, text, word):
        code, out = self.check(SOUND + text)
        self.assertEqual(code, 1, out)
        self.assertIn(word, out)
        self.assertIn(", 1 faults", out)
        line = SOUND.count("\n") + 1
        self.assertRegex(out, f"^include/akin/a.h:({line}|{line + 1}): ")

    def test_sound_header_passes(self):
        code, out = self.check(SOUND)
        self.assertEqual(code, 0, out)
        self.assertIn("9 functions, 0 faults", out)

    def test_out_after_ctx(self):
        self.refused("AKIN_API void akin_f(akin_ctx *ctx, double *sum);\n",
                     "akin_f: 'double *sum' (out) comes after "
                     "'akin_ctx *ctx' (ctx)")

    def test_new_object_after_input(self):
        self.refused("AKIN_API void akin_f(const char *path,\n"
                     "                     akin_model **out);\n",
                     "'akin_model **out' (out) comes after")

    def test_ctx_after_object(self):
        self.refused("AKIN_API void akin_model_f(const akin_model *m,\n"
                     "                           akin_ctx *ctx);\n",
                     "'akin_ctx *ctx' (ctx) comes after 'const akin_model *m' "
                     "(object)")

    def test_object_after_input(self):
        self.refused("AKIN_API void akin_model_f(akin_ctx *ctx, int64_t i,\n"
                     "                           const akin_model *m);\n",
                     "(object) comes after 'int64_t i' (input)")

    def test_object_that_changes_after_input(self):
        self.refused("AKIN_API void akin_f(int64_t i, akin_rows *rows);\n",
                     "'akin_rows *rows' (object) comes after")

    def test_input_after_options(self):
        self.refused("AKIN_API void akin_f(akin_ctx *ctx,\n"
                     "    const akin_read_options *o, const char *path);\n",
                     "(input) comes after 'const akin_read_options *o' "
                     "(options)")

    def test_options_after_info(self):
        self.refused("AKIN_API void akin_f(akin_ctx *ctx, int64_t n,\n"
                     "    akin_model_info *info, const akin_read_options *o);"
                     "\n", "(options) comes after 'akin_model_info *info'")

    def test_free_with_more_than_the_object(self):
        self.refused("AKIN_API void akin_rows_free(akin_ctx *ctx,\n"
                     "                             akin_rows *rows);\n",
                     "akin_rows_free must take one object and return void")

    def test_close_that_can_fail(self):
        self.refused("AKIN_API akin_status akin_rows_close(akin_rows *r);\n",
                     "akin_rows_close must take one object and return void")

    def test_defaults_by_position(self):
        self.refused("#define AKIN_MORE_DEFAULTS \\\n    { \\\n"
                     "        sizeof(akin_read_options), .dim = 0 \\\n    }\n",
                     "AKIN_MORE_DEFAULTS: 'sizeof(akin_read_options)' names no "
                     "field")

    def test_field_without_a_comment(self):
        self.refused("typedef struct akin_more_options { /* What it is. */\n"
                     "    int64_t rank;\n} akin_more_options;\n",
                     "akin_more_options: 'int64_t rank;' has no comment")

    def test_comment_of_the_field_before_is_none(self):
        code, out = self.check(
            "typedef struct akin_more_options {\n"
            "    int64_t rank; /* of the model */\n    int64_t dim;\n"
            "} akin_more_options;\n")
        self.assertEqual(code, 1, out)
        self.assertIn("include/akin/a.h:3: akin_more_options: 'int64_t dim;' "
                      "has no comment", out)


if __name__ == "__main__":
    unittest.main()
