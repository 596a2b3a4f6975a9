/* Figure 3: similarity of documents by rank, at equal memory, and along
 * learning; and on classes that were not in training.
 *
 * Documents are split at random, 65 % to learn from. Terms are chosen by
 * information gain on that part. Every document of the rest asks for the
 * others of its class. */
#include <akin/text.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/loreta.h"

#define PART 0.65    // of the documents, to learn from
#define CHOOSE 0.75  // of these, while options are chosen

enum { FIRST_POINT = 1000, USUAL = 100000, LONG = 1000000, QUICK = 20000 };

/* Features and rank; their product, the memory, is the same. */
typedef struct size {
    int64_t features, rank;  // rank 0: full
} size;

static const size sizes[] = {{50000, 10}, {16660, 30}, {10000, 50},
                             {5000, 100}, {1000, 0},   {2000, 0}};
enum {
    SIZES = sizeof sizes / sizeof sizes[0],
    AT_30 = 1,
    AT_50 = 2,
    AT_FULL = 4
};

static const loreta_method methods[] = {
    {"tfidf cosine", NULL, NULL, NULL, 0, false, false, AKIN_UNIFORM, ""},
    {"loreta-1", "loreta-1", NULL, "eta=10,3,1", 0, false, true, AKIN_UNIFORM,
     ""},
    {"loreta-psd", "loreta-psd", NULL, "eta=10,3,1", 0, false, true,
     AKIN_UNIFORM, ""},
    {"loreta-1 warp", "loreta-1", NULL, "eta=10,3,30", 0, false, true,
     AKIN_WARP, "hard negatives"},
    {"loreta-psd warp", "loreta-psd", NULL, "eta=10,3,30", 0, false, true,
     AKIN_WARP, "hard negatives"},
    {"loreta-psd warp, prototypes", "loreta-psd", "prototypes=60", "eta=10,5",
     0, false, true, AKIN_WARP, "hard negatives, compared by heaps"},
    {"pa", "pa", NULL, "C=0.1,0.01,1", 0, false, false, AKIN_UNIFORM, ""},
    {"gd", "gd", NULL, "eta=0.3,0.1,1", 0, false, false, AKIN_UNIFORM, ""},
    {"psd-gd", "psd-gd", NULL, "eta=0.3,0.1,1", 0, false, false, AKIN_UNIFORM,
     ""},
    {"oasis", "oasis", NULL, "C=0.1,0.01,1", 0, true, false, AKIN_UNIFORM, ""},
    {"lego", "lego", "eta=0.1", NULL, 2000, true, false, AKIN_UNIFORM,
     "2,000 triplets"},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* The same, ten times as long. */
static const loreta_method longer[] = {
    {"loreta-1", "loreta-1", NULL, "eta=3,10,1", LONG, false, true,
     AKIN_UNIFORM, ""},
    {"loreta-psd", "loreta-psd", NULL, "eta=3,10,1", LONG, false, true,
     AKIN_UNIFORM, ""},
};
enum { LONGER = sizeof longer / sizeof longer[0] };

typedef struct text {
    loreta_run *r;
    akin_rows *counts;
    akin_rows *train_counts, *test_counts;  // of the split at work
    akin_recipe *recipe;                    // of the size at work
    akin_rows *train, *test;
    akin_supervision *known;
    char params[METHODS + LONGER][96];
    loreta_curve *curves[METHODS + LONGER][SIZES];  // one a split
    loreta_curve *unseen[METHODS];
} text;

static const loreta_method *method_at(int64_t m)
{
    return m < METHODS ? &methods[m] : &longer[m - METHODS];
}

/* ---- rows of a split and a size ---------------------------------------------
 */

static akin_status part(text *t, const akin_rows *rows, double fraction,
                        akin_rows **first, akin_rows **second)
{
    akin_ctx *ctx = t->r->a->ctx;
    int64_t *a = NULL, *b = NULL, n_a, n_b;
    akin_status st = AKIN_OK;
    APP_TRY(akin_split(&a, &n_a, &b, &n_b, ctx, rows, fraction, 0));
    APP_TRY(akin_rows_select(first, ctx, rows, a, n_a));
    APP_TRY(akin_rows_select(second, ctx, rows, b, n_b));
done:
    akin_free(ctx, a);
    akin_free(ctx, b);
    return st;
}

static void close_size(text *t)
{
    akin_supervision_free(t->known);
    akin_rows_free(t->train);
    akin_rows_free(t->test);
    akin_recipe_free(t->recipe);
    t->known = NULL;
    t->train = t->test = NULL;
    t->recipe = NULL;
}

static akin_status open_size(text *t, const akin_rows *train,
                             const akin_rows *test, int64_t features)
{
    const akin_recipe_options then = {sizeof then, "tfidf", "none", "l2", 0};
    akin_ctx *ctx = t->r->a->ctx;
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    akin_status st = AKIN_OK;
    o.features = features;
    APP_TRY(akin_text_fit(&t->recipe, ctx, train, &o, &then));
    APP_TRY(akin_recipe_apply(&t->train, ctx, t->recipe, train));
    APP_TRY(akin_recipe_apply(&t->test, ctx, t->recipe, test));
    APP_TRY(akin_supervision_new(&t->known, ctx, t->train, NULL, t->recipe));
done:
    return st;
}

/* ---- one method -------------------------------------------------------------
 */

/* Every row of the test asks for the others of its class. */
static akin_status judge(loreta_run *r, const akin_model *m, const void *with,
                         double *map)
{
    const text *t = with;
    const akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval found;
    const akin_status st =
        akin_eval_retrieval(&found, NULL, r->a->ctx, m, t->test, &o);
    *map = 100.0 * found.map;
    return st;
}

static int64_t points_of(const loreta_run *r, const loreta_method *m,
                         int64_t *points)
{
    const int64_t usual = r->flags->quick ? QUICK : USUAL;
    const int64_t last = m->examples ? m->examples : usual;
    return loreta_points(
        FIRST_POINT, last < usual || !r->flags->quick ? last : usual, points);
}

static akin_status run_method(text *t, const loreta_method *m,
                              const char *params, int64_t rank,
                              loreta_curve *out)
{
    loreta_run *r = t->r;
    int64_t points[LORETA_POINTS];
    char fixed[32] = "";
    if (m->learner == NULL) {
        akin_model *cosine = NULL;
        *out = (loreta_curve){.n = 1};
        akin_status st =
            akin_model_builtin(&cosine, r->a->ctx, "cosine", t->test);
        if (st == AKIN_OK)
            st = judge(r, cosine, t, &out->at[0].map);
        akin_model_free(cosine);
        return st;
    }
    if (rank > 0)
        snprintf(fixed, sizeof fixed, "rank=%lld", (long long)rank);
    return loreta_learn(r, m, fixed, params, t->known, points,
                        points_of(r, m, points), judge, t, out);
}

static akin_status score(loreta_run *r, const loreta_method *m,
                         const char *params, void *with, double *map)
{
    text *t = with;
    loreta_method last_only = *m;
    loreta_curve c;
    (void)r;
    last_only.is_curve = false;
    const akin_status st = run_method(t, &last_only, params,
                                      m->is_full ? 0 : sizes[AT_30].rank, &c);
    if (st == AKIN_OK)
        *map = c.at[c.n - 1].map;
    return st;
}

/* ---- the parts of a run -----------------------------------------------------
 */

/* Options are chosen on the first split, by a part of what it learns from. */
static akin_status choose(text *t)
{
    loreta_run *r = t->r;
    akin_rows *train = NULL, *held = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(part(t, t->train_counts, CHOOSE, &train, &held));
    for (int full = 0; full < 2; ++full) {
        APP_TRY(
            open_size(t, train, held, sizes[full ? AT_FULL : AT_30].features));
        for (int64_t m = 0; m < METHODS + LONGER; ++m)
            if (method_at(m)->is_full == full)
                APP_TRY(loreta_choose(r, method_at(m), score, t, t->params[m]));
        close_size(t);
    }
done:
    akin_rows_free(train);
    akin_rows_free(held);
    return st;
}

/* Which methods meet which sizes. */
static bool fits(const loreta_run *r, int64_t m, int64_t s)
{
    if (r->flags->quick && (m >= METHODS || (s != AT_30 && s != AT_FULL)))
        return false;
    if (m >= METHODS)
        return s == AT_30;
    if (methods[m].sampling == AKIN_WARP)
        return s == AT_30 || s == AT_50;
    return methods[m].learner == NULL ||
           methods[m].is_full == (sizes[s].rank == 0);
}

static akin_status measure_size(text *t, int64_t split, int64_t s)
{
    akin_status st = AKIN_OK;
    APP_TRY(open_size(t, t->train_counts, t->test_counts, sizes[s].features));
    for (int64_t m = 0; m < METHODS + LONGER; ++m)
        if (fits(t->r, m, s)) {
            APP_TRY(run_method(t, method_at(m), t->params[m], sizes[s].rank,
                               &t->curves[m][s][split]));
            APP_TRY(reproduce_step(&t->r->steps));
        }
done:
    close_size(t);
    return st;
}

/* The rows of every fourth class, beginning with another one in each split;
 * or those of all others. */
static akin_status quarter(text *t, const akin_rows *rows, int64_t split,
                           bool is_fourth, akin_rows **out)
{
    app *a = t->r->a;
    const int64_t n = akin_rows_count(rows);
    int64_t *chosen = NULL, count = 0;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n + 1, &chosen));
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *labels;
        if (akin_rows_labels(rows, i, &labels) > 0 &&
            (labels[0] % 4 == split % 4) == is_fourth)
            chosen[count++] = i;
    }
    APP_TRY(akin_rows_select(out, a->ctx, rows, chosen, count));
