/* LRML: Laplacian regularised metric learning, its closed form.
 *   [1] Hoi, Liu, Chang. Semi-supervised distance metric learning for
 *       collaborative image retrieval and clustering. ACM TOMCCAP 6(3), 2010;
 *       CVPR 2008.
 *
 *   T = sum over neighbours (x_i - x_j)(x_i - x_j)'                      (1)
 *   S, D = the same over similar and over dissimilar pairs
 *   P = T + gamma_s S + ridge I,  B = P - gamma_d D                      (2)
 *   min <B, M>  s.t.  log det M >= 0:  M = det(B)^(1/d) B^-1             (3)
 *
 * where (i, j) are neighbours when one is among the k nearest of the other, of
 * all rows, labelled or not. (3) has an answer where B > 0. With P = V p V',
 * Q = V p^-1/2 and Q'D Q = U w U',
 *
 *   B^-1 = Q U (1 - gamma_d w)^-1 U'Q',  gamma_d < 1 / max w             (4)
 *
 * so the largest safe gamma_d is known, and a share of it is used when none is
 * given. Directions in which the rows do not vary are left out. */
#include "learn/metric/lrml.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/metric/full_metric.h"
#include "learn/sparse/neighbours.h"

/* out = sum of v v' over the pairs [from, to). */
static akin_status scatter(const ak_lrml *p, akin_ctx *ctx, int64_t from,
                           int64_t to, double *out)
{
    const ak_constraints part = {to - from, to - from, p->pairs->ij + 2 * from};
    return ak_constraints_scatter(ctx, p->d, p->X, &part, 0.0, out);
}

static bool contains(const int32_t *list, int64_t k, int64_t j)
{
    for (int64_t m = 0; m < k; ++m)
        if (list[m] == j)
            return true;
    return false;
}

/* (1), as X times the Laplacian times X. */
static akin_status neighbour_scatter(const ak_lrml *p, akin_ctx *ctx, double *T)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = p->n, d = p->d, k = ak_min_i64(p->k, n - 1);
    int32_t *near;
    double *R;
    akin_status st = AKIN_OK;
    if (k < 1)
        goto done;
    AK_TRY(AK_SCRATCH(ctx, n * k, &near));
    AK_TRY(AK_SCRATCH(ctx, n * d, &R));
    AK_TRY(ak_neighbours(ctx, n, d, p->X, k, near));
    for (int64_t i = 0; i < n; ++i)
        for (int64_t m = 0; m < k; ++m) {
            const int64_t j = near[i * k + m];
            if (j < i && contains(near + j * k, k, i))
                continue;  // already counted
            for (int64_t c = 0; c < d; ++c) {
                const double v = p->X[i * d + c] - p->X[j * d + c];
                R[i * d + c] += v;
                R[j * d + c] -= v;
            }
        }
    AK_TRY(ak_gemm(ctx, true, false, d, d, n, 1.0, p->X, d, R, d, 0.0, T, d));
    ak_symmetrize(d, T);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Q (d x r) and log det of P, which is overwritten. */
static akin_status whiten(akin_ctx *ctx, int64_t d, double *P, double *Q,
                          int64_t *r, double *log_det)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *p;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d, &p));
    AK_TRY(ak_eigh(ctx, d, P, p));
    int64_t zeros = 0;
    while (zeros < d &&
           !(p[zeros] > p[d - 1] * (double)d * DBL_EPSILON && p[zeros] > 0.0))
        ++zeros;
    *r = d - zeros;
    *log_det = 0.0;
    for (int64_t k = 0; k < *r; ++k) {
        *log_det += log(p[zeros + k]);
        for (int64_t i = 0; i < d; ++i)
            Q[i * *r + k] = P[i * d + zeros + k] / sqrt(p[zeros + k]);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* gamma_d, given the largest eigenvalue `most` of w. */
static akin_status choose_gamma_d(ak_lrml *p, akin_ctx *ctx, double most)
{
    const double safe = most > 0.0 ? 1.0 / most : INFINITY;
    p->used = p->gamma_d > 0.0 ? p->gamma_d
              : most > 0.0     ? p->share * safe
                               : 0.0;
    if (p->used < safe)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "unbounded: dissimilar pairs outweigh all else with "
                   "`gamma_d` %g (safe: below %.6g, or leave it out)",
                   p->used, ak_printed_below(safe, 6));
}

