#include "learn/diagonal/trust.h"

#include <math.h>

#include "learn/trust.h"
#include "model/diagonal.h"

typedef struct weights {
    akin_compare by;
    int64_t d;
    const double *w0, *w;
    double *from, *to;  // dot products under w0 and w; NULL: not yet
    double *mixed;      // d
    double *lengths;    // of the rows
} weights;

static double length_of(const akin_rows *rows, int64_t i, const double *w)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    double sum = 0.0;
    for (int64_t k = 0; k < n; ++k)
        sum += fabs(w[cols ? cols[k] : k]) * (double)vals[k] * (double)vals[k];
    return sqrt(sum);
}

/* Make cosines or distances of dot products. */
static void use_lengths(const weights *s, const ak_trust_rows *t,
                        double *scores)
{
    for (int64_t i = 0; i < t->n; ++i)
        s->lengths[i] = length_of(t->rows, t->chosen[i], s->mixed);
    for (int64_t q = 0; q < t->queries; ++q)
        for (int64_t i = 0; i < t->n; ++i) {
            const double x = s->lengths[ak_trust_query(t, q)];
            const double y = s->lengths[i];
            double *score = scores + q * t->n + i;
            if (s->by == AKIN_BY_DISTANCE)
                *score = 2.0 * *score - x * x - y * y;
            else
                *score *= x * y > 0.0 ? 1.0 / (x * y) : 0.0;
        }
}

/* The dot products of all pairs under w; NULL: ones. */
static akin_status score(const ak_trust_rows *t, akin_ctx *ctx, int64_t d,
                         const double *w, double *scores)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *pairs = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 2 * t->queries * t->n, &pairs));
    for (int64_t q = 0; q < t->queries; ++q)
        for (int64_t i = 0; i < t->n; ++i) {
            pairs[2 * (q * t->n + i)] = t->chosen[ak_trust_query(t, q)];
            pairs[2 * (q * t->n + i) + 1] = t->chosen[i];
        }
    AK_TRY(ak_diagonal_new(&m, ctx, d, w, AKIN_BY_DOT));
    AK_TRY(akin_model_score(scores, ctx, m, t->rows, t->rows, pairs,
                            t->queries * t->n, AKIN_BY_DOT));
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

static double start_of(const double *w0, int64_t j)
{
    return w0 ? w0[j] : 1.0;
}

static void mix(const weights *s, double share, double *w)
{
    for (int64_t j = 0; j < s->d; ++j)
        w[j] = start_of(s->w0, j) +
               share * (s->w[j] - start_of(s->w0, j));  // (1)
}

static akin_status prepare(weights *s, akin_ctx *ctx, const ak_trust_rows *t)
{
    AK_CHECK(AK_SCRATCH_EACH(ctx, t->queries * t->n, &s->from, &s->to));
    AK_CHECK(AK_SCRATCH(ctx, t->n, &s->lengths));
    AK_CHECK(AK_SCRATCH(ctx, s->d, &s->mixed));
    AK_CHECK(score(t, ctx, s->d, s->w0, s->from));
    return score(t, ctx, s->d, s->w, s->to);
}

static akin_status scores_of(void *arg, akin_ctx *ctx, const ak_trust_rows *t,
                             double share, double *scores)
{
    weights *s = arg;
    if (s->from == NULL)
        AK_CHECK(prepare(s, ctx, t));
    mix(s, share, s->mixed);
    for (int64_t i = 0; i < t->queries * t->n; ++i)
        scores[i] = s->from[i] + share * (s->to[i] - s->from[i]);
    if (s->by != AKIN_BY_DOT)
        use_lengths(s, t, scores);
    return AKIN_OK;
}

akin_status ak_trust(double *share, akin_ctx *ctx, const akin_supervision *data,
                     akin_compare by, int64_t d, const double *w0, double *w)
{
    const akin_rows *rows = data->rows;
    const double width = (double)akin_rows_nonzeros(rows) /
                         (double)ak_max_i64(rows->n, 1);
    weights s = {.by = by, .d = d, .w0 = w0, .w = w};
    AK_CHECK(ak_trust_share(share, ctx, data, width, scores_of, &s));
    if (*share < 1.0)
        mix(&s, *share, w);
    return AKIN_OK;
}
