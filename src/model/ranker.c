/* Labels in order of score:
 *
 *   s = W x,  W labels x features                        (1)
 *
 * and W = A B' when it is of low rank; or, in the space of a kernel,
 *
 *   s = F'k(x) - offset                                  (2)
 *
 * A full W is kept by feature, so that a sparse row reads what it has. In a
 * file rows of zeros are left out: "W" by feature, or "A" by label and "B" by
 * feature, or the support rows of (2) as model/kernel.h has them; the names of
 * the labels are the note "label_names". */
#include "model/ranker.h"

#include <math.h>
#include <string.h>

#include "data/labels.h"
#include "model/compare.h"
#include "model/sparse_rows.h"

static const char prefix[] = "support.";
enum { KERNEL_VERSION = 2, OFFSETS_VERSION = 2 };

typedef struct ranker {
    int64_t n;  // labels
    char **names;
    int64_t k;           // 0: full
    double *A, *B;       // n x k, d x k
    double *W;           // d x n
    double *b;           // n, of a full W; NULL: zero
    ak_support support;  // (2), where it has rows
} ranker;

static const ranker *params(const akin_model *m)
{
    return m->params;
}

bool ak_model_is_ranker(const akin_model *m)
{
    return m->kind == &ak_kind_ranker;
}

static ak_labels ranker_labels(const akin_model *m)
{
    return (ak_labels){params(m)->n, params(m)->names};
}

const double *ak_ranker_A(const akin_model *m)
{
    return params(m)->A;
}

const double *ak_ranker_B(const akin_model *m)
{
    return params(m)->B;
}

const double *ak_ranker_W(const akin_model *m)
{
    return params(m)->W;
}

/* y = sum_j x_j M_j, rows of M of `width` numbers. */
static void gather(const double *M, int64_t width, ak_row x, double *y)
{
    memset(y, 0, (size_t)width * sizeof *y);
    for (int64_t i = 0; i < x.n; ++i) {
        const double *row = M + ak_row_col(&x, i) * width;
        const double v = x.vals[i];
        for (int64_t c = 0; c < width; ++c)
            y[c] += v * row[c];
    }
}

static bool by_kernel(const ranker *r)
{
    return r->support.rows != NULL;
}

static double dot(int64_t k, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t c = 0; c < k; ++c)
        sum += x[c] * y[c];
    return sum;
}

static void ranker_label_scores(const akin_model *m, const akin_rows *rows,
                                int64_t i, double *scores, double *room)
{
    const ranker *r = params(m);
    const ak_row x = ak_row_of(rows, i);
    if (by_kernel(r)) {
        ak_support_place(&r->support, r->n, rows, i, 0, r->n, scores);
        return;
    }
    if (r->k == 0) {
        gather(r->W, r->n, x, scores);
        for (int64_t l = 0; r->b != NULL && l < r->n; ++l)
            scores[l] += r->b[l];
        return;
    }
    gather(r->B, r->k, x, room);
    for (int64_t l = 0; l < r->n; ++l)
        scores[l] = dot(r->k, r->A + l * r->k, room);
}

/* W of label j and feature `col`. */
static double weight(const ranker *r, int64_t j, int64_t col)
{
    return r->k == 0 ? r->W[col * r->n + j]
                     : dot(r->k, r->A + j * r->k, r->B + col * r->k);
}

/* Of label j alone. */
static double kernel_score(const ranker *r, const akin_rows *rows, int64_t i,
                           int64_t j)
{
    double score;
    ak_support_place(&r->support, r->n, rows, i, j, 1, &score);
    return score;
}

/* Feature c of row i takes W_jc x_c of the score of label j; a kernel is no sum
 * over features. */
static int64_t ranker_explain_label(const akin_model *m, const akin_rows *rows,
                                    int64_t i, int64_t j, akin_reason *reasons)
{
    const ak_row x = ak_row_of(rows, i);
    int64_t n = 0;
    if (by_kernel(params(m))) {
        if (reasons != NULL)
            reasons[0] = (akin_reason){-1, kernel_score(params(m), rows, i, j)};
        return 1;
    }
    for (int64_t c = 0; reasons != NULL && c < x.n; ++c) {
        const int64_t col = ak_row_col(&x, c);
        const double part = weight(params(m), j, col) * (double)x.vals[c];
        if (part != 0.0)
            reasons[n++] = (akin_reason){col, part};
    }
    if (reasons != NULL && params(m)->b != NULL)
        reasons[n++] = (akin_reason){-1, params(m)->b[j]};
    return reasons != NULL ? n : x.n + 1;
}

