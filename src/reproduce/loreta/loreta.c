/* akin reproduce loreta: Shalit, Weinshall, Chechik, Online Learning in the
 * Embedded Manifold of Low-rank Matrices, JMLR 13, 2012; Figures 3 to 5. */
#include "reproduce/loreta/loreta.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/figures.h"

enum { SPLITS = 5, FIRST_POINT = 1000 };

/* ---- learning ----------------------------------------------------------- */

/* 1, 3, 10, 30 ... times the first point, up to `last`. */
static int64_t list_points(int64_t last, int64_t points[LORETA_POINTS])
{
    int64_t n = 0;
    for (int64_t at = FIRST_POINT; at < last && n < LORETA_POINTS - 1;
         at = n % 2 ? 3 * at : at / 3 * 10)
        points[n++] = at;
    points[n++] = last;
    return n;
}

static akin_status add_point(loreta_run *r, const loreta_task *task,
                             akin_learning *l, loreta_curve *out)
{
    akin_learn_info info;
    akin_model *model = NULL;
    akin_status st = AKIN_OK;
    double map = NAN;
    akin_learning_info(&info, l);
    APP_TRY(akin_learning_model(&model, r->a->ctx, l));
    APP_TRY(task->measure(r->a->ctx, model, task->test, &map));
    out->at[out->n++] = (loreta_point){info.examples, map, info.seconds};
done:
    akin_model_free(model);
    return st;
}

static akin_status measure_cosine(loreta_run *r, const loreta_task *task,
                                  loreta_curve *out)
{
    akin_ctx *ctx = r->a->ctx;
    akin_model *cosine = NULL;
    akin_status st = AKIN_OK;
    *out = (loreta_curve){.n = 1};
    APP_TRY(akin_model_builtin(&cosine, ctx, "cosine", task->test));
    APP_TRY(task->measure(ctx, cosine, task->test, &out->at[0].map));
done:
    akin_model_free(cosine);
    return st;
}

/* Examples are drawn in batches as large as the first point. */
akin_status loreta_learn(loreta_run *r, const loreta_method *m,
                         const char *params, const loreta_task *task,
                         loreta_curve *out)
{
    akin_ctx *ctx = r->a->ctx;
    int64_t points[LORETA_POINTS], seen = 0, last = m->examples;
    char rank[32] = "";
    reproduce_params o = {0};
    akin_learning *l = NULL;
    akin_status st = AKIN_OK;
    if (m->learner == NULL)
        return measure_cosine(r, task, out);
    if (last == 0 || (r->flags->quick && last > task->examples))
        last = task->examples;
    const int64_t n = list_points(last, points), batch = points[0];
    out->n = 0;
    akin_supervision_sample(task->known, batch, 1);
    akin_supervision_sampling(task->known, m->sampling);
    if (task->rank > 0)
        snprintf(rank, sizeof rank, "rank=%lld", (long long)task->rank);
    APP_TRY(reproduce_params_new(&o, ctx, m->learner, m->fixed, rank));
    APP_TRY(reproduce_params_set(&o, ctx, params));
    APP_TRY(akin_learning_begin(&l, ctx, o.options, task->known, NULL));
    for (int64_t i = 0; i < n; ++i) {
        for (; seen < points[i]; seen += batch)
            APP_TRY(akin_learning_observe_all(ctx, l));
        if (m->is_curve || i == n - 1)
            APP_TRY(add_point(r, task, l, out));
    }
done:
    akin_learning_free(l);
    akin_options_free(o.options);
    return st;
}

typedef struct loreta_trial {
    loreta_run *r;
    const loreta_task *task;
} loreta_trial;

static akin_status try_params(void *arg, const void *m, const char *params,
                              double *map)
{
    const loreta_trial *t = arg;
    loreta_method last_only = *(const loreta_method *)m;
    loreta_curve c;
    last_only.is_curve = false;
    const akin_status st = loreta_learn(t->r, &last_only, params, t->task, &c);
    if (st == AKIN_OK)
        *map = c.at[c.n - 1].map;
    return st;
}

akin_status loreta_choose(loreta_run *r, const loreta_method *m,
                          const loreta_task *task,
                          char params[REPRODUCE_PARAMS])
{
    const bool quick = r->flags->quick;
    loreta_trial t = {r, task};
    const akin_status st =
        reproduce_choose(params, m->grid, quick ? NULL : try_params, &t, m);
    return st != AKIN_OK || m->grid == NULL || quick
               ? st
               : reproduce_step(&r->steps);
}

/* ---- rows --------------------------------------------------------------- */

json_t *loreta_row(const loreta_run *r, const loreta_method *m,
                   const char *params)
{
    json_t *row = json_pack("{s:s, s:s, s:I}", "dataset", r->dataset, "method",
                            m->name, "splits", (json_int_t)r->n_splits);
    if (m->learner == NULL)
        return row;
    reproduce_put_learner(row, m->learner, m->fixed, params);
    reproduce_put_text(row, "chosen",
                       m->grid == NULL || r->flags->quick
                           ? "stated"
                           : "validated on the first split");
    reproduce_put_text(row, "setting", m->setting);
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
        reproduce_put_count(row, "examples", curves[0].at[i].examples);
    }
}

