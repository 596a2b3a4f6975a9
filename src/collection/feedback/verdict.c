/* Is a new model better? Queries are divided into FOLDS parts, and each part is
 * ranked by models that learned from the others: the new one from what was said
 * until now, the one in use from what it knew. Where events have too few
 * queries, items with labels are queries of the verdict too. */
#include <akin/learn.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "collection/feedback/learning.h"
#include "collection/feedback/residual.h"
#include "model/model.h"

enum { FOLDS = 5 };

static bool is_of(const ak_triple *x, int64_t fold)
{
    return fold >= 0 && x->fold >= 0 && x->fold % FOLDS == fold;
}

/* Judgements count twice. The order is drawn. */
static int64_t draw_order(const ak_learning *l, unsigned to, int64_t fold,
                          int64_t *order)
{
    ak_rng rng = ak_rng_new(AK_LEARN_SEED, AK_STREAM_ORDER);
    int64_t n = 0;
    for (int64_t i = 0; i < l->n; ++i) {
        const ak_triple *x = &l->all[i];
        if ((x->to & to) == 0 || is_of(x, fold))
            continue;
        order[n++] = i;
        if (x->judged)
            order[n++] = i;
    }
    for (int64_t i = n - 1; i > 0; --i) {
        const int64_t j = ak_rng_below(&rng, i + 1), other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
    return n;
}

akin_status ak_learning_model(const ak_learning *l, ak_ready_rows x,
                              unsigned to, int64_t fold, akin_model **out)
{
    const ak_mark mark = ak_scratch_begin(l->ctx);
    int64_t *order, *numbers;
    akin_supervision *known = NULL;
    akin_options *options = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(l->ctx, 2 * l->n, &order));
    AK_TRY(AK_SCRATCH(l->ctx, 6 * l->n, &numbers));
    const int64_t n = draw_order(l, to, fold, order);
    if (n == 0) {
        AK_TRY(ak_model_copy(out, l->ctx, l->plain));
        goto done;
    }
    for (int64_t i = 0; i < n; ++i) {
        memcpy(numbers + 3 * i, l->numbers + 3 * order[i], 3 * sizeof *numbers);
        numbers[3 * i] += x.shift;
    }
    AK_TRY(akin_supervision_new(&known, l->ctx, x.rows, NULL,
                                akin_model_recipe(l->plain, AKIN_LEFT)));
    AK_TRY(akin_supervision_set(l->ctx, known, AKIN_TRIPLETS, numbers, n));
    AK_TRY(akin_options_new(&options, l->ctx,
                            to == AK_TO_OLD   ? l->old_learner
                            : to == AK_TO_OWN ? l->own_learner
                                              : l->learner));
    AK_TRY(akin_learn(out, l->ctx, options, known, NULL));
done:
    akin_options_free(options);
    akin_supervision_free(known);
    ak_scratch_end(l->ctx, mark);
    return st;
}

akin_status ak_learning_residual(const ak_learning *l, const akin_model *shared,
                                 unsigned to, int64_t fold, akin_model **out)
{
    akin_rows *scaled = NULL;
    akin_model *learned = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_residual_rows(&scaled, l->ctx, l->ready, shared));
    AK_TRY(ak_learning_model(l, (ak_ready_rows){scaled, l->ready->n}, to, fold,
                             &learned));
    AK_TRY(ak_residual_of(out, l->ctx, shared, learned));
done:
    akin_model_free(learned);
    akin_rows_free(scaled);
    return st;
}

/* ---- pairs ranked right ---- */

/* Of each query, the share of pairs (good, bad) that a model ranks right. */
typedef struct shares {
    double *right, *pairs;  // n_queries
} shares;

static akin_status count_right(const ak_learning *l, const akin_model *m,
                               const akin_rows *rows, int64_t fold, shares s)
{
    const ak_mark mark = ak_scratch_begin(l->ctx);
    int64_t *ij, *query, n = 0;
    double *scores;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(l->ctx, 4 * l->n, &ij));
    AK_TRY(AK_SCRATCH(l->ctx, l->n, &query));
    AK_TRY(AK_SCRATCH(l->ctx, 2 * l->n, &scores));
    for (int64_t i = 0; i < l->n; ++i) {
        const int64_t *at = l->numbers + 3 * i;
        if ((l->all[i].to & AK_TO_NEW) == 0 || !is_of(&l->all[i], fold))
            continue;
        memcpy(ij + 4 * n, (int64_t[4]){at[0], at[1], at[0], at[2]},
               4 * sizeof *ij);
        query[n++] = l->all[i].fold;
    }
    AK_TRY(akin_model_score(scores, l->ctx, m, rows, rows, ij, 2 * n,
                            AKIN_BY_DEFAULT));
    for (int64_t k = 0; k < n; ++k) {
        s.right[query[k]] += scores[2 * k] > scores[2 * k + 1]    ? 1.0
                             : scores[2 * k] == scores[2 * k + 1] ? 0.5
                                                                  : 0.0;
        s.pairs[query[k]] += 1.0;
    }
done:
    ak_scratch_end(l->ctx, mark);
    return st;
}

/* ---- the models ---- */

typedef struct measuring {
    const ak_learning *l;
    shares plain, in_use, own, learned;
} measuring;

/* The model in use as it would be without the fold; for a user, the new one
 * begins there. */
