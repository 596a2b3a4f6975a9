/* akin text: documents to a weighted bag of words. */
#include <akin/text.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *in, *out, *weights, *norm, *save_recipe, *recipe;
} own_flags;

typedef struct source_flags {
    const char *text_column, *vocabulary, *list;
    bool header, strict;
} source_flags;

typedef struct text_flags {
    own_flags own;
    akin_text_options terms;
    source_flags source;
    reading_flags reading;
} text_flags;

static const app_option own_options[] = {
    {"INPUT", NULL, APP_FIELD(own_flags, in),
     .help = "a folder with a sub-folder for each class, a .csv, .tsv or "
             ".jsonl with a text in each record, or a file of counts (.svm)",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"out", "FILE", APP_FIELD(own_flags, out),
     .help = "the rows to write, by extension; - is svm on "
             "standard output",
     .flags = APP_NEEDED | APP_OUTPUT | APP_ROWS},
    {"weights", "none|binary|tf|sqrt|log|tfidf|binary-idf|sqrt-idf",
     APP_FIELD(own_flags, weights), .help = "how counts are weighted"},
    {"norm", "none|l2|global", APP_FIELD(own_flags, norm),
     .help = "scale rows to length 1: each row (l2), or all by one factor so "
             "that their mean length is 1 (global)"},
    {"save-recipe", "FILE", APP_FIELD(own_flags, save_recipe),
     .help = "save vocabulary, selection, weights and norm for later "
             "documents, and for akin train --recipe",
     .flags = APP_OUTPUT | APP_BINARY},
    {"recipe", "FILE", APP_FIELD(own_flags, recipe),
     .help = "use a saved recipe instead of choosing terms and weights",
     .excludes = "weights norm stop-words min-length max-length min-df max-df "
                 "features select save-recipe vocabulary"},
};

static const app_group own_group =
    APP_GROUP("Input and output", own_options,
              (&(const own_flags){.weights = "none", .norm = "none"}));

static const akin_text_options standard = AKIN_TEXT_DEFAULTS;

#define FIELD(field) APP_FIELD(akin_text_options, field)

static const app_option term_options[] = {
    {"stop-words", "english|none|FILE", FIELD(stop_words),
     .help = "words to ignore: the built-in list, none, or those of a file"},
    {"min-length", "N", FIELD(min_length),
     .help = "characters of the shortest word that counts", .min = 1,
     .max = 100, .advanced = true},
    {"max-length", "N", FIELD(max_length),
     .help = "characters of the longest word that counts", .min = 1, .max = 100,
     .advanced = true},
    {"min-df", "X", FIELD(min_df),
     .help = "least number of documents with a term; below 1: a share",
     .max = 9e15, .advanced = true},
    {"max-df", "X", FIELD(max_df),
     .help =
         "largest number of documents with a term; below 1: a share, 0: any",
     .max = 9e15, .advanced = true},
    {"features", "N", FIELD(features), .help = "how many terms to keep",
     .min = 1, .max = 2147483647.0, .zero = "all"},
    {"select", "infogain|df", FIELD(select),
     .help = "which terms to keep: the most informative of the class, or those "
             "in most documents",
     .advanced = true},
};

static const app_group term_group = APP_GROUP("Terms", term_options, &standard);

static const app_option source_options[] = {
    {"text-column", "NAME|N", APP_FIELD(source_flags, text_column),
     .help = "csv, jsonl: the column or key of the text, by name or number "
             "from 0; without it text, body or content"},
    {"header", NULL, APP_FIELD(source_flags, header),
     .help = "csv: the first line holds names although columns are given by "
             "number",
     .advanced = true},
    {"vocabulary", "FILE", APP_FIELD(source_flags, vocabulary),
     .help = "counts: the term of each column, one per line", .advanced = true},
    {"list", "FILE", APP_FIELD(source_flags, list),
     .help = "write the document of each row, one per line",
     .flags = APP_OUTPUT, .advanced = true},
    {"strict", NULL, APP_FIELD(source_flags, strict),
     .help = "an error for a document that is unreadable, binary, empty or "
             "not UTF-8, instead of a warning",
     .advanced = true},
};

static const app_group source_group =
    APP_GROUP("Documents", source_options, (&(const source_flags){0}));

/* What was read, and how. */
typedef struct work {
    akin_text_options o;
    akin_recipe *recipe;
    akin_rows *counts, *rows;
    akin_text_info info;
    bool documents;
} work;

