/* Posteriors: x goes to the probabilities of its labels,
 *
 *   z(x) = W'x + b,  W features x labels, or F'k(x) - offset           (1)
 *   p_c(x) = exp(z_c) / sum over k of exp(z_k)                         (2)
 *   f_c(x) = p_c^t / sum over k of p_k^t                               (3)
 *
 * where the left and the right side may have a W and b each, over the same
 * labels, or both have one kernel k with support rows. Labels are ranked by
 * (2). Rows are compared by f, those of the left with those of the right:
 *
 *   dot        f(x).f(y), for t = 1 the probability of a common label  (4)
 *   cosine     (4) / (|f(x)| |f(y)|)                                   (5)
 *   distance   - |f(x) - f(y)|^2                                       (6)
 *
 * In a file: "W" and "b", of another right side "right.W" and "right.b", or a
 * kernel as a side of model/kernel.c; and t as "sharpness"; the names of the
 * labels are the note "label_names". */
#include "model/posterior.h"

#include <math.h>
#include <string.h>

#include "data/labels.h"
#include "la/dense.h"
#include "model/compare.h"
#include "model/sparse_rows.h"

enum { AT_ONCE = 32 };  // labels of two rows that are compared together

typedef struct part {
    double *W, *b;
} part;

typedef struct posterior {
    int64_t n;  // labels
    char **names;
    part side[2];       // that of the right is NULL: as the left
    ak_support kernel;  // of both sides; its rows NULL: W'x + b
    double t;
} posterior;

static const posterior *params(const akin_model *m)
{
    return m->params;
}

bool ak_posterior_is_symmetric(const akin_model *m)
{
    return params(m)->side[AKIN_RIGHT].W == NULL;
}

static const part *part_of(const akin_model *m, akin_side side)
{
    const posterior *b = params(m);
    return &b->side[b->side[side].W != NULL ? side : AKIN_LEFT];
}

ak_logits ak_posterior_logits(const akin_model *m, akin_side side)
{
    const part *p = part_of(m, side);
    return (ak_logits){m->d[side], p->W, p->b};
}

/* z -> exp(t z) / sum exp(t z). */
static void softmax(int64_t n, double t, double *z)
{
    double most = -INFINITY, sum = 0.0;
    for (int64_t c = 0; c < n; ++c)
        most = fmax(most, z[c]);
    for (int64_t c = 0; c < n; ++c) {
        z[c] = exp(t * (z[c] - most));
        sum += z[c];
    }
    for (int64_t c = 0; c < n; ++c)
        z[c] /= sum;
}

/* A row, and which of two it is. */
typedef struct place {
    const akin_rows *rows;
    int64_t i;
    akin_side side;
} place;

static bool has_kernel(const akin_model *m)
{
    return params(m)->kernel.rows != NULL;
}

/* (1) of the labels [first, first + n). */
static void logits(const akin_model *m, place at, int64_t first, int64_t n,
                   double *z)
{
    const int64_t L = params(m)->n;
    const part *p = part_of(m, at.side);
    const ak_row x = ak_row_of(at.rows, at.i);
    if (has_kernel(m)) {
        ak_support_place(&params(m)->kernel, L, at.rows, at.i, first, n, z);
        return;
    }
    memcpy(z, p->b + first, (size_t)n * sizeof *z);
    for (int64_t k = 0; k < x.n; ++k) {
        const double *w = p->W + ak_row_col(&x, k) * L + first;
        const double v = x.vals[k];
        for (int64_t c = 0; c < n; ++c)
            z[c] += v * w[c];
    }
}

static void posterior_embed(const akin_model *m, const akin_rows *rows,
                            int64_t i, akin_side side, double *out)
{
    logits(m, (place){rows, i, side}, 0, params(m)->n, out);
    softmax(params(m)->n, params(m)->t, out);
}

static int64_t posterior_embed_dim(const akin_model *m)
{
    return params(m)->n;
}

/* The largest of t z, and the logarithm of the sum of exp(t z). */
static double log_sum(const akin_model *m, place at, double t)
{
    double z[AT_ONCE], most = -INFINITY, sum = 0.0;
    for (int64_t first = 0; first < params(m)->n; first += AT_ONCE) {
        const int64_t n = ak_min_i64(AT_ONCE, params(m)->n - first);
        const double before = most;
        logits(m, at, first, n, z);
        for (int64_t c = 0; c < n; ++c)
            most = fmax(most, t * z[c]);
        sum *= exp(before - most);
        for (int64_t c = 0; c < n; ++c)
            sum += exp(t * z[c] - most);
    }
    return most + log(sum);
}