done:
    free(chosen);
    return st;
}

static akin_status measure_unseen(text *t, int64_t split)
{
    akin_rows *train = NULL, *test = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(quarter(t, t->train_counts, split, false, &train));
    APP_TRY(quarter(t, t->test_counts, split, true, &test));
    APP_TRY(open_size(t, train, test, sizes[AT_30].features));
    for (int64_t m = 0; m < METHODS; ++m)
        if (fits(t->r, m, AT_30)) {
            APP_TRY(run_method(t, &methods[m], t->params[m], sizes[AT_30].rank,
                               &t->unseen[m][split]));
            APP_TRY(reproduce_step(&t->r->steps));
        }
done:
    close_size(t);
    akin_rows_free(train);
    akin_rows_free(test);
    return st;
}

static akin_status measure_split(text *t, int64_t split)
{
    akin_status st = AKIN_OK;
    akin_ctx_set_seed(t->r->a->ctx,
                      (uint64_t)t->r->a->common.seed + (uint64_t)split);
    APP_TRY(part(t, t->counts, PART, &t->train_counts, &t->test_counts));
    if (split == 0)
        APP_TRY(choose(t));
    for (int64_t s = 0; s < SIZES; ++s)
        APP_TRY(measure_size(t, split, s));
    APP_TRY(measure_unseen(t, split));
done:
    akin_rows_free(t->train_counts);
    akin_rows_free(t->test_counts);
    t->train_counts = t->test_counts = NULL;
    return st;
}

