/* LR-SVM: faces get the names of their captions so that the faces of a name are
 * of low rank; then a linear score for each name.
 *   [1] Zeng, Xiao, Jia, Chan, Gao, Xu, Ma. Learning by associating ambiguously
 *       labeled images. CVPR 2013.
 *
 *   min over P, E of  sum over names c of |X_c - E_c|_* + lambda |E_c|_1    (1)
 *
 * X_c has a row for each photo whose caption has name c: the face that P gives
 * the name, or zeros; a name goes to one face and a face has one name, at the
 * most, and as many names are given as can be. With A_c = X_c - E_c,
 * multipliers U_c and a penalty rho, in turn
 *
 *   A_c <- singular values of X_c - E_c + U_c/rho less 1/rho               (2)
 *   E_c <- X_c - A_c + U_c/rho, drawn to zero by lambda/rho                (3)
 *   P   <- the assignment of each photo with scores 2 x.b - |x|^2, b the row
 *          of A_c + E_c - U_c/rho                                          (4)
 *   U_c <- U_c + rho (X_c - A_c - E_c),  rho <- (1 + delta) rho            (5)
 */
#include "learn/captions/lr_svm.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "learn/captions/faces.h"
#include "opt/assign.h"
#include "opt/svm.h"

static const akin_option options[] = {
    AK_OPTION_GRID(akin_lr_svm_options, sparse, 0.0, 1e12,
                   "weight of the deviation from low rank", 0.01, 0.1, 0.3,
                   1.0),
    AK_OPTION_GRID(akin_lr_svm_options, C, 1e-9, 1e9,
                   "weight of the margins against short weights", 1e-2, 1e-1,
                   1.0, 10.0),
    AK_OPTION(akin_lr_svm_options, rho, 1e-12, 1e12,
              "initial penalty of the solver"),
    AK_OPTION(akin_lr_svm_options, delta_rho, 0.0, 1e3, "growth of rho a step"),
    AK_OPTION(akin_lr_svm_options, eps, 0.0, 1.0,
              "relative residual at which it ends"),
    AK_OPTION(akin_lr_svm_options, iterations, 1, 1e9,
              "maximum number of iterations"),
};

enum { BLOCK = 32 };

/* Rows of all X_c lie by photo and, in it, by name, as bags->names does; the
 * rows of name c are rows[offsets[c]..[c + 1]). */
typedef struct association {
    const ak_shared_names *peers;
    int64_t d, n_rows;
    const double *X;          // n x d
    double *XP, *A, *E, *U;   // n_rows x d
    double *B;                // n_rows x d, of (4)
    int64_t *offsets, *rows;  // n_names + 1, n_rows
    double *T, *lower;        // most rows of a name x d
    double *G, *V, *values;   // k x k, k; k the lesser side of T at the most
    int64_t most_faces, most_names;
    double *score, *none;    // of one photo, for each worker
    int32_t *found;          // the same: labels
    ak_assign_room *assign;  // for each worker
    int32_t *labels;
    double rank_value;  // sum of |A_c|_*
} association;

/* ---- (2) ----------------------------------------------------------------- */

/* The first m rows of T <- their singular values less tau, what is left of
 * which is added to rank_value. */
static akin_status shrink_rank(association *s, akin_ctx *ctx, int64_t m,
                               double tau)
{
    const int64_t d = s->d, k = ak_min_i64(m, d);
    const bool tall = m > d;
    AK_CHECK(ak_gram(ctx, tall, k, tall ? m : d, s->T, d, s->G));
    AK_CHECK(ak_eigh(ctx, k, s->G, s->values));
    for (int64_t c = 0; c < k; ++c) {
        const double sigma = sqrt(fmax(s->values[c], 0.0));
        const double left = fmax(sigma - tau, 0.0);
        const double by = sigma > 0.0 ? sqrt(left / sigma) : 0.0;
        s->rank_value += left;
        for (int64_t i = 0; i < k; ++i)
            s->V[i * k + c] = s->G[i * k + c] * by;
    }
    AK_CHECK(ak_gram(ctx, false, k, k, s->V, k, s->G));
    return ak_gemm(ctx, false, false, m, d, k, 1.0, tall ? s->T : s->G, k,
                   tall ? s->G : s->T, d, 0.0, s->lower, d);
}

