/* Verification: a threshold on the score separates pairs.
 *
 * Down the sorted scores, ties at once: what has been passed would be called a
 * match by a threshold below it. With folds, each is evaluated at the threshold
 * that is best on all the others. */
#include <math.h>
#include <stdlib.h>

#include <akin/eval.h>

#include "base/ctx.h"

typedef struct scored_pair {
    double score;
    int64_t match;  // 1 or 0
    int64_t fold;
} scored_pair;

/* Pairs passed so far. */
typedef struct passed {
    int64_t match, other;
} passed;

static int by_score(const void *left, const void *right)
{
    const double a = ((const scored_pair *)left)->score;
    const double b = ((const scored_pair *)right)->score;
    return (a < b) - (a > b);
}

/* Pass all that tie with pair i; returns the first behind them. */
static int64_t pass_ties(const scored_pair *x, int64_t n, int64_t i, passed *p)
{
    const double score = x[i].score;
    do {
        p->match += x[i].match;
        p->other += 1 - x[i].match;
    } while (++i < n && x[i].score == score);
    return i;
}

static akin_status sort_pairs(scored_pair **out, passed *all, akin_ctx *ctx,
                              const double *scores, const int64_t *pairs,
                              int64_t count, int64_t folds)
{
    scored_pair *x;
    *all = (passed){0, 0};
    AK_CHECK(AK_SCRATCH(ctx, count, &x));
    for (int64_t t = 0; t < count; ++t) {
        const int64_t match = pairs[3 * t + 2] > 0;
        x[t] =
            (scored_pair){scores[t], match,
                          (int64_t)((double)t * (double)folds / (double)count)};
        all->match += match;
        all->other += 1 - match;
    }
    if (all->match == 0 || all->other == 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "expected pairs that match and pairs that do not");
    qsort(x, (size_t)count, sizeof *x, by_score);
    *out = x;
    return AKIN_OK;
}

/* Area under the curve, ties as half, and where both errors are equal. */
static void sweep(const scored_pair *x, int64_t n, passed all,
                  akin_verification *v)
{
    double area = 0.0, gap = 1.0, false_before = 0.0;
    bool met = false;
    passed p = {0, 0}, before = {0, 0};
    for (int64_t i = 0; i < n; before = p) {
        i = pass_ties(x, n, i, &p);
        const double other = (double)(p.other - before.other);
        area += (double)(p.match - before.match) *
                ((double)(all.other - p.other) + 0.5 * other);
        const double false_now = (double)p.other / (double)all.other;
        const double now = 1.0 - (double)p.match / (double)all.match -
                           false_now;
        if (!met && now <= 0.0) {
            v->eer = false_before +
                     gap / (gap - now) * (false_now - false_before);
            met = true;
        }
        gap = now;
        false_before = false_now;
    }
    v->auc = area / ((double)all.match * (double)all.other);
}

/* The threshold that tells most pairs right which are not of fold `without`,
 * halfway to the next score. */
static double best_threshold(const scored_pair *x, int64_t n, int64_t without)
{
    double best = INFINITY;
    bool open = false;  // the next score is yet to come
    int64_t now = 0, most;
    for (int64_t i = 0; i < n; ++i)
        now += x[i].fold != without && !x[i].match;
    most = now;
    for (int64_t i = 0; i < n;) {
        const double score = x[i].score;
        int64_t gain = 0, used = 0;
        for (; i < n && x[i].score == score; ++i)
            if (x[i].fold != without) {
                gain += x[i].match ? 1 : -1;
                ++used;
            }
        if (used == 0)
            continue;
        const double middle = 0.5 * best + 0.5 * score;
        if (open && middle > score)
            best = middle;
        now += gain;
        open = now > most;
        if (open) {
            most = now;
            best = score;
        }
    }
    return open ? -INFINITY : best;
}

/* What a threshold does to the pairs of a fold (-1: all). */
typedef struct outcome {
    int64_t match, other;             // pairs
    int64_t missed, called_the_same;  // of them
} outcome;

static outcome apply(const scored_pair *x, int64_t n, int64_t fold,
                     double threshold)
{
    outcome o = {0};
    for (int64_t i = 0; i < n; ++i) {
        if (fold >= 0 && x[i].fold != fold)
            continue;
        const bool same = x[i].score >= threshold;
        o.match += x[i].match;
        o.other += 1 - x[i].match;
        o.missed += x[i].match && !same;
        o.called_the_same += !x[i].match && same;
    }
    return o;
}

static double share(int64_t part, int64_t all)
{
    return all > 0 ? (double)part / (double)all : 0.0;
}

static double share_right(outcome o)
{
    return share(o.match + o.other - o.missed - o.called_the_same,
                 o.match + o.other);
}

/* The same decisions by a finite number: best_threshold has infinities where
 * all pairs are called different, or all the same. */
static double finite_threshold(const scored_pair *x, int64_t n,
                               double threshold)
{
    return threshold == INFINITY    ? nextafter(x[0].score, INFINITY)
           : threshold == -INFINITY ? x[n - 1].score
                                    : threshold;
}