static int64_t ranker_rank(const akin_model *m)
{
    return params(m)->k;
}

static int64_t ranker_parameters(const akin_model *m)
{
    const ranker *r = params(m);
    if (by_kernel(r))
        return r->n * (r->support.rows->n + 1);
    return r->k > 0 ? (r->n + m->d[0]) * r->k : r->n * m->d[0];
}

static int64_t ranker_nonzeros(const akin_model *m)
{
    const ranker *r = params(m);
    if (by_kernel(r))
        return ak_support_nonzeros(&r->support, r->n);
    if (r->k == 0)
        return ak_sparse_rows_nonzeros(r->W, r->n * m->d[0]);
    return ak_sparse_rows_nonzeros(r->A, r->n * r->k) +
           ak_sparse_rows_nonzeros(r->B, m->d[0] * r->k);
}

static void ranker_free(akin_model *m)
{
    ranker *r = m->params;
    if (r == NULL)
        return;
    for (int64_t l = 0; r->names != NULL && l < r->n; ++l)
        akin_free(r->names[l]);
    akin_free(r->names);
    akin_free(r->A);
    akin_free(r->B);
    akin_free(r->W);
    akin_free(r->b);
    ak_support_free(&r->support);
    akin_free(r);
}

/* Room for the matrices, zero. */
static akin_status make_room(akin_model *m, akin_ctx *ctx, int64_t k)
{
    ranker *r = m->params;
    const int64_t n = r->n, d = m->d[0];
    r->k = k;
    if (k == 0) {
        AK_CHECK(ak_alloc(ctx, d, (size_t)n * sizeof *r->W, &r->W));
    } else {
        AK_CHECK(ak_alloc(ctx, n, (size_t)k * sizeof *r->A, &r->A));
        AK_CHECK(ak_alloc(ctx, d, (size_t)k * sizeof *r->B, &r->B));
    }
    return AKIN_OK;
}

/* The labels alone. */
static akin_status make_named(akin_model **out, akin_ctx *ctx, ak_labels labels,
                              int64_t d)
{
    akin_model *m = NULL;
    ranker *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&m, ctx, &ak_kind_ranker, d, d, AKIN_BY_DOT));
    AK_TRY(AK_NEW(ctx, 1, &r));
    m->params = r;
    AK_TRY(AK_NEW(ctx, labels.n, &r->names));
    r->n = labels.n;  // names not yet there are NULL
    for (int64_t l = 0; l < labels.n; ++l)
        AK_TRY(ak_strdup(ctx, labels.names[l], &r->names[l]));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

static akin_status make(akin_model **out, akin_ctx *ctx, ak_labels labels,
                        int64_t d, int64_t k)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_named(&m, ctx, labels, d));
    AK_TRY(make_room(m, ctx, k));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

akin_status ak_ranker_new_kernel(akin_model **out, akin_ctx *ctx,
                                 ak_labels labels, const ak_kernel_part *part)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_named(&m, ctx, labels, part->rows->d));
    ranker *r = m->params;
    AK_TRY(ak_support_set(&r->support, ctx, part, labels.n));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

akin_status ak_ranker_new(akin_model **out, akin_ctx *ctx, ak_labels labels,
                          int64_t d, const double *W)
{
    AK_CHECK(make(out, ctx, labels, d, 0));
    memcpy(params(*out)->W, W, (size_t)(labels.n * d) * sizeof *W);
    return AKIN_OK;
}

akin_status ak_ranker_new_factored(akin_model **out, akin_ctx *ctx,
                                   ak_labels labels, int64_t d, int64_t k,
                                   const double *A, const double *B)
{
    const akin_status st = make(out, ctx, labels, d, k);
    if (st == AKIN_OK) {
        memcpy(params(*out)->A, A, (size_t)(labels.n * k) * sizeof *A);
        memcpy(params(*out)->B, B, (size_t)(d * k) * sizeof *B);
    }
    return st;
}

