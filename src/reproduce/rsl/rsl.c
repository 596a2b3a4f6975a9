/* akin reproduce rsl: Cheng, Riemannian Similarity Learning, ICML 2013;
 * Figure 1, Table 4, and the form of Tables 1 and 2. */
#include "reproduce/rsl/rsl.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/figures.h"

akin_status rsl_read(app *a, akin_rows **out, const char *folder,
                     const char *name, const char *labels)
{
    char path[REPRODUCE_PATH], label_path[REPRODUCE_PATH];
    akin_read_options o = AKIN_READ_DEFAULTS;
    akin_status st = AKIN_OK;
    APP_TRY(reproduce_path(a, path, folder, name));
    APP_TRY(reproduce_path(a, label_path, folder, labels));
    o.labels = label_path;
    APP_TRY(akin_rows_read(out, a->ctx, path, &o));
done:
    return st;
}

akin_status rsl_check_columns(app *a, const char *folder, const char *file,
                              const akin_rows *rows, const akin_rows *later)
{
    if (akin_rows_dim(rows) == akin_rows_dim(later))
        return AKIN_OK;
    return app_fail(a, AKIN_ESHAPE,
                    "%s/%s: %" PRId64 " columns (expected the %" PRId64
                    " of --data)",
                    folder, file, akin_rows_dim(later), akin_rows_dim(rows));
}

akin_status rsl_of_label(app *a, const akin_rows *rows, const char *name,
                         int64_t **which, int64_t *n)
{
    const int64_t all = akin_rows_count(rows);
    free(*which);
    *which = NULL;
    *n = 0;
    const akin_status st = APP_NEW(a, all, which);
    for (int64_t i = 0; st == AKIN_OK && i < all; ++i) {
        const int32_t *labels;
        if (akin_rows_labels(&labels, rows, i) > 0 &&
            strcmp(akin_rows_label_name(rows, labels[0]), name) == 0)
            (*which)[(*n)++] = i;
    }
    return st;
}

/* Row i with row i, which are two views of the same object. */
static akin_status set_pairs(app *a, akin_supervision *known, int64_t n)
{
    int64_t *numbers = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, 3 * n, &numbers));
    for (int64_t i = 0; i < n; ++i) {
        numbers[3 * i] = numbers[3 * i + 1] = i;
        numbers[3 * i + 2] = 1;
    }
    APP_TRY(akin_supervision_set(a->ctx, known, AKIN_PAIRS, numbers, n));
done:
    free(numbers);
    return st;
}

akin_status rsl_learn(rsl_run *r, const rsl_method *m, const char *chosen,
                      const akin_rows *left, const akin_rows *right,
                      akin_model **out, double *seconds)
{
    const bool one_side = rsl_is(m, RSL_ONE_SIDE);
    akin_ctx *ctx = r->a->ctx;
    reproduce_params o = {0};
    akin_supervision *known = NULL;
    akin_learn_info info = {0};
    akin_status st = AKIN_OK;
    if (m->learner == NULL) {
        APP_TRY(akin_model_builtin(out, ctx, "cosine", left));
        return AKIN_OK;
    }
    APP_TRY(reproduce_params_new(&o, ctx, m->learner, m->params, chosen));
    APP_TRY(akin_supervision_new(&known, ctx, one_side ? right : left,
                                 one_side ? NULL : right, NULL));
    if (rsl_is(m, RSL_PAIRS))
        APP_TRY(set_pairs(r->a, known, akin_rows_count(left)));
    APP_TRY(akin_learn(out, ctx, o.options, known, &info));
    *seconds = info.seconds;
done:
    akin_supervision_free(known);
    akin_options_free(o.options);
    return st;
}

double rsl_mean(const rsl_values *v)
{
    double sum = 0.0;
    for (int64_t i = 0; i < v->n; ++i)
        sum += v->x[i];
    return v->n > 0 ? sum / (double)v->n : NAN;
}

static double error_of_mean(const rsl_values *v)
{
    const double m = rsl_mean(v), n = (double)v->n;
    double squares = 0.0;
    for (int64_t i = 0; i < v->n; ++i)
        squares += (v->x[i] - m) * (v->x[i] - m);
    return v->n > 1 ? sqrt(squares / (n - 1.0) / n) : NAN;
}

