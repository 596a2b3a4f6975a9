/* LMNN: each row is nearer to rows of its class than to others, by a margin.
 *   [1] Weinberger, Saul. Distance metric learning for large margin nearest
 *       neighbor classification. JMLR 10:207-244, 2009.
 *
 *   z = B'x,  D_ij = |z_i - z_j|^2,  M = B B'                             (1)
 *   F(B) = (1 - mu) sum_ij D_ij
 *          + mu sum_ijl max(0, 1 + D_ij - D_il)
 *          + lambda/2 N/d |B - B0|^2                                     (2)
 *
 * over the targets j of i, N of them in all, and the points l that differ from
 * i; [1] eq. 13, which has lambda = 0. From labels, the targets of a row are
 * the k rows of its class that are nearest at the start, and all rows that
 * share no label with it differ. From triplets (q, p, n), p is a target of q
 * and n must be further away.
 *
 * Without its last term (2) is convex in M. [1] steps along its gradient and
 * projects on the cone of positive semi-definite matrices; here quasi-Newton
 * steps are taken in B, which needs no projection, and at full rank a minimum
 * in B is one in M.
 *
 *   dF/dB = 2 X'R,  R = sum_ab w_ab (e_a - e_b)(z_a - z_b)'              (3)
 *
 * with w_ab the coefficient of the distance of a and b in (2).
 *
 * Few pairs (i, l) are near enough to count. A list of them is made from all
 * pairs now and then, with a margin to spare: |z_i - z_l| changes by at most
 * the sum of the distances that z_i and z_l have moved, so the list is complete
 * until some point has moved too far. */
#include "learn/metric/lmnn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/supervision/lines.h"
#include "la/dense.h"
#include "la/shared.h"
#include "learn/metric/full_metric.h"
#include "opt/lbfgs.h"

enum { BLOCK = 64, LEAST_ROWS = 256 };

static const double ROUNDING = 1e-9;  // of a distance by products, at most

typedef struct lmnn {
    ak_lmnn *p;
    double *Z;          // n x rank
    double *R;          // n x rank, then F and the triplets inside the margin
    double *Z_list;     // Z when the list was made
    double *norm;       // |z|^2
    double *radius;     // of each point: the list has all points within it
    double *moved;      // |z - z_list|,
    double most;        // and the largest of them
    ak_rank_range own;  // points of this rank: the others have no list
    int64_t *starts;  // n + 1: the list of point i is near_[starts[i]..[i + 1])
    int64_t *near_;   // grows
    int64_t capacity;
    bool has_list;
    double *G;       // BLOCK x n
    double *D;       // distance of each target
    int64_t *count;  // triplets of each target inside the margin
    double *B0;      // d x rank
} lmnn;

/* Points of a sum that is taken apart at least: few sums, because each is as
 * long as R. */
static int64_t least_points(const ak_lmnn *p)
{
    return ak_max_i64(LEAST_ROWS, p->n / 4);
}

