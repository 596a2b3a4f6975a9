/* Learning with measurements on the way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reproduce/loreta/loreta.h"

int64_t loreta_points(int64_t first, int64_t last, int64_t *points)
{
    int64_t n = 0;
    for (int64_t at = first; at < last && n < LORETA_POINTS - 1;
         at = n % 2 ? 3 * at : at / 3 * 10)
        points[n++] = at;
    points[n++] = last;
    return n;
}

/* ---- a curve ------------------------------------------------------------ */

static akin_status take_point(loreta_run *r, akin_learning *l,
                              loreta_measure measure, const void *with,
                              loreta_curve *out)
{
    akin_learn_info info;
    akin_model *model = NULL;
    akin_status st = AKIN_OK;
    double map = NAN;
    akin_learning_info(&info, l);
    APP_TRY(akin_learning_model(&model, r->a->ctx, l));
    APP_TRY(measure(r, model, with, &map));
    out->at[out->n++] = (loreta_point){info.examples, map, info.seconds};
done:
    akin_model_free(model);
    return st;
}

/* Examples are drawn in pieces; the first point is a piece. */
akin_status loreta_learn(loreta_run *r, const loreta_method *m,
                         const char *fixed, const char *params,
                         akin_supervision *known, const int64_t *points,
                         int64_t n_points, loreta_measure measure,
                         const void *with, loreta_curve *out)
{
    akin_ctx *ctx = r->a->ctx;
    const int64_t piece = points[0];
    reproduce_params o = {0};
    akin_learning *l = NULL;
    akin_status st = AKIN_OK;
    int64_t seen = 0;
    out->n = 0;
    akin_supervision_sample(known, piece, 1);
    akin_supervision_sampling(known, m->sampling);
    APP_TRY(reproduce_params_new(&o, ctx, m->learner, m->fixed, fixed));
    APP_TRY(reproduce_params_set(&o, ctx, params));
    APP_TRY(akin_learning_begin(&l, ctx, o.options, known, NULL));
    for (int64_t i = 0; i < n_points; ++i) {
        for (; seen < points[i]; seen += piece)
            APP_TRY(akin_learning_observe_all(ctx, l));
        if (m->is_curve || i == n_points - 1)
            APP_TRY(take_point(r, l, measure, with, out));
    }
done:
    akin_learning_free(l);
    akin_options_free(o.options);
    return st;
}

/* ---- hyper-parameters --------------------------------------------------- */

akin_status loreta_choose(loreta_run *r, const loreta_method *m,
                          loreta_score score, void *with, char params[96])
{
    char candidate[96];
    double best = -1.0, map;
    params[0] = '\0';
    if (m->grid == NULL)
        return AKIN_OK;
    reproduce_candidate(m->grid, 0, params, 96);
    if (r->flags->quick)
        return AKIN_OK;
    for (int64_t i = 0;
         reproduce_candidate(m->grid, i, candidate, sizeof candidate); ++i) {
        const akin_status st = score(r, m, candidate, with, &map);
        if (st == AKIN_ENUMERIC)
            continue;  // too long a step is a bad choice, no more
        if (st != AKIN_OK)
            return st;
        if (map > best) {
            best = map;
            snprintf(params, 96, "%s", candidate);
        }
    }
    return reproduce_step(&r->steps);
}

/* ---- rows --------------------------------------------------------------- */

json_t *loreta_row(const loreta_run *r, const loreta_method *m,
                   const char *params)
{
    char all[192];
    json_t *row = json_pack("{s:s, s:s, s:I}", "dataset", r->dataset, "method",
                            m->name, "splits", (json_int_t)r->n_splits);
    if (row == NULL || m->learner == NULL)
        return row;
    snprintf(all, sizeof all, "%s%s%s", m->fixed ? m->fixed : "",
             m->fixed && params[0] ? " " : "", params);
    json_object_set_new(row, "learner", json_string(m->learner));
    json_object_set_new(row, "params", json_string(all));
    json_object_set_new(row, "chosen",
                        json_string(m->grid == NULL   ? "stated"
                                    : r->flags->quick ? "stated"
                                                      : "validated on the "
                                                        "first split"));
    if (m->setting[0])
        json_object_set_new(row, "setting", json_string(m->setting));
    return row;
}

/* Mean over the splits at point i, and its standard error. */
static void put_point(const loreta_run *r, json_t *row,
                      const loreta_curve *curves, int64_t i)
{
    const double n = (double)r->n_splits;
    double map = 0.0, seconds = 0.0, squares = 0.0;
    for (int64_t s = 0; s < r->n_splits; ++s) {
        map += curves[s].at[i].map / n;
        seconds += curves[s].at[i].seconds / n;
    }
    for (int64_t s = 0; s < r->n_splits; ++s)
        squares += (curves[s].at[i].map - map) * (curves[s].at[i].map - map);
    reproduce_put(row, "map", map);
    reproduce_put(row, "se", n > 1.0 ? sqrt(squares / (n - 1.0) / n) : NAN);
    if (curves[0].at[i].examples > 0) {
        reproduce_put(row, "seconds", seconds);
        json_object_set_new(row, "examples",
                            json_integer(curves[0].at[i].examples));
    }
}

akin_status loreta_add(loreta_run *r, const json_t *row, const char *figure,
                       const loreta_curve *curves)
{
    const int64_t n = curves[0].n;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; st == AKIN_OK && i < n + (n > 1); ++i) {
        const bool is_last = i == n + (n > 1) - 1;
        json_t *one = json_deep_copy(row);
        if (one == NULL)
            return app_fail(r->a, AKIN_ENOMEM, "out of memory");
        put_point(r, one, curves, is_last ? n - 1 : i);
        if (!is_last)
            json_object_set_new(one, "figure", json_string(figure));
        st = reproduce_add(r->a, r->rows, one);
    }
    return st;
}