static akin_status update_A(association *s, akin_ctx *ctx, double rho)
{
    const int64_t d = s->d;
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
            AK_CHECK(shrink_rank(s, ctx, m, 1.0 / rho));
        for (int64_t i = 0; i < m; ++i)
            memcpy(s->A + rows[i] * d, s->lower + i * d,
                   (size_t)d * sizeof *s->A);
    }
    return AKIN_OK;
}

/* ---- (3), (4), (5) ------------------------------------------------------- */

static void update_E(association *s, double lambda, double rho)
{
    for (int64_t k = 0; k < s->n_rows * s->d; ++k) {
        const double e = s->XP[k] - s->A[k] + s->U[k] / rho;
        s->E[k] = copysign(fmax(fabs(e) - lambda / rho, 0.0), e);
        s->B[k] = s->A[k] + s->E[k] - s->U[k] / rho;
    }
}

/* (4) of one photo. */
static void assign_photo(const association *s, int64_t i, int64_t worker)
{
    const ak_bags *b = s->peers->bags;
    const int64_t *faces, d = s->d;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, i, &faces);
    const int64_t r = ak_bags_names(b, i, &names), from = b->name_offsets[i];
    double *score = s->score + worker * s->most_faces * s->most_names;
    double *none = s->none + worker * s->most_faces;
    int32_t *labels = s->found + worker * s->most_faces;
    const ak_assignment a = {n, r, r, score, none};
    double most = 1.0;
    for (int64_t k = 0; k < n * r; ++k) {
        const double *x = s->X + faces[k / r] * d;
        score[k] = 2.0 * ak_dot(d, x, s->B + (from + k % r) * d) -
                   ak_dot(d, x, x);
        most = fmax(most, fabs(score[k]));
        if (ak_confirmed_refuses(&s->peers->said, faces[k / r], names[k % r]))
            score[k] = -INFINITY;
    }
    /* All names go to a face while there are faces: P = 0 is where (1) is
     * least, and says nothing. */
    for (int64_t f = 0; f < n; ++f)
        none[f] = -most * (double)(2 * n + 1);
    ak_assign(&a, labels, s->assign + worker);
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
        assign_photo(s, i, worker);
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

/* ---- the run ------------------------------------------------------------- */

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

static akin_status take_photo_rooms(association *s, akin_ctx *ctx)
{
    const ak_bags *b = s->peers->bags;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        s->most_faces = ak_max_i64(s->most_faces,
                                   b->item_offsets[i + 1] - b->item_offsets[i]);
        s->most_names = ak_max_i64(s->most_names,
                                   b->name_offsets[i + 1] - b->name_offsets[i]);
    }
    const int64_t workers = ak_workers(ctx), n = s->most_faces;
    AK_CHECK(ak_assign_rooms(&s->assign, ctx, workers, n, s->most_names));
    AK_CHECK(AK_SCRATCH(ctx, workers * n * s->most_names, &s->score));
    AK_CHECK(AK_SCRATCH(ctx, workers * n, &s->none));
    return AK_SCRATCH(ctx, workers * n, &s->found);
}

static akin_status take_room(association *s, akin_ctx *ctx)
{
    double **const all[] = {&s->XP, &s->A, &s->E, &s->U, &s->B};
    int64_t most = 0;
    for (int k = 0; k < 5; ++k)
        AK_CHECK(AK_SCRATCH(ctx, s->n_rows * s->d, all[k]));
    AK_CHECK(AK_SCRATCH(ctx, s->peers->n_names + 1, &s->offsets));
    AK_CHECK(AK_SCRATCH(ctx, s->n_rows, &s->rows));
    sort_rows(s);
    for (int64_t c = 0; c < s->peers->n_names; ++c)
        most = ak_max_i64(most, s->offsets[c + 1] - s->offsets[c]);
    const int64_t k = ak_min_i64(most, s->d);
    AK_CHECK(AK_SCRATCH_EACH(ctx, most * s->d, &s->T, &s->lower));
    AK_CHECK(AK_SCRATCH_EACH(ctx, k * k, &s->G, &s->V));
    AK_CHECK(AK_SCRATCH(ctx, k, &s->values));
    return take_photo_rooms(s, ctx);
}

static double value_of(const association *s, double lambda)
{
    double sum = s->rank_value;
    for (int64_t k = 0; k < s->n_rows * s->d; ++k)
        sum += lambda * fabs(s->E[k]);
    return sum;
}