static double squared(int64_t r, const double *a, const double *b)
{
    double sum[4] = {0};
    int64_t k = 0;
    for (; k + 4 <= r; k += 4)
        for (int m = 0; m < 4; ++m)
            sum[m] += (a[k + m] - b[k + m]) * (a[k + m] - b[k + m]);
    for (; k < r; ++k)
        sum[0] += (a[k] - b[k]) * (a[k] - b[k]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Adds w (z_a - z_b) to row a of R and subtracts it from row b. */
static void pull(const lmnn *s, int64_t a, int64_t b, double w, double *R)
{
    const int64_t r = s->p->rank;
    const double *x = s->Z + a * r, *y = s->Z + b * r;
    double *u = R + a * r, *v = R + b * r;
    for (int64_t k = 0; k < r; ++k) {
        const double step = w * (x[k] - y[k]);
        u[k] += step;
        v[k] -= step;
    }
}

/* A point that differs from i counts within this distance of it. */
static double margin_radius(const lmnn *s, int64_t i)
{
    const ak_lmnn *p = s->p;
    double most = -1.0;
    for (int64_t t = p->offsets[i]; t < p->offsets[i + 1]; ++t)
        most = fmax(most, squared(p->rank, s->Z + i * p->rank,
                                  s->Z + p->targets[t] * p->rank));
    return most >= 0.0 ? sqrt(1.0 + most) : 0.0;
}

static akin_status keep(lmnn *s, akin_ctx *ctx, int64_t count, int64_t l)
{
    if (count == s->capacity) {
        const int64_t capacity = 2 * s->capacity + 1024;
        AK_CHECK(ak_resize(ctx, capacity, sizeof *s->near_, &s->near_));
        s->capacity = capacity;
    }
    s->near_[count] = l;
    return AKIN_OK;
}

/* The points within the radius of i that differ from it; row has z_i'z_l. */
static akin_status list_row(lmnn *s, akin_ctx *ctx, int64_t i,
                            const double *row)
{
    const ak_lmnn *p = s->p;
    const double within = s->radius[i] * s->radius[i] * (1.0 + 1e-9);
    int64_t count = s->starts[i];
    for (int64_t l = 0; l < p->n && s->radius[i] > 0.0; ++l)
        if (s->norm[i] + s->norm[l] - 2.0 * row[l] <= within && l != i &&
            p->differ(p->arg, i, l))
            AK_CHECK(keep(s, ctx, count++, l));
    s->starts[i + 1] = count;
    return AKIN_OK;
}

static akin_status make_list(lmnn *s, akin_ctx *ctx)
{
    const int64_t n = s->p->n, r = s->p->rank;
    memcpy(s->Z_list, s->Z, (size_t)(n * r) * sizeof *s->Z);
    for (int64_t i = 0; i < n; ++i) {
        s->norm[i] = ak_dot(r, s->Z + i * r, s->Z + i * r);
        s->radius[i] = 1.25 * margin_radius(s, i);
    }
    for (int64_t from = s->own.begin; from < s->own.end; from += BLOCK) {
        const int64_t rows = ak_min_i64(BLOCK, s->own.end - from);
        AK_CHECK(ak_gemm(ctx, false, true, rows, n, r, 1.0, s->Z + from * r, r,
                         s->Z, r, 0.0, s->G, n));
        for (int64_t i = 0; i < rows; ++i)
            AK_CHECK(list_row(s, ctx, from + i, s->G + i * n));
    }
    return AKIN_OK;
}

/* How many points may miss some in their list. */
static akin_status count_missing(void *arg, int64_t begin, int64_t end,
                                 int64_t worker, double *count)
{
    const lmnn *s = arg;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        if (margin_radius(s, i) + s->moved[i] + s->most > s->radius[i] &&
            s->p->offsets[i + 1] > s->p->offsets[i])
            ++*count;
    return AKIN_OK;
}

/* Make the list, unless it still has all points that count. */
static akin_status update_list(lmnn *s, akin_ctx *ctx)
{
    const int64_t n = s->p->n, r = s->p->rank;
    double missing = 1.0;
    s->most = 0.0;
    for (int64_t i = 0; i < n; ++i) {
        s->moved[i] = sqrt(squared(r, s->Z + i * r, s->Z_list + i * r));
        s->most = fmax(s->most, s->moved[i]);
    }
    if (s->has_list)
        AK_CHECK(
            ak_shared_sum(ctx, n, LEAST_ROWS, 1, count_missing, s, &missing));
    s->has_list = true;
    return missing > 0.0 ? ak_comm_agree(ctx, make_list(s, ctx)) : AKIN_OK;
}

/* The number of targets of i whose margin a point at the distance D_l enters.
 */
static int64_t count_violations(const lmnn *s, int64_t i, double D_l,
                                double *sum)
{
    int64_t count = 0;
    for (int64_t t = s->p->offsets[i]; t < s->p->offsets[i + 1]; ++t) {
        const double over = 1.0 + s->D[t] - D_l;
        if (over <= 0.0)
            continue;
        *sum += s->p->mu * over;
        ++s->count[t];
        ++count;
    }
    return count;
}

/* The points listed for target t of i. */
static void add_listed(const lmnn *s, int64_t i, int64_t t, double *sum,
                       double *R)
{
    const ak_lmnn *p = s->p;
    for (int64_t k = p->far_offsets[t]; k < p->far_offsets[t + 1]; ++k) {
        const double over =
            1.0 + s->D[t] -
            squared(p->rank, s->Z + i * p->rank, s->Z + p->far[k] * p->rank);
        if (over <= 0.0)
            continue;
        *sum += p->mu * over;
        ++s->count[t];
        pull(s, i, p->far[k], -p->mu, R);
    }
}

/* The terms of (2) of point i; the triplets inside the margin are added to
 * *active. */
static double add_point(const lmnn *s, int64_t i, double *R, double *active)
{
    const ak_lmnn *p = s->p;
    const int64_t r = p->rank, begin = p->offsets[i], end = p->offsets[i + 1];
    const double *z = s->Z + i * r;
    double sum = 0.0;
    for (int64_t t = begin; t < end; ++t) {
        s->D[t] = squared(r, z, s->Z + p->targets[t] * r);
        s->count[t] = 0;
        sum += (1.0 - p->mu) * s->D[t];
        if (p->far != NULL)
            add_listed(s, i, t, &sum, R);
    }
    for (int64_t k = s->starts[i]; p->far == NULL && k < s->starts[i + 1];
         ++k) {
        const int64_t l = s->near_[k];
        const int64_t n =
            count_violations(s, i, squared(r, z, s->Z + l * r), &sum);
        if (n > 0)
            pull(s, i, l, -p->mu * (double)n, R);
    }
    for (int64_t t = begin; t < end; ++t) {
        pull(s, i, p->targets[t], 1.0 - p->mu + p->mu * (double)s->count[t], R);
        *active += (double)s->count[t];
    }
    return sum;
}

static akin_status add_points(void *arg, int64_t begin, int64_t end,
                              int64_t worker, double *sum)
{
    const lmnn *s = arg;
    const int64_t size = s->p->n * s->p->rank;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        sum[size] += add_point(s, i, sum, &sum[size + 1]);
    return AKIN_OK;
}

/* The last term of (2), and its part of the gradient. */
static double add_penalty(const lmnn *s, const double *B, double *gradient)
{
    const ak_lmnn *p = s->p;
    const double weight = p->lambda * (double)p->offsets[p->n] / (double)p->d;
    double sum = 0.0;
    for (int64_t k = 0; k < p->d * p->rank; ++k) {
        const double change = B[k] - s->B0[k];
        sum += change * change;
        gradient[k] += weight * change;
    }
    return 0.5 * weight * sum;
}

static akin_status lmnn_value(void *arg, akin_ctx *ctx, const double *B,
                              double *F, double *gradient)
{
    lmnn *s = arg;
    const ak_lmnn *p = s->p;
    const int64_t n = p->n, d = p->d, r = p->rank;
    AK_CHECK(ak_shared_multiply(ctx, n, d, p->X, r, B, s->Z));
    if (p->far == NULL)
        AK_CHECK(update_list(s, ctx));
    AK_CHECK(
        ak_shared_sum(ctx, n, least_points(p), n * r + 2, add_points, s, s->R));
    AK_CHECK(ak_shared_cross(ctx, n, d, 2.0, p->X, r, s->R, gradient));  // (3)
    *F = s->R[n * r] + add_penalty(s, B, gradient);
    return AKIN_OK;
}

static akin_status alloc_work(lmnn *s, akin_ctx *ctx)
{
    const int64_t n = s->p->n, r = s->p->rank;
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * r, &s->Z, &s->Z_list));
    AK_CHECK(AK_SCRATCH(ctx, n * r + 2, &s->R));
    s->own =
        ak_comm_own(ctx, n, ak_shared_block(n, least_points(s->p), n * r + 2));
    AK_CHECK(AK_SCRATCH_EACH(ctx, n, &s->norm, &s->radius, &s->moved));
    AK_CHECK(AK_SCRATCH(ctx, n + 1, &s->starts));
    AK_CHECK(AK_SCRATCH(ctx, BLOCK * n, &s->G));
    AK_CHECK(AK_SCRATCH(ctx, s->p->offsets[n], &s->D));
    AK_CHECK(AK_SCRATCH(ctx, s->p->offsets[n], &s->count));
    AK_CHECK(AK_SCRATCH(ctx, s->p->d * r, &s->B0));
    memcpy(s->B0, s->p->B, (size_t)(s->p->d * r) * sizeof *s->B0);
    return AKIN_OK;
}

