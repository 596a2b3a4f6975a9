#include "index/inverted/measure.h"

#include <math.h>

#include "data/recipe/recipe.h"

bool ak_inverted_has_sum(const ak_inverted *v)
{
    const akin_recipe *r = v->recipe;
    return r != NULL &&
           (r->weights == AK_WEIGHTS_TF || r->weights == AK_WEIGHTS_TFIDF);
}

bool ak_inverted_has_self(const ak_inverted *v, int64_t d)
{
    for (int64_t j = 0; v->w && j < d; ++j)
        if (v->w[j] < 0.0)
            return true;
    return false;
}

/* The recipe's own arithmetic, so that (1) gives the same bits. */
static bool is_unit(const akin_recipe *r)
{
    return r != NULL && r->norm == AK_NORM_L2;
}

static double scale_of(const akin_recipe *r, double squares)
{
    if (!is_unit(r))
        return r ? r->global : 1.0;
    return squares > 0.0 ? r->global / sqrt(squares) : r->global;
}

static akin_status make_room(ak_inverted *v, akin_ctx *ctx, int64_t n,
                             int64_t d)
{
    AK_CHECK(ak_resize(ctx, n, sizeof *v->scale, &v->scale));
    AK_CHECK(ak_resize(ctx, n, sizeof *v->norm, &v->norm));
    if (ak_inverted_has_sum(v))
        AK_CHECK(ak_resize(ctx, n, sizeof *v->sum, &v->sum));
    if (ak_inverted_has_self(v, d))
        AK_CHECK(ak_resize(ctx, n, sizeof *v->self, &v->self));
    return AKIN_OK;
}

static void raise_to(float *most, double x)
{
    const float size = (float)fabs(x);
    if (size > *most)
        *most = size;
}

/* Measure row number `at` of the index; false: a value is too large. `x` is
 * scratch for its entries. */
static bool measure_row(ak_inverted *v, ak_sparse row, int64_t at, double *x,
                        float *most)
{
    const akin_recipe *r = v->recipe;
    double sum = v->sum ? 0.0 : 1.0, norm = 0.0, self = 0.0;
    double squares = 0.0, length = 0.0;
    for (int64_t k = 0; k < row.n && v->sum; ++k)
        sum += (double)row.vals[k];
    for (int64_t k = 0; k < row.n; ++k) {
        const double c = row.vals[k];
        x[k] = r ? ak_recipe_entry(r, c, sum, row.cols[k]) : c;
        squares += x[k] * x[k];
    }
    const double scale = scale_of(r, squares);
    for (int64_t k = 0; k < row.n; ++k) {
        const double w = ak_inverted_w(v, row.cols[k]);
        x[k] = (float)(x[k] * scale);
        norm += x[k] * (fabs(w) * x[k]);
        self += x[k] * (w * x[k]);
        length += x[k] * x[k];
    }
    const double by = norm > 0.0 ? 1.0 / sqrt(norm) : 0.0;
    for (int64_t k = 0; k < row.n; ++k) {
        raise_to(&most[2 * (int64_t)row.cols[k]], x[k]);
        raise_to(&most[2 * (int64_t)row.cols[k] + 1], x[k] * by);
    }
    v->length = fmax(v->length, sqrt(length));
    v->scale[at] = scale;
    v->norm[at] = norm;
    if (v->sum)
        v->sum[at] = sum;
    if (v->self)
        v->self[at] = self;
    return isfinite(norm);
}

static int64_t longest_row(const akin_rows *rows)
{
    int64_t most = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        most = ak_max_i64(most, rows->offsets[i + 1] - rows->offsets[i]);
    return most;
}