akin_status ak_lr_associate(ak_lr_svm_result *out, akin_ctx *ctx,
                            const ak_shared_names *peers, int64_t d,
                            const double *X, const ak_lr_svm_params *p)
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
    while (st == AKIN_OK && out->iterations < p->most && !out->converged &&
           !ak_ctx_stopped(ctx)) {
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
            st = ak_ctx_step(ctx, "iterations", out->iterations, p->most, NAN);
    }
    if (st == AKIN_OK)
        out->objective = value_of(&s, p->lambda);
    out->labels = s.labels;
    ak_scratch_end(ctx, mark);
done:
    return st;
}

/* ---- a machine for each name --------------------------------------------- */

enum { MACHINES_AT_ONCE = 32 };  // between two looks at progress

typedef struct machines {
    int64_t n, d;
    int64_t first;  // of those that are solved at once
    const double *X;
    const int32_t *labels;
    double *W;          // (n_names + 1) x d, the last for no name
    double *C;          // n
    double *y, *alpha;  // n for each worker
    int64_t *order;
    ak_rng rng;
} machines;

static akin_status solve_machine(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    const machines *s = arg;
    const int64_t name = s->first + begin;
    ak_rng rng = ak_rng_split(s->rng, (uint64_t)name);
    ak_svm p = {.n = s->n,
                .d = s->d,
                .X = s->X,
                .C = s->C,
                .tol = 1e-3,
                .max_sweeps = 200,
                .w = s->W + name * s->d,
                .alpha = s->alpha + worker * s->n,
                .order = s->order + worker * s->n};
    double *y = s->y + worker * s->n;
    (void)end;
    for (int64_t i = 0; i < s->n; ++i) {
        y[i] = s->labels[i] == name ? 1.0 : -1.0;
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
    machines s = {.n = n,
                  .d = d,
                  .X = X,
                  .labels = labels,
                  .rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_ORDER)};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, (n_names + 1) * d, &s.W));
    AK_TRY(AK_SCRATCH(ctx, n, &s.C));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * n, &s.y));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * n, &s.alpha));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * n, &s.order));
    for (int64_t i = 0; i < n; ++i)
        s.C[i] = C;
    for (; s.first <= n_names; s.first += MACHINES_AT_ONCE) {
        AK_TRY(ak_ctx_tick(ctx, "names", s.first, n_names + 1, NAN));
        st = ak_parallel_for(
            ctx, ak_min_i64(MACHINES_AT_ONCE, n_names + 1 - s.first), 1,
            solve_machine, &s);
        if (st == AKIN_ENUMERIC)
            ak_fail(ctx, st, "a value is not finite (scaled faces may help)");
        AK_TRY(st);
    }
    for (int64_t k = 0; k < n_names * d; ++k)
        W[k] = s.W[k] - s.W[n_names * d + k % d];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the learner --------------------------------------------------------- */

static akin_status lr_svm_learn(akin_model **out, akin_ctx *ctx,
                                const akin_options *head,
                                const akin_supervision *data,
                                akin_learn_info *info)
{
    const akin_lr_svm_options *o = (const akin_lr_svm_options *)head;
    const ak_lr_svm_params p = {o->sparse, o->rho, o->delta_rho, o->eps,
                                o->iterations};
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_faces x;
    ak_lr_svm_result r;
    double *W;
    akin_status st = AKIN_OK;
    AK_TRY(ak_faces_of(&x, ctx, data));
    AK_TRY(ak_lr_associate(&r, ctx, &x.peers, x.d, x.X, &p));
    const int64_t names = x.peers.n_names;
    AK_TRY(AK_SCRATCH(ctx, names * x.d, &W));
    AK_TRY(ak_lr_machines(W, ctx, x.n, x.d, x.X, r.labels, names, o->C));
    AK_TRY(ak_name_model_new(out, ctx, data, W, NULL, 0.0));
    ak_faces_ended(info, r.converged, r.iterations, x.peers.bags->n_photos,
                   r.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

const ak_learner ak_learner_lr_svm = {
    .info =
        {
            .name = "lr-svm",
            .summary = "faces of a name are of low rank; then machines",
            .when = "a baseline; names faces that come later",
            .paper = "zeng2013lrsvm",
            .takes = AKIN_BAGS,
            .makes = "ranker",
            .names_faces = 1,
            .recipe = &ak_recipe_faces,
            AK_OPTION_ROWS(akin_lr_svm_options, AKIN_LR_SVM_DEFAULTS, options),
        },
    .learn = lr_svm_learn,
};