static akin_status measure_in_use(const measuring *g, int64_t fold,
                                  akin_model **out)
{
    const ak_learning *l = g->l;
    const ak_ready_rows ready = {l->ready, 0};
    AK_CHECK(l->in_use == NULL ? ak_model_copy(out, l->ctx, l->plain)
             : l->known < 0
                 ? ak_model_copy(out, l->ctx, l->in_use)
                 : ak_learning_model(l, ready, AK_TO_OLD, fold, out));
    return count_right(l, *out, l->given != NULL ? l->given : l->ready, fold,
                       g->in_use);
}

/* The model in use and the weights of the user, as searches have it. */
static akin_status learn_sum(const ak_learning *l, const akin_model *shared,
                             unsigned to, int64_t fold, akin_model **out)
{
    akin_model *residual = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_learning_residual(l, shared, to, fold, &residual));
    AK_TRY(ak_residual_add(out, l->ctx, shared, residual));
done:
    akin_model_free(residual);
    return st;
}

static akin_status measure_new(const measuring *g, int64_t fold,
                               const akin_model *in_use)
{
    const ak_learning *l = g->l;
    const ak_ready_rows ready = {l->ready, 0};
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(l->user != NULL ? learn_sum(l, in_use, AK_TO_NEW, fold, &m)
                           : ak_learning_model(l, ready, AK_TO_NEW, fold, &m));
    AK_TRY(count_right(l, m, l->ready, fold, g->learned));
done:
    akin_model_free(m);
    return st;
}

/* The user's version in use as it would be without the fold. */
static akin_status measure_own(const measuring *g, int64_t fold,
                               const akin_model *in_use)
{
    const ak_learning *l = g->l;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(learn_sum(l, in_use, AK_TO_OWN, fold, &m));
    AK_TRY(count_right(l, m, l->ready, fold, g->own));
done:
    akin_model_free(m);
    return st;
}

static akin_status measure_fold(const measuring *g, int64_t fold)
{
    const ak_learning *l = g->l;
    akin_model *in_use = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(count_right(l, l->plain, l->ready, fold, g->plain));
    AK_TRY(measure_in_use(g, fold, &in_use));
    AK_TRY(measure_new(g, fold, in_use));
    if (l->own > 0)
        AK_TRY(measure_own(g, fold, in_use));
done:
    akin_model_free(in_use);
    return st;
}

/* ---- the verdict ---- */

static double mean_of(shares s, int64_t n)
{
    double sum = 0.0, count = 0.0;
    for (int64_t i = 0; i < n; ++i)
        if (s.pairs[i] > 0.0) {
            sum += s.right[i] / s.pairs[i];
            count += 1.0;
        }
    return sum / fmax(count, 1.0);
}

/* What the new model gains per query, and the standard error of that. */
typedef struct gain {
    double mean, error;
} gain;

static gain gain_over(shares old, shares new, int64_t n)
{
    double sum = 0.0, squares = 0.0, count = 0.0;
    for (int64_t i = 0; i < n; ++i)
        if (new.pairs[i] > 0.0) {
            const double x = (new.right[i] - old.right[i]) / new.pairs[i];
            sum += x;
            squares += x * x;
            count += 1.0;
        }
    count = fmax(count, 1.0);
    const double mean = sum / count;
    return (gain){mean, sqrt(fmax(squares / count - mean * mean, 0.0) / count)};
}

static bool is_better(gain x)
{
    return x.mean > x.error;
}

/* It is to be used if it is better than the measure without learning, and not
 * below what is in use: it has learned from more. A user's has to be better
 * than the shared model; where it is not used, the one that the user has stays
 * as long as that is. */
static void set_verdict(const measuring *g, akin_version_info *out)
{
    const ak_learning *l = g->l;
    const int64_t n = l->n_queries;
    const gain over_plain = gain_over(g->plain, g->learned, n);
    const gain over_shared = gain_over(g->in_use, g->learned, n);
    const gain over = l->own > 0 ? gain_over(g->own, g->learned, n)
                                 : over_shared;
    out->queries = n;
    out->held_out = mean_of(g->learned, n);
    out->incumbent = mean_of(g->in_use, n);
    out->baseline = mean_of(g->plain, n);
    if (l->own > 0)
        out->own_held_out = mean_of(g->own, n);
    if (n < AK_FEWEST_QUERIES)
        return;
    strcpy(out->verdict, is_better(over)           ? "better"
                         : over.mean < -over.error ? "worse"
                                                   : "same");
    out->in_use = is_better(over_plain) && over.mean >= 0.0 &&
                  (l->user == NULL || is_better(over_shared));
    out->own_stays = l->own > 0 && !out->in_use &&
                     is_better(gain_over(g->in_use, g->own, n));
}

akin_status ak_learning_verdict(const ak_learning *l, akin_version_info *out)
{
    const ak_mark mark = ak_scratch_begin(l->ctx);
    measuring g = {.l = l};
    akin_status st = AKIN_OK;
    out->held_out = out->incumbent = out->baseline = out->own_held_out = NAN;
    out->own = l->own;
    if (l->n_queries < 2)  // without it there is nothing to learn from
        goto done;
    AK_TRY(AK_SCRATCH_EACH(l->ctx, l->n_queries + 1, &g.plain.right,
                           &g.plain.pairs, &g.in_use.right, &g.in_use.pairs,
                           &g.own.right, &g.own.pairs, &g.learned.right,
                           &g.learned.pairs));
    for (int64_t fold = 0; fold < FOLDS && fold < l->n_queries; ++fold)
        AK_TRY(measure_fold(&g, fold));
    set_verdict(&g, out);
done:
    ak_scratch_end(l->ctx, mark);
    return st;
}
