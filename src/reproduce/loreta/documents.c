/* Figure 3: similarity of documents by rank, at equal memory, along learning,
 * and for classes that were not in training.
 *
 * Documents are split at random, 65 % for training. Terms are chosen by
 * information gain on the training part. Every other document is a query and
 * should find the others of its class.
 *
 * For unseen classes, every fourth class is left out of training, beginning
 * with another one in each split; the queries are documents of these classes.
 */
#include <akin/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/loreta/loreta.h"

#define TRAIN 0.65   // of the documents
#define CHOOSE 0.75  // of these, for training while options are chosen

enum {
    USUAL = 100000,  // triplets
    QUICK = 20000,
    LONG = 1000000,
    BEST = 300000,
    PARTS = 4,  // of the classes; one of them is unseen
};

typedef struct text_size {
    int64_t features;
    int64_t rank;         // 0: full
    const char *weights;  // of the terms
} text_size;

static const text_size sizes[] = {
    {50000, 10, "tfidf"},    {16660, 30, "tfidf"}, {10000, 50, "tfidf"},
    {5000, 100, "tfidf"},    {1000, 0, "tfidf"},   {2000, 0, "tfidf"},
    {16660, 30, "sqrt-idf"}, {16660, 30, "tfidf"},
};
enum {
    SIZES = sizeof sizes / sizeof sizes[0],
    AT_30 = 1,
    AT_50 = 2,
    AT_FULL = 4,
    AT_BEST = 6,
    AT_UNSEEN = 7,  // unseen classes
};

#define UNIFORM AKIN_UNIFORM, NULL
#define WARP(and) AKIN_WARP, "hard negatives" and

/* The methods; the same ten times as long, and the best of all; and a method
 * for unseen classes alone, whose options are chosen in each split. */
static const loreta_method methods[] = {
    {"tfidf cosine", NULL, NULL, NULL, 0, false, false, UNIFORM},
    {"loreta-1", "loreta-1", NULL, "eta=10,3,1 score=cosine,dot", 0, false,
     true, UNIFORM},
    {"loreta-psd", "loreta-psd", NULL, "eta=10,3,1", 0, false, true, UNIFORM},
    {"loreta-1 warp", "loreta-1", NULL, "eta=10,3,30 score=cosine,dot", 0,
     false, true, WARP("")},
    {"loreta-psd warp", "loreta-psd", NULL, "eta=10,3,30", 0, false, true,
     WARP("")},
    {"loreta-psd warp, prototypes", "loreta-psd", "prototypes=60", "eta=10,5",
     0, false, true, WARP(", compared by prototypes")},
    {"pa", "pa", NULL, "C=0.3,0.1,1", 0, false, false, UNIFORM},
    {"gd", "gd", NULL, "eta=0.3,0.1,1", 0, false, false, UNIFORM},
    {"psd-gd", "psd-gd", NULL, "eta=0.3,0.1,1", 0, false, false, UNIFORM},
    {"oasis", "oasis", NULL, "C=0.1,0.01,1", 0, true, false, UNIFORM},
    {"lego", "lego", "eta=0.1", NULL, 2000, true, false, AKIN_UNIFORM,
     "2,000 triplets"},
    {"loreta-1", "loreta-1", NULL, "eta=3,10 score=cosine,dot", LONG, false,
     true, UNIFORM},
    {"loreta-psd", "loreta-psd", NULL, "eta=3,10", LONG, false, true, UNIFORM},
    {"loreta-psd warp, prototypes", "loreta-psd", "prototypes=60 eta=5", NULL,
     BEST, false, true, WARP(", compared by prototypes, terms by sqrt-idf")},
    {"loreta-psd beside tfidf", "loreta-psd", NULL, "eta=1,3 blend=3,1,10", 0,
     false, true, AKIN_UNIFORM, "both cosines"},
};
enum {
    METHODS = sizeof methods / sizeof methods[0],
    UNSEEN_ONLY = METHODS - 1,
};

