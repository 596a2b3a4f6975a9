/* Documents of any source: their names, labels, fields and text. */
#include "text/documents.h"

#include "context.h"
#include "text_files.h"

static int begin(void **state)
{
    return context_begin(state) != 0 || text_begin() != 0;
}

static int end(void **state)
{
    return text_end() != 0 || context_end(state) != 0;
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)

/* One document in a line: name|labels|fields|text, bytes below ' ' as ~. */
static void show(char *to, size_t room, const ak_text *t, const char *text,
                 size_t n)
{
    size_t at =
        (size_t)snprintf(to, room, "%.*s|", (int)t->name.n, t->name.text);
    for (int64_t k = 0; k < t->n_labels; ++k)
        at += (size_t)snprintf(to + at, room - at, "%s;", t->labels[k].text);
    at += (size_t)snprintf(to + at, room - at, "|");
    for (int64_t k = 0; k < t->n_fields; ++k)
        at += (size_t)snprintf(to + at, room - at, "%s=%s;", t->fields[k].name,
                               t->fields[k].value.text);
    snprintf(to + at, room - at, "|%.*s", (int)n, text);
    for (; *to != '\0'; ++to)
        if ((unsigned char)*to < ' ')
            *to = '~';
}

static void expect(const char *name, const akin_text_options *o, int64_t n,
                   const char *const *lines)
{
    ak_warnings warnings = {0};
    ak_documents *d = NULL;
    const ak_text *t = NULL;
    char line[512];
    char path[128];
    snprintf(path, sizeof path, "%s", text_path(name));
    assert_int_equal(ak_documents_open(&d, ctx, path, o, &warnings), AKIN_OK);
    for (int64_t i = 0; i <= n; ++i) {
        const char *piece;
        size_t bytes, none;
        bool lost;
        assert_int_equal(ak_documents_next(d, ctx, &t), AKIN_OK);
        assert_int_equal(t == NULL, i == n);
        if (t == NULL)
            break;
        assert_int_equal(ak_documents_piece(d, ctx, &piece, &bytes, &lost),
                         AKIN_OK);
        show(line, sizeof line, t, piece, bytes);
        assert_string_equal(line, lines[i]);
        assert_int_equal(ak_documents_piece(d, ctx, &piece, &none, &lost),
                         AKIN_OK);
        assert_int_equal(none, 0);
        assert_false(lost);
    }
    ak_documents_close(d);
}

static void files_are_named_by_their_path(void **state)
{
    (void)state;
    const akin_text_options o = AKIN_TEXT_DEFAULTS;
    const char *const lines[] = {"1|||loose", "a/x/y|a;||deep",
                                 "a/\xff b|a;||first", "d e/~|d_e;||"};
    text_sub("in");
    text_sub("in/a");
    text_sub("in/a/x");
    text_sub("in/d e");
    text_put("in/1", "loose", 5);
    text_put("in/a/\xff b", "first", 5);
    text_put("in/a/x/y", "deep", 4);
    text_put("in/d e/\n", "", 0);
    expect("in", &o, 4, lines);
    expect("in/", &o, 4, lines);
}

static void records_have_names_and_fields(void **state)
{
    (void)state;
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    const char csv[] = "Title,text,year,label,none\n"
                       "\"a\nb\",one,1999,x y;z,\n"
                       "\xff,two,,,1\n"
                       ",three,?,?,\n";
    const char *const lines[] = {"a~b|x_y;z;|year=1999;|one",
                                 "\xff||none=1;|two",
                                 "in.csv:2||year=?;|three"};
    const char *const numbers[] = {"in.csv:0|||Title", "in.csv:1|||a~b",
                                   "in.csv:2|||\xff", "in.csv:3|||"};
    text_put("in.csv", csv, sizeof csv - 1);
    expect("in.csv", &o, 3, lines);
    o.text_column = "0";
    o.label_column = "none";
    expect("in.csv", &o, 4, numbers);
}

