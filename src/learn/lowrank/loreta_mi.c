/* LORETA-MI: W = A B' of rank k, with steps inside the learned space between
 * those on the manifold; learn/lowrank/loreta.h has (1) to (4) and [1].
 *
 * One triplet takes the step of loreta-1. With A and B as they then are, the
 * next ones teach a matrix in between, W = A M B', M = I at first:
 *
 *   M <- M + eta2 (A'x) (B'D)' where the loss is not 0          (5)
 *
 * which is then shared out, M = U S V':
 *
 *   A <- A U S^1/2,  B <- B V S^1/2                             (6)
 *
 * [1] Algorithm 6, the inverses carried along. Singular values under 1e-6 of
 * the largest are raised to it: M must not lose rank. Unless max_s is 0, eta2
 * is no more than max_s times what takes the loss to 0. */
#include "learn/lowrank/lowrank.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

static const double SINGULAR_LEAST = 1e-6;

typedef struct mi {
    ak_lowrank base;
    double eta2;
    int64_t inner, seen;  // steps on M between two others; rounds since one
    bool is_moved;        // M is not I
    double *M, *MBD;      // k x k; k
} mi;

static void set_identity(int64_t k, double *M)
{
    memset(M, 0, (size_t)(k * k) * sizeof *M);
    for (int64_t i = 0; i < k; ++i)
        M[i * k + i] = 1.0;
}

/* x' A M B' D */
static double mi_margin(void *state, const ak_lesson *l)
{
    mi *s = state;
    const int64_t k = s->base.k;
    const double margin = ak_lowrank_margin(state, l);
    if (!s->is_moved)
        return margin;
    for (int64_t i = 0; i < k; ++i)
        s->MBD[i] = ak_small_dot(k, s->M + i * k, s->base.BD);
    return ak_small_dot(k, s->base.Aq, s->MBD);
}

static akin_status mi_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    mi *s = state;
    const int64_t k = s->base.k;
    if (!s->base.is_ready || s->seen == 0)
        return ak_lowrank_step(state, ctx, l);
    const double *Aq = s->base.Aq, *BD = s->base.BD;
    const double size = ak_small_dot(k, Aq, Aq) * ak_small_dot(k, BD, BD);
    double eta2 = s->eta2;
    if (s->base.max_s > 0.0 && size > 0.0)
        eta2 = fmin(eta2, s->base.max_s * l->loss / size);
    for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j)  // (5)
            s->M[i * k + j] += eta2 * Aq[i] * BD[j];
    s->is_moved = true;
    return AKIN_OK;
}

static const ak_loreta_rule rule = {mi_margin, mi_step, ak_lowrank_fetch};

/* T = U S^1/2 and its inverse S^-1/2 U', U by its strides. */
static void half(int64_t k, const double *U, int64_t by_row, int64_t by_col,
                 const double *S, double *T, double *Tinv)
{
    for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j) {
            const double u = U[i * by_row + j * by_col], root = sqrt(S[j]);
            T[i * k + j] = u * root;
            Tinv[j * k + i] = u / root;
        }
}

/* (6) on A and B. */
static akin_status fold(const void *state, akin_ctx *ctx, ak_factor *A,
                        ak_factor *B)
{
    const mi *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = s->base.k;
    double *M = NULL, *S = NULL, *U = NULL, *Vt = NULL, *T = NULL, *Tinv = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k * k, &M));
    AK_TRY(AK_SCRATCH(ctx, k, &S));
    AK_TRY(AK_SCRATCH(ctx, k * k, &U));
    AK_TRY(AK_SCRATCH(ctx, k * k, &Vt));
    AK_TRY(AK_SCRATCH(ctx, k * k, &T));
    AK_TRY(AK_SCRATCH(ctx, k * k, &Tinv));
    memcpy(M, s->M, (size_t)(k * k) * sizeof *M);
    AK_TRY(ak_svd(ctx, k, k, M, S, U, Vt));
    for (int64_t i = 0; i < k; ++i)
        S[i] = fmax(S[i], SINGULAR_LEAST * S[0]);
    half(k, U, k, 1, S, T, Tinv);
    AK_TRY(ak_factor_transform(A, ctx, T, Tinv));
    half(k, Vt, 1, k, S, T, Tinv);
    AK_TRY(ak_factor_transform(B, ctx, T, Tinv));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status mi_after(void *state, akin_ctx *ctx)
{
    mi *s = state;
    akin_status st = AKIN_OK;
    if (!ak_lowrank_counts(&s->base) || s->seen++ < s->inner)
        return st;
    s->seen = 0;
    if (!s->is_moved)
        return st;
    st = fold(s, ctx, &s->base.A, &s->base.B);
    set_identity(s->base.k, s->M);
    s->is_moved = false;
    return st;
}

