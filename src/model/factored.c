/* Low-rank similarity: x goes to A'x on the left and to B'x on the right, k
 * numbers each, and those are compared:
 *
 *   dot        (A'x).(B'y)                                    (1)
 *   cosine     (1) / (|A'x| |B'y|), 0 where a length is 0     (2)
 *   distance   - |A'x - B'y|^2                                (3)
 *
 * Kind "factored" has A and B, "psd" one Y for both. Where rows were learned
 * from their mean, "factored" has offsets too: A'x - a and B'y - b, so that
 * sparse rows need not be centred. In a file rows that are zero are left
 * out. */
#include "model/factored.h"

#include <math.h>
#include <string.h>

#include "model/compare.h"
#include "model/sparse_rows.h"

/* Readers of earlier files would not see the offsets. */
enum { OFFSETS_VERSION = 2 };

typedef struct factored {
    int64_t k;
    double *A, *B;  // B = A for psd
    double *a, *b;  // k each; NULL: zero
} factored;

static const factored *params(const akin_model *m)
{
    return m->params;
}

bool ak_model_is_factored(const akin_model *m)
{
    return m->kind == &ak_kind_factored || m->kind == &ak_kind_psd;
}

const double *ak_factored_A(const akin_model *m)
{
    return params(m)->A;
}

const double *ak_factored_B(const akin_model *m)
{
    return params(m)->B;
}

int64_t ak_factored_rank(const akin_model *m)
{
    return params(m)->k;
}

/* One coordinate of A'x - a at a time needs no memory; rows are walked k
 * times. For many rows the embedding is taken once, by `embed`. */
static double coordinate(const double *A, const double *a, int64_t k, ak_row x,
                         int64_t c)
{
    double sum = a ? -a[c] : 0.0;
    for (int64_t i = 0; i < x.n; ++i)
        sum += (double)x.vals[i] * A[ak_row_col(&x, i) * k + c];
    return sum;
}

static void factored_place(const akin_model *m, const akin_rows *rows,
                           int64_t i, akin_side side, int64_t first, int64_t n,
                           double *out)
{
    const factored *f = params(m);
    const double *A = side == AKIN_LEFT ? f->A : f->B;
    const double *a = side == AKIN_LEFT ? f->a : f->b;
    const ak_row x = ak_row_of(rows, i);
    for (int64_t c = 0; c < n; ++c)
        out[c] = a ? -a[first + c] : 0.0;
    for (int64_t j = 0; j < x.n; ++j) {
        const double *row = A + ak_row_col(&x, j) * f->k + first;
        for (int64_t c = 0; c < n; ++c)
            out[c] += (double)x.vals[j] * row[c];
    }
}

static void factored_embed(const akin_model *m, const akin_rows *rows,
                           int64_t i, akin_side side, double *out)
{
    factored_place(m, rows, i, side, 0, params(m)->k, out);
}

static int64_t factored_rank(const akin_model *m)
{
    return params(m)->k;
}

static double factored_score(const akin_model *m, const akin_rows *left,
                             int64_t i, const akin_rows *right, int64_t j,
                             akin_compare by)
{
    const factored *f = params(m);
    const ak_row x = ak_row_of(left, i), y = ak_row_of(right, j);
    ak_sums s = {0};
    for (int64_t c = 0; c < f->k; ++c) {
        const double a = coordinate(f->A, f->a, f->k, x, c);
        const double b = coordinate(f->B, f->b, f->k, y, c);
        ak_sums_add(&s, a, b);
    }
    return ak_sums_compare(&s, by);
}

/* Of A or B; a side may have fewer features than the other. */
static double entry(const akin_model *m, akin_side side, int64_t col, int64_t c)
{
    const factored *f = params(m);
    const double *of_side = side == AKIN_LEFT ? f->A : f->B;
    return col < m->d[side] ? of_side[col * f->k + c] : 0.0;
}

/* Feature j of x and of y takes x_j A_j.(B'y - b) of the dot product; of the
 * distance (x_j A_j - y_j B_j).(A'x - a - B'y + b). The offsets' own part
 * belongs to no feature. */
