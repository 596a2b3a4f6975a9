/* Table 2: classification from few labels. The class of 5 % of each class is
 * known; every other row gets the class of its nearest known row. The metric is
 * learned from all rows and the known classes, on raw rows, standardised rows,
 * and rows scaled to [0, 1]. Rows are drawn, or read from a file. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/common/draw.h"
#include "reproduce/s3ml/s3ml.h"

enum { SCALES = 3, SHARE = 20 };  // one row in SHARE is known

static const struct {
    const char *scale, *name;
} scales[SCALES] = {
    {"none", "raw"}, {"zscore", "z-score"}, {"minmax", "min-max"}};

/* The errors in the paper, which does not state the scaling. */
static const struct {
    const char *dataset, *method;
    double error;
} theirs[] = {
    {"iris", "euclidean", 8.45},    {"iris", "mahalanobis", 10.67},
    {"iris", "s2ml", 4.27},         {"iris", "s3ml", 2.10},
    {"wine", "euclidean", 25.34},   {"wine", "mahalanobis", 30.25},
    {"wine", "s2ml", 9.62},         {"wine", "s3ml", 7.20},
    {"cancer", "euclidean", 15.69}, {"cancer", "mahalanobis", 14.32},
    {"cancer", "s2ml", 7.56},       {"cancer", "s3ml", 2.52},
    {"car", "euclidean", 19.80},    {"car", "mahalanobis", 22.25},
    {"car", "s3ml", 6.13},
};

/* The rows of one split whose class is known, increasing. */
typedef struct known_rows {
    int64_t *rows, n;
} known_rows;

typedef struct few_labels {
    s3ml_run *r;
    char name[64];
    akin_rows *raw, *rows;  // as read, and with the current scaling
    int32_t *labels;        // of each row, -1: none
    int64_t n;
    known_rows *known;  // of each split
    int64_t n_splits;
    s3ml_figure figures[SCALES][S3ML_METHODS];
} few_labels;

/* ---- known rows --------------------------------------------------------- */

static int by_number(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* One in twenty of each class, rounded up, and at least two if there are. */
static akin_status draw_split(few_labels *t, int64_t split)
{
    app *a = t->r->a;
    known_rows *known = &t->known[split];
    int64_t *members = NULL;
    draw d = draw_from((uint64_t)a->common.seed, split, t->n);
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, t->n + 1, &members));
    APP_TRY(APP_NEW(a, t->n + 1, &known->rows));
    for (int64_t c = 0; c < akin_rows_label_count(t->raw); ++c) {
        int64_t n = 0;
        for (int64_t i = 0; i < t->n; ++i)
            if (t->labels[i] == c)
                members[n++] = i;
        int64_t take = (n + SHARE - 1) / SHARE;
        if (take < 2)
            take = n < 2 ? n : 2;
        draw_front(&d, members, n, take);
        memcpy(known->rows + known->n, members, (size_t)take * sizeof *members);
        known->n += take;
    }
done:
    free(members);
    return st;
}

/* A line "set,repeat,row" of a file of splits. */
static akin_status take_known(void *arg, const csv_file *c)
{
    few_labels *t = arg;
    int64_t split, row;
    akin_status st = AKIN_OK;
    if (strcmp(csv_text(c, 0), t->name) != 0)
        return AKIN_OK;
    APP_TRY(csv_number(c, 1, 1 << 20, &split));
    APP_TRY(csv_number(c, 2, t->n, &row));
    if (split >= t->n_splits)
        return AKIN_OK;
    known_rows *known = &t->known[split];
    if (known->rows == NULL)
        APP_TRY(APP_NEW(c->a, t->n + 1, &known->rows));
    for (int64_t k = 0; k < known->n; ++k)
        if (known->rows[k] == row)
            return csv_fail(c, "row %lld is given twice", (long long)row);
    known->rows[known->n++] = row;
done:
    return st;
}

/* Splits of the file are numbered from 0 without a gap. */
static akin_status read_splits(few_labels *t, const char *path)
{
    app *a = t->r->a;
    akin_status st = AKIN_OK;
    APP_TRY(csv_each(a, NULL, path, "set,repeat,row", take_known, t));
    while (t->n_splits > 0 && t->known[t->n_splits - 1].rows == NULL)
        --t->n_splits;
    if (t->n_splits == 0)
        APP_TRY(app_fail(a, AKIN_EFORMAT, "%s: no rows of %s", path, t->name));
    for (int64_t s = 0; s < t->n_splits; ++s)
        if (t->known[s].rows == NULL)
            APP_TRY(app_fail(a, AKIN_EFORMAT,
                             "%s: no rows of %s in repeat %lld", path, t->name,
                             (long long)s));
done:
    return st;
}

