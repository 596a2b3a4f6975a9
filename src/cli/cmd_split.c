/* akin split: two parts of a data file. */
#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *in;
    double fraction;
    bool by_class;
    const char *out[2];
} own_flags;

typedef struct split_flags {
    own_flags own;
    reading_flags reading;
} split_flags;

static const app_option own_options[] = {
    {"FILE", NULL, APP_FIELD(own_flags, in), .help = "the rows to divide",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"fraction", "X", APP_FIELD(own_flags, fraction),
     .help = "share of the rows that goes to A", .min = 0.0, .max = 1.0},
    {"by-class", NULL, APP_FIELD(own_flags, by_class),
     .help = "draw that share of every class"},
    {"out", "A B", APP_FIELD(own_flags, out),
     .help = "the two files to write, by extension",
     .flags = APP_NEEDED | APP_OUTPUT | APP_ROWS},
};

static const app_group own_group = APP_GROUP(
    "Rows and files", own_options, (&(const own_flags){.fraction = 0.5}));

/* A part without rows is an error. */
static akin_status check_parts(app *a, const own_flags *f, const int64_t n[2])
{
    if (n[0] > 0 && n[1] > 0)
        return AKIN_OK;
    return app_fail(
        a, AKIN_EINVAL, "--fraction %s of %s%s leaves no rows for %s",
        app_real(f->fraction).text, app_counted(n[0] + n[1], "row").text,
        f->by_class ? ", class by class," : "", f->out[n[0] > 0]);
}

/* Write both files, or neither. */
static akin_status write_parts(app *a, const akin_rows *rows,
                               int64_t *const which[2], const int64_t n[2],
                               const char *const *paths)
{
    akin_rows *parts[2] = {NULL, NULL};
    akin_status st = AKIN_OK;
    for (int k = 0; k < 2; ++k)
        APP_TRY(akin_rows_select(&parts[k], a->ctx, rows, which[k], n[k]));
    APP_TRY(akin_rows_write_all(
        a->ctx, (const akin_rows *const[]){parts[0], parts[1]}, paths, 2));
done:
    akin_rows_free(parts[0]);
    akin_rows_free(parts[1]);
    return st;
}

static akin_status report(app *a, const own_flags *f, int64_t n0, int64_t n1)
{
    if (a->common.json)
        return app_json_print(
            a, APP_OBJECT(
                   APP_KEY("out", json_pack("[o,o]", app_json_string(f->out[0]),
                                            app_json_string(f->out[1]))),
                   APP_KEY("rows", json_pack("[I,I]", (json_int_t)n0,
                                             (json_int_t)n1))));
    return app_report(a, "%s: %s\n%s: %s\n", app_shown(f->out[0]),
                      app_counted(n0, "row").text, app_shown(f->out[1]),
                      app_counted(n1, "row").text);
}

static akin_status run(app *a, const void *flags)
{
    const split_flags *f = flags;
    akin_rows *rows = NULL;
    int64_t *which[2] = {NULL, NULL}, n[2] = {0, 0};
    akin_status st = AKIN_OK;
    if (akin_output_same(f->own.out[0], f->own.out[1]))
        APP_TRY(app_fail(a, AKIN_EINVAL, "--out: both parts are %s",
                         f->own.out[0]));
    APP_TRY(cli_read_rows(a, &rows, f->own.in, &f->reading, (cli_shape){0}));
    if (f->own.by_class && akin_rows_label_count(rows) == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL, "--by-class: %s has no labels",
                         f->own.in));
    APP_TRY(akin_split(&which[0], &n[0], &which[1], &n[1], a->ctx, rows,
                       f->own.fraction, f->own.by_class));
    APP_TRY(check_parts(a, &f->own, n));
    APP_TRY(write_parts(a, rows, which, n, f->own.out));
    APP_TRY(report(a, &f->own, n[0], n[1]));
done:
    akin_free(which[0]);
    akin_free(which[1]);
    akin_rows_free(rows);
    return st;
}

const app_command cmd_split = {
    .name = "split",
    .section = "files",
    .summary = "divide the rows of a file at random",
    .about = "Draw a share of the rows at random (--seed) for the first file; "
             "the others go to the second file. Rows keep their order.",
    .examples = "akin split rows.svm --fraction 0.65 --by-class --out "
                "train.svm test.svm",
    .size = sizeof(split_flags),
    APP_PARTS({&own_group, offsetof(split_flags, own)},
              {&cli_reading_group, offsetof(split_flags, reading)}),
    .run = run,
};