static int64_t factored_explain(const akin_model *m, const akin_rows *left,
                                int64_t i, const akin_rows *right, int64_t j,
                                akin_compare by, akin_reason *reasons)
{
    const factored *f = params(m);
    const ak_row x = ak_row_of(left, i), y = ak_row_of(right, j);
    double xx = 0.0, yy = 0.0;
    int64_t n = 0;
    if (reasons == NULL)
        return x.n + y.n + 1;
    for (ak_walk w = {.row = {x, y}}; ak_walk_next(&w);)
        reasons[n++] = (akin_reason){w.col, 0.0};
    reasons[n] = (akin_reason){-1, 0.0};
    for (int64_t c = 0; c < f->k; ++c) {
        const double a = coordinate(f->A, f->a, f->k, x, c);
        const double b = coordinate(f->B, f->b, f->k, y, c);
        int64_t at = 0;
        xx += a * a;
        yy += b * b;
        if (f->a != NULL)
            reasons[n].contribution += by == AKIN_BY_DISTANCE
                                           ? (f->a[c] - f->b[c]) * (a - b)
                                           : -f->a[c] * b;
        for (ak_walk w = {.row = {x, y}}; ak_walk_next(&w); ++at) {
            const double xa = w.x * entry(m, AKIN_LEFT, w.col, c);
            const double yb = w.y * entry(m, AKIN_RIGHT, w.col, c);
            reasons[at].contribution +=
                by == AKIN_BY_DISTANCE ? -(xa - yb) * (a - b) : xa * b;
        }
    }
    const double size = sqrt(xx) * sqrt(yy);
    int64_t kept = 0;
    for (int64_t at = 0; at <= n; ++at) {
        if (by == AKIN_BY_COSINE)
            reasons[at].contribution *= size > 0.0 ? 1.0 / size : 0.0;
        if (reasons[at].contribution != 0.0)
            reasons[kept++] = reasons[at];
    }
    return kept;
}

static int64_t factored_parameters(const akin_model *m)
{
    const factored *f = params(m);
    return f->k * (m->d[0] + (f->B == f->A ? 0 : m->d[1]));
}

static int64_t factored_nonzeros(const akin_model *m)
{
    const factored *f = params(m);
    return ak_sparse_rows_nonzeros(f->A, m->d[0] * f->k) +
           (f->B == f->A ? 0 : ak_sparse_rows_nonzeros(f->B, m->d[1] * f->k));
}

static void factored_free(akin_model *m)
{
    factored *f = m->params;
    if (f == NULL)
        return;
    if (f->B != NULL && f->B != f->A)
        akin_free(f->B);
    akin_free(f->a);
    akin_free(f->b);
    akin_free(f->A);
    akin_free(f);
}

/* Room for both factors, zero. */
static akin_status make_params(akin_model *m, akin_ctx *ctx, int64_t k)
{
    factored *f = NULL;
    AK_CHECK(AK_NEW(ctx, 1, &f));
    m->params = f;
    f->k = k;
    AK_CHECK(ak_alloc(ctx, m->d[0], (size_t)k * sizeof *f->A, &f->A));
    if (m->kind == &ak_kind_psd)
        f->B = f->A;
    else
        AK_CHECK(ak_alloc(ctx, m->d[1], (size_t)k * sizeof *f->B, &f->B));
    return AKIN_OK;
}

akin_status ak_factored_new(akin_model **out, akin_ctx *ctx, int64_t d_left,
                            int64_t d_right, int64_t k, const double *A,
                            const double *B, akin_compare by)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&m, ctx, B ? &ak_kind_factored : &ak_kind_psd, d_left,
                        d_right, by));
    AK_TRY(make_params(m, ctx, k));
    factored *f = m->params;
    memcpy(f->A, A, (size_t)(d_left * k) * sizeof *A);
    if (B != NULL)
        memcpy(f->B, B, (size_t)(d_right * k) * sizeof *B);
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

