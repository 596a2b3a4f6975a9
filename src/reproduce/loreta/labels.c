/* Figures 4 and 5: labels in order, by rank and by seconds, from three starts.
 *
 * The rows are made, of known structure (akin_synth_labels), or come from a
 * folder. Each asks for its labels among all. */
#include <akin/synth.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/loreta/loreta.h"

#define CHOOSE 0.75  // of the rows to learn from, while options are chosen

enum { CHOOSE_RANK = 30, MOST_RANKS = 4 };

/* How much of everything. */
typedef struct scale {
    int64_t rows, tests, dim, labels, rank;  // made, of this rank
    int64_t examples;                        // to learn from
    int64_t trial;                           // while options are chosen
    int64_t ranks[MOST_RANKS], n_ranks;
} scale;

static const scale whole = {
    50000, 5000, 1000, 1660, 60, 100000, 10000, {10, 30, 60, 120}, 4};
static const scale quick = {4000, 1000, 300, 300, 20, 8000, 2000, {10, 30}, 2};

#define START(learner, start, grid)                                           \
    {                                                                         \
        learner " " start, learner, "task=rank start=" start, grid, 0, false, \
            true, AKIN_UNIFORM, ""                                            \
    }
static const loreta_method methods[] = {
    START("loreta-1", "identity", "eta=1,0.3,3"),
    START("loreta-1", "zero", "eta=1,0.3,3"),
    START("loreta-1", "gauss", "eta=0.1,1,10"),
    START("pa", "identity", "C=1,0.1,10"),
    START("pa", "zero", "C=1,0.1,10"),
    START("pa", "gauss", "C=1,0.1,10"),
    {"perceptron", "perceptron", NULL, "eta=1,0.1,10", 0, true, true,
     AKIN_UNIFORM, "full matrix"},
    {"group-perceptron", "group-perceptron", NULL, "eta=1,0.1,10", 0, true,
     true, AKIN_UNIFORM, "full matrix"},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct labels {
    loreta_run *r;
    scale size;
    const char *train_path, *test_path;  // NULL: made
    akin_recipe *recipe;
    akin_rows *train, *test;  // of the split at work
    char params[METHODS][96];
    loreta_curve *curves[METHODS][MOST_RANKS];  // one a split
} labels;

/* ---- rows --------------------------------------------------------------- */

static akin_status range(labels *l, const akin_rows *rows, int64_t first,
                         int64_t count, akin_rows **out)
{
    int64_t *numbers = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(l->r->a, count + 1, &numbers));
    for (int64_t i = 0; i < count; ++i)
        numbers[i] = first + i;
    APP_TRY(akin_rows_select(out, l->r->a->ctx, rows, numbers, count));
done:
    free(numbers);
    return st;
}

static akin_status make_rows(labels *l, akin_rows **train, akin_rows **test)
{
    akin_synth_labels_options o = AKIN_SYNTH_LABELS_DEFAULTS;
    const scale *s = &l->size;
    akin_rows *all = NULL;
    akin_status st = AKIN_OK;
    o.rows = s->rows + s->tests;
    o.dim = s->dim;
    o.labels = s->labels;
    o.rank = s->rank;
    APP_TRY(akin_synth_labels(&all, l->r->a->ctx, &o));
    APP_TRY(range(l, all, 0, s->rows, train));
    APP_TRY(range(l, all, s->rows, s->tests, test));
done:
    akin_rows_free(all);
    return st;
}

static akin_status read_rows(labels *l, akin_rows **train, akin_rows **test)
{
    akin_ctx *ctx = l->r->a->ctx;
    akin_read_options o = AKIN_READ_DEFAULTS;
    akin_status st = akin_rows_read(train, ctx, l->train_path, NULL);
    if (st != AKIN_OK)
        return st;
    o.dim = akin_rows_dim(*train);
    o.index_base = akin_rows_index_base(*train);
    return akin_rows_read(test, ctx, l->test_path, &o);
}

static bool are_counts(const akin_rows *rows)
{
    for (int64_t i = 0; i < akin_rows_count(rows); ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, rows, i);
        for (int64_t k = 0; k < n; ++k)
            if (vals[k] < 0.0f || vals[k] != floorf(vals[k]))
                return false;
    }
    return true;
}

/* Rows of length 1; counts by tf-idf before, as in the paper. */
static akin_status open_rows(labels *l)
{
    akin_recipe_options o = {sizeof o, "tfidf", "none", "l2", 0};
    akin_ctx *ctx = l->r->a->ctx;
    akin_rows *train = NULL, *test = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(l->train_path ? read_rows(l, &train, &test)
                          : make_rows(l, &train, &test));
    if (!are_counts(train))
        o.weights = "none";
    APP_TRY(akin_recipe_fit(&l->recipe, ctx, train, &o));
    APP_TRY(akin_recipe_apply(&l->train, ctx, l->recipe, train));
    APP_TRY(akin_recipe_apply(&l->test, ctx, l->recipe, test));
done:
    akin_rows_free(train);
    akin_rows_free(test);
    return st;
}

static void close_rows(labels *l)
{
    akin_rows_free(l->train);
    akin_rows_free(l->test);
    akin_recipe_free(l->recipe);
    l->train = l->test = NULL;
    l->recipe = NULL;
}

/* ---- one method --------------------------------------------------------- */

static akin_status measure(loreta_run *r, const akin_model *m, const void *with,
                           double *map)
{
    akin_ranking found;
    const akin_status st = akin_eval_rank(&found, NULL, r->a->ctx, m, with);
    *map = 100.0 * found.map;
    return st;
}

