/* LMNN: nearer to rows of the same class than to others, by a margin;
 * opt/lmnn.c has the equations and the reference.
 *
 * Of labels, the targets of a row are the k rows of its class that are nearest
 * to begin with, and the rows that share no label with it must keep away. Of
 * triplets (q, p, n), p is a target of q and n must keep away. */
#include <stdlib.h>
#include <string.h>

#include "data/supervision/lines.h"
#include "la/dense.h"
#include "learn/metric/metrics.h"
#include "opt/lmnn.h"

enum { BLOCK = 64 };

static const double ROUNDING = 1e-9;  // of a distance by products, at most

static bool differ(const void *labelled, int64_t i, int64_t l)
{
    return !ak_labelled_same(labelled, i, l);
}

/* Put j at the distance D among the nearest so far, nearest first; those found
 * earlier go before others as near. */
static void insert(int64_t k, int64_t *found, int64_t *near, double *distance,
                   int64_t j, double D)
{
    int64_t at = *found < k ? (*found)++ : k;
    while (at > 0 && D < distance[at - 1]) {
        if (at < k) {
            near[at] = near[at - 1];
            distance[at] = distance[at - 1];
        }
        --at;
    }
    if (at < k) {
        near[at] = j;
        distance[at] = D;
    }
}

static double apart(const ak_lmnn *p, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t c = 0; c < p->d; ++c) {
        const double x = p->X[i * p->d + c] - p->X[j * p->d + c];
        sum += x * x;
    }
    return sum;
}

/* The k nearest of each point that it does not differ from; of those as near,
 * the lower number. Products rule most out, differences decide. */
static akin_status find_targets(ak_lmnn *p, akin_ctx *ctx, int64_t k,
                                int64_t **offsets, int64_t **targets)
{
    const int64_t n = p->n, d = p->d;
    double *G, *norm, *distance;
    akin_status st = AKIN_OK;
    k = ak_min_i64(k, n);
    AK_TRY(AK_SCRATCH(ctx, n + 1, offsets));
    AK_TRY(AK_SCRATCH(ctx, n * k, targets));
    AK_TRY(AK_SCRATCH(ctx, BLOCK * n, &G));
    AK_TRY(AK_SCRATCH(ctx, n, &norm));
    AK_TRY(AK_SCRATCH(ctx, k, &distance));
    for (int64_t i = 0; i < n; ++i)
        norm[i] = ak_dot(d, p->X + i * d, p->X + i * d);
    for (int64_t i = 0; i < n; ++i) {
        const double *row = G + i % BLOCK * n;
        int64_t found = 0;
        if (i % BLOCK == 0) {
            AK_TRY(ak_gemm(ctx, false, true, ak_min_i64(BLOCK, n - i), n, d,
                           1.0, p->X + i * d, d, p->X, d, 0.0, G, n));
            AK_TRY(ak_ctx_tick(ctx, "neighbours", i, n, 0.0));
        }
        for (int64_t j = 0; j < n; ++j) {
            const double sum = norm[i] + norm[j];
            const double least = (1.0 - ROUNDING) * sum - 2.0 * row[j];
            if (j != i && (found < k || least <= distance[k - 1]) &&
                !p->differ(p->arg, i, j))
                insert(k, &found, *targets + (*offsets)[i], distance, j,
                       apart(p, i, j));
        }
        (*offsets)[i + 1] = (*offsets)[i] + found;
    }
    p->offsets = *offsets;
    p->targets = *targets;
done:
    return st;
}

static int by_number(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* Triplets as targets of each row, each with the list of those far away. */
static akin_status take_triplets(ak_lmnn *p, akin_ctx *ctx, int64_t *keys,
                                 int64_t count)
{
    const int64_t n = p->n;
    int64_t *offsets, *targets, *far_offsets, *far, n_targets = 0;
    akin_status st = AKIN_OK;
    count = ak_numbers_sort(keys, count);  // (q * n + p) * n + n
    AK_TRY(AK_SCRATCH(ctx, n + 1, &offsets));
    AK_TRY(AK_SCRATCH(ctx, count, &targets));
    AK_TRY(AK_SCRATCH(ctx, count + 1, &far_offsets));
    AK_TRY(AK_SCRATCH(ctx, count, &far));
    for (int64_t t = 0; t < count; ++t) {
        const int64_t pair = keys[t] / n;
        if (t == 0 || pair != keys[t - 1] / n) {
            targets[n_targets++] = pair % n;
            ++offsets[pair / n + 1];
        }
        far[t] = keys[t] % n;
        far_offsets[n_targets] = t + 1;
    }
    for (int64_t i = 0; i < n; ++i)
        offsets[i + 1] += offsets[i];
    p->offsets = offsets;
    p->targets = targets;
    p->far_offsets = far_offsets;
    p->far = far;
done:
    return st;
}

/* A triplet that has a row twice says nothing. */
static akin_status leave_out(akin_ctx *ctx, const akin_supervision *data,
                             int64_t *triplets, int64_t *count)
{
    int64_t n = 0;
    for (int64_t t = 0; t < *count; ++t) {
        const int64_t *x = triplets + 3 * t;
        if (x[0] != x[1] && x[0] != x[2] && x[1] != x[2])
            memmove(triplets + 3 * n++, x, 3 * sizeof *x);
    }
    if (n < *count)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%" PRId64 " of %" PRId64
               " triplets have a row twice, and are left out",
               *count - n, *count);
    *count = n;
    if (n > 0)
        return AKIN_OK;
    return ak_supervision_blame(
        ak_fail(ctx, AKIN_EINVAL, "there are no triplets"), ctx, data);
}