akin_status ak_lmnn_run(ak_lmnn *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    lmnn s = {.p = p};
    ak_lbfgs o = {.n = p->d * p->rank,
                  .x = p->B,
                  .tol = p->tol,
                  .max_iterations = p->max_iterations};
    double *gradient;
    akin_status st = AKIN_OK;
    AK_TRY(alloc_work(&s, ctx));
    AK_TRY(AK_SCRATCH(ctx, p->d * p->rank, &gradient));
    AK_TRY(lmnn_value(&s, ctx, p->B, &p->first, gradient));
    AK_TRY(ak_lbfgs_run(&o, ctx, lmnn_value, &s));
    AK_TRY(lmnn_value(&s, ctx, p->B, &p->objective, gradient));
    p->active = (int64_t)s.R[p->n * p->rank + 1];
    p->iterations = o.iterations;
    p->converged = o.converged;
done:
    akin_free(s.near_);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- targets ------------------------------------------------------------- */

static bool differ(const void *labelled, int64_t i, int64_t l)
{
    return !ak_labelled_same(labelled, i, l);
}

/* Insert j at the distance D into the nearest so far, nearest first; of equal
 * distances, the one found earlier goes first. */
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

typedef struct target_search {
    akin_ctx *ctx;
    const ak_lmnn *p;
    int64_t k;
    double *norm;      // |x|^2
    double *G;         // BLOCK x n, of each worker
    double *distance;  // k, of each worker
    int64_t *targets;  // n x k,
    int64_t *found;    // of which a point has so many
} target_search;

/* Products rule most points out, differences decide. */
static akin_status find_some(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const target_search *s = arg;
    const ak_lmnn *p = s->p;
    const int64_t n = p->n, d = p->d, k = s->k;
    double *G = s->G + worker * BLOCK * n, *distance = s->distance + worker * k;
    AK_CHECK(worker == 0 ? ak_ctx_tick(s->ctx, "neighbours", begin, n, NAN)
                         : ak_ctx_poll(s->ctx));
    AK_CHECK(ak_gemm(NULL, false, true, end - begin, n, d, 1.0,
                     p->X + begin * d, d, p->X, d, 0.0, G, n));
    for (int64_t i = begin; i < end; ++i) {
        const double *row = G + (i - begin) * n;
        int64_t *found = s->found + i;
        for (int64_t j = 0; j < n; ++j) {
            const double sum = s->norm[i] + s->norm[j];
            const double least = (1.0 - ROUNDING) * sum - 2.0 * row[j];
            if (j != i && (*found < k || least <= distance[k - 1]) &&
                !p->differ(p->arg, i, j))
                insert(k, found, s->targets + i * k, distance, j,
                       apart(p, i, j));
        }
    }
    return AKIN_OK;
}

/* Targets: the k nearest points that do not differ from each; of equal
 * distances, the lower number. */
static akin_status find_targets(ak_lmnn *p, akin_ctx *ctx, int64_t k,
                                int64_t **offsets, int64_t **targets)
{
    const int64_t n = p->n, d = p->d, workers = ak_workers(ctx);
    target_search s = {.ctx = ctx, .p = p, .k = ak_min_i64(k, n)};
    AK_CHECK(AK_SCRATCH(ctx, n + 1, offsets));
    AK_CHECK(AK_SCRATCH(ctx, n * s.k, &s.targets));
    AK_CHECK(AK_SCRATCH(ctx, n, &s.found));
    AK_CHECK(AK_SCRATCH(ctx, workers * BLOCK * n, &s.G));
    AK_CHECK(AK_SCRATCH(ctx, n, &s.norm));
    AK_CHECK(AK_SCRATCH(ctx, workers * s.k, &s.distance));
    AK_CHECK(ak_check_dims(ctx, BLOCK, n, d));
    for (int64_t i = 0; i < n; ++i)
        s.norm[i] = ak_dot(d, p->X + i * d, p->X + i * d);
    AK_CHECK(AK_COMM_MAP(ctx, n, BLOCK, find_some, &s,
                         {s.found, sizeof *s.found},
                         {s.targets, (size_t)s.k * sizeof *s.targets}));
    for (int64_t i = 0; i < n; ++i) {
        (*offsets)[i + 1] = (*offsets)[i] + s.found[i];
        memmove(s.targets + (*offsets)[i], s.targets + i * s.k,
                (size_t)s.found[i] * sizeof *s.targets);
    }
    *targets = s.targets;
    p->offsets = *offsets;
    p->targets = *targets;
    return AKIN_OK;
}

/* Triplets as targets of each row, each with a list of rows to keep away. */
static akin_status take_triplets(ak_lmnn *p, akin_ctx *ctx, int64_t *keys,
                                 int64_t count)
{
    const int64_t n = p->n;
    int64_t *offsets, *targets, *far_offsets, *far, n_targets = 0;
    count = ak_numbers_sort(keys, count);  // (q * n + p) * n + n
    AK_CHECK(AK_SCRATCH(ctx, n + 1, &offsets));
    AK_CHECK(AK_SCRATCH(ctx, count, &targets));
    AK_CHECK(AK_SCRATCH(ctx, count + 1, &far_offsets));
    AK_CHECK(AK_SCRATCH(ctx, count, &far));
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
    return AKIN_OK;
}

/* Drops triplets that have a row twice. */
static akin_status drop_repeats(akin_ctx *ctx, const akin_supervision *data,
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
               " triplets have the same row twice and are skipped",
               *count - n, *count);
    *count = n;
    if (n > 0)
        return AKIN_OK;
    return ak_supervision_blame(
        ak_fail(ctx, AKIN_EINVAL, "there are no triplets"), ctx, data);
}