/* The flags that each kind of input does not use. */
static const char *const not_for_folder[] = {
    "labels", "label-column", "variable", "label-variable", "index-base",
    "dim",    "text-column",  "header",   "vocabulary",     NULL};
static const char *const not_for_file[] = {
    "labels",     "variable", "label-variable", "index-base", "dim",
    "vocabulary", NULL};
static const char *const not_for_counts[] = {
    "text-column", "header",     "list", "strict",
    "min-length",  "max-length", NULL};

static akin_status check_input(app *a, const char *path, bool documents)
{
    struct stat s;
    const bool folder = stat(path, &s) == 0 && S_ISDIR(s.st_mode);
    const char *const *unused = folder      ? not_for_folder
                                : documents ? not_for_file
                                            : not_for_counts;
    for (; *unused != NULL; ++unused)
        if (app_was_given(a, *unused))
            return app_fail(a, AKIN_EINVAL, "--%s does not apply to %s (%s)",
                            *unused,
                            folder      ? "a folder of documents"
                            : documents ? "a file of documents"
                                        : "counts",
                            path);
    return AKIN_OK;
}

/* Is `path`, which need not exist, in `folder` or below it? */
static bool is_below(const char *path, const char *folder)
{
    char outer[PATH_MAX], inner[PATH_MAX], copy[PATH_MAX];
    if (path == NULL || strcmp(path, "-") == 0 || strlen(path) >= sizeof copy)
        return false;
    strcpy(copy, path);
    if (!realpath(folder, outer) || !realpath(dirname(copy), inner))
        return false;
    const size_t n = strlen(outer);
    return strncmp(inner, outer, n) == 0 &&
           (inner[n] == '\0' || inner[n] == '/' || n == 1);
}

/* An output in the folder of documents would be read by the next run. */
static akin_status check_outputs(app *a, const text_flags *f, const work *w)
{
    const char *const flags[] = {"out", "save-recipe", "list"};
    const char *const paths[] = {f->own.out, f->own.save_recipe,
                                 f->source.list};
    for (int i = 0; w->documents && i < 3; ++i)
        if (is_below(paths[i], f->own.in))
            return app_fail(a, AKIN_EINVAL,
                            "--%s: %s is in the folder of documents %s (the "
                            "next run would read it)",
                            flags[i], paths[i], f->own.in);
    return AKIN_OK;
}

static akin_status read_counts(app *a, const text_flags *f, work *w)
{
    const cli_shape shape = cli_shape_of_recipe(w->recipe, f->own.recipe);
    akin_status st = AKIN_OK;
    APP_TRY(cli_read_rows(a, &w->counts, f->own.in, &f->reading, shape));
    if (f->source.vocabulary != NULL)
        APP_TRY(akin_text_vocabulary(a->ctx, w->counts, f->source.vocabulary));
    if (app_was_given(a, "stop-words") &&
        akin_rows_column_name(w->counts, 0) == NULL)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "--stop-words is not for counts whose terms have no "
                         "names (--vocabulary tells them)"));
done:
    return st;
}

static akin_status read_input(app *a, const text_flags *f, work *w)
{
    w->o = f->terms;
    w->o.text_column = f->source.text_column;
    w->o.label_column = f->reading.label_column;
    w->o.header = f->source.header;
    w->o.list = f->source.list;
    w->o.strict = f->source.strict;
    if (!w->documents)
        return read_counts(a, f, w);
    return akin_text_read(&w->counts, a->ctx, f->own.in, w->recipe, &w->o,
                          &w->info);
}

static akin_status make_rows(app *a, const text_flags *f, work *w)
{
    akin_recipe_options then = AKIN_RECIPE_DEFAULTS;
    akin_status st = AKIN_OK;
    then.weights = f->own.weights;
    then.norm = f->own.norm;
    if (w->recipe == NULL)
        st = akin_text_fit(&w->recipe, a->ctx, w->counts, &w->o, &then);
    if (st == AKIN_OK)
        st = akin_recipe_apply(&w->rows, a->ctx, w->recipe, w->counts);
    return w->documents ? st : cli_in_file(a, st, f->own.in);
}

/* Rows without any term. */
static int64_t count_empty(const akin_rows *rows)
{
    const int32_t *cols;
    const float *vals;
    int64_t n = 0;
    for (int64_t i = 0; i < akin_rows_count(rows); ++i)
        n += akin_rows_row(&cols, &vals, rows, i) == 0;
    return n;
}