/* ---- rows -------------------------------------------------------------------
 */

static akin_status add(text *t, int64_t m, int64_t s, const char *table,
                       const char *figure, const loreta_curve *curves)
{
    json_t *row = loreta_row(t->r, method_at(m), t->params[m]);
    akin_status st;
    if (row == NULL)
        return app_fail(t->r->a, AKIN_ENOMEM, "out of memory");
    json_object_set_new(row, "table", json_string(table));
    json_object_set_new(row, "features", json_integer(sizes[s].features));
    if (sizes[s].rank > 0 && method_at(m)->learner != NULL)
        json_object_set_new(row, "rank", json_integer(sizes[s].rank));
    st = loreta_add(t->r, row, figure, curves);
    json_decref(row);
    return st;
}

static akin_status add_all(text *t)
{
    char usual[48], more[48];
    akin_status st = AKIN_OK;
    snprintf(usual, sizeof usual, "%d triplets",
             t->r->flags->quick ? QUICK : USUAL);
    snprintf(more, sizeof more, "%d triplets", LONG);
    for (int64_t m = 0; m < METHODS + LONGER; ++m)
        for (int64_t s = 0; s < SIZES; ++s)
            if (fits(t->r, m, s))
                APP_TRY(add(t, m, s, m < METHODS ? usual : more,
                            m < METHODS ? "3a" : "3a long", t->curves[m][s]));
    for (int64_t m = 0; m < METHODS; ++m)
        if (fits(t->r, m, AT_30))
            APP_TRY(add(t, m, AT_30, "classes not in training", "unseen",
                        t->unseen[m]));
done:
    return st;
}

/* ---- the run ----------------------------------------------------------------
 */

static int64_t count_steps(const loreta_run *r)
{
    int64_t a_split = 0, once = 0;
    for (int64_t m = 0; m < METHODS + LONGER; ++m) {
        for (int64_t s = 0; s < SIZES; ++s)
            a_split += fits(r, m, s);
        a_split += m < METHODS && fits(r, m, AT_30);
        once += method_at(m)->grid != NULL && !r->flags->quick;
    }
    return once + r->n_splits * a_split;
}

static akin_status make_room(text *t)
{
    akin_status st = AKIN_OK;
    for (int64_t m = 0; m < METHODS + LONGER; ++m) {
        for (int64_t s = 0; s < SIZES; ++s)
            APP_TRY(APP_NEW(t->r->a, t->r->n_splits, &t->curves[m][s]));
        if (m < METHODS)
            APP_TRY(APP_NEW(t->r->a, t->r->n_splits, &t->unseen[m]));
    }
done:
    return st;
}

static void text_free(text *t)
{
    akin_rows_free(t->counts);
    for (int64_t m = 0; m < METHODS + LONGER; ++m) {
        for (int64_t s = 0; s < SIZES; ++s)
            free(t->curves[m][s]);
        if (m < METHODS)
            free(t->unseen[m]);
    }
    free(t);
}

akin_status loreta_text(loreta_run *r, const char *counts)
{
    text *t = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(r->a, 1, &t));
    t->r = r;
    APP_TRY(akin_rows_read(&t->counts, r->a->ctx, counts, NULL));
    if (akin_rows_label_count(t->counts) < 4)
        APP_TRY(app_fail(r->a, AKIN_EINVAL, "%s: %lld classes (4 or more)",
                         counts, (long long)akin_rows_label_count(t->counts)));
    APP_TRY(make_room(t));
    reproduce_begin(&r->steps, r->a, count_steps(r));
    for (int64_t s = 0; s < r->n_splits; ++s)
        APP_TRY(measure_split(t, s));
    APP_TRY(add_all(t));
done:
    reproduce_end(r->a);
    akin_ctx_set_seed(r->a->ctx, (uint64_t)r->a->common.seed);
    if (t != NULL)
        text_free(t);
    return st;
}