/* Sort the known rows; some other row with a class must remain to test. */
static akin_status check_splits(few_labels *t, const char *file)
{
    for (int64_t s = 0; s < t->n_splits; ++s) {
        const known_rows *known = &t->known[s];
        int64_t left = 0;
        qsort(known->rows, (size_t)known->n, sizeof *known->rows, by_number);
        for (int64_t i = 0; i < t->n; ++i)
            left += t->labels[i] >= 0;
        for (int64_t k = 0; k < known->n; ++k)
            left -= t->labels[known->rows[k]] >= 0;
        if (left == 0)
            return app_fail(t->r->a, AKIN_EFORMAT,
                            "%s: no row is left to test (expected classes in "
                            "the last column, of more than two rows)",
                            file);
    }
    return AKIN_OK;
}

static akin_status find_known(few_labels *t, const char *file)
{
    const char *splits = t->r->flags->splits;
    akin_status st = AKIN_OK;
    t->n_splits = t->r->repeats;
    APP_TRY(APP_NEW(t->r->a, t->n_splits, &t->known));
    if (splits != NULL)
        APP_TRY(read_splits(t, splits));
    for (int64_t s = 0; splits == NULL && s < t->n_splits; ++s)
        APP_TRY(draw_split(t, s));
    APP_TRY(check_splits(t, file));
done:
    return st;
}

/* ---- one split ---------------------------------------------------------- */

/* All rows, with only the labels that are known. */
static akin_status hide_labels(few_labels *t, const known_rows *known,
                               akin_rows **out)
{
    app *a = t->r->a;
    const int64_t n_names = akin_rows_label_count(t->raw);
    int32_t *labels = NULL;
    const char **names = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, t->n, &labels));
    APP_TRY(APP_NEW(a, n_names, &names));
    for (int64_t i = 0; i < t->n; ++i)
        labels[i] = -1;
    for (int64_t k = 0; k < known->n; ++k)
        labels[known->rows[k]] = t->labels[known->rows[k]];
    for (int64_t c = 0; c < n_names; ++c)
        names[c] = akin_rows_label_name(t->raw, c);
    APP_TRY(s3ml_others(t->r, t->rows, NULL, 0, out));
    APP_TRY(akin_rows_set_labels(a->ctx, *out, labels, names, n_names));
done:
    free(labels);
    free(names);
    return st;
}

/* 1-NN error: the share of the other rows whose nearest known row has another
 * class. */
static akin_status evaluate(few_labels *t, const known_rows *split,
                            const akin_model *m, double *percent)
{
    app *a = t->r->a;
    akin_rows *known = NULL, *others = NULL;
    int32_t *found = NULL;
    double *votes = NULL;
    int64_t wrong = 0, tested = 0;
    akin_status st = AKIN_OK;
    APP_TRY(akin_rows_select(&known, a->ctx, t->rows, split->rows, split->n));
    APP_TRY(s3ml_others(t->r, t->rows, split->rows, split->n, &others));
    const int64_t n = akin_rows_count(others);
    APP_TRY(APP_NEW(a, n + 1, &found));
    APP_TRY(APP_NEW(a, n + 1, &votes));
    APP_TRY(akin_predict(found, votes, a->ctx, m, others, known, 1, 1,
                         AKIN_BY_DEFAULT));
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *own;
        if (akin_rows_labels(&own, others, i) == 0)
            continue;
        ++tested;
        wrong += own[0] != found[i];
    }
    *percent = 100.0 * (double)wrong / (double)tested;
done:
    free(found);
    free(votes);
    akin_rows_free(known);
    akin_rows_free(others);
    return st;
}

static akin_status measure(few_labels *t, const known_rows *split, int scale,
                           int method)
{
    s3ml_figure *f = &t->figures[scale][method];
    akin_rows *hidden = NULL;
    akin_supervision *known = NULL;
    akin_model *m = NULL;
    double percent = 0.0;
    akin_status st = AKIN_OK;
    APP_TRY(hide_labels(t, split, &hidden));
    APP_TRY(akin_supervision_new(&known, t->r->a->ctx, hidden, NULL, NULL));
    APP_TRY(s3ml_learn(t->r, &s3ml_methods[method], known, hidden, &m, f));
    if (m == NULL)
        goto done;
    APP_TRY(evaluate(t, split, m, &percent));
    s3ml_count(f, percent);
done:
    akin_model_free(m);
    akin_supervision_free(known);
    akin_rows_free(hidden);
    return st;
}

/* ---- the table ---------------------------------------------------------- */

static akin_status measure_scale(few_labels *t, int scale)
{
    const akin_recipe_options o = {sizeof o, "none", scales[scale].scale,
                                   "none", 0};
    akin_recipe *recipe = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_recipe_fit(&recipe, t->r->a->ctx, t->raw, &o));
    APP_TRY(akin_recipe_apply(&t->rows, t->r->a->ctx, recipe, t->raw));
    for (int64_t s = 0; s < t->n_splits; ++s)
        for (int m = 0; m < S3ML_METHODS; ++m)
            if (s3ml_is_in(m, S3ML_FEW_LABELS))
                APP_TRY(measure(t, &t->known[s], scale, m));
    APP_TRY(reproduce_step(&t->r->steps));