static akin_status report_json(app *a, const work *w, const text_flags *f)
{
    json_t *all = APP_OBJECT(APP_KEY("rows", akin_rows_count(w->rows)),
                             APP_KEY("dim", akin_rows_dim(w->rows)),
                             APP_KEY("vocabulary", akin_recipe_dim(w->recipe)),
                             APP_KEY("nonzeros", akin_rows_nonzeros(w->rows)),
                             APP_KEY("labels", akin_rows_label_count(w->rows)),
                             APP_KEY("words", w->info.words),
                             APP_KEY("skipped", w->info.left_out),
                             APP_KEY("repaired", w->info.repaired),
                             APP_KEY("empty", count_empty(w->rows)),
                             APP_KEY("recipe", akin_recipe_text(w->recipe)),
                             APP_KEY("out", f->own.out));
    app_json_add_text(all, "save_recipe", f->own.save_recipe);
    app_json_add_text(all, "list", f->source.list);
    return app_json_print(a, all);
}

/* Terms per document: 4 digits, or a whole number from 1,000 on. */
static app_text in_a_document(const akin_rows *rows)
{
    const double mean = (double)akin_rows_nonzeros(rows) /
                        (double)akin_rows_count(rows);
    app_text t;
    if (mean >= 1000.0)
        return app_count((int64_t)(mean + 0.5));
    snprintf(t.text, sizeof t.text, "%.4g", mean);
    return t;
}

static akin_status report(app *a, const work *w, const text_flags *f)
{
    const int64_t n = akin_rows_count(w->rows), empty = count_empty(w->rows);
    const int64_t classes = akin_rows_label_count(w->rows);
    if (a->common.json)
        return report_json(a, w, f);
    if (empty > w->info.empty)
        app_remark(a, "%s without any term of the vocabulary",
                   app_counted(empty, "row").text);
    return app_report(a, "%s: %s, %s of %s, %s in a document, %s%s\n",
                      app_shown(f->own.out), app_counted(n, "document").text,
                      app_count(akin_rows_dim(w->rows)).text,
                      app_counted(akin_recipe_dim(w->recipe), "term").text,
                      in_a_document(w->rows).text, app_count(classes).text,
                      classes == 1 ? " class" : " classes");
}

static akin_status run(app *a, const void *flags)
{
    const text_flags *f = flags;
    work w = {.documents = akin_text_is_documents(f->own.in)};
    akin_outputs outputs;
    akin_status st = AKIN_OK;
    akin_outputs_begin(a->ctx, &outputs);
    APP_TRY(check_input(a, f->own.in, w.documents));
    APP_TRY(check_outputs(a, f, &w));
    APP_TRY(akin_text_check(a->ctx, f->own.in));
    if (f->own.recipe != NULL)
        APP_TRY(akin_recipe_load(&w.recipe, a->ctx, f->own.recipe));
    APP_TRY(read_input(a, f, &w));
    APP_TRY(make_rows(a, f, &w));
    if (f->own.save_recipe != NULL)
        APP_TRY(akin_recipe_save(a->ctx, w.recipe, f->own.save_recipe));
    APP_TRY(akin_rows_write(a->ctx, w.rows, f->own.out));
done:
    st = akin_outputs_end(a->ctx, &outputs, st);
    if (st == AKIN_OK)
        st = report(a, &w, f);
    akin_rows_free(w.rows);
    akin_rows_free(w.counts);
    akin_recipe_free(w.recipe);
    return st;
}

const app_command cmd_text = {
    .name = "text",
    .section = "collections",
    .summary = "documents to a weighted bag of words",
    .about =
        "Count the words of documents, choose terms, weight them, and write "
        "one row per document. A word is a run of letters and digits that "
        "begins with a letter, in any script; case is ignored.\n"
        "--save-recipe saves all of this, so that --recipe treats new "
        "documents in the same way. Given to akin train, the recipe is kept in "
        "the model, and akin explain shows the terms behind a score.",
    .examples =
        "akin text news/ --features 16660 --weights tfidf --norm l2 \\\n"
        "    --save-recipe words.safetensors --out train.svm\n"
        "akin text new/ --recipe words.safetensors --out test.svm\n"
        "akin text mail.csv --text-column body --label-column folder --out "
        "mail.svm",
    .size = sizeof(text_flags),
    APP_PARTS({&own_group, offsetof(text_flags, own)},
              {&term_group, offsetof(text_flags, terms)},
              {&source_group, offsetof(text_flags, source)},
              {&cli_reading_group, offsetof(text_flags, reading)}),
    .run = run,
};
