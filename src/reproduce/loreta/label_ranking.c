/* Figures 4 and 5: label ranking, by rank and by seconds, from three starts.
 *
 * The rows are synthetic (akin_synth_labels), or come from a folder. A model
 * should rank the labels of each row first. */
#include <akin/synth.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/loreta/loreta.h"

#define CHOOSE 0.75  // of the training rows, while options are chosen

enum { CHOOSE_RANK = 30, MOST_RANKS = 4 };

typedef struct scale {
    int64_t rows, tests, dim, labels, rank;  // of synthetic rows
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
            true, AKIN_UNIFORM, NULL                                          \
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

typedef struct label_ranking {
    loreta_run *r;
    scale size;
    const char *train_path, *test_path;  // NULL: synthetic
    akin_recipe *recipe;
    akin_rows *train, *test;  // of the current split
    char params[METHODS][REPRODUCE_PARAMS];
    loreta_curve *curves;  // METHODS x MOST_RANKS x splits
} label_ranking;

/* ---- rows --------------------------------------------------------------- */

static akin_status range(label_ranking *l, const akin_rows *rows, int64_t first,
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

static akin_status make_rows(label_ranking *l, akin_rows **train,
                             akin_rows **test)
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

static akin_status read_rows(label_ranking *l, akin_rows **train,
                             akin_rows **test)
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

/* Rows of length 1; counts get tf-idf weights first, as in the paper. */
static akin_status open_rows(label_ranking *l)
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

static void close_rows(label_ranking *l)
{
    akin_rows_free(l->train);
    akin_rows_free(l->test);
    akin_recipe_free(l->recipe);
    l->train = l->test = NULL;
    l->recipe = NULL;
}

/* ---- learning ----------------------------------------------------------- */

static akin_status measure(akin_ctx *ctx, const akin_model *m,
                           const akin_rows *test, double *map)
{
    akin_ranking found;
    const akin_status st = akin_eval_rank(&found, NULL, ctx, m, test);
    *map = 100.0 * found.map;
    return st;
}

static loreta_curve *curves_of(const label_ranking *l, int64_t m, int64_t k)
{
    return l->curves + (m * MOST_RANKS + k) * l->r->n_splits;
}

/* A full matrix has one rank. */
static int64_t count_ranks(const label_ranking *l, int64_t m)
{
    return methods[m].is_full ? 1 : l->size.n_ranks;
}

/* Options are chosen on the first split, by a part of its training rows. */
static akin_status choose(label_ranking *l)
{
    const int64_t n = akin_rows_count(l->train);
    const int64_t most = n < 2 * l->size.trial ? n : 2 * l->size.trial;
    const int64_t cut = (int64_t)(CHOOSE * (double)most);
    akin_rows *train = NULL, *held_out = NULL;
    loreta_task task = {.examples = l->size.trial, .measure = measure};
    akin_status st = AKIN_OK;
    APP_TRY(range(l, l->train, 0, cut, &train));
    APP_TRY(range(l, l->train, cut, most - cut, &held_out));
    APP_TRY(akin_supervision_new(&task.known, l->r->a->ctx, train, NULL,
                                 l->recipe));
    task.test = held_out;
    for (int64_t m = 0; m < METHODS; ++m) {
        task.rank = methods[m].is_full ? 0 : CHOOSE_RANK;
        APP_TRY(loreta_choose(l->r, &methods[m], &task, l->params[m]));
    }
done:
    akin_supervision_free(task.known);
    akin_rows_free(train);
    akin_rows_free(held_out);
    return st;
}

static akin_status measure_split(label_ranking *l, int64_t split)
{
    app *a = l->r->a;
    loreta_task task = {.examples = l->size.examples, .measure = measure};
    akin_status st = AKIN_OK;
    akin_ctx_set_seed(a->ctx, (uint64_t)a->common.seed + (uint64_t)split);
    close_rows(l);
    APP_TRY(open_rows(l));
    if (split == 0)
        APP_TRY(choose(l));
    APP_TRY(
        akin_supervision_new(&task.known, a->ctx, l->train, NULL, l->recipe));
    task.test = l->test;
    for (int64_t m = 0; m < METHODS; ++m)
        for (int64_t k = 0; k < count_ranks(l, m); ++k) {
            task.rank = methods[m].is_full ? 0 : l->size.ranks[k];
            APP_TRY(loreta_learn(l->r, &methods[m], l->params[m], &task,
                                 curves_of(l, m, k) + split));
            APP_TRY(reproduce_step(&l->r->steps));
        }
done:
    akin_supervision_free(task.known);
    return st;
}

/* ---- the run ------------------------------------------------------------ */

static akin_status add(label_ranking *l, int64_t m, int64_t k)
{
    const bool full = methods[m].is_full;
    json_t *row = loreta_row(l->r, &methods[m], l->params[m]);
    reproduce_put_text(row, "table", "labels");
    reproduce_put_count(row, "rank",
                        full ? akin_rows_dim(l->train) : l->size.ranks[k]);
    if (full)
        json_object_set_new(row, "full", json_true());
    return loreta_add(l->r, row, "5", curves_of(l, m, k));
}

static akin_status run_all(label_ranking *l)
{
    loreta_run *r = l->r;
    int64_t a_split = 0;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(r->a, METHODS * MOST_RANKS * r->n_splits, &l->curves));
    for (int64_t m = 0; m < METHODS; ++m)
        a_split += count_ranks(l, m);
    reproduce_begin(&r->steps, r->a,
                    (r->flags->quick ? 0 : METHODS) + r->n_splits * a_split);
    for (int64_t s = 0; s < r->n_splits; ++s)
        APP_TRY(measure_split(l, s));
    for (int64_t m = 0; m < METHODS; ++m)
        for (int64_t k = 0; k < count_ranks(l, m); ++k)
            APP_TRY(add(l, m, k));
done:
    reproduce_end(r->a);
    akin_ctx_set_seed(r->a->ctx, (uint64_t)r->a->common.seed);
    return st;
}

akin_status loreta_label_ranking(loreta_run *r, const char *train,
                                 const char *test)
{
    label_ranking *l = NULL;
    akin_status st = APP_NEW(r->a, 1, &l);
    if (st != AKIN_OK)
        return st;
    l->r = r;
    l->size = r->flags->quick ? quick : whole;
    l->train_path = train;
    l->test_path = test;
    st = run_all(l);
    close_rows(l);
    free(l->curves);
    free(l);
    return st;
}