typedef struct lesson {
    const akin_rows *train, *test;
    int64_t rank, examples;
} lesson;

static akin_status run_method(labels *l, const loreta_method *m,
                              const char *params, const lesson *x,
                              loreta_curve *out)
{
    akin_supervision *known = NULL;
    int64_t points[LORETA_POINTS];
    char fixed[32] = "";
    const int64_t n = loreta_points(1000, x->examples, points);
    akin_status st = AKIN_OK;
    if (!m->is_full)
        snprintf(fixed, sizeof fixed, "rank=%lld", (long long)x->rank);
    APP_TRY(
        akin_supervision_new(&known, l->r->a->ctx, x->train, NULL, l->recipe));
    APP_TRY(loreta_learn(l->r, m, fixed, params, known, points, n, measure,
                         x->test, out));
done:
    akin_supervision_free(known);
    return st;
}

typedef struct trial {
    labels *l;
    lesson x;
} trial;

static akin_status score(loreta_run *r, const loreta_method *m,
                         const char *params, void *with, double *map)
{
    const trial *t = with;
    loreta_method last_only = *m;
    loreta_curve c;
    (void)r;
    last_only.is_curve = false;
    const akin_status st = run_method(t->l, &last_only, params, &t->x, &c);
    if (st == AKIN_OK)
        *map = c.at[c.n - 1].map;
    return st;
}

/* Options are chosen on the first split, by a part of what it learns from. */
static akin_status choose(labels *l)
{
    const int64_t n = akin_rows_count(l->train);
    const int64_t most = n < 2 * l->size.trial ? n : 2 * l->size.trial;
    const int64_t cut = (int64_t)(CHOOSE * (double)most);
    akin_rows *train = NULL, *held = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(range(l, l->train, 0, cut, &train));
    APP_TRY(range(l, l->train, cut, most - cut, &held));
    trial t = {l, {train, held, CHOOSE_RANK, l->size.trial}};
    for (int64_t m = 0; m < METHODS; ++m)
        APP_TRY(loreta_choose(l->r, &methods[m], score, &t, l->params[m]));
done:
    akin_rows_free(train);
    akin_rows_free(held);
    return st;
}

/* ---- the run ------------------------------------------------------------ */

static akin_status measure_split(labels *l, int64_t split)
{
    akin_status st = AKIN_OK;
    akin_ctx_set_seed(l->r->a->ctx,
                      (uint64_t)l->r->a->common.seed + (uint64_t)split);
    APP_TRY(open_rows(l));
    if (split == 0)
        APP_TRY(choose(l));
    for (int64_t m = 0; m < METHODS; ++m)
        for (int64_t k = 0; k < (methods[m].is_full ? 1 : l->size.n_ranks);
             ++k) {
            const lesson x = {l->train, l->test, l->size.ranks[k],
                              l->size.examples};
            APP_TRY(run_method(l, &methods[m], l->params[m], &x,
                               &l->curves[m][k][split]));
            APP_TRY(reproduce_step(&l->r->steps));
        }
done:
    if (split + 1 < l->r->n_splits || st != AKIN_OK)
        close_rows(l);
    return st;
}

static akin_status add(labels *l, int64_t m, int64_t k)
{
    const loreta_method *method = &methods[m];
    json_t *row = loreta_row(l->r, method, l->params[m]);
    akin_status st;
    if (row == NULL)
        return app_fail(l->r->a, AKIN_ENOMEM, "out of memory");
    json_object_set_new(row, "table", json_string("labels"));
    json_object_set_new(row, "rank",
                        json_integer(method->is_full ? akin_rows_dim(l->train)
                                                     : l->size.ranks[k]));
    if (method->is_full)
        json_object_set_new(row, "full", json_true());
    st = loreta_add(l->r, row, "5", l->curves[m][k]);
    json_decref(row);
    return st;
}

static int64_t count_steps(const labels *l)
{
    int64_t a_split = 0;
    for (int64_t m = 0; m < METHODS; ++m)
        a_split += methods[m].is_full ? 1 : l->size.n_ranks;
    return (l->r->flags->quick ? 0 : METHODS) + l->r->n_splits * a_split;
}

static void labels_free(labels *l)
{
    close_rows(l);
    for (int64_t m = 0; m < METHODS; ++m)
        for (int64_t k = 0; k < MOST_RANKS; ++k)
            free(l->curves[m][k]);
    free(l);
}

static akin_status run_all(labels *l)
{
    loreta_run *r = l->r;
    akin_status st = AKIN_OK;
    for (int64_t m = 0; m < METHODS; ++m)
        for (int64_t k = 0; k < MOST_RANKS; ++k)
            APP_TRY(APP_NEW(r->a, r->n_splits, &l->curves[m][k]));
    reproduce_begin(&r->steps, r->a, count_steps(l));
    for (int64_t s = 0; s < r->n_splits; ++s)
        APP_TRY(measure_split(l, s));
    for (int64_t m = 0; m < METHODS; ++m)
        for (int64_t k = 0; k < (methods[m].is_full ? 1 : l->size.n_ranks); ++k)
            APP_TRY(add(l, m, k));
done:
    reproduce_end(r->a);
    akin_ctx_set_seed(r->a->ctx, (uint64_t)r->a->common.seed);
    return st;
}

akin_status loreta_labels(loreta_run *r, const char *train, const char *test)
{
    labels *l = NULL;
    akin_status st = APP_NEW(r->a, 1, &l);
    if (st != AKIN_OK)
        return st;
    l->r = r;
    l->size = r->flags->quick ? quick : whole;
    l->train_path = train;
    l->test_path = test;
    st = run_all(l);
    labels_free(l);
    return st;
}
