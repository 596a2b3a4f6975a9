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
 * halfway to the next score; `right` is how many that are. */
static double best_threshold(const scored_pair *x, int64_t n, int64_t without,
                             int64_t *right)
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
    *right = most;
    return open ? -INFINITY : best;
}

static double share_right(const scored_pair *x, int64_t n, int64_t fold,
                          double threshold)
{
    int64_t right = 0, all = 0;
    for (int64_t i = 0; i < n; ++i)
        if (x[i].fold == fold) {
            right += (x[i].score >= threshold) == (x[i].match != 0);
            ++all;
        }
    return (double)right / (double)all;
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

static void measure_folds(const scored_pair *x, int64_t n, int64_t folds,
                          akin_verification *v)
{
    double sum = 0.0, squares = 0.0;
    int64_t unused;
    for (int64_t f = 0; f < folds; ++f) {
        const double a = share_right(x, n, f, best_threshold(x, n, f, &unused));
        sum += a;
        squares += a * a;
    }
    const double k = (double)folds;
    v->accuracy = sum / k;
    v->accuracy_se = sqrt(fmax(0.0, squares - sum * sum / k) / (k * (k - 1.0)));
}

akin_status akin_eval_verify(akin_verification *out, akin_ctx *ctx,
                             const double *scores, const int64_t *pairs,
                             int64_t count, int64_t folds)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = ak_max_i64(folds, 1);
    scored_pair *x;
    passed all;
    int64_t right;
    akin_status st = AKIN_OK;
    AK_TRY(sort_pairs(&x, &all, ctx, scores, pairs, count, k));
    sweep(x, count, all, out);
    if (k > 1) {
        AK_TRY(check_folds(ctx, x, count, all, k));
        measure_folds(x, count, k, out);
    } else {
        best_threshold(x, count, -1, &right);
        out->accuracy = (double)right / (double)count;
        out->accuracy_se =
            sqrt(out->accuracy * (1.0 - out->accuracy) / (double)count);
    }
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