akin_status rsl_add(rsl_run *r, const rsl_place *at, const rsl_method *m,
                    const char *chosen, const rsl_values *values,
                    const rsl_values *seconds)
{
    json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:I}", "dataset", at->dataset,
                            "table", at->table, "task", at->column, "method",
                            m->name, "rounds", (json_int_t)values->n);
    reproduce_put_learner(row, m->learner, m->params, chosen);
    if (m->learner != NULL)
        reproduce_put_text(row, "chosen",
                           chosen[0] ? "by held-out rows" : "stated");
    reproduce_put(row, at->measure, 100.0 * rsl_mean(values));
    reproduce_put(row, "se", 100.0 * error_of_mean(values));
    reproduce_put(row, "paper_value", at->paper);
    if (seconds != NULL && m->learner != NULL)
        reproduce_put(row, "seconds", rsl_mean(seconds));
    return reproduce_add(r->a, r->rows, row);
}

/* ---- plots -------------------------------------------------------------- */

static bool is_in_table(const reproduce_view *v, const json_t *row)
{
    return reproduce_has(row, "table", v->value);
}

/* Of a retrieval table only the mAP is drawn. */
static bool shows_accuracy(const reproduce_view *v, const json_t *row)
{
    for (size_t i = 0; i < json_array_size(v->rows); ++i) {
        const json_t *other = json_array_get(v->rows, i);
        if (is_in_table(v, other) && isfinite(reproduce_number(other, "map")))
            return false;
    }
    return is_in_table(v, row);
}

static void about_dataset(const reproduce_view *v, char text[REPRODUCE_ABOUT])
{
    for (size_t i = 0; i < json_array_size(v->rows); ++i)
        if (is_in_table(v, json_array_get(v->rows, i))) {
            snprintf(text, REPRODUCE_ABOUT, ", %.40s",
                     reproduce_text(json_array_get(v->rows, i), "dataset"));
            return;
        }
}

#define PANEL                                                                \
    .x = "delta", .x_label = "distance of the class means", .y = "accuracy", \
    .y_label = "accuracy %"
#define TABLE                                                     \
    .file = "%s.svg", .each = "table",                            \
    .where = "panel=", .about = about_dataset, .x_label = "task", \
    .group = "task", .width = 900

static const reproduce_figure figures[] = {
    {.file = "figure1_dimension.svg",
     .title = "Figure 1, left: 50 left columns, n right columns",
     .where = "panel=1a",
     PANEL},
    {.file = "figure1_rank.svg",
     .title = "Figure 1, right: rank d of the similarity",
     .where = "panel=1b",
     PANEL},
    {TABLE, .title = "mAP: %s", .y = "map", .y_label = "mAP %"},
    {TABLE, .title = "Accuracy: %s", .shows = shows_accuracy, .y = "accuracy",
     .y_label = "accuracy %"},
    {0},
};

/* ---- the run ------------------------------------------------------------ */

static bool is_here(const char *folder)
{
    return folder == NULL || rsl_has_office(folder) || rsl_has_views(folder);
}

static akin_status run(app *a, const reproduce_flags *f, json_t *rows)
{
    rsl_run r = {.a = a, .flags = f, .rows = rows};
    if (f->test != NULL && f->data == NULL)
        return app_fail(a, AKIN_EINVAL, "--test needs --data");
    if (f->repeats > RSL_ROUNDS)
        return app_fail(a, AKIN_EINVAL,
                        "--repeats %d is out of range (at most %d for rsl)",
                        (int)f->repeats, RSL_ROUNDS);
    r.rounds = f->repeats > 0 ? f->repeats : f->quick ? 2 : 10;
    akin_ctx_set_log(a->ctx, NULL, NULL);  // silences each of many runs
    if (f->data == NULL)
        return rsl_synthetic(&r);
    return rsl_has_office(f->data) ? rsl_office(&r) : rsl_views(&r);
}

const reproduce_paper reproduce_rsl = {
    .name = "rsl",
    .title = "Riemannian Similarity Learning (Cheng; ICML 2013)",
    .layout = "amazon_surf800.npy, webcam_surf800.npy, dslr_surf800.npy and "
              "*_labels.csv, or view76.npy, view240.npy and "
              "labels.csv, or text10.npy, image128.npy and labels.csv",
    .takes = REPRODUCE_TEST,
    .is_here = is_here,
    .run = run,
    .figures = figures,
};