static void set_all(const scored_pair *x, int64_t n, double threshold,
                    akin_verification *v)
{
    const outcome o = apply(x, n, -1, threshold);
    v->threshold = threshold;
    v->accuracy = share_right(o);
    v->accuracy_se = sqrt(v->accuracy * (1.0 - v->accuracy) / (double)n);
    v->false_match_rate = share(o.called_the_same, o.other);
    v->miss_rate = share(o.missed, o.match);
}

static akin_status check_folds(akin_ctx *ctx, const scored_pair *x, int64_t n,
                               passed all, int64_t folds)
{
    if (folds > n)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`folds` is %" PRId64 " (there are only %" PRId64
                       " pairs)",
                       folds, n);
    for (int64_t f = 0; f < folds; ++f) {
        passed rest = all;
        for (int64_t i = 0; i < n; ++i)
            if (x[i].fold == f) {
                rest.match -= x[i].match;
                rest.other -= 1 - x[i].match;
            }
        if (rest.match == 0 || rest.other == 0)
            return ak_fail(ctx, AKIN_EINVAL,
                           "without fold %" PRId64 " of %" PRId64
                           ", all pairs match or none does (shuffle the pairs)",
                           f + 1, folds);
    }
    return AKIN_OK;
}

/* Each fold at the threshold of the others. Rates are over the pairs of all
 * folds, because a fold may have pairs of one kind alone. */
static void measure_folds(const scored_pair *x, int64_t n, int64_t folds,
                          passed all, akin_verification *v)
{
    double sum = 0.0, squares = 0.0, thresholds = 0.0;
    int64_t missed = 0, called_the_same = 0;
    for (int64_t f = 0; f < folds; ++f) {
        const double t = best_threshold(x, n, f);
        const outcome o = apply(x, n, f, t);
        const double a = share_right(o);
        sum += a;
        squares += a * a;
        thresholds += finite_threshold(x, n, t);
        missed += o.missed;
        called_the_same += o.called_the_same;
    }
    const double k = (double)folds;
    v->accuracy = sum / k;
    v->accuracy_se = sqrt(fmax(0.0, squares - sum * sum / k) / (k * (k - 1.0)));
    v->threshold = thresholds / k;
    v->false_match_rate = share(called_the_same, all.other);
    v->miss_rate = share(missed, all.match);
}

akin_status akin_eval_verify(akin_verification *out, akin_ctx *ctx,
                             const double *scores, const int64_t *pairs,
                             int64_t count, int64_t folds)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = ak_max_i64(folds, 1);
    scored_pair *x;
    passed all;
    akin_status st = AKIN_OK;
    AK_TRY(sort_pairs(&x, &all, ctx, scores, pairs, count, k));
    sweep(x, count, all, out);
    if (k > 1) {
        AK_TRY(check_folds(ctx, x, count, all, k));
        measure_folds(x, count, k, all, out);
    } else {
        set_all(x, count,
                finite_threshold(x, count, best_threshold(x, count, -1)), out);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_eval_threshold(akin_verification *out, akin_ctx *ctx,
                                const double *scores, const int64_t *pairs,
                                int64_t count, double threshold)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    scored_pair *x;
    passed all;
    akin_status st = AKIN_OK;
    AK_TRY(sort_pairs(&x, &all, ctx, scores, pairs, count, 1));
    sweep(x, count, all, out);
    set_all(x, count, threshold, out);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_eval_roc(double *false_rate, double *true_rate, int64_t *n,
                          akin_ctx *ctx, const double *scores,
                          const int64_t *pairs, int64_t count, int64_t most)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    scored_pair *x;
    passed all, p = {0, 0};
    int64_t at = 1;
    double last = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(sort_pairs(&x, &all, ctx, scores, pairs, count, 1));
    false_rate[0] = true_rate[0] = 0.0;
    for (int64_t i = 0; i < count;) {
        i = pass_ties(x, count, i, &p);
        const double f = (double)p.other / (double)all.other;
        const double t = (double)p.match / (double)all.match;
        /* The way to (1, 1) is 2 long, whatever steps it has. */
        if (i < count && f + t - last < 2.0 / (double)(most - 2))
            continue;
        last = f + t;
        false_rate[at] = f;
        true_rate[at++] = t;
    }
    *n = at;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_eval_pairs(double *auc, double *accuracy, akin_ctx *ctx,
                            const akin_model *m, const akin_rows *left,
                            const akin_rows *right, const int64_t *pairs,
                            int64_t count, akin_compare by)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_verification v;
    int64_t *ij;
    double *scores;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, count, &scores));
    AK_TRY(ak_scratch(ctx, count, 2 * sizeof *ij, &ij));
    for (int64_t t = 0; t < count; ++t) {
        ij[2 * t] = pairs[3 * t];
        ij[2 * t + 1] = pairs[3 * t + 1];
    }
    AK_TRY(akin_model_score(scores, ctx, m, left, right ? right : left, ij,
                            count, by));
    AK_TRY(akin_eval_verify(&v, ctx, scores, pairs, count, 0));
    *auc = v.auc;
    *accuracy = v.accuracy;
done:
    ak_scratch_end(ctx, mark);
    return st;
}