/* ---- the learner ----------------------------------------------------------
 */

static void mi_free(void *state)
{
    mi *s = state;
    if (s == NULL)
        return;
    ak_lowrank_end(&s->base);
    akin_free(s->M);
    akin_free(s);
}

static akin_status mi_resume(mi *s, akin_ctx *ctx, const ak_tensors *t)
{
    const int64_t k = s->base.k;
    const ak_tensor *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_state_count(t, ctx, "inner.seen", &s->seen));
    AK_TRY(ak_tensors_need(t, ctx, "M", AK_DTYPE_F64, 2, &x));
    if (x->shape[0] != k || x->shape[1] != k)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor 'M' does not fit rank %" PRId64,
                       ak_tensors_path(t), k));
    memcpy(s->M, x->data, (size_t)(k * k) * sizeof *s->M);
    for (int64_t i = 0; i < k * k; ++i)
        s->is_moved |= s->M[i] != (i / k == i % k ? 1.0 : 0.0);
done:
    return st;
}

static akin_status mi_begin(void **state, akin_ctx *ctx,
                            const ak_online_input *in)
{
    const akin_loreta_mi_options *o =
        (const akin_loreta_mi_options *)in->options;
    mi *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(ak_lowrank_begin(&s->base, ctx, in->options, in->data, in->resume,
                            false, &rule));
    s->base.head.after = mi_after;
    s->eta2 = o->eta2;
    s->inner = o->inner;
    AK_TRY(AK_NEW(ctx, o->rank * (o->rank + 1), &s->M));
    s->MBD = s->M + o->rank * o->rank;
    set_identity(o->rank, s->M);
    if (in->resume != NULL)
        AK_TRY(mi_resume(s, ctx, in->resume));
    *state = s;
    s = NULL;
done:
    mi_free(s);
    return st;
}

/* (6) is on copies when M is not done with. */
static akin_status mi_model(akin_model **out, akin_ctx *ctx, void *state)
{
    return ((const mi *)state)->is_moved
               ? ak_lowrank_model_after(out, ctx, state, fold)
               : ak_lowrank_model(out, ctx, state);
}

static akin_status mi_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const mi *s = state;
    const int64_t k = s->base.k;
    akin_status st = AKIN_OK;
    AK_TRY(ak_lowrank_save(state, ctx, t));
    AK_TRY(ak_tensors_put_copy(
        t, ctx, (ak_tensor){"M", AK_DTYPE_F64, 2, {k, k}, s->M}));
    AK_TRY(ak_tensors_note_i64(t, ctx, "inner.seen", s->seen));
done:
    return st;
}

static const akin_option options[] = {
    AK_LORETA_OPTIONS(akin_loreta_mi_options),
    AK_OPTION(akin_loreta_mi_options, inner, 0, 1e6,
              "steps inside the learned space after each on the manifold"),
    AK_OPTION_GRID(akin_loreta_mi_options, eta2, 1e-12, 1e6,
                   "size of a step inside the learned space", 0.01, 0.1, 1.0),
};
AK_OPTIONS_COVER(akin_loreta_mi_options, options);

static const akin_loreta_mi_options defaults = AKIN_LORETA_MI_DEFAULTS;

static const ak_online online = {
    .begin = mi_begin,
    .observe = ak_loreta_observe,
    .model = mi_model,
    .save = mi_save,
    .free = mi_free,
};

const ak_learner ak_learner_loreta_mi = {
    .info =
        {
            .name = "loreta-mi",
            .summary = "low-rank similarity, refined inside its own space",
            .when = "to compare with the paper; loreta-1 learns more",
            .paper = "shalit2012loreta",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "factored",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