/* Triplets over the rows that occur in them. */
static akin_status from_triplets(ak_lmnn *p, akin_ctx *ctx,
                                 const akin_supervision *data, int64_t *count)
{
    ak_sampler *sampler = NULL;
    ak_constraints pairs;
    int64_t *triplets, *rows;
    double *X;
    akin_status st = AKIN_OK;
    if (data->kind == AKIN_PAIRS)  // none with both signs
        AK_TRY(ak_constraints_of(&pairs, ctx, data, 0));
    AK_TRY(ak_sampler_new(&sampler, ctx, data));
    *count = ak_sampler_pass(sampler);
    AK_TRY(AK_SCRATCH(ctx, 3 * *count, &triplets));
    AK_TRY(AK_SCRATCH(ctx, 3 * *count, &rows));
    ak_sampler_draw(sampler, 0, *count, triplets);
    AK_TRY(drop_repeats(ctx, data, triplets, count));
    memcpy(rows, triplets, (size_t)(3 * *count) * sizeof *rows);
    p->n = ak_numbers_sort(rows, 3 * *count);
    if (p->n > INT64_C(1) << 20)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "triplets of %" PRId64 " rows (at most %d)", p->n,
                       1 << 20));
    AK_TRY(ak_rows_matrix(&X, ctx, data->rows, rows, p->n));
    p->X = X;
    for (int64_t t = 0; t < *count; ++t) {
        int64_t key = 0;
        for (int k = 0; k < 3; ++k)
            key = key * p->n +
                  ((int64_t *)bsearch(&triplets[3 * t + k], rows, (size_t)p->n,
                                      sizeof *rows, ak_compare_i64) -
                   rows);
        triplets[t] = key;
    }
    AK_TRY(take_triplets(p, ctx, triplets, *count));