done:
    akin_rows_free(t->rows);
    t->rows = NULL;
    akin_recipe_free(recipe);
    return st;
}

static double their_error(const char *dataset, const char *method)
{
    const char *own = strcmp(dataset, "wdbc") == 0 ? "cancer" : dataset;
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; ++i)
        if (strcmp(theirs[i].dataset, own) == 0 &&
            strcmp(theirs[i].method, method) == 0)
            return theirs[i].error;
    return NAN;
}

static akin_status add_rows(few_labels *t)
{
    akin_status st = AKIN_OK;
    for (int m = 0; m < S3ML_METHODS; ++m)
        for (int s = 0; s < SCALES && s3ml_is_in(m, S3ML_FEW_LABELS); ++s) {
            json_t *row = s3ml_row(&s3ml_methods[m], t->name, "5 % known",
                                   "error", &t->figures[s][m]);
            reproduce_put_text(row, "preprocessing", scales[s].name);
            if (s == 0)
                reproduce_put(row, "paper_value",
                              their_error(t->name, s3ml_methods[m].name));
            APP_TRY(reproduce_add(t->r->a, t->r->rows, row));
            s3ml_report_failures(t->r, t->name, &s3ml_methods[m],
                                 &t->figures[s][m]);
        }
done:
    return st;
}

static akin_status open_table(few_labels *t, const char *path)
{
    akin_read_options o = AKIN_READ_DEFAULTS;
    akin_status st = AKIN_OK;
    o.label_column = "-1";
    APP_TRY(akin_rows_read(&t->raw, t->r->a->ctx, path, &o));
    t->n = akin_rows_count(t->raw);
    APP_TRY(APP_NEW(t->r->a, t->n + 1, &t->labels));
    for (int64_t i = 0; i < t->n; ++i) {
        const int32_t *own;
        t->labels[i] = akin_rows_labels(&own, t->raw, i) > 0 ? own[0] : -1;
    }
    APP_TRY(find_known(t, path));
done:
    return st;
}

static void close_table(few_labels *t)
{
    for (int64_t s = 0; t->known && s < t->r->repeats; ++s)
        free(t->known[s].rows);
    free(t->known);
    free(t->labels);
    akin_rows_free(t->raw);
    free(t);
}

/* Add the file to a message about its rows. */
static akin_status name_table(app *a, const char *path, akin_status st)
{
    char why[256];
    if (st != AKIN_EINVAL && st != AKIN_ESHAPE)
        return st;
    snprintf(why, sizeof why, "%s", app_error_text(a, st));
    return app_fail(a, st, "%s: %s", path, why);
}

static akin_status run_table(s3ml_run *r, const char *folder, const char *file)
{
    char path[REPRODUCE_PATH];
    few_labels *t = NULL;
    akin_status st = APP_NEW(r->a, 1, &t);
    if (st != AKIN_OK)
        return st;
    t->r = r;
    snprintf(t->name, sizeof t->name, "%.*s", (int)strlen(file) - 4, file);
    APP_TRY(reproduce_path(r->a, path, folder, file));
    APP_TRY(open_table(t, path));
    for (int s = 0; s < SCALES; ++s)
        APP_TRY(name_table(r->a, path, measure_scale(t, s)));
    APP_TRY(add_rows(t));
done:
    close_table(t);
    return st;
}

/* ---- the folder --------------------------------------------------------- */

static int is_table(const struct dirent *e)
{
    const size_t n = strlen(e->d_name);
    return n > 4 && strcmp(e->d_name + n - 4, ".csv") == 0 &&
           e->d_name[0] != '.' && strncmp(e->d_name, "splits", 6) != 0;
}

/* A file of labels alone has one column and is not a table. */
static bool has_two_columns(const char *folder, const char *file)
{
    char path[REPRODUCE_PATH];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *f = n > 0 && n < REPRODUCE_PATH ? fopen(path, "r") : NULL;
    int c = EOF;
    if (f == NULL)
        return false;
    do
        c = getc(f);
    while (c != EOF && c != '\n' && c != ',');
    fclose(f);
    return c == ',';
}

bool s3ml_has_tables(const char *folder)
{
    struct dirent **all = NULL;
    const int n = scandir(folder, &all, is_table, alphasort);
    bool found = false;
    for (int i = 0; i < n; ++i) {
        found = found || has_two_columns(folder, all[i]->d_name);
        free(all[i]);
    }
    free(all);
    return found;
}

akin_status s3ml_few_labels(s3ml_run *r, const char *folder)
{
    struct dirent **all = NULL;
    const int n = scandir(folder, &all, is_table, alphasort);
    akin_status st = AKIN_OK;
    reproduce_begin(&r->steps, r->a, (int64_t)SCALES * n);
    for (int i = 0; i < n; ++i)
        APP_TRY(run_table(r, folder, all[i]->d_name));
done:
    reproduce_end(r->a);
    for (int i = 0; i < n; ++i)
        free(all[i]);
    free(all);
    return st;
}