akin_status ak_ranker_set_offsets(akin_model *m, akin_ctx *ctx, const double *b)
{
    ranker *r = m->params;
    AK_CHECK(AK_NEW(ctx, r->n, &r->b));
    memcpy(r->b, b, (size_t)r->n * sizeof *b);
    return AKIN_OK;
}

static akin_status ranker_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    const ranker *r = params(m);
    const int64_t d = m->d[0];
    AK_CHECK(ak_label_names_put(t, ctx, r->n, r->names));
    if (by_kernel(r)) {
        ak_tensors_demand(t, KERNEL_VERSION);
        return ak_support_put(&r->support, ctx, t, prefix, r->n);
    }
    AK_CHECK(ak_tensors_note_i64(t, ctx, "rank", r->k));
    if (r->k == 0) {
        AK_CHECK(ak_sparse_rows_put(t, ctx, "W", d, r->n, 0.0, r->W));
    } else {
        AK_CHECK(ak_sparse_rows_put(t, ctx, "A", r->n, r->k, 0.0, r->A));
        AK_CHECK(ak_sparse_rows_put(t, ctx, "B", d, r->k, 0.0, r->B));
    }
    if (r->b != NULL) {
        ak_tensors_demand(t, OFFSETS_VERSION);
        AK_CHECK(ak_tensors_put_vector(t, ctx, "b", AK_DTYPE_F64, r->n, r->b));
    }
    return AKIN_OK;
}

/* The rank, which the tensors must have as their width before there is room
 * made for it. */
static akin_status take_rank(const ranker *r, akin_ctx *ctx,
                             const ak_tensors *t, int64_t *k)
{
    const ak_tensor *x = NULL;
    AK_CHECK(ak_tensors_need_i64(t, ctx, "rank", k));
    AK_CHECK(ak_tensors_need(t, ctx, *k == 0 ? "W" : "B", AK_DTYPE_F64, 2, &x));
    if (*k < 0 || x->shape[1] != (*k == 0 ? r->n : *k))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: a ranker of rank %" PRId64 " with %" PRId64
                       " labels has a matrix of width %" PRId64,
                       ak_tensors_path(t), *k, r->n, x->shape[1]);
    return AKIN_OK;
}

static akin_status take_offsets(akin_model *m, akin_ctx *ctx,
                                const ak_tensors *t)
{
    const ranker *r = params(m);
    const ak_tensor *b;
    if (ak_tensors_find(t, "b") == NULL)
        return AKIN_OK;
    AK_CHECK(ak_tensors_need(t, ctx, "b", AK_DTYPE_F64, 1, &b));
    bool good = r->k == 0 && b->shape[0] == r->n;
    for (int64_t l = 0; l < r->n && good; ++l)
        good = isfinite(((const double *)b->data)[l]);
    if (!good)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: the offsets do not match the model",
                       ak_tensors_path(t));
    return ak_ranker_set_offsets(m, ctx, b->data);
}

static akin_status ranker_take(akin_model *m, akin_ctx *ctx,
                               const ak_tensors *t)
{
    ranker *r = NULL;
    int64_t k = 0;
    const int64_t d = m->d[0];
    AK_CHECK(AK_NEW(ctx, 1, &r));
    m->params = r;
    AK_CHECK(ak_label_names_take(&r->names, &r->n, ctx, t));
    if (ak_tensors_find(t, "support.factors") != NULL) {
        return ak_support_take(&r->support, ctx, t, prefix, d, &r->n);
    }
    AK_CHECK(take_rank(r, ctx, t, &k));
    AK_CHECK(make_room(m, ctx, k));
    if (k == 0) {
        AK_CHECK(ak_sparse_rows_take(t, ctx, "W", d, r->n, r->W));
    } else {
        AK_CHECK(ak_sparse_rows_take(t, ctx, "A", r->n, k, r->A));
        AK_CHECK(ak_sparse_rows_take(t, ctx, "B", d, k, r->B));
    }
    return take_offsets(m, ctx, t);
}

const ak_model_kind ak_kind_ranker = {
    .name = "ranker",
    .labels = ranker_labels,
    .label_scores = ranker_label_scores,
    .explain_label = ranker_explain_label,
    .nonzeros = ranker_nonzeros,
    .parameters = ranker_parameters,
    .rank = ranker_rank,
    .put = ranker_put,
    .take = ranker_take,
    .free = ranker_free,
};