akin_status ak_factored_set_offsets(akin_model *m, akin_ctx *ctx,
                                    const double *a, const double *b)
{
    factored *f = m->params;
    AK_CHECK(AK_NEW(ctx, f->k, &f->a));
    AK_CHECK(AK_NEW(ctx, f->k, &f->b));
    memcpy(f->a, a, (size_t)f->k * sizeof *a);
    memcpy(f->b, b, (size_t)f->k * sizeof *b);
    return AKIN_OK;
}

static akin_status factored_put(const akin_model *m, akin_ctx *ctx,
                                ak_tensors *t)
{
    const factored *f = params(m);
    AK_CHECK(ak_tensors_note_i64(t, ctx, "rank", f->k));
    AK_CHECK(ak_sparse_rows_put(t, ctx, "A", m->d[0], f->k, 0.0, f->A));
    if (f->B != f->A)
        AK_CHECK(ak_sparse_rows_put(t, ctx, "B", m->d[1], f->k, 0.0, f->B));
    if (f->a == NULL)
        return AKIN_OK;
    ak_tensors_demand(t, OFFSETS_VERSION);
    AK_CHECK(
        ak_tensors_put_vector(t, ctx, "A.offset", AK_DTYPE_F64, f->k, f->a));
    return ak_tensors_put_vector(t, ctx, "B.offset", AK_DTYPE_F64, f->k, f->b);
}

/* A file has both offsets or none. */
static akin_status take_offsets(akin_model *m, akin_ctx *ctx,
                                const ak_tensors *t)
{
    const int64_t k = params(m)->k;
    const ak_tensor *a, *b;
    if (ak_tensors_find(t, "A.offset") == NULL)
        return AKIN_OK;
    AK_CHECK(ak_tensors_need(t, ctx, "A.offset", AK_DTYPE_F64, 1, &a));
    AK_CHECK(ak_tensors_need(t, ctx, "B.offset", AK_DTYPE_F64, 1, &b));
    bool good = m->kind == &ak_kind_factored && a->shape[0] == k &&
                b->shape[0] == k;
    for (int64_t c = 0; c < k && good; ++c)
        good = isfinite(((const double *)a->data)[c]) &&
               isfinite(((const double *)b->data)[c]);
    if (!good)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: the offsets do not match the model",
                       ak_tensors_path(t));
    return ak_factored_set_offsets(m, ctx, a->data, b->data);
}

static akin_status factored_take(akin_model *m, akin_ctx *ctx,
                                 const ak_tensors *t)
{
    const ak_tensor *A;
    int64_t k = 0;
    AK_CHECK(ak_tensors_need(t, ctx, "A", AK_DTYPE_F64, 2, &A));
    k = A->shape[1];
    if (k < 1 || (m->kind == &ak_kind_psd && m->d[0] != m->d[1]))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: a model of rank %" PRId64 " and %" PRId64
                       " by %" PRId64 " columns",
                       ak_tensors_path(t), k, m->d[0], m->d[1]);
    AK_CHECK(make_params(m, ctx, k));
    factored *f = m->params;
    AK_CHECK(ak_sparse_rows_take(t, ctx, "A", m->d[0], k, f->A));
    if (f->B != f->A)
        AK_CHECK(ak_sparse_rows_take(t, ctx, "B", m->d[1], k, f->B));
    return take_offsets(m, ctx, t);
}

static void factored_turn(akin_model *m)
{
    factored *f = m->params;
    const factored old = *f;
    *f = (factored){old.k, old.B, old.A, old.b, old.a};
}

#define FACTORED(kind)                                                     \
    {                                                                      \
        .name = kind, .score = factored_score, .embed = factored_embed,    \
        .embed_dim = factored_rank, .place = factored_place,               \
        .explain = factored_explain, .nonzeros = factored_nonzeros,        \
        .parameters = factored_parameters, .rank = factored_rank,          \
        .turn = factored_turn, .put = factored_put, .take = factored_take, \
        .free = factored_free,                                             \
    }

const ak_model_kind ak_kind_factored = FACTORED("factored");
const ak_model_kind ak_kind_psd = FACTORED("psd");
