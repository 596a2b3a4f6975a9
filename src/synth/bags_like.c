/* Bags like others: the same word frequencies, sizes, and repeats.
 *
 * m words drawn by the frequencies p hold, on average,
 *   D(m) = sum_j 1 - (1 - p_j)^m                                        (1)
 * different ones. Of a bag of s words about (1 - burst) s are drawn afresh, so
 * burst follows from
 *   sum_i D((1 - burst) s_i) = different words, over all bags            (2)
 * by bisection, D being taken from a table. */
#include <math.h>

#include "synth/bags.h"

enum { STEPS = 64, BISECTIONS = 30 };

/* D at longest (k / STEPS)^2: closer where it bends most. */
static void fill_table(const ak_synth *w, const double *weights, double words,
                       double D[STEPS + 1])
{
    for (int k = 0; k <= STEPS; ++k)
        D[k] = 0.0;
    for (int64_t j = 0; j < w->o.dim; ++j) {
        const double p = weights[j] / words;
        const double miss = p < 1.0 ? log1p(-p) : -INFINITY;
        for (int k = 1; k <= STEPS && p > 0.0; ++k) {
            const double m = (double)w->longest * k * k / (STEPS * STEPS);
            D[k] -= expm1(m * miss);  // (1)
        }
    }
}

static double look_up(const double D[STEPS + 1], double share)
{
    const double at = STEPS * sqrt(share);
    const int k = at < STEPS ? (int)at : STEPS - 1;
    const double low = (double)k * k, high = (double)(k + 1) * (k + 1);
    return D[k] + (D[k + 1] - D[k]) * (at * at - low) / (high - low);
}

static double burst_of(const ak_synth *w, const double *weights, double words,
                       double distinct)
{
    double D[STEPS + 1], low = 0.0, high = AK_SYNTH_MOST_BURST;
    fill_table(w, weights, words, D);
    for (int round = 0; round < BISECTIONS; ++round) {
        const double burst = (low + high) / 2.0;
        double sum = 0.0;
        for (int64_t i = 0; i < w->n_sizes; ++i)
            sum += look_up(D, (1.0 - burst) * (double)w->sizes[i] /
                                  (double)w->longest);
        if (sum > distinct)  // (2)
            low = burst;
        else
            high = burst;
    }
    return low;
}

akin_status ak_synth_measure(ak_synth *w, akin_ctx *ctx, const akin_rows *like,
                             double *weights)
{
    double words = 0.0, distinct = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, like->n, &w->sizes));
    w->n_sizes = like->n;
    for (int64_t i = 0; i < like->n; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(like, i, &cols, &vals);
        double sum = 0.0;
        for (int64_t k = 0; k < n; ++k) {
            const double c = (double)vals[k];
            if (c < 0.0)
                AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                               "row %" PRId64 " has a negative count", i));
            weights[cols ? cols[k] : k] += c;
            sum += c;
            distinct += c > 0.0;
        }
        if (sum > AK_SYNTH_MOST_WORDS)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "row %" PRId64
                           " has %g words (expected %d or fewer)",
                           i, sum, AK_SYNTH_MOST_WORDS));
        w->sizes[i] = (int64_t)(sum + 0.5);
        words += sum;
        w->longest = ak_max_i64(w->longest, w->sizes[i]);
    }
    if (w->longest == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "the rows to be like have no words"));
    w->o.burst = burst_of(w, weights, words, distinct);
done:
    return st;
}