akin_status loreta_add(loreta_run *r, json_t *row, const char *figure,
                       const loreta_curve *curves)
{
    const int64_t n = curves[0].n;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; n > 1 && i < n && st == AKIN_OK; ++i) {
        json_t *point = json_deep_copy(row);
        put_point(r, point, curves, i);
        reproduce_put_text(point, "figure", figure);
        st = reproduce_add(r->a, r->rows, point);
    }
    put_point(r, row, curves, n - 1);
    if (st == AKIN_OK)
        return reproduce_add(r->a, r->rows, row);
    json_decref(row);
    return st;
}

/* ---- plots -------------------------------------------------------------- */

/* The rank of a full matrix is its number of features; without a model, the
 * rank of models with as many features at equal memory. */
static double x_rank(const json_t *row)
{
    const double rank = reproduce_number(row, "rank");
    const double features = reproduce_number(row, "features");
    if (isfinite(rank))
        return rank;
    return reproduce_text(row, "learner")[0] ? features
                                             : LORETA_MEMORY / features;
}

/* Models of this rank and full matrices, if there is a model of this rank. */
static bool shows_5(const reproduce_view *v, const json_t *row)
{
    const double rank = strtod(v->value, NULL);
    bool any = false;
    for (size_t i = 0; i < json_array_size(v->rows) && !any; ++i) {
        const json_t *other = json_array_get(v->rows, i);
        any = reproduce_has(other, "figure", "5") &&
              reproduce_number(other, "rank") == rank &&
              !json_is_true(json_object_get(other, "full"));
    }
    return any && (reproduce_number(row, "rank") == rank ||
                   json_is_true(json_object_get(row, "full")));
}

#define LINES \
    .y = "map", .y_label = "mAP %", .log_x = true, .width = 900, .height = 560

static const reproduce_figure figures[] = {
    {.file = "figure3a.svg",
     .title = "Figure 3a: along learning",
     .where = "figure=3a",
     .x = "examples",
     .x_label = "triplets",
     .by_rank = true,
     LINES},
    {.file = "figure3a_long.svg",
     .title = "Figure 3a, continued: along learning, rank 30",
     .where = "figure=3a long",
     .x = "examples",
     .x_label = "triplets",
     .by_rank = true,
     LINES},
    {.file = "figure3c.svg",
     .title = "Figure 3c: at equal memory",
     .where = "figure=,table=100000 triplets",
     .x_of = x_rank,
     .x_label = "rank",
     LINES},
    {.file = "figure4.svg",
     .title = "Figure 4: label ranking",
     .where = "figure=,table=labels",
     .x_of = x_rank,
     .x_label = "rank",
     LINES},
    {.file = "figure5_k%s.svg",
     .title = "Figure 5: label ranking along learning, rank %s",
     .each = "rank",
     .where = "figure=5",
     .shows = shows_5,
     .x = "seconds",
     .x_label = "seconds",
     LINES},
    {0},
};

/* ---- the run ------------------------------------------------------------ */

/* FOLDER/STEM.svm, compressed or not; false: there is none. */
static bool find_file(const char *folder, const char *stem,
                      char path[REPRODUCE_PATH])
{
    static const char *const extensions[] = {".svm", ".svm.gz", ".svm.zst"};
    char name[32];
    for (int i = 0; i < 3; ++i) {
        snprintf(name, sizeof name, "%s%s", stem, extensions[i]);
        if (reproduce_has_file(folder, name)) {
            snprintf(path, REPRODUCE_PATH, "%s/%s", folder, name);
            return true;
        }
    }
    return false;
}

static bool is_here(const char *folder)
{
    char path[REPRODUCE_PATH];
    return folder == NULL || find_file(folder, "counts", path) ||
           (find_file(folder, "train", path) &&
            find_file(folder, "test", path));
}

static akin_status run(app *a, const reproduce_flags *f, json_t *rows)
{
    loreta_run r = {.a = a, .flags = f, .rows = rows};
    char path[REPRODUCE_PATH], test[REPRODUCE_PATH];
    r.n_splits = f->repeats > 0 ? f->repeats : f->quick ? 1 : SPLITS;
    reproduce_folder(f->data ? f->data : "synthetic", r.dataset,
                     sizeof r.dataset);
    if (f->data == NULL)
        return loreta_label_ranking(&r, NULL, NULL);
    if (find_file(f->data, "counts", path))
        return loreta_documents(&r, path);
    find_file(f->data, "train", path);
    find_file(f->data, "test", test);
    return loreta_label_ranking(&r, path, test);
}

const reproduce_paper reproduce_loreta = {
    .name = "loreta",
    .title = "Online Learning in the Embedded Manifold of Low-rank Matrices "
             "(Shalit, Weinshall, Chechik; JMLR 2012)",
    .layout = "counts.svm[.gz|.zst] of documents, or train.svm and test.svm "
              "with labels",
    .is_here = is_here,
    .run = run,
    .figures = figures,
};
