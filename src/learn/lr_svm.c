#include "learn/lr_svm.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "opt/assign.h"
#include "opt/svm.h"

enum { BLOCK = 32 };

/* Rows of all X_c lie by photo and, in it, by name, as bags->names does; the
 * rows of name c are rows[offsets[c]..[c + 1]). */
typedef struct association {
    const ak_peers *peers;
    int64_t d, n_rows;
    const double *X;          // n x d
    double *XP, *A, *E, *U;   // n_rows x d
    double *B;                // n_rows x d, of (4)
    int64_t *offsets, *rows;  // n_names + 1, n_rows
    double *T;                // most rows of a name x d
    double *work;             // for each worker
    int64_t room, most_faces, most_names;
    int32_t *labels;
    double rank_value;  // sum of |A_c|_*
} association;

/* ---- (2) ---------------------------------------------------------------- */

/* T (m x d) <- its singular values less tau; adds what is left of them. */
static akin_status shrink_rank(akin_ctx *ctx, int64_t m, int64_t d, double *T,
                               double tau, double *sum)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool tall = m > d;
    const int64_t k = tall ? d : m;
    double *G, *V, *values, *out;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k * k, &G));
    AK_TRY(AK_SCRATCH(ctx, k * k, &V));
    AK_TRY(AK_SCRATCH(ctx, k, &values));
    AK_TRY(AK_SCRATCH(ctx, m * d, &out));
    AK_TRY(ak_gram(ctx, tall, k, tall ? m : d, T, d, G));
    AK_TRY(ak_eigh(ctx, k, G, values));
    for (int64_t c = 0; c < k; ++c) {
        const double sigma = sqrt(fmax(values[c], 0.0));
        const double left = fmax(sigma - tau, 0.0);
        *sum += left;
        for (int64_t i = 0; i < k; ++i)
            V[i * k + c] = sigma > 0.0 ? G[i * k + c] * sqrt(left / sigma)
                                       : 0.0;
    }
    AK_TRY(ak_gram(ctx, false, k, k, V, k, G));
    if (tall)
        AK_TRY(
            ak_gemm(ctx, false, false, m, d, d, 1.0, T, d, G, d, 0.0, out, d));
    else
        AK_TRY(
            ak_gemm(ctx, false, false, m, d, m, 1.0, G, m, T, d, 0.0, out, d));
    memcpy(T, out, (size_t)(m * d) * sizeof *T);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status update_A(association *s, akin_ctx *ctx, double rho)
{
    const int64_t d = s->d;
    akin_status st = AKIN_OK;
    s->rank_value = 0.0;
    for (int64_t c = 0; c < s->peers->n_names; ++c) {
        const int64_t *rows = s->rows + s->offsets[c];
        const int64_t m = s->offsets[c + 1] - s->offsets[c];
        for (int64_t i = 0; i < m; ++i)
            for (int64_t k = 0; k < d; ++k) {
                const int64_t at = rows[i] * d + k;
                s->T[i * d + k] = s->XP[at] - s->E[at] + s->U[at] / rho;
            }
        if (m > 0)
            AK_TRY(shrink_rank(ctx, m, d, s->T, 1.0 / rho, &s->rank_value));
        for (int64_t i = 0; i < m; ++i)
            memcpy(s->A + rows[i] * d, s->T + i * d, (size_t)d * sizeof *s->T);
    }
done:
    return st;
}

/* ---- (3), (4), (5) ------------------------------------------------------ */

static void update_E(association *s, double lambda, double rho)
{
    for (int64_t k = 0; k < s->n_rows * s->d; ++k) {
        const double e = s->XP[k] - s->A[k] + s->U[k] / rho;
        s->E[k] = copysign(fmax(fabs(e) - lambda / rho, 0.0), e);
        s->B[k] = s->A[k] + s->E[k] - s->U[k] / rho;
    }
}

