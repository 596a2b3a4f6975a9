/* NCA: a transform under which a neighbour drawn at random is likely to share a
 * label.
 *   [1] Goldberger, Roweis, Hinton, Salakhutdinov. Neighbourhood components
 *       analysis. NIPS 17, 2005.
 *
 *   z = B'x,  D_ij = |z_i - z_j|^2,  M = B B'                             (1)
 *   p_ij = exp(-D_ij) / sum_{k != i} exp(-D_ik),  p_ii = 0                (2)
 *   p_i  = sum_j p_ij m_ij,  m_ij = 1 where i and j share a label         (3)
 *   F(B) = -sum_i p_i / n + lambda / 2 |B|^2 / d                          (4)
 *   dF/dB = 2/n X'R + lambda/d B,
 *   R = sum_ij w_ij (e_i - e_j)(z_i - z_j)',  w_ij = p_ij (m_ij - p_i)    (5)
 *
 * p_i is the probability that a neighbour drawn by (2) classifies i correctly.
 * F is not convex, so the start matters: the directions of lda.c, or the
 * identity. Where the start leaves all rows close together, p_ij is nearly the
 * same for all j, F first falls along one direction, and the others are lost.
 * Rows of (2) are computed in blocks, by threads and ranks. */
#include "learn/metric/nca.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/shared.h"
#include "learn/metric/full_metric.h"
#include "learn/metric/lda.h"
#include "opt/lbfgs.h"

enum { BLOCK = 64, LEAST_ROWS = 256 };

static const double LEAST_MEAN = 2.0;  // of D_ij at the start
static const double FAR = 45.0;  // beyond the nearest: no weight beside its 1

akin_status ak_nca_begin(ak_nca *p, akin_ctx *ctx)
{
    const int64_t workers = ak_workers(ctx);
    AK_CHECK(AK_SCRATCH(ctx, p->n * p->rank, &p->Z));
    AK_CHECK(AK_SCRATCH(ctx, p->n * p->rank + 1, &p->R));
    AK_CHECK(AK_SCRATCH(ctx, p->n, &p->norm));
    AK_CHECK(AK_SCRATCH(ctx, workers * p->n, &p->sum));
    return AK_SCRATCH(ctx, workers * BLOCK * p->n, &p->P);
}

/* Row i of w, of the products z_i'z_j in `row`; returns p_i. */
static double weigh_row(const ak_nca *s, int64_t i, double *row)
{
    double least = INFINITY, all = 0.0, same = 0.0;
    for (int64_t j = 0; j < s->n; ++j) {
        row[j] = s->norm[i] + s->norm[j] - 2.0 * row[j];
        if (j != i)
            least = fmin(least, row[j]);
    }
    for (int64_t j = 0; j < s->n; ++j) {
        row[j] = j == i || row[j] - least > FAR ? 0.0 : exp(least - row[j]);
        all += row[j];
        if (row[j] > 0.0 && s->same(s->arg, i, j)) {
            same += row[j];
            row[j] = -row[j];  // the sign marks it
        }
    }
    const double p = same / all;
    for (int64_t j = 0; j < s->n; ++j)
        row[j] = row[j] < 0.0 ? -row[j] / all * (1.0 - p) : -row[j] / all * p;
    return p;
}

/* R gains the rows [from, from + rows) of w, which are at P. */
static akin_status add_rows(const ak_nca *s, int64_t from, int64_t rows,
                            const double *P, double *sum, double *R)
{
    const int64_t n = s->n, r = s->rank;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int64_t i = 0; i < rows; ++i) {
        double all = 0.0;
        for (int64_t j = 0; j < n; ++j) {
            all += P[i * n + j];
            sum[j] += P[i * n + j];
        }
        ak_axpy(r, all, s->Z + (from + i) * r, R + (from + i) * r);
    }
    for (int64_t j = 0; j < n; ++j)
        ak_axpy(r, sum[j], s->Z + j * r, R + j * r);
    AK_CHECK(ak_gemm(NULL, false, false, rows, r, n, -1.0, P, n, s->Z, r, 1.0,
                     R + from * r, r));
    return ak_gemm(NULL, true, false, n, r, rows, -1.0, P, n, s->Z + from * r,
                   r, 1.0, R, r);
}

/* R of (5), and the sum of p_i, of some rows. */
static akin_status add_blocks(void *arg, int64_t begin, int64_t end,
                              int64_t worker, double *sum)
{
    const ak_nca *s = arg;
    const int64_t n = s->n, r = s->rank;
    double *P = s->P + worker * BLOCK * n;
    for (; begin < end; begin += BLOCK) {
        const int64_t rows = ak_min_i64(BLOCK, end - begin);
        AK_CHECK(ak_ctx_poll(s->ctx));
        AK_CHECK(ak_gemm(NULL, false, true, rows, n, r, 1.0, s->Z + begin * r,
                         r, s->Z, r, 0.0, P, n));
        for (int64_t i = 0; i < rows; ++i)
            sum[n * r] += weigh_row(s, begin + i, P + i * n);
        AK_CHECK(add_rows(s, begin, rows, P, s->sum + worker * n, sum));
    }
    return AKIN_OK;
}