static void json_lines_have_names_and_fields(void **state)
{
    (void)state;
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    const char *const lines[] = {
        "7|a;|year=1999;share=0.1;new=true;|orbit, rocket~orbit",
        "docs.jsonl:1|a;||rocket \xc3\x89t\xc3\xa9",
        "docs.jsonl:2|b;||roses roses orbit", "docs.jsonl:3|b;||roses ! tulips",
        "docs.jsonl:4|b;||"};
    const char more[] = "{\"T\": \"one\", \"key\": 1e3, \"kinds\": "
                        "[\"a;b\", 2, false], \"text\": \"\", \"x\": null}\n"
                        "{\"T\": \"two\", \"kinds\": \"a;b\"}\n";
    const char *const other[] = {"1000|a;b;2;false;||one",
                                 "more.jsonl:1|a;b;||two"};
    expect("docs.jsonl", &o, 5, lines);
    o.text_column = "T";
    o.label_column = "kinds";
    text_put("more.jsonl", more, sizeof more - 1);
    expect("more.jsonl", &o, 2, other);
}

static void bad_lines_are_told_with_their_number(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"{\"text\": 1}", "\"text\" is not a string (expected the text)"},
        {"[]", "not an object (expected {\"text\": \"...\"} in each line)"},
        {"{\"a\": \"b\"}", "no key \"text\" (`text_column` names the text)"},
        {"{\"text\": \"a\"", "not JSON: '}' expected near end of file"},
        {"{\"text\": \"a\", \"label\": {}}",
         "\"label\" is not a label (expected a string, a number, or a list of "
         "them)"},
        {"{\"text\": \"a\", \"id\": []}",
         "\"id\" is not a name (expected a string or a number)"},
        {"{\"text\": \"a\", \"label\": [\"b\", \"b\"]}",
         "repeated label ('b')"},
        {"{\"text\": \"a\", \"label\": [\"\"]}", "empty label ('')"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char bytes[128], wanted[256];
        akin_rows *rows = NULL;
        const int n = snprintf(bytes, sizeof bytes, "{\"text\": \"x\"}\n\n%s\n",
                               cases[i][0]);
        text_put("bad.jsonl", bytes, (size_t)n);
        snprintf(wanted, sizeof wanted, "%s:3: %s", text_path("bad.jsonl"),
                 cases[i][1]);
        assert_int_equal(akin_text_read(&rows, ctx, text_path("bad.jsonl"),
                                        NULL, NULL, NULL),
                         AKIN_EFORMAT);
        assert_string_equal(akin_ctx_message(ctx), wanted);
    }
}

/* One that is damaged behind its beginning leaves no trace in the counts. */
static void damaged_files_are_skipped(void **state)
{
    (void)state;
    enum { N = 3 << 20 };
    char *bytes = malloc(N), command[512];
    akin_rows *rows = NULL;
    akin_text_info info;
    uint32_t x = 1;
    assert_non_null(bytes);
    for (int k = 0; k < N; ++k) {
        x = x * 1664525U + 1013904223U;
        bytes[k] = (char)(x >> 29 == 0 ? ' ' : 'a' + (x >> 24) % 26);
    }
    text_sub("cut");
    text_put("cut/a", "orbit", 5);
    text_put("cut/b", bytes, N);
    free(bytes);
    snprintf(command, sizeof command, "gzip '%s' && truncate -s -100 '%s.gz'",
             text_path("cut/b"), text_path("cut/b"));
    assert_int_equal(system(command), 0);
    assert_int_equal(
        akin_text_read(&rows, ctx, text_path("cut"), NULL, NULL, &info),
        AKIN_OK);
    assert_int_equal(akin_rows_count(rows), 1);
    assert_int_equal(akin_rows_dim(rows), 1);
    assert_int_equal(info.left_out, 1);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(files_are_named_by_their_path),
        CASE(records_have_names_and_fields),
        CASE(json_lines_have_names_and_fields),
        CASE(bad_lines_are_told_with_their_number),
        CASE(damaged_files_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