/* (4) of one photo. */
static void assign_photo(const association *s, int64_t i, double *work)
{
    const ak_bags *b = s->peers->bags;
    const int64_t *faces, d = s->d;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, i, &faces);
    const int64_t r = ak_bags_names(b, i, &names), from = b->name_offsets[i];
    double *score = work, *none = score + s->most_faces * s->most_names;
    int32_t *labels = (int32_t *)(none + s->most_faces);
    const ak_assignment a = {n, r, r, score, none};
    double most = 1.0;
    for (int64_t k = 0; k < n * r; ++k) {
        const double *x = s->X + faces[k / r] * d;
        score[k] = 2.0 * ak_dot(d, x, s->B + (from + k % r) * d) -
                   ak_dot(d, x, x);
        most = fmax(most, fabs(score[k]));
    }
    /* All names go to a face while there are faces: P = 0 is where (1) is
     * least, and says nothing. */
    for (int64_t f = 0; f < n; ++f)
        none[f] = -most * (double)(2 * n + 1);
    ak_assign(&a, labels, none + 2 * s->most_faces);
    memset(s->XP + from * d, 0, (size_t)(r * d) * sizeof *s->XP);
    for (int64_t f = 0; f < n; ++f) {
        s->labels[faces[f]] = labels[f] < 0 ? (int32_t)s->peers->n_names
                                            : names[labels[f]];
        if (labels[f] >= 0)
            memcpy(s->XP + (from + labels[f]) * d, s->X + faces[f] * d,
                   (size_t)d * sizeof *s->XP);
    }
}

static akin_status assign_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const association *s = arg;
    for (int64_t i = begin; i < end; ++i)
        assign_photo(s, i, s->work + worker * s->room);
    return AKIN_OK;
}

/* (5); returns |X - A - E| over |X|. */
static double update_U(association *s, double rho)
{
    double off = 0.0, all = 0.0;
    for (int64_t k = 0; k < s->n_rows * s->d; ++k) {
        const double gap = s->XP[k] - s->A[k] - s->E[k];
        s->U[k] += rho * gap;
        off += gap * gap;
        all += s->XP[k] * s->XP[k];
    }
    return all > 0.0 ? sqrt(off / all) : 0.0;
}

/* ---- the run ------------------------------------------------------------ */

/* Rows by name. */
static void sort_rows(association *s)
{
    const ak_bags *b = s->peers->bags;
    for (int64_t k = 0; k < s->n_rows; ++k)
        ++s->offsets[b->names[k] + 1];
    for (int64_t c = 0; c < s->peers->n_names; ++c)
        s->offsets[c + 1] += s->offsets[c];
    for (int64_t k = 0; k < s->n_rows; ++k)
        s->rows[s->offsets[b->names[k]]++] = k;
    for (int64_t c = s->peers->n_names; c > 0; --c)
        s->offsets[c] = s->offsets[c - 1];
    s->offsets[0] = 0;
}

/* Each row the mean of the faces of its photo. */
static void spread_faces(association *s)
{
    const ak_bags *b = s->peers->bags;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces, n = ak_bags_faces(b, i, &faces);
        for (int64_t k = b->name_offsets[i]; k < b->name_offsets[i + 1]; ++k)
            for (int64_t f = 0; f < n; ++f)
                ak_axpy(s->d, 1.0 / (double)n, s->X + faces[f] * s->d,
                        s->XP + k * s->d);
    }
}

static akin_status take_room(association *s, akin_ctx *ctx)
{
    const ak_bags *b = s->peers->bags;
    double **const all[] = {&s->XP, &s->A, &s->E, &s->U, &s->B};
    int64_t most = 0;
    akin_status st = AKIN_OK;
    for (int k = 0; k < 5; ++k)
        AK_TRY(AK_SCRATCH(ctx, s->n_rows * s->d, all[k]));
    AK_TRY(AK_SCRATCH(ctx, s->peers->n_names + 1, &s->offsets));
    AK_TRY(AK_SCRATCH(ctx, s->n_rows, &s->rows));
    sort_rows(s);
    for (int64_t c = 0; c < s->peers->n_names; ++c)
        most = ak_max_i64(most, s->offsets[c + 1] - s->offsets[c]);
    AK_TRY(AK_SCRATCH(ctx, most * s->d, &s->T));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        s->most_faces = ak_max_i64(s->most_faces,
                                   b->item_offsets[i + 1] - b->item_offsets[i]);
        s->most_names = ak_max_i64(s->most_names,
                                   b->name_offsets[i + 1] - b->name_offsets[i]);
    }
    s->room = s->most_faces * (s->most_names + 2) +
              ak_assign_room(s->most_faces, s->most_names);
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * s->room, &s->work));
done:
    return st;
}