done:
    ak_sampler_free(sampler);
    return st;
}

static akin_status from_labels(ak_lmnn *p, akin_ctx *ctx,
                               const akin_supervision *data, ak_labelled *a,
                               int64_t k)
{
    int64_t *which, *offsets, *targets;
    double *X;
    AK_CHECK(ak_labelled_rows(&which, &p->n, ctx, data));
    AK_CHECK(ak_rows_matrix(&X, ctx, data->rows, which, p->n));
    *a = (ak_labelled){data->rows, which};
    p->X = X;
    p->differ = differ;
    p->arg = a;
    return find_targets(p, ctx, k, &offsets, &targets);
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
    AK_TRY(ak_metric_check_rows(ctx, head, data->rows));
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
    AK_OPTION_GRID(
        akin_lmnn_options, mu, 0.0, 1.0,
        "weight of the margins; 1 - mu weighs the distances to targets", 0.1,
        0.3, 0.5, 0.7, 0.9),
    AK_OPTION_GRID(akin_lmnn_options, lambda, 0.0, 1e12,
                   "weight of staying near the Euclidean distance", 0.0, 0.01,
                   0.1, 1.0, 10.0),
    AK_OPTION_GRID(akin_lmnn_options, k, 1, 1000,
                   "with labels: target neighbours of a row, from its class", 1,
                   3, 5),
    AK_OPTION(akin_lmnn_options, tol, 0.0, 1.0,
              "stops when ten iterations improve the objective by less than "
              "this fraction"),
    AK_OPTION(akin_lmnn_options, max_iterations, 1, 1e9,
              "maximum number of iterations"),
    AK_OPTION(akin_lmnn_options, rank, 0, 1e6,
              "dimensions of the learned space; 0: as many as columns"),
};

const ak_learner ak_learner_lmnn = {
    .info =
        {
            .name = "lmnn",
            .shares = "rows, and the pairs of each",
            .summary = "large-margin metric for nearest neighbours",
            .when = "many labelled rows; nearest-neighbour classes",
            .paper = "weinberger2009lmnn",
            .has_checkpoints = 1,
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_minmax,
            AK_OPTION_ROWS(akin_lmnn_options, AKIN_LMNN_DEFAULTS, options),
        },
    .learn = lmnn_learn,
};