static double posterior_score(const akin_model *m, const akin_rows *left,
                              int64_t i, const akin_rows *right, int64_t j,
                              akin_compare by)
{
    const place x = {left, i, AKIN_LEFT}, y = {right, j, AKIN_RIGHT};
    const double t = params(m)->t;
    const double sum_x = log_sum(m, x, t), sum_y = log_sum(m, y, t);
    double f[AT_ONCE], g[AT_ONCE];
    ak_sums s = {0};
    for (int64_t first = 0; first < params(m)->n; first += AT_ONCE) {
        const int64_t n = ak_min_i64(AT_ONCE, params(m)->n - first);
        logits(m, x, first, n, f);
        logits(m, y, first, n, g);
        for (int64_t c = 0; c < n; ++c)
            ak_sums_add(&s, exp(t * f[c] - sum_x), exp(t * g[c] - sum_y));
    }
    return ak_sums_compare(&s, by);
}

/* ---- why ---- */

/* How much feature `col` with the value v speaks for the labels by their shares
 * r, against the average label. */
static double evidence(const akin_model *m, akin_side side, int64_t col,
                       double v, const double *r, int64_t first, int64_t n)
{
    const int64_t L = params(m)->n;
    const double *w = part_of(m, side)->W + col * L + first;
    double sum = 0.0;
    for (int64_t c = 0; c < n; ++c)
        sum += v * w[c] * (r[c] - 1.0 / (double)L);
    return sum;
}

/* The shares of labels [first, first + n) in (4); sum_x, sum_y and `score` are
 * those of all labels. */
static void shares(const akin_model *m, place x, place y, const double sum[2],
                   double score, int64_t first, int64_t n, double *r)
{
    const double t = params(m)->t;
    double g[AT_ONCE];
    logits(m, x, first, n, r);
    logits(m, y, first, n, g);
    for (int64_t c = 0; c < n; ++c)
        r[c] = exp(t * r[c] - sum[0] + t * g[c] - sum[1]) / score;
}

/* The columns that x or y has, and nothing for each yet. Of two kinds of rows
 * features are those of the left. */
static int64_t list_features(const akin_model *m, ak_row x, ak_row y,
                             akin_reason *reasons)
{
    const bool one_kind = ak_posterior_is_symmetric(m);
    ak_walk walk = {.row = {x, one_kind ? y : (ak_row){0}}};
    int64_t n = 0;
    while (ak_walk_next(&walk))
        reasons[n++] = (akin_reason){walk.col, 0.0};
    return n;
}

/* A probability is no sum over features. What features of both rows say for the
 * labels that the two share, by their shares in (4), is scaled to add up to the
 * score. */
static int64_t posterior_explain(const akin_model *m, const akin_rows *left,
                                 int64_t i, const akin_rows *right, int64_t j,
                                 akin_compare by, akin_reason *reasons)
{
    const ak_row x = ak_row_of(left, i), y = ak_row_of(right, j);
    const bool one_kind = ak_posterior_is_symmetric(m);
    const double t = params(m)->t;
    double r[AT_ONCE], all = 0.0;
    const place at[2] = {{left, i, AKIN_LEFT}, {right, j, AKIN_RIGHT}};
    if (reasons == NULL)
        return x.n + y.n + 1;
    if (has_kernel(m)) {  // no sum over features: all of them together
        reasons[0] =
            (akin_reason){-1, posterior_score(m, left, i, right, j, by)};
        return 1;
    }
    const double sum[2] = {log_sum(m, at[0], t), log_sum(m, at[1], t)};
    const double dot = posterior_score(m, left, i, right, j, AKIN_BY_DOT);
    const double score = posterior_score(m, left, i, right, j, by);
    const int64_t n = list_features(m, x, y, reasons);
    for (int64_t first = 0; first < params(m)->n && dot > 0.0;
         first += AT_ONCE) {
        const int64_t count = ak_min_i64(AT_ONCE, params(m)->n - first);
        ak_walk walk = {.row = {x, one_kind ? y : (ak_row){0}}};
        shares(m, at[0], at[1], sum, dot, first, count, r);
        for (int64_t k = 0; ak_walk_next(&walk); ++k)
            reasons[k].contribution += evidence(
                m, AKIN_LEFT, walk.col, walk.x + walk.y, r, first, count);
    }
    for (int64_t k = 0; k < n; ++k)
        all += reasons[k].contribution;
    if (!(all > 0.0)) {  // nothing speaks for a common label
        reasons[0] = (akin_reason){-1, score};
        return 1;
    }
    for (int64_t k = 0; k < n; ++k)
        reasons[k].contribution *= score / all;
    return n;
}