/* Triplets over the rows that occur in them: their keys, and the points. */
static akin_status from_triplets(ak_lmnn *p, akin_ctx *ctx,
                                 const akin_supervision *data, int64_t *count)
{
    ak_sampler *sampler = NULL;
    ak_links pairs;
    int64_t *triplets, *rows;
    double *X;
    akin_status st = AKIN_OK;
    if (data->kind == AKIN_PAIRS)  // none of them as both
        AK_TRY(ak_links_of(&pairs, ctx, data, 0));
    AK_TRY(ak_sampler_new(&sampler, ctx, data));
    *count = ak_sampler_pass(sampler);
    AK_TRY(AK_SCRATCH(ctx, 3 * *count, &triplets));
    AK_TRY(AK_SCRATCH(ctx, 3 * *count, &rows));
    ak_sampler_draw(sampler, 0, *count, triplets);
    AK_TRY(leave_out(ctx, data, triplets, count));
    memcpy(rows, triplets, (size_t)(3 * *count) * sizeof *rows);
    p->n = ak_numbers_sort(rows, 3 * *count);
    if (p->n > INT64_C(1) << 20)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "triplets of %" PRId64 " rows (at most %d)", p->n,
                       1 << 20));
    AK_TRY(ak_points_of(&X, ctx, data->rows, rows, p->n));
    p->X = X;
    for (int64_t t = 0; t < *count; ++t) {
        int64_t key = 0;
        for (int k = 0; k < 3; ++k)
            key = key * p->n +
                  ((int64_t *)bsearch(&triplets[3 * t + k], rows, (size_t)p->n,
                                      sizeof *rows, by_number) -
                   rows);
        triplets[t] = key;
    }
    AK_TRY(take_triplets(p, ctx, triplets, *count));
done:
    ak_sampler_free(sampler, ctx);
    return st;
}

static akin_status from_labels(ak_lmnn *p, akin_ctx *ctx,
                               const akin_supervision *data, ak_labelled *a,
                               int64_t k)
{
    int64_t *which, *offsets, *targets;
    double *X;
    akin_status st = AKIN_OK;
    AK_TRY(ak_labelled_rows(&which, &p->n, ctx, data));
    AK_TRY(ak_points_of(&X, ctx, data->rows, which, p->n));
    *a = (ak_labelled){data->rows, which};
    p->X = X;
    p->differ = differ;
    p->arg = a;
    AK_TRY(find_targets(p, ctx, k, &offsets, &targets));
done:
    return st;
}

static akin_status lmnn_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const akin_lmnn_options *o = (const akin_lmnn_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = data->rows->d;
    ak_lmnn p = {.d = d,
                 .rank = ak_metric_rank(o->rank, d),
                 .mu = o->mu,
                 .lambda = o->lambda,
                 .tol = o->tol,
                 .max_iterations = o->max_iterations};
    ak_labelled a;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_rows(ctx, head, data->rows));
    if (data->kind == AKIN_LABELS || data->kind == AKIN_NOTHING)
        AK_TRY(from_labels(&p, ctx, data, &a, o->k));
    else
        AK_TRY(from_triplets(&p, ctx, data, &info->examples));
    AK_TRY(AK_SCRATCH(ctx, d * p.rank, &p.B));
    AK_TRY(ak_metric_start(ctx, p.n, d, p.X, p.rank, p.B));
    AK_TRY(ak_lmnn_run(&p, ctx));
    AK_TRY(ak_metric_of_transform(out, ctx, d, p.rank, p.B));
    if (p.far == NULL)
        info->examples = p.offsets[p.n];
    ak_metric_ended(info, p.converged, 0, p.iterations, p.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_lmnn_options, mu, 0.0, 1.0,
                   "weight of the margins against near targets", 0.1, 0.3, 0.5,
                   0.7, 0.9),
    AK_OPTION_GRID(akin_lmnn_options, lambda, 0.0, 1e12,
                   "weight of staying near the plain distance", 0.0, 0.01, 0.1,
                   1.0, 10.0),
    AK_OPTION_GRID(akin_lmnn_options, k, 1, 1000,
                   "labels: targets of a row, nearest of its class", 1, 3, 5),
    AK_OPTION(akin_lmnn_options, tol, 0.0, 1.0,
              "relative progress in ten iterations that still counts"),
    AK_OPTION(akin_lmnn_options, max_iterations, 1, 1e9,
              "iterations at the most"),
    AK_OPTION(akin_lmnn_options, rank, 0, 1e6,
              "dimensions of the learned space; 0: as many as columns"),
};
AK_OPTIONS_COVER(akin_lmnn_options, options);

static const akin_lmnn_options defaults = AKIN_LMNN_DEFAULTS;

const ak_learner ak_learner_lmnn = {
    .info =
        {
            .name = "lmnn",
            .summary = "large-margin metric for nearest neighbours",
            .when = "labels for many rows, classes by nearest neighbours",
            .paper = "weinberger2009lmnn",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_minmax,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = lmnn_learn,
};