/* (4) of Q'D Q, and (3). */
static akin_status invert(ak_lrml *p, akin_ctx *ctx, const double *Q, double *D,
                          double log_det)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = p->d, r = p->rank;
    double *w, *F;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r, &w));
    AK_TRY(AK_SCRATCH(ctx, d * r, &F));
    AK_TRY(ak_eigh(ctx, r, D, w));
    AK_TRY(choose_gamma_d(p, ctx, w[r - 1]));
    for (int64_t k = 0; k < r; ++k)
        log_det += log1p(-p->used * w[k]);
    const double size = exp(log_det / (double)r);
    for (int64_t k = 0; k < r; ++k) {
        const double f = sqrt(size / (1.0 - p->used * w[k]));
        for (int64_t i = 0; i < r; ++i)
            D[i * r + k] *= f;
    }
    AK_TRY(ak_gemm(ctx, false, false, d, r, r, 1.0, Q, r, D, r, 0.0, F, r));
    AK_TRY(ak_gram(ctx, false, d, r, F, r, p->M));
    if (p->F != NULL)
        memcpy(p->F, F, (size_t)(d * r) * sizeof *F);
    p->objective = size * (double)r;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_lrml_solve(ak_lrml *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = p->d;
    double *P, *D, *Q, *DQ, log_det;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, d * d, &P, &D, &Q, &DQ));
    AK_TRY(scatter(p, ctx, 0, p->pairs->similar, D));
    AK_TRY(neighbour_scatter(p, ctx, P));
    ak_axpy(d * d, p->gamma_s, D, P);
    for (int64_t j = 0; j < d; ++j)
        P[j * (d + 1)] += p->ridge;
    AK_TRY(whiten(ctx, d, P, Q, &p->rank, &log_det));
    if (p->rank == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "every row is the same as its neighbours"));
    AK_TRY(scatter(p, ctx, p->pairs->similar, p->pairs->count, D));
    AK_TRY(ak_gemm(ctx, false, false, d, p->rank, d, 1.0, D, d, Q, p->rank, 0.0,
                   DQ, p->rank));
    AK_TRY(ak_gemm(ctx, true, false, p->rank, p->rank, d, 1.0, Q, p->rank, DQ,
                   p->rank, 0.0, D, p->rank));
    AK_TRY(invert(p, ctx, Q, D, log_det));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status lrml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const akin_lrml_options *o = (const akin_lrml_options *)head;
    const akin_rows *rows = data->rows;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_constraints pairs;
    ak_lrml p = {.n = rows->n,
                 .d = rows->d,
                 .pairs = &pairs,
                 .k = o->k,
                 .gamma_s = o->gamma_s,
                 .gamma_d = o->gamma_d,
                 .ridge = o->ridge,
                 .share = o->share};
    double *X;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_check_rows(ctx, head, rows));
    AK_TRY(ak_constraints_of(&pairs, ctx, data, AK_METRIC_PAIRS));
    AK_TRY(ak_rows_matrix(&X, ctx, rows, NULL, rows->n));
    p.X = X;
    AK_TRY(AK_SCRATCH_EACH(ctx, rows->d * rows->d, &p.M, &p.F));
    AK_TRY(ak_ctx_tick(ctx, "neighbours", 0, rows->n, NAN));
    AK_TRY(ak_lrml_solve(&p, ctx));
    if (p.rank < p.d)
        ak_log(ctx, AKIN_LOG_WARNING,
               "the rows vary in %" PRId64 " of %" PRId64
               " directions: the others are ignored",
               p.rank, p.d);
    if (p.rank < p.d)
        AK_TRY(ak_metric_learned_factor(out, ctx, rows, p.rank, p.F, o->rank));
    else
        AK_TRY(ak_metric_learned(out, ctx, rows, p.M, o->rank));
    info->outcome = AKIN_CONVERGED;
    info->examples = pairs.count;
    info->objective = p.objective;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_lrml_options, k, 1, 1e6, "neighbours of a row", 3, 6,
                   12),
    AK_OPTION_GRID(akin_lrml_options, gamma_s, 0.0, 1e12,
                   "weight of similar pairs against neighbours", 0.1, 1.0,
                   10.0),
    AK_OPTION(akin_lrml_options, gamma_d, 0.0, 1e12,
              "weight of dissimilar pairs; 0: a share of the largest safe one"),
    AK_OPTION_GRID(akin_lrml_options, share, 0.0, 0.999999,
                   "share of the largest safe gamma_d that is used where "
                   "gamma_d is 0",
                   0.1, 0.5, 0.8, 0.9),
    AK_OPTION(akin_lrml_options, ridge, 0.0, 1e12,
              "ridge added to the diagonal"),
    AK_METRIC_RANK_OPTION(akin_lrml_options),
};

const ak_learner ak_learner_lrml = {
    .info =
        {
            .name = "lrml",
            .shares = "pairs of rows, in the search for neighbours",
            .summary = "metric from pairs and neighbours, closed form",
            .when = "few labelled rows or pairs, many unlabelled rows",
            .paper = "hoi2010lrml",
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_minmax,
            AK_OPTION_ROWS(akin_lrml_options, AKIN_LRML_DEFAULTS, options),
        },
    .learn = lrml_learn,
    .is_closed_form = true,
};