typedef struct documents {
    loreta_run *r;
    akin_rows *counts;
    akin_rows *train_counts, *test_counts;  // of the current split
    akin_recipe *recipe;                    // of the current size
    akin_rows *train, *test;
    akin_supervision *known;
    char params[METHODS][REPRODUCE_PARAMS];
    loreta_curve *curves;  // METHODS x SIZES x splits
} documents;

static loreta_curve *curves_of(const documents *d, int64_t m, int64_t s)
{
    return d->curves + (m * SIZES + s) * d->r->n_splits;
}

static bool is_long(const loreta_method *m)
{
    return m->examples >= USUAL;
}

/* Is the method measured at this size? */
static bool fits(const loreta_run *r, int64_t m, int64_t s)
{
    const loreta_method *x = &methods[m];
    if (m == UNSEEN_ONLY)
        return s == AT_UNSEEN;
    if (r->flags->quick &&
        (is_long(x) || (s != AT_30 && s != AT_FULL && s != AT_UNSEEN)))
        return false;
    if (is_long(x))
        return s == (x->examples == BEST ? AT_BEST : AT_30);
    if (s == AT_BEST)
        return false;
    if (x->sampling == AKIN_WARP)
        return s == AT_30 || s == AT_50 || s == AT_UNSEEN;
    return x->learner == NULL || x->is_full == (sizes[s].rank == 0);
}

/* ---- rows --------------------------------------------------------------- */

static void close_rows(documents *d)
{
    akin_supervision_free(d->known);
    akin_rows_free(d->train);
    akin_rows_free(d->test);
    akin_recipe_free(d->recipe);
    d->known = NULL;
    d->train = d->test = NULL;
    d->recipe = NULL;
}

/* Apply a recipe of this size, which is fitted to `train`. */
static akin_status open_rows(documents *d, const akin_rows *train,
                             const akin_rows *test, const text_size *size)
{
    const akin_recipe_options then = {sizeof then, size->weights, "none", "l2",
                                      0};
    akin_ctx *ctx = d->r->a->ctx;
    akin_text_options o = AKIN_TEXT_DEFAULTS;
    akin_status st = AKIN_OK;
    o.features = size->features;
    APP_TRY(akin_text_fit(&d->recipe, ctx, train, &o, &then));
    APP_TRY(akin_recipe_apply(&d->train, ctx, d->recipe, train));
    APP_TRY(akin_recipe_apply(&d->test, ctx, d->recipe, test));
    APP_TRY(akin_supervision_new(&d->known, ctx, d->train, NULL, d->recipe));
done:
    return st;
}

static akin_status split_rows(loreta_run *r, const akin_rows *rows,
                              double fraction, akin_rows **first,
                              akin_rows **second)
{
    akin_ctx *ctx = r->a->ctx;
    int64_t *a = NULL, *b = NULL, n_a, n_b;
    akin_status st = AKIN_OK;
    APP_TRY(akin_split(&a, &n_a, &b, &n_b, ctx, rows, fraction, 0));
    APP_TRY(akin_rows_select(first, ctx, rows, a, n_a));
    APP_TRY(akin_rows_select(second, ctx, rows, b, n_b));
done:
    akin_free(a);
    akin_free(b);
    return st;
}

/* The rows whose class is in one of the parts; part p has the bit 1 << p. */
static akin_status rows_of_parts(documents *d, const akin_rows *rows,
                                 unsigned parts, akin_rows **out)
{
    app *a = d->r->a;
    const int64_t n = akin_rows_count(rows);
    int64_t *chosen = NULL, count = 0;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n + 1, &chosen));
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *labels;
        if (akin_rows_labels(&labels, rows, i) > 0 &&
            (parts >> (labels[0] % PARTS) & 1U))
            chosen[count++] = i;
    }
    APP_TRY(akin_rows_select(out, a->ctx, rows, chosen, count));
done:
    free(chosen);
    return st;
}

/* Train on the parts `known`, test on documents of `from` in the parts
 * `tested`. */