static double value_of(const association *s, double lambda)
{
    double sum = s->rank_value;
    for (int64_t k = 0; k < s->n_rows * s->d; ++k)
        sum += lambda * fabs(s->E[k]);
    return sum;
}

akin_status ak_lr_associate(ak_lr_svm_result *out, akin_ctx *ctx,
                            const ak_peers *peers, int64_t d, const double *X,
                            const ak_lr_svm_params *p)
{
    association s = {.peers = peers,
                     .d = d,
                     .n_rows = peers->bags->name_offsets[peers->bags->n_photos],
                     .X = X};
    double rho = p->rho;
    akin_status st = AKIN_OK;
    *out = (ak_lr_svm_result){0};
    AK_TRY(AK_SCRATCH(ctx, peers->n, &s.labels));
    const ak_mark mark = ak_scratch_begin(ctx);
    for (int64_t f = 0; f < peers->n; ++f)
        s.labels[f] = (int32_t)peers->n_names;
    st = take_room(&s, ctx);
    if (st == AKIN_OK)
        spread_faces(&s);
    while (st == AKIN_OK && out->iterations < p->most && !out->converged) {
        st = update_A(&s, ctx, rho);
        if (st != AKIN_OK)
            break;
        update_E(&s, p->lambda, rho);
        st = ak_parallel_for(ctx, peers->bags->n_photos, BLOCK, assign_block,
                             &s);
        out->converged = update_U(&s, rho) <= p->eps;
        rho *= 1.0 + p->delta_rho;
        ++out->iterations;
        if (st == AKIN_OK)
            st = ak_ctx_tick(ctx, "iterations", out->iterations, p->most, NAN);
    }
    if (st == AKIN_OK)
        out->objective = value_of(&s, p->lambda);
    out->labels = s.labels;
    ak_scratch_end(ctx, mark);
done:
    return st;
}

/* ---- machines ----------------------------------------------------------- */

typedef struct machines {
    int64_t n, d;
    const double *X;
    const int32_t *labels;
    double *W, *C;
    double *y, *alpha;  // n for each worker
    int64_t *order;
    ak_rng rng;
} machines;

static akin_status solve_machine(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    const machines *s = arg;
    ak_rng rng = ak_rng_split(s->rng, (uint64_t)begin);
    ak_svm p = {.n = s->n,
                .d = s->d,
                .X = s->X,
                .C = s->C,
                .tol = 1e-3,
                .max_sweeps = 200,
                .w = s->W + begin * s->d,
                .alpha = s->alpha + worker * s->n,
                .order = s->order + worker * s->n};
    double *y = s->y + worker * s->n;
    (void)end;
    for (int64_t i = 0; i < s->n; ++i) {
        y[i] = s->labels[i] == begin ? 1.0 : -1.0;
        p.alpha[i] = 0.0;
    }
    p.y = y;
    ak_svm_solve(&p, &rng);
    return isfinite(p.primal) ? AKIN_OK : AKIN_ENUMERIC;
}

akin_status ak_lr_machines(double *W, akin_ctx *ctx, int64_t n, int64_t d,
                           const double *X, const int32_t *labels,
                           int64_t n_names, double C)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    machines s = {n,    d,
                  X,    labels,
                  W,    NULL,
                  NULL, NULL,
                  NULL, ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_ORDER)};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &s.C));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * n, &s.y));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * n, &s.alpha));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * n, &s.order));
    for (int64_t i = 0; i < n; ++i)
        s.C[i] = C;
    st = ak_parallel_for(ctx, n_names + 1, 1, solve_machine, &s);
    if (st == AKIN_ENUMERIC)
        AK_TRY(
            ak_fail(ctx, st, "a value is not finite (scaled faces may help)"));
    AK_TRY(st);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
