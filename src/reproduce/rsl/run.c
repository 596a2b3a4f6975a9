/* Reading, learning and adding up for `akin reproduce rsl`. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/rsl/rsl.h"

bool rsl_has(const char *folder, const char *name)
{
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    return n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0;
}

akin_status rsl_read(app *a, akin_rows **out, const char *folder,
                     const char *name, const char *labels)
{
    char path[4096], label_path[4096];
    akin_read_options o = AKIN_READ_DEFAULTS;
    akin_status st = AKIN_OK;
    APP_TRY(cli_join(a, path, sizeof path, folder, name));
    APP_TRY(cli_join(a, label_path, sizeof label_path, folder, labels));
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

/* Row i with row i, which is one thing seen in two ways. */
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

akin_status rsl_choose(const rsl_method *m, rsl_trial trial, void *arg,
                       char params[RSL_PARAMS])
{
    char candidate[RSL_PARAMS];
    double best = -INFINITY;
    akin_status st = AKIN_OK;
    params[0] = '\0';
    for (int64_t i = 0; m->grid != NULL &&
                        reproduce_candidate(m->grid, i, candidate, RSL_PARAMS);
         ++i) {
        double score = 0.0;
        APP_TRY(trial(arg, m, candidate, &score));
        if (!(score > best))
            continue;
        best = score;
        memcpy(params, candidate, sizeof candidate);
    }
done:
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

/* What the learner was told, and who chose it. */
static void put_params(json_t *row, const rsl_method *m, const char *chosen)
{
    char params[2 * RSL_PARAMS];
    const bool both = m->params != NULL && chosen[0];
    snprintf(params, sizeof params, "%s%s%s", m->params ? m->params : "",
             both ? " " : "", chosen);
    json_object_set_new(row, "learner", json_string(m->learner));
    json_object_set_new(row, "params", json_string(params));
    json_object_set_new(row, "chosen",
                        json_string(chosen[0] ? "by held-out rows" : "stated"));
}

akin_status rsl_add(rsl_run *r, const rsl_place *at, const rsl_method *m,
                    const char *chosen, const rsl_values *values,
                    const rsl_values *seconds)
{
    json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:I}", "dataset", at->dataset,
                            "table", at->table, "task", at->column, "method",
                            m->name, "rounds", (json_int_t)values->n);
    if (row != NULL && m->learner != NULL)
        put_params(row, m, chosen);
    if (row != NULL) {
        reproduce_put(row, at->measure, 100.0 * rsl_mean(values));
        reproduce_put(row, "se", 100.0 * error_of_mean(values));
        reproduce_put(row, "paper_value", at->paper);
        if (seconds != NULL && m->learner != NULL)
            reproduce_put(row, "seconds", rsl_mean(seconds));
    }
    return reproduce_add(r->a, r->rows, row);
}
