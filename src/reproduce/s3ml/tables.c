/* Table 2: the class of every row from 5 % of each class, by the nearest
 * known row. The metric is learned from all rows and the few known classes,
 * on rows as they are, standardised, and between 0 and 1. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/s3ml/known.h"
#include "reproduce/s3ml/s3ml.h"

enum { SCALES = 3 };

static const struct {
    const char *scale, *name;
} scales[SCALES] = {
    {"none", "raw"}, {"zscore", "z-score"}, {"minmax", "min-max"}};

static const s3ml_method methods[] = {
    {.name = "euclidean"},
    {.name = "mahalanobis"},
    {.name = "s3ml", .learner = "s3ml"},
    {.name = "s3ml-printed",
     .learner = "s3ml",
     .fixed = "start=covariance",
     .weights = AKIN_PRINTED,
     .setting = "every pair counts alike"},
    {.name = "s2ml", .learner = "s2ml"},
    {.name = "sdml", .learner = "sdml"},
    {.name = "itml", .learner = "itml"},
    {.name = "lmnn", .learner = "lmnn"},
    {.name = "nca", .learner = "nca"},
    {.name = "lrml", .learner = "lrml"},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* The paper's own errors, which it does not say the scale of. */
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

typedef struct table {
    s3ml_run *r;
    char name[64];
    akin_rows *raw, *rows;  // as they are, and through the scale at work
    int32_t *labels;        // of each row, -1: none
    int64_t n;
    s3ml_known known;
    s3ml_figure figures[SCALES][METHODS];
} table;

/* ---- one split ---------------------------------------------------------- */

/* All rows, of which only the known ones still have their class. */
static akin_status hide_labels(table *t, int64_t split, akin_rows **out)
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
    for (int64_t k = 0; k < t->known.count[split]; ++k)
        labels[t->known.rows[split][k]] = t->labels[t->known.rows[split][k]];
    for (int64_t c = 0; c < n_names; ++c)
        names[c] = akin_rows_label_name(t->raw, c);
    APP_TRY(s3ml_part(t->r, t->rows, NULL, 0, true, out));
    APP_TRY(akin_rows_set_labels(a->ctx, *out, labels, names, n_names));
done:
    free(labels);
    free(names);
    return st;
}

/* Share of the other rows of a class whose nearest known row is of another. */
static akin_status judge(table *t, int64_t split, const akin_model *m,
                         double *percent)
{
    app *a = t->r->a;
    akin_rows *known = NULL, *others = NULL;
    int32_t *found = NULL;
    double *votes = NULL;
    int64_t wrong = 0, judged = 0;
    akin_status st = AKIN_OK;
    APP_TRY(s3ml_part(t->r, t->rows, t->known.rows[split],
                      t->known.count[split], false, &known));
    APP_TRY(s3ml_part(t->r, t->rows, t->known.rows[split],
                      t->known.count[split], true, &others));
    const int64_t n = akin_rows_count(others);
    APP_TRY(APP_NEW(a, n + 1, &found));
    APP_TRY(APP_NEW(a, n + 1, &votes));
    APP_TRY(akin_predict(found, votes, a->ctx, m, others, known, 1, 1,
                         AKIN_BY_DEFAULT));
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *own;
        if (akin_rows_labels(&own, others, i) == 0)
            continue;
        ++judged;
        wrong += own[0] != found[i];
    }
    *percent = 100.0 * (double)wrong / (double)judged;
done:
    free(found);
    free(votes);
    akin_rows_free(known);
    akin_rows_free(others);
    return st;
}

static akin_status measure(table *t, int64_t split, int scale, int method)
{
    s3ml_figure *f = &t->figures[scale][method];
    akin_rows *hidden = NULL;
    akin_supervision *known = NULL;
    akin_model *m = NULL;
    double percent = 0.0;
    akin_status st = AKIN_OK;
    APP_TRY(hide_labels(t, split, &hidden));
    APP_TRY(akin_supervision_new(&known, t->r->a->ctx, hidden, NULL, NULL));
    APP_TRY(s3ml_learn(t->r, &methods[method], known, hidden, &m, f));
    if (m == NULL)
        goto done;
    APP_TRY(judge(t, split, m, &percent));
    s3ml_count(f, percent);
done:
    akin_model_free(m);
    akin_supervision_free(known);
    akin_rows_free(hidden);
    return st;
}

/* ---- the table ---------------------------------------------------------- */

static akin_status measure_scale(table *t, int scale)
{
    const akin_recipe_options o = {sizeof o, "none", scales[scale].scale,
                                   "none", 0};
    akin_recipe *recipe = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_recipe_fit(&recipe, t->r->a->ctx, t->raw, &o));
    APP_TRY(akin_recipe_apply(&t->rows, t->r->a->ctx, recipe, t->raw));
    for (int64_t s = 0; s < t->known.n_splits; ++s)
        for (int m = 0; m < METHODS; ++m)
            if (s3ml_is_built(&methods[m]))
                APP_TRY(measure(t, s, scale, m));
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

static akin_status add_rows(table *t)
{
    akin_status st = AKIN_OK;
    for (int m = 0; m < METHODS; ++m)
        for (int s = 0; s < SCALES && s3ml_is_built(&methods[m]); ++s) {
            json_t *row = s3ml_row(&methods[m], t->name, "5 % known", "error",
                                   &t->figures[s][m]);
            if (row == NULL)
                return app_fail(t->r->a, AKIN_ENOMEM, "out of memory");
            json_object_set_new(row, "preprocessing",
                                json_string(scales[s].name));
            if (s == 0)
                reproduce_put(row, "paper_value",
                              their_error(t->name, methods[m].name));
            APP_TRY(reproduce_add(t->r->a, t->r->rows, row));
            s3ml_tell(t->r, t->name, &methods[m], &t->figures[s][m]);
        }
done:
    return st;
}

static akin_status open_table(table *t, const char *path)
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
    t->known = (s3ml_known){.a = t->r->a,
                            .name = t->name,
                            .labels = t->labels,
                            .n = t->n,
                            .n_classes = akin_rows_label_count(t->raw),
                            .n_splits = t->r->repeats};
    APP_TRY(s3ml_known_take(&t->known, t->r->flags->splits, path));
done:
    return st;
}

static void close_table(table *t)
{
    s3ml_known_free(&t->known);
    free(t->labels);
    akin_rows_free(t->raw);
    free(t);
}

/* What is wrong with the rows of a table, with its file. */
static akin_status name_table(app *a, const char *path, akin_status st)
{
    char why[256];
    if (st != AKIN_EINVAL && st != AKIN_ESHAPE)
        return st;
    snprintf(why, sizeof why, "%s", app_why(a, st));
    return app_fail(a, st, "%s: %s", path, why);
}

static akin_status run_table(s3ml_run *r, const char *folder, const char *file)
{
    char path[4096];
    table *t = NULL;
    akin_status st = APP_NEW(r->a, 1, &t);
    if (st != AKIN_OK)
        return st;
    t->r = r;
    snprintf(t->name, sizeof t->name, "%.*s", (int)strlen(file) - 4, file);
    APP_TRY(cli_join(r->a, path, sizeof path, folder, file));
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

/* A list of labels alone has one column. */
static bool has_two_columns(const char *folder, const char *file)
{
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *f = n > 0 && (size_t)n < sizeof path ? fopen(path, "r") : NULL;
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

akin_status s3ml_tables(s3ml_run *r, const char *folder)
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
