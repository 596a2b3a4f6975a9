/* Figure 3: similarity of documents by rank, at equal memory, and along
 * learning; and on classes that were not in training.
 *
 * Documents are split at random, 65 % to learn from. Terms are chosen by
 * information gain on that part. Every document of the rest asks for the
 * others of its class. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/loreta/text.h"

#define PART 0.65    // of the documents, to learn from
#define CHOOSE 0.75  // of these, while options are chosen

enum { LONG = 1000000, BEST = 300000 };

static const loreta_size sizes[] = {
    {50000, 10, "tfidf"},    {16660, 30, "tfidf"}, {10000, 50, "tfidf"},
    {5000, 100, "tfidf"},    {1000, 0, "tfidf"},   {2000, 0, "tfidf"},
    {16660, 30, "sqrt-idf"},
};
enum {
    SIZES = sizeof sizes / sizeof sizes[0],
    AT_30 = 1,
    AT_50 = 2,
    AT_FULL = 4,
    AT_BEST = 6
};

static const loreta_method methods[] = {
    {"tfidf cosine", NULL, NULL, NULL, 0, false, false, AKIN_UNIFORM, ""},
    {"loreta-1", "loreta-1", NULL, "eta=10,3,1 score=cosine,dot", 0, false,
     true, AKIN_UNIFORM, ""},
    {"loreta-psd", "loreta-psd", NULL, "eta=10,3,1", 0, false, true,
     AKIN_UNIFORM, ""},
    {"loreta-1 warp", "loreta-1", NULL, "eta=10,3,30 score=cosine,dot", 0,
     false, true, AKIN_WARP, "hard negatives"},
    {"loreta-psd warp", "loreta-psd", NULL, "eta=10,3,30", 0, false, true,
     AKIN_WARP, "hard negatives"},
    {"loreta-psd warp, prototypes", "loreta-psd", "prototypes=60", "eta=10,5",
     0, false, true, AKIN_WARP, "hard negatives, compared by heaps"},
    {"pa", "pa", NULL, "C=0.3,0.1,1", 0, false, false, AKIN_UNIFORM, ""},
    {"gd", "gd", NULL, "eta=0.3,0.1,1", 0, false, false, AKIN_UNIFORM, ""},
    {"psd-gd", "psd-gd", NULL, "eta=0.3,0.1,1", 0, false, false, AKIN_UNIFORM,
     ""},
    {"oasis", "oasis", NULL, "C=0.1,0.01,1", 0, true, false, AKIN_UNIFORM, ""},
    {"lego", "lego", "eta=0.1", NULL, 2000, true, false, AKIN_UNIFORM,
     "2,000 triplets"},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* The same ten times as long, and what is best of all. */
static const loreta_method longer[] = {
    {"loreta-1", "loreta-1", NULL, "eta=3,10 score=cosine,dot", LONG, false,
     true, AKIN_UNIFORM, ""},
    {"loreta-psd", "loreta-psd", NULL, "eta=3,10", LONG, false, true,
     AKIN_UNIFORM, ""},
    {"loreta-psd warp, prototypes", "loreta-psd", "prototypes=60 eta=5", NULL,
     BEST, false, true, AKIN_WARP,
     "hard negatives, compared by heaps, terms by sqrt-idf"},
};
enum { LONGER = sizeof longer / sizeof longer[0] };

typedef struct text {
    loreta_text_run now;
    loreta_run *r;
    akin_rows *counts;
    char params[METHODS + LONGER][96];
    loreta_curve *curves[METHODS + LONGER][SIZES];  // one a split
    loreta_curve *unseen[METHODS];
    char apart_params[LORETA_UNSEEN][96];
    loreta_curve *apart[LORETA_UNSEEN];
} text;

static const loreta_method *method_at(int64_t m)
{
    return m < METHODS ? &methods[m] : &longer[m - METHODS];
}

/* ---- splits ------------------------------------------------------------- */

static akin_status part(loreta_run *r, const akin_rows *rows, double fraction,
                        akin_rows **first, akin_rows **second)
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

/* ---- the parts of a run ------------------------------------------------- */