akin_status ak_inverted_measure_rows(ak_inverted *v, akin_ctx *ctx,
                                     const akin_rows *rows, int64_t d,
                                     float *most)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t first = v->p.n;
    double *room;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, longest_row(rows), &room));
    AK_TRY(make_room(v, ctx, first + rows->n, d));
    for (int64_t i = 0; i < rows->n; ++i) {
        AK_TRY(ak_ctx_poll(ctx));
        if (!measure_row(v, ak_rows_sparse(rows, i), first + i, room, most))
            AK_TRY(ak_fail(ctx, AKIN_ENUMERIC,
                           "row %" PRId64 " is too large after the recipe", i));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- by the postings ---- */

typedef struct measuring {
    ak_inverted *v;
    double *room;   // n: sums of squares, or factors
    bool negative;  // a raw value is
} measuring;

typedef void (*visit_fn)(measuring *m, int64_t t, const ak_posting_block *b);

static akin_status visit_all(measuring *m, akin_ctx *ctx, visit_fn visit)
{
    const ak_postings *p = &m->v->p;
    ak_posting_block b;
    for (int64_t t = 0; t < p->n_terms; ++t)
        for (int64_t k = p->blocks[t]; k < p->blocks[t + 1]; ++k) {
            AK_CHECK(ak_ctx_poll(ctx));
            if (!ak_postings_block(p, t, k, &b))
                return ak_postings_fail(p, ctx);
            visit(m, t, &b);
        }
    return AKIN_OK;
}

static void find_negative(measuring *m, int64_t t, const ak_posting_block *b)
{
    (void)t;
    for (int64_t i = 0; i < b->n; ++i)
        m->negative = m->negative || ak_posting_value(b, i) < 0.0F;
}

static void add_sums(measuring *m, int64_t t, const ak_posting_block *b)
{
    (void)t;
    for (int64_t i = 0; i < b->n; ++i)
        m->v->sum[b->rows[i]] += (double)ak_posting_value(b, i);
}

static void add_squares(measuring *m, int64_t t, const ak_posting_block *b)
{
    const ak_inverted *v = m->v;
    const int64_t j = v->p.terms[t];
    for (int64_t i = 0; i < b->n; ++i) {
        const int64_t row = b->rows[i];
        const double c = ak_posting_value(b, i);
        const double e =
            ak_recipe_entry(v->recipe, c, v->sum ? v->sum[row] : 1.0, j);
        m->room[row] += e * e;
    }
}

static double prepared(const ak_inverted *v, int64_t t,
                       const ak_posting_block *b, int64_t i)
{
    return (float)ak_inverted_entry(v, (double)ak_posting_value(b, i),
                                    b->rows[i], v->p.terms[t]);
}

static void add_norms(measuring *m, int64_t t, const ak_posting_block *b)
{
    const ak_inverted *v = m->v;
    const double w = ak_inverted_w(v, v->p.terms[t]);
    for (int64_t i = 0; i < b->n; ++i) {
        const double x = prepared(v, t, b, i);
        v->norm[b->rows[i]] += x * (fabs(w) * x);
        if (v->self)
            v->self[b->rows[i]] += x * (w * x);
        m->room[b->rows[i]] += x * x;
        raise_to(&v->most[2 * t], x);
    }
}

static void raise_cosines(measuring *m, int64_t t, const ak_posting_block *b)
{
    for (int64_t i = 0; i < b->n; ++i)
        raise_to(&m->v->most[2 * t + 1],
                 prepared(m->v, t, b, i) * m->room[b->rows[i]]);
}

/* Do weights that need counts get them? */
static akin_status check_counts(measuring *m, akin_ctx *ctx)
{
    const akin_recipe *r = m->v->recipe;
    if (r == NULL || m->v->p.plain || !ak_weights_wants_counts(r->weights))
        return AKIN_OK;
    AK_CHECK(visit_all(m, ctx, find_negative));
    return m->negative ? ak_fail(ctx, AKIN_EINVAL,
                                 "the rows of the index have negative entries "
                                 "(weights=%s needs counts)",
                                 ak_weights_words[r->weights])
                       : AKIN_OK;
}

static akin_status measure_scales(measuring *m, akin_ctx *ctx)
{
    ak_inverted *v = m->v;
    AK_CHECK(check_counts(m, ctx));
    if (v->sum)
        AK_CHECK(visit_all(m, ctx, add_sums));
    if (is_unit(v->recipe))
        AK_CHECK(visit_all(m, ctx, add_squares));
    for (int64_t i = 0; i < v->p.n; ++i) {
        v->scale[i] = scale_of(v->recipe, m->room[i]);
        m->room[i] = 0.0;
    }
    return AKIN_OK;
}

static akin_status measure_norms(measuring *m, akin_ctx *ctx)
{
    ak_inverted *v = m->v;
    AK_CHECK(visit_all(m, ctx, add_norms));
    for (int64_t i = 0; i < v->p.n; ++i) {
        if (!isfinite(v->norm[i]))
            return ak_fail(ctx, AKIN_ENUMERIC,
                           "row %" PRId64 " is too large after the recipe", i);
        v->length = fmax(v->length, sqrt(m->room[i]));
        m->room[i] = v->norm[i] > 0.0 ? 1.0 / sqrt(v->norm[i]) : 0.0;
    }
    return visit_all(m, ctx, raise_cosines);
}

/* ---- bands ---- */

/* Squares of the terms of each band, and a byte for the sum of those up to it,
 * rounded up. */
typedef struct band_sums {
    const ak_inverted *v;
    float *squares;  // AK_BANDS x n
} band_sums;

static akin_status add_band_term(const band_sums *s, akin_ctx *ctx, int64_t t)
{
    const ak_inverted *v = s->v;
    const int band = ak_inverted_band(&v->p, t);
    float *squares = s->squares + band * v->p.n;
    ak_posting_block b;
    for (int64_t k = v->p.blocks[t]; k < v->p.blocks[t + 1] && band < AK_BANDS;
         ++k) {
        if (!ak_postings_block(&v->p, t, k, &b))
            return ak_postings_fail(&v->p, ctx);
        for (int64_t i = 0; i < b.n; ++i) {
            const float x = (float)prepared(v, t, &b, i);
            squares[b.rows[i]] += x * x;
        }
    }
    return AKIN_OK;
}

static uint8_t band_byte(double squares, double length)
{
    /* A sum of floats is short by one part in a thousand at most. */
    const double byte = 255.0 * 1.001 * sqrt(squares) / length;
    return length > 0.0 ? (uint8_t)ceil(fmin(byte, 255.0)) : 0;
}

akin_status ak_inverted_measure_bands(ak_inverted *v, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = v->p.n;
    band_sums s = {.v = v};
    akin_status st = AKIN_OK;
    v->bands = NULL;
    if (n < AK_MANY_ROWS || !isfinite(v->length))
        goto done;
    AK_TRY(AK_SCRATCH(ctx, AK_BANDS * n, &s.squares));
    for (int64_t t = 0; t < v->p.n_terms; ++t)
        AK_TRY(add_band_term(&s, ctx, t));
    AK_TRY(AK_NEW(ctx, AK_BANDS * n, &v->bands));
    for (int64_t i = 0; i < n; ++i) {
        double squares = 0.0;
        for (int b = 0; b < AK_BANDS; ++b) {
            squares += (double)s.squares[b * n + i];
            v->bands[b * n + i] = band_byte(squares, v->length);
        }
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

void ak_inverted_unmeasure(ak_inverted *v, bool rescale)
{
    if (rescale) {
        akin_free(v->sum);
        akin_free(v->scale);
        akin_free(v->bands);
        v->sum = v->scale = NULL;
        v->bands = NULL;
    }
    akin_free(v->norm);
    akin_free(v->self);
    akin_free(v->most);
    v->norm = v->self = NULL;
    v->most = NULL;
}

akin_status ak_inverted_measure(ak_inverted *to, akin_ctx *ctx, int64_t d,
                                bool rescale)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = to->p.n;
    measuring m = {.v = to};
    akin_status st = AKIN_OK;
    to->norm = to->self = NULL;
    to->most = NULL;
    if (rescale) {
        to->sum = to->scale = NULL;
        to->bands = NULL;
    }
    if (rescale || !isfinite(to->length))
        to->length = 0.0;
    AK_TRY(AK_SCRATCH(ctx, n, &m.room));
    AK_TRY(AK_NEW(ctx, n, &to->norm));
    AK_TRY(AK_NEW(ctx, 2 * to->p.n_terms, &to->most));
    if (ak_inverted_has_self(to, d))
        AK_TRY(AK_NEW(ctx, n, &to->self));
    if (rescale)
        AK_TRY(AK_NEW(ctx, n, &to->scale));
    if (rescale && ak_inverted_has_sum(to))
        AK_TRY(AK_NEW(ctx, n, &to->sum));
    if (rescale)
        AK_TRY(measure_scales(&m, ctx));
    AK_TRY(measure_norms(&m, ctx));
    if (rescale)
        AK_TRY(ak_inverted_measure_bands(to, ctx));
done:
    if (st != AKIN_OK)
        ak_inverted_unmeasure(to, rescale);
    ak_scratch_end(ctx, mark);
    return st;
}