/* The logarithm of (2): W_jc x_j of each feature, and what is left. */
static int64_t posterior_explain_label(const akin_model *m,
                                       const akin_rows *rows, int64_t i,
                                       int64_t label, akin_reason *reasons)
{
    const ak_row x = ak_row_of(rows, i);
    const posterior *b = params(m);
    const place at = {rows, i, AKIN_LEFT};
    double rest = 0.0;
    int64_t n = 0;
    if (reasons == NULL)
        return x.n + 1;
    for (int64_t k = 0; k < x.n && !has_kernel(m); ++k) {
        const int64_t col = ak_row_col(&x, k);
        const double v = b->side[0].W[col * b->n + label] * (double)x.vals[k];
        if (v != 0.0)
            reasons[n++] = (akin_reason){col, v};
    }
    if (has_kernel(m))
        logits(m, at, label, 1, &rest);
    else
        rest = b->side[0].b[label];
    reasons[n++] = (akin_reason){-1, rest - log_sum(m, at, 1.0)};
    return n;
}

/* ---- labels ---- */

static ak_labels posterior_labels(const akin_model *m)
{
    return (ak_labels){params(m)->n, params(m)->names};
}

static void posterior_label_scores(const akin_model *m, const akin_rows *rows,
                                   int64_t i, double *scores, double *room)
{
    (void)room;
    logits(m, (place){rows, i, AKIN_LEFT}, 0, params(m)->n, scores);
    softmax(params(m)->n, 1.0, scores);
}

/* ---- making, saving ---- */

static void posterior_turn(akin_model *m)
{
    posterior *b = m->params;
    const part left = b->side[AKIN_LEFT];
    if (b->side[AKIN_RIGHT].W == NULL)
        return;
    b->side[AKIN_LEFT] = b->side[AKIN_RIGHT];
    b->side[AKIN_RIGHT] = left;
}

static int64_t count_of(const akin_model *m, bool nonzeros)
{
    const posterior *b = params(m);
    int64_t all = 0;
    if (has_kernel(m))
        return nonzeros ? ak_support_nonzeros(&b->kernel, b->n)
                        : b->n * (b->kernel.rows->n + 1);
    for (int s = 0; s < 2; ++s) {
        const int64_t n = m->d[s] * b->n;
        if (b->side[s].W != NULL)
            all += nonzeros ? ak_sparse_rows_nonzeros(b->side[s].W, n) +
                                  ak_sparse_rows_nonzeros(b->side[s].b, b->n)
                            : n + b->n;
    }
    return all;
}

static int64_t posterior_parameters(const akin_model *m)
{
    return count_of(m, false);
}

static int64_t posterior_nonzeros(const akin_model *m)
{
    return count_of(m, true);
}

static int64_t posterior_rank(const akin_model *m)
{
    (void)m;
    return 0;
}

static void posterior_free(akin_model *m)
{
    posterior *b = m->params;
    if (b == NULL)
        return;
    for (int64_t l = 0; b->names != NULL && l < b->n; ++l)
        akin_free(b->names[l]);
    akin_free(b->names);
    for (int s = 0; s < 2; ++s) {
        akin_free(b->side[s].W);
        akin_free(b->side[s].b);
    }
    ak_support_free(&b->kernel);
    akin_free(b);
}

static akin_status make_part(akin_model *m, akin_ctx *ctx, akin_side side)
{
    posterior *b = m->params;
    AK_CHECK(ak_alloc(ctx, m->d[side], (size_t)b->n * sizeof *b->side->W,
                      &b->side[side].W));
    return AK_NEW(ctx, b->n, &b->side[side].b);
}

static akin_status copy_part(akin_model *m, akin_ctx *ctx, akin_side side,
                             const ak_logits *from)
{
    posterior *b = m->params;
    if (from == NULL)
        return AKIN_OK;
    AK_CHECK(make_part(m, ctx, side));
    memcpy(b->side[side].W, from->W,
           (size_t)(from->d * b->n) * sizeof *from->W);
    memcpy(b->side[side].b, from->b, (size_t)b->n * sizeof *from->b);
    return AKIN_OK;
}

/* Without logits yet. What was made before a failure is freed with *m. */
static akin_status make_model(akin_model **m, akin_ctx *ctx, ak_labels labels,
                              int64_t d_left, int64_t d_right, double sharpness)
{
    posterior *b = NULL;
    AK_CHECK(
        ak_model_new(m, ctx, &ak_kind_posterior, d_left, d_right, AKIN_BY_DOT));
    AK_CHECK(AK_NEW(ctx, 1, &b));
    (*m)->params = b;
    b->t = sharpness;
    AK_CHECK(AK_NEW(ctx, labels.n, &b->names));
    b->n = labels.n;  // names not yet there are NULL
    for (int64_t l = 0; l < labels.n; ++l)
        AK_CHECK(ak_strdup(ctx, labels.names[l], &b->names[l]));
    return AKIN_OK;
}

akin_status ak_posterior_new(akin_model **out, akin_ctx *ctx, ak_labels labels,
                             const ak_logits *left, const ak_logits *right,
                             double sharpness)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_model(&m, ctx, labels, left->d, right ? right->d : left->d,
                      sharpness));
    AK_TRY(copy_part(m, ctx, AKIN_LEFT, left));
    AK_TRY(copy_part(m, ctx, AKIN_RIGHT, right));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