akin_status ak_nca_value(void *arg, akin_ctx *ctx, const double *B, double *F,
                         double *gradient)
{
    ak_nca *s = arg;
    const int64_t n = s->n, d = s->d, r = s->rank;
    const double lambda = s->lambda / (double)d;
    s->ctx = ctx;
    AK_CHECK(ak_shared_multiply(ctx, n, d, s->X, r, B, s->Z));
    for (int64_t i = 0; i < n; ++i)
        s->norm[i] = ak_dot(r, s->Z + i * r, s->Z + i * r);
    AK_CHECK(ak_check_dims(ctx, n, r, BLOCK));
    AK_CHECK(ak_shared_sum(ctx, n, LEAST_ROWS, n * r + 1, add_blocks, s, s->R));
    *F = -s->R[n * r] / (double)n + 0.5 * lambda * ak_dot(d * r, B, B);
    AK_CHECK(ak_shared_cross(ctx, n, d, 2.0 / (double)n, s->X, r, s->R,
                             gradient));  // (5)
    ak_axpy(d * r, lambda, B, gradient);
    return AKIN_OK;
}

/* Lengthen B (d x rank), so that the mean of D_ij is LEAST_MEAN or more. */
static akin_status spread_out(ak_nca *s, akin_ctx *ctx, double *B)
{
    const int64_t n = s->n, r = s->rank;
    double mean = 0.0;
    AK_CHECK(ak_gemm(ctx, false, false, n, r, s->d, 1.0, s->X, s->d, B, r, 0.0,
                     s->Z, r));
    for (int64_t k = 0; k < r; ++k) {
        double sum = 0.0, squares = 0.0;
        for (int64_t i = 0; i < n; ++i)
            sum += s->Z[i * r + k];
        for (int64_t i = 0; i < n; ++i) {
            const double off = s->Z[i * r + k] - sum / (double)n;
            squares += off * off;
        }
        mean += 2.0 * squares / (double)n;
    }
    for (int64_t i = 0; i < s->d * r && mean > 0.0 && mean < LEAST_MEAN; ++i)
        B[i] *= sqrt(LEAST_MEAN / mean);
    return AKIN_OK;
}

/* B, d x rank, and the rank: the directions of lda or, with `start` auto, these
 * where they fill the learned space, or where there are two or more of them and
 * fewer rows than columns; else as ak_metric_start. */
static akin_status start(akin_ctx *ctx, const akin_nca_options *o,
                         const ak_labelled *known, ak_nca *s, double **B)
{
    const int64_t d = s->d;
    ak_lda lda = {.n = s->n,
                  .d = d,
                  .rows = known->rows,
                  .which = known->which,
                  .shrinkage = -1.0,
                  .is_weighted = true,
                  .rank = o->rank};
    if (strcmp(o->start, "identity") != 0) {
        const bool always = strcmp(o->start, "lda") == 0;
        AK_CHECK(ak_rows_matrix(&lda.X, ctx, known->rows, known->which, s->n));
        const akin_status st = ak_lda_directions(&lda, ctx);
        if (st != AKIN_OK && (always || st != AKIN_EINVAL))
            return st;
        if (st == AKIN_OK && (always || (s->n < d && lda.k > 1) ||
                              lda.k == ak_metric_rank(o->rank, d))) {
            s->rank = lda.k;
            *B = lda.B;
            return AKIN_OK;
        }
    }
    s->rank = ak_metric_rank(o->rank, d);
    AK_CHECK(AK_SCRATCH(ctx, d * s->rank, B));
    return ak_metric_start(ctx, s->n, d, s->X, s->rank, *B);
}

static akin_status nca_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    const akin_nca_options *o = (const akin_nca_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = data->rows->d;
    ak_labelled known = {.rows = data->rows};
    ak_nca s = {
        .d = d, .same = ak_labelled_same, .arg = &known, .lambda = o->lambda};
    ak_lbfgs p = {.tol = o->tol, .max_iterations = o->max_iterations};
    int64_t *which;
    double *X;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_check_rows(ctx, head, data->rows));
    AK_TRY(ak_labelled_rows(&which, &s.n, ctx, data));
    AK_TRY(ak_rows_matrix(&X, ctx, data->rows, which, s.n));
    known.which = which;
    s.X = X;
    AK_TRY(start(ctx, o, &known, &s, &p.x));
    p.n = d * s.rank;
    AK_TRY(ak_nca_begin(&s, ctx));
    if (strcmp(o->start, "auto") == 0)
        AK_TRY(spread_out(&s, ctx, p.x));
    AK_TRY(ak_lbfgs_run(&p, ctx, ak_nca_value, &s));
    AK_TRY(ak_metric_of_transform(out, ctx, d, s.rank, p.x));
    info->examples = s.n;
    ak_metric_ended(info, p.converged, 0, p.iterations, p.value);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_nca_options, lambda, 0.0, 1e12,
                   "L2 penalty on the transform", 0.0, 1e-4, 1e-3, 1e-2, 1e-1),
    AK_OPTION(akin_nca_options, tol, 0.0, 1.0,
              "stops when ten iterations improve the objective by less than "
              "this fraction"),
    AK_OPTION_GRID(akin_nca_options, max_iterations, 1, 1e9,
                   "maximum number of iterations; few keep it near the start",
                   10, 20, 50, 200),
    AK_OPTION(akin_nca_options, rank, 0, 1e6,
              "dimensions of the learned space; 0: as many as columns"),
    AK_OPTION_WORD(akin_nca_options, start, "auto|lda|identity",
                   "lda: the directions of lda, as many as it has; auto: lda "
                   "where these fill the learned space or rows are few, else "
                   "identity, lengthened where the rows are close together"),
};

const ak_learner ak_learner_nca = {
    .info =
        {
            .name = "nca",
            .shares = "rows",
            .summary = "transform in which neighbours share a label",
            .when = "up to some thousand labelled rows; also for plots",
            .paper = "goldberger2005nca",
            .has_checkpoints = 1,
            .takes = AKIN_LABELS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_minmax,
            AK_OPTION_ROWS(akin_nca_options, AKIN_NCA_DEFAULTS, options),
        },
    .learn = nca_learn,
};