/* Options are chosen on the first split, by a part of what it learns from. */
static akin_status choose(text *t)
{
    loreta_text_run *now = &t->now;
    akin_rows *train = NULL, *held = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(part(t->r, now->train_counts, CHOOSE, &train, &held));
    for (int full = 0; full < 2; ++full) {
        APP_TRY(
            loreta_text_open(now, train, held, sizes[full ? AT_FULL : AT_30]));
        for (int64_t m = 0; m < METHODS + LONGER; ++m)
            if (method_at(m)->is_full == full)
                APP_TRY(loreta_choose(t->r, method_at(m), loreta_text_score,
                                      now, t->params[m]));
        loreta_text_close(now);
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
        return s == (method_at(m)->examples == BEST ? AT_BEST : AT_30);
    if (s == AT_BEST)
        return false;
    if (methods[m].sampling == AKIN_WARP)
        return s == AT_30 || s == AT_50;
    return methods[m].learner == NULL ||
           methods[m].is_full == (sizes[s].rank == 0);
}

static akin_status measure_size(text *t, int64_t split, int64_t s)
{
    loreta_text_run *now = &t->now;
    akin_status st = AKIN_OK;
    APP_TRY(
        loreta_text_open(now, now->train_counts, now->test_counts, sizes[s]));
    for (int64_t m = 0; m < METHODS + LONGER; ++m)
        if (fits(t->r, m, s)) {
            APP_TRY(loreta_text_measure(now, method_at(m), t->params[m],
                                        &t->curves[m][s][split]));
            APP_TRY(reproduce_step(&t->r->steps));
        }
done:
    loreta_text_close(now);
    return st;
}

static akin_status measure_unseen(text *t, int64_t split)
{
    loreta_text_run *now = &t->now;
    const loreta_size at = sizes[AT_30];
    akin_status st = AKIN_OK;
    APP_TRY(loreta_unseen_open(now, split, at));
    for (int64_t m = 0; m < METHODS; ++m)
        if (fits(t->r, m, AT_30)) {
            APP_TRY(loreta_text_measure(now, &methods[m], t->params[m],
                                        &t->unseen[m][split]));
            APP_TRY(reproduce_step(&t->r->steps));
        }
    loreta_text_close(now);
    APP_TRY(loreta_unseen_measure(now, split, at, t->apart_params, t->apart));
done:
    loreta_text_close(now);
    return st;
}

static akin_status measure_split(text *t, int64_t split)
{
    loreta_text_run *now = &t->now;
    akin_status st = AKIN_OK;
    akin_ctx_set_seed(t->r->a->ctx,
                      (uint64_t)t->r->a->common.seed + (uint64_t)split);
    APP_TRY(part(t->r, t->counts, PART, &now->train_counts, &now->test_counts));
    if (split == 0)
        APP_TRY(choose(t));
    for (int64_t s = 0; s < SIZES; ++s)
        APP_TRY(measure_size(t, split, s));
    APP_TRY(measure_unseen(t, split));
done:
    loreta_text_close(now);
    akin_rows_free(now->train_counts);
    akin_rows_free(now->test_counts);
    now->train_counts = now->test_counts = NULL;
    return st;
}

/* ---- rows --------------------------------------------------------------- */

/* The rows of a method at a size; `chosen`: how its options were, where not as
 * usual. */
static akin_status add(text *t, const loreta_method *m, const char *params,
                       const char *chosen, loreta_size at, const char *table,
                       const char *figure, const loreta_curve *curves)
{
    json_t *row = loreta_row(t->r, m, params);
    akin_status st;
    if (row == NULL)
        return app_fail(t->r->a, AKIN_ENOMEM, "out of memory");
    json_object_set_new(row, "table", json_string(table));
    json_object_set_new(row, "features", json_integer(at.features));
    if (at.rank > 0 && m->learner != NULL)
        json_object_set_new(row, "rank", json_integer(at.rank));
    if (chosen != NULL && !t->r->flags->quick)
        json_object_set_new(row, "chosen", json_string(chosen));
    st = loreta_add(t->r, row, figure, curves);
    json_decref(row);
    return st;
}

static akin_status add_seen(text *t)
{
    const int64_t usual = t->r->flags->quick ? LORETA_QUICK : LORETA_USUAL;
    akin_status st = AKIN_OK;
    for (int64_t m = 0; m < METHODS + LONGER; ++m) {
        const bool is_long = m >= METHODS;
        char table[48];
        snprintf(table, sizeof table, "%lld triplets",
                 (long long)(is_long ? method_at(m)->examples : usual));
        for (int64_t s = 0; s < SIZES; ++s)
            if (fits(t->r, m, s))
                APP_TRY(add(t, method_at(m), t->params[m], NULL, sizes[s],
                            table, is_long ? "3a long" : "3a",
                            t->curves[m][s]));
    }
done:
    return st;
}

static akin_status add_unseen(text *t)
{
    static const char table[] = "classes not in training";
    const loreta_size at = sizes[AT_30];
    akin_status st = AKIN_OK;
    for (int64_t m = 0; m < METHODS; ++m)
        if (fits(t->r, m, AT_30))
            APP_TRY(add(t, &methods[m], t->params[m], NULL, at, table, "unseen",
                        t->unseen[m]));
    for (int64_t m = 0; m < LORETA_UNSEEN; ++m)
        APP_TRY(add(t, &loreta_unseen[m], t->apart_params[m],
                    "validated in each split on classes kept back", at, table,
                    "unseen", t->apart[m]));
done:
    return st;
}

/* ---- the run ------------------------------------------------------------ */

static int64_t count_steps(const loreta_run *r)
{
    int64_t a_split = 0, once = 0;
    for (int64_t m = 0; m < METHODS + LONGER; ++m) {
        for (int64_t s = 0; s < SIZES; ++s)
            a_split += fits(r, m, s);
        a_split += m < METHODS && fits(r, m, AT_30);
        once += method_at(m)->grid != NULL && !r->flags->quick;
    }
    a_split += LORETA_UNSEEN * (r->flags->quick ? 1 : 2);
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
    for (int64_t m = 0; m < LORETA_UNSEEN; ++m)
        APP_TRY(APP_NEW(t->r->a, t->r->n_splits, &t->apart[m]));
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
    for (int64_t m = 0; m < LORETA_UNSEEN; ++m)
        free(t->apart[m]);
    free(t);
}

akin_status loreta_text(loreta_run *r, const char *counts)
{
    text *t = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(r->a, 1, &t));
    t->r = t->now.r = r;
    APP_TRY(akin_rows_read(&t->counts, r->a->ctx, counts, NULL));
    if (akin_rows_label_count(t->counts) < 4)
        APP_TRY(app_fail(r->a, AKIN_EINVAL, "%s: %lld classes (4 or more)",
                         counts, (long long)akin_rows_label_count(t->counts)));
    APP_TRY(make_room(t));
    reproduce_begin(&r->steps, r->a, count_steps(r));
    for (int64_t s = 0; s < r->n_splits; ++s)
        APP_TRY(measure_split(t, s));
    APP_TRY(add_seen(t));
    APP_TRY(add_unseen(t));
done:
    reproduce_end(r->a);
    akin_ctx_set_seed(r->a->ctx, (uint64_t)r->a->common.seed);
    if (t != NULL)
        text_free(t);
    return st;
}