akin_status ak_posterior_new_kernel(akin_model **out, akin_ctx *ctx,
                                    ak_labels labels,
                                    const ak_kernel_part *given,
                                    double sharpness)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(
        make_model(&m, ctx, labels, given->rows->d, given->rows->d, sharpness));
    AK_TRY(ak_support_set(&((posterior *)m->params)->kernel, ctx, given,
                          labels.n));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

static const char *const W_names[2] = {"W", "right.W"};
static const char *const b_names[2] = {"b", "right.b"};
static const char kernel_prefix[] = "left.";

static akin_status posterior_put(const akin_model *m, akin_ctx *ctx,
                                 ak_tensors *t)
{
    const posterior *b = params(m);
    AK_CHECK(ak_label_names_put(t, ctx, b->n, b->names));
    if (has_kernel(m))
        AK_CHECK(ak_support_put(&b->kernel, ctx, t, kernel_prefix, b->n));
    for (int s = 0; s < 2; ++s) {
        if (b->side[s].W == NULL)
            continue;
        AK_CHECK(ak_sparse_rows_put(t, ctx, W_names[s], m->d[s], b->n, 0.0,
                                    b->side[s].W));
        AK_CHECK(ak_tensors_put_vector(t, ctx, b_names[s], AK_DTYPE_F64, b->n,
                                       b->side[s].b));
    }
    return ak_tensors_put_vector(t, ctx, "sharpness", AK_DTYPE_F64, 1, &b->t);
}

static akin_status does_not_match(akin_ctx *ctx, const ak_tensors *t,
                                  const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: \"%s\" does not match the labels of the model",
                   ak_tensors_path(t), what);
}

static akin_status take_part(akin_model *m, akin_ctx *ctx, const ak_tensors *t,
                             akin_side side)
{
    posterior *p = m->params;
    const ak_tensor *W, *b;
    AK_CHECK(ak_tensors_need(t, ctx, W_names[side], AK_DTYPE_F64, 2, &W));
    AK_CHECK(ak_tensors_need(t, ctx, b_names[side], AK_DTYPE_F64, 1, &b));
    if (W->shape[1] != p->n)
        return does_not_match(ctx, t, W_names[side]);
    if (b->shape[0] != p->n || !ak_are_finite(p->n, b->data))
        return does_not_match(ctx, t, b_names[side]);
    AK_CHECK(make_part(m, ctx, side));
    memcpy(p->side[side].b, b->data, (size_t)p->n * sizeof *p->side->b);
    return ak_sparse_rows_take(t, ctx, W_names[side], m->d[side], p->n,
                               p->side[side].W);
}

static akin_status posterior_take(akin_model *m, akin_ctx *ctx,
                                  const ak_tensors *t)
{
    posterior *p = NULL;
    const ak_tensor *sharpness;
    AK_CHECK(AK_NEW(ctx, 1, &p));
    m->params = p;
    AK_CHECK(ak_label_names_take(&p->names, &p->n, ctx, t));
    AK_CHECK(ak_tensors_need(t, ctx, "sharpness", AK_DTYPE_F64, 1, &sharpness));
    const double *x = sharpness->data;
    if (sharpness->shape[0] != 1 || !isfinite(*x) || !(*x > 0.0))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: \"sharpness\" is not one number above 0",
                       ak_tensors_path(t));
    p->t = *x;
    if (p->n < 1)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: a posterior without labels",
                       ak_tensors_path(t));
    const bool has_right = ak_tensors_find(t, W_names[AKIN_RIGHT]) != NULL;
    if (!has_right && m->d[0] != m->d[1])
        return does_not_match(ctx, t, W_names[AKIN_RIGHT]);
    if (!has_right && ak_tensors_find(t, W_names[AKIN_LEFT]) == NULL &&
        ak_tensors_find(t, "left.factors") != NULL)
        return ak_support_take(&p->kernel, ctx, t, kernel_prefix, m->d[0],
                               &p->n);
    AK_CHECK(take_part(m, ctx, t, AKIN_LEFT));
    return has_right ? take_part(m, ctx, t, AKIN_RIGHT) : AKIN_OK;
}

const ak_model_kind ak_kind_posterior = {
    .name = "posterior",
    .score = posterior_score,
    .embed = posterior_embed,
    .embed_dim = posterior_embed_dim,
    .explain = posterior_explain,
    .labels = posterior_labels,
    .label_scores = posterior_label_scores,
    .explain_label = posterior_explain_label,
    .turn = posterior_turn,
    .nonzeros = posterior_nonzeros,
    .parameters = posterior_parameters,
    .rank = posterior_rank,
    .put = posterior_put,
    .take = posterior_take,
    .free = posterior_free,
};