static akin_status open_parts(documents *d, unsigned known,
                              const akin_rows *from, unsigned tested)
{
    akin_rows *train = NULL, *test = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(rows_of_parts(d, d->train_counts, known, &train));
    APP_TRY(rows_of_parts(d, from, tested, &test));
    APP_TRY(open_rows(d, train, test, &sizes[AT_UNSEEN]));
done:
    akin_rows_free(train);
    akin_rows_free(test);
    return st;
}

static akin_status open_size(documents *d, int64_t split, int64_t s)
{
    const unsigned unseen = 1U << (split % PARTS);
    if (s == AT_UNSEEN)
        return open_parts(d, ~unseen, d->test_counts, unseen);
    return open_rows(d, d->train_counts, d->test_counts, &sizes[s]);
}

/* ---- learning ----------------------------------------------------------- */

static akin_status measure(akin_ctx *ctx, const akin_model *m,
                           const akin_rows *test, double *map)
{
    const akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval found;
    const akin_status st = akin_eval_retrieval(&found, NULL, ctx, m, test, &o);
    *map = 100.0 * found.map;
    return st;
}

static loreta_task task_of(const documents *d, int64_t s)
{
    return (loreta_task){d->known, d->test, sizes[s].rank,
                         d->r->flags->quick ? QUICK : USUAL, measure};
}

/* Options are chosen on the first split, by a part of its training rows. */
static akin_status choose(documents *d)
{
    akin_rows *train = NULL, *held_out = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(split_rows(d->r, d->train_counts, CHOOSE, &train, &held_out));
    for (int full = 0; full < 2; ++full) {
        const int64_t s = full ? AT_FULL : AT_30;
        APP_TRY(open_rows(d, train, held_out, &sizes[s]));
        const loreta_task task = task_of(d, s);
        for (int64_t m = 0; m < UNSEEN_ONLY; ++m)
            if (methods[m].is_full == full)
                APP_TRY(loreta_choose(d->r, &methods[m], &task, d->params[m]));
        close_rows(d);
    }
done:
    akin_rows_free(train);
    akin_rows_free(held_out);
    return st;
}

static bool has_params(const char *list, const char *params)
{
    const size_t n = strlen(params);
    for (const char *p = strstr(list, params); p; p = strstr(p + 1, params))
        if (p[n] == '\0' || p[n] == ' ')
            return true;
    return false;
}

/* In each split, by the next part of the classes, which is held out; the
 * validation documents are training documents, too. `params` lists what all
 * splits have chosen. */
static akin_status choose_unseen(documents *d, int64_t split, char *chosen)
{
    const unsigned unseen = 1U << (split % PARTS);
    const unsigned held_out = 1U << ((split + 1) % PARTS);
    char *params = d->params[UNSEEN_ONLY];
    akin_status st = AKIN_OK;
    close_rows(d);
    APP_TRY(open_parts(d, ~(unseen | held_out), d->train_counts, held_out));
    const loreta_task task = task_of(d, AT_UNSEEN);
    APP_TRY(loreta_choose(d->r, &methods[UNSEEN_ONLY], &task, chosen));
    const size_t at = strlen(params);
    if (!has_params(params, chosen))
        snprintf(params + at, REPRODUCE_PARAMS - at, "%s%s", at ? " or " : "",
                 chosen);
    close_rows(d);
    APP_TRY(open_size(d, split, AT_UNSEEN));
done:
    return st;
}

static akin_status measure_size(documents *d, int64_t split, int64_t s)
{
    char chosen[REPRODUCE_PARAMS];
    akin_status st = AKIN_OK;
    APP_TRY(open_size(d, split, s));
    for (int64_t m = 0; m < METHODS; ++m) {
        if (!fits(d->r, m, s))
            continue;
        if (m == UNSEEN_ONLY)
            APP_TRY(choose_unseen(d, split, chosen));
        const loreta_task task = task_of(d, s);
        APP_TRY(loreta_learn(d->r, &methods[m],
                             m == UNSEEN_ONLY ? chosen : d->params[m], &task,
                             curves_of(d, m, s) + split));
        APP_TRY(reproduce_step(&d->r->steps));
    }
done:
    close_rows(d);
    return st;
}

static akin_status measure_split(documents *d, int64_t split)
{
    app *a = d->r->a;
    akin_status st = AKIN_OK;
    akin_ctx_set_seed(a->ctx, (uint64_t)a->common.seed + (uint64_t)split);
    APP_TRY(
        split_rows(d->r, d->counts, TRAIN, &d->train_counts, &d->test_counts));
    if (split == 0)
        APP_TRY(choose(d));
    for (int64_t s = 0; s < SIZES; ++s)
        APP_TRY(measure_size(d, split, s));
done:
    close_rows(d);
    akin_rows_free(d->train_counts);
    akin_rows_free(d->test_counts);
    d->train_counts = d->test_counts = NULL;
    return st;
}

/* ---- the run ------------------------------------------------------------ */

/* The rows of a method at a size. */
static akin_status add(documents *d, int64_t m, int64_t s)
{
    const bool quick = d->r->flags->quick;
    const loreta_method *x = &methods[m];
    char table[48] = "classes not in training";
    if (s != AT_UNSEEN)
        snprintf(table, sizeof table, "%lld triplets",
                 (long long)(is_long(x) ? x->examples
                             : quick    ? QUICK
                                        : USUAL));
    json_t *row = loreta_row(d->r, x, d->params[m]);
    reproduce_put_text(row, "table", table);
    reproduce_put_count(row, "features", sizes[s].features);
    if (sizes[s].rank > 0 && x->learner != NULL)
        reproduce_put_count(row, "rank", sizes[s].rank);
    if (m == UNSEEN_ONLY && !quick)
        reproduce_put_text(row, "chosen",
                           "validated in each split on held-out classes");
    return loreta_add(d->r, row,
                      s == AT_UNSEEN ? "unseen"
                      : is_long(x)   ? "3a long"
                                     : "3a",
                      curves_of(d, m, s));
}

static akin_status add_all(documents *d)
{
    akin_status st = AKIN_OK;
    for (int64_t m = 0; m < METHODS; ++m)
        for (int64_t s = 0; s < AT_UNSEEN; ++s)
            if (fits(d->r, m, s))
                APP_TRY(add(d, m, s));
    for (int64_t m = 0; m < METHODS; ++m)
        if (fits(d->r, m, AT_UNSEEN))
            APP_TRY(add(d, m, AT_UNSEEN));
done:
    return st;
}

static int64_t count_steps(const loreta_run *r)
{
    int64_t a_split = 0, once = 0;
    for (int64_t m = 0; m < METHODS; ++m) {
        const bool chooses = methods[m].grid != NULL && !r->flags->quick;
        *(m == UNSEEN_ONLY ? &a_split : &once) += chooses;
        for (int64_t s = 0; s < SIZES; ++s)
            a_split += fits(r, m, s);
    }
    return once + r->n_splits * a_split;
}

akin_status loreta_documents(loreta_run *r, const char *counts)
{
    documents *d = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(r->a, 1, &d));
    d->r = r;
    APP_TRY(akin_rows_read(&d->counts, r->a->ctx, counts, NULL));
    if (akin_rows_label_count(d->counts) < PARTS)
        APP_TRY(app_fail(r->a, AKIN_EINVAL,
                         "%s: %lld classes (expected %d or more)", counts,
                         (long long)akin_rows_label_count(d->counts), PARTS));
    APP_TRY(APP_NEW(r->a, METHODS * SIZES * r->n_splits, &d->curves));
    reproduce_begin(&r->steps, r->a, count_steps(r));
    for (int64_t s = 0; s < r->n_splits; ++s)
        APP_TRY(measure_split(d, s));
    APP_TRY(add_all(d));
done:
    reproduce_end(r->a);
    akin_ctx_set_seed(r->a->ctx, (uint64_t)r->a->common.seed);
    if (d != NULL) {
        akin_rows_free(d->counts);
        free(d->curves);
        free(d);
    }
    return st;
}
