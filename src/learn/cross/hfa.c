/* HFA: support vector machines for the rows of a target, helped by the rows of
 * a source with other columns.
 *   [1] Duan, Xu, Tsang. Learning with augmented features for heterogeneous
 *       domain adaptation. ICML 2012.
 *
 *   phi(x) = (P x, x, 0) of the source, phi(y) = (Q y, 0, y) of the target  (1)
 *   H      = (P, Q)'(P, Q), no eigenvalue below 0, trace at most lambda     (2)
 *   min over H and a machine on (1) for each label                          (3)
 *
 * [1] has a separate H for each label. The minimum of that is known: the
 * machine of each side alone with C (1 + lambda) in place of C, so that only
 * the common offset of [1] is learned from the source. Here all labels share
 * one H; the problem stays convex. With z = (x, 0) or (0, y), two steps
 * alternate: the machines for a given H, and H for given machines:
 *
 *   x_i  = (I + H)^1/2 z_i, w_c the machine on these, G = (I + H)^1/2 W     (4)
 *   H    = U diag(h) U' with G = U diag(s) V' and
 *          1 + h_k = max(1, s_k / mu), mu such that sum h = lambda          (5)
 *   dual = sum_c (sum_i alpha_ic [- alpha_ic^2 / 4C])
 *          - (|B|_F^2 + lambda |B|_2^2) / 2,  b_c = sum_i alpha_ic y_ic z_i (6)
 *
 * Both steps lower (1) of hfa.h, (5) by a closed form; (6) is a bound from
 * below for any alpha in range, so the gap certifies how close the solution is.
 * H has at most as many directions as there are labels. A lost direction may
 * return, because I + H keeps it. The model ranks the labels of target rows. */
#include "learn/cross/hfa.h"

#include <math.h>
#include <string.h>

#include "data/labels.h"
#include "la/dense.h"
#include "learn/cross/span.h"
#include "learn/learner.h"

/* ---- the solver ---------------------------------------------------------- */

akin_status ak_hfa_room(ak_hfa *p, akin_ctx *ctx)
{
    const int64_t n = p->set.n, d = p->set.d, L = p->set.labels;
    p->q = ak_min_i64(d, L);
    AK_CHECK(ak_svm_set_room(&p->set, ctx));
    AK_CHECK(AK_SCRATCH(ctx, n * d, &p->X));
    AK_CHECK(AK_SCRATCH(ctx, n * p->q, &p->ZU));
    AK_CHECK(AK_SCRATCH_EACH(ctx, d * L, &p->G, &p->W));
    AK_CHECK(AK_SCRATCH_EACH(ctx, p->q * L, &p->M, &p->Vt));
    AK_CHECK(AK_SCRATCH(ctx, d * p->q, &p->U));
    AK_CHECK(AK_SCRATCH_EACH(ctx, p->q, &p->h, &p->s));
    p->set.X = p->X;
    return AKIN_OK;
}

void ak_hfa_fill(int64_t q, const double *s, double lambda, double *h)
{
    double sum = 0.0, mu = 0.0;
    for (int64_t k = 0; k < q; ++k) {
        const double next = (sum + s[k]) / (lambda + (double)(k + 1));
        if (!(s[k] > next))
            break;
        sum += s[k];
        mu = next;
    }
    for (int64_t k = 0; k < q; ++k)
        h[k] = mu > 0.0 ? fmax(0.0, s[k] / mu - 1.0) : 0.0;
}

/* X = Z (I + H)^1/2. */
static akin_status transform_rows(ak_hfa *p, akin_ctx *ctx)
{
    const int64_t n = p->set.n, d = p->set.d, q = p->q;
    AK_CHECK(ak_gemm(ctx, false, false, n, q, d, 1.0, p->Z, d, p->U, q, 0.0,
                     p->ZU, q));
    for (int64_t i = 0; i < n * q; ++i)
        p->ZU[i] *= sqrt(1.0 + p->h[i % q]) - 1.0;
    memcpy(p->X, p->Z, (size_t)(n * d) * sizeof *p->X);
    return ak_gemm(ctx, false, true, n, d, q, 1.0, p->ZU, q, p->U, q, 1.0, p->X,
                   d);
}

/* out = (I + H)^power W, of the machines as they are. */
static akin_status transform_machines(ak_hfa *p, akin_ctx *ctx, double power,
                                      double *out)
{
    const int64_t d = p->set.d, q = p->q, L = p->set.labels;
    for (int64_t c = 0; c < L; ++c)
        for (int64_t j = 0; j < d; ++j)
            out[j * L + c] = p->set.w[c * d + j];
    AK_CHECK(
        ak_gemm(ctx, true, false, q, L, d, 1.0, p->U, q, out, L, 0.0, p->M, L));
    for (int64_t i = 0; i < q * L; ++i)
        p->M[i] *= pow(1.0 + p->h[i / L], power) - 1.0;
    return ak_gemm(ctx, false, false, d, L, q, 1.0, p->U, q, p->M, L, 1.0, out,
                   L);
}

/* (6); the dual value of a machine includes -|w|^2 / 2. */
static akin_status find_dual(ak_hfa *p, akin_ctx *ctx, double *U)
{
    const int64_t d = p->set.d, L = p->set.labels;
    AK_CHECK(transform_machines(p, ctx, -0.5, p->W));
    p->dual = -0.5 * ak_dot(d * L, p->W, p->W);
    for (int64_t c = 0; c < L; ++c) {
        const double *w = p->set.w + c * d;
        p->dual += p->set.dual[c] + 0.5 * ak_dot(d, w, w);
    }
    AK_CHECK(ak_svd(ctx, d, L, p->W, p->s, U, p->Vt));
    p->dual -= 0.5 * p->lambda * p->s[0] * p->s[0];
    return AKIN_OK;
}

/* (5), and the objective with it. */
static akin_status find_transform(ak_hfa *p, akin_ctx *ctx)
{
    const int64_t d = p->set.d, L = p->set.labels;
    AK_CHECK(transform_machines(p, ctx, 0.5, p->G));
    memcpy(p->W, p->G, (size_t)(d * L) * sizeof *p->W);
    AK_CHECK(ak_svd(ctx, d, L, p->W, p->s, p->U, p->Vt));
    ak_hfa_fill(p->q, p->s, p->lambda, p->h);
    p->objective = 0.0;
    for (int64_t c = 0; c < L; ++c) {
        const double *w = p->set.w + c * d;
        p->objective += p->set.primal[c] - 0.5 * ak_dot(d, w, w);
    }
    for (int64_t k = 0; k < p->q; ++k)
        p->objective += 0.5 * p->s[k] * p->s[k] / (1.0 + p->h[k]);
    return AKIN_OK;
}

akin_status ak_hfa_solve(ak_hfa *p, akin_ctx *ctx)
{
    double *room;
    AK_CHECK(AK_SCRATCH(ctx, p->set.d * p->q, &room));
    p->converged = false;
    p->iterations = 0;
    p->objective = NAN;
    AK_CHECK(ak_ctx_tick(ctx, "iterations", 0, 0, p->objective));
    while (p->iterations < p->max_iterations && !p->converged &&
           !ak_ctx_stopped(ctx)) {
        AK_CHECK(transform_rows(p, ctx));
        p->set.report = (akin_progress){"iterations", p->iterations, 0,
                                        p->objective, p->max_iterations};
        AK_CHECK(ak_svm_set_solve(&p->set, ctx));
        if (p->set.stopped && p->iterations > 0)
            break;  // G is that of the last iteration
        AK_CHECK(find_dual(p, ctx, room));
        AK_CHECK(find_transform(p, ctx));
        ++p->iterations;
        p->converged = p->objective - p->dual <= p->tol * p->objective;
        AK_CHECK(ak_ctx_step(ctx, "iterations", p->iterations,
                             p->max_iterations, p->objective));
    }
    return AKIN_OK;
}

/* ---- the learner --------------------------------------------------------- */

typedef struct hfa {
    ak_pairs pairs;  // the sides
    ak_span span[2];
    double *Z;  // both sides, one below and beside the other
    ak_hfa p;
} hfa;

/* Rows as (x, 0) and (0, y), and their labels. */
static akin_status stack(hfa *s, akin_ctx *ctx)
{
    const ak_span *x = s->span;
    const int64_t n = x[0].n + x[1].n, d = x[0].r + x[1].r;
    ak_svm_set *set = &s->p.set;
    int64_t row = 0;
    if (n > AK_SIDE_MOST / d)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " rows are too many for hfa (try rsl)", n);
    set->n = n;
    set->d = d;
    set->labels = s->pairs.n_labels;
    AK_CHECK(AK_SCRATCH(ctx, n * d, &s->Z));
    AK_CHECK(ak_hfa_room(&s->p, ctx));
    for (int e = 0; e < 2; ++e) {
        const ak_grid_side *g = &s->pairs.side[e];
        for (int64_t i = 0; i < g->n; ++i, ++row) {
            memcpy(s->Z + row * d + (e ? x[0].r : 0), x[e].Z + i * x[e].r,
                   (size_t)x[e].r * sizeof *s->Z);
            for (int64_t k = g->offsets[i]; k < g->offsets[i + 1]; ++k)
                set->y[g->labels[k] * n + row] = 1.0;
        }
    }
    s->p.Z = s->Z;
    return AKIN_OK;
}

/* Names of the left side, then those that only the right side has, in the order
 * of ak_pairs. */
static akin_status name_labels(ak_labels *out, akin_ctx *ctx, const ak_pairs *p)
{
    const akin_rows *l = p->left, *r = p->right;
    int64_t n = l->n_label_names;
    char **names;
    int32_t *map;
    AK_CHECK(AK_SCRATCH(ctx, p->n_labels, &names));
    AK_CHECK(ak_label_map(ctx, r->n_label_names, r->label_names,
                          l->n_label_names, l->label_names, &map));
    for (int64_t k = 0; k < n; ++k)
        names[k] = l->label_names[k];
    for (int64_t k = 0; k < r->n_label_names; ++k)
        if (map[k] < 0)
            names[n++] = r->label_names[k];
    *out = (ak_labels){p->n_labels, names};
    return AKIN_OK;
}

static void sum_up(const ak_hfa *p, akin_learn_info *info)
{
    info->outcome = p->converged ? AKIN_CONVERGED : AKIN_STEP_LIMIT;
    info->examples = p->set.n;
    info->iterations = p->iterations;
    info->updates = p->iterations;
    info->objective = p->objective;
}

static akin_status hfa_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const akin_hfa_options *o = (const akin_hfa_options *)head;
    const ak_span_options how = AK_SPAN_OPTIONS(o, o->kernel_right, true);
    hfa s = {.p = {.lambda = o->lambda,
                   .tol = o->tol,
                   .max_iterations = o->max_iterations}};
    ak_labels labels;
    akin_status st = AKIN_OK;
    if (data->right == NULL)
        AK_TRY(
            ak_fail(ctx, AKIN_EINVAL, "hfa requires right rows (the target)"));
    AK_TRY(ak_pairs_of(&s.pairs, ctx, data));
    AK_TRY(ak_pairs_differ(&s.pairs, ctx));
    AK_TRY(ak_span_open_sides(s.span, ctx, &s.pairs, true, &how));
    s.p.set = (ak_svm_set){
        .C = o->C,
        .squared = strcmp(o->loss, "hinge2") == 0,
        .tol = 0.1 * o->tol,
        .max_sweeps = o->max_sweeps,
        .rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_ORDER),
        .watched = ctx,
    };
    AK_TRY(stack(&s, ctx));
    AK_TRY(name_labels(&labels, ctx, &s.pairs));
    AK_TRY(ak_hfa_solve(&s.p, ctx));
    sum_up(&s.p, info);
    AK_TRY(ak_span_ranker(out, ctx, &s.span[1], labels,
                          s.p.G + s.span[0].r * labels.n, NULL));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_hfa_options, C, 1e-9, 1e9,
                   "weight of the losses against the norm of the weights", 1e-2,
                   1e-1, 1.0, 10.0, 100.0),
    AK_OPTION_GRID(akin_hfa_options, lambda, 0.0, 1e9,
                   "largest trace of the transform that labels share", 1.0,
                   10.0, 100.0),
    AK_OPTION_WORD(akin_hfa_options, loss, "hinge|hinge2",
                   "of a margin z: max(0, 1 - z), or its square"),
    AK_OPTION(
        akin_hfa_options, tol, 0.0, 1.0,
        "stop when the duality gap falls below this share of the objective"),
    AK_OPTION(akin_hfa_options, max_iterations, 1, 1e9,
              "maximum number of iterations"),
    AK_OPTION(akin_hfa_options, max_sweeps, 1, 1e9,
              "maximum number of sweeps of a machine in each iteration"),
    AK_OPTION_KERNEL(akin_hfa_options),
    AK_OPTION_KERNEL_RIGHT(akin_hfa_options),
    AK_OPTION_KERNEL_PLACE(akin_hfa_options),
};

const ak_learner ak_learner_hfa = {
    .info =
        {
            .name = "hfa",
            .summary = "support vector machines helped by rows of another kind",
            .when = "few labels of the target (right rows), more of a source",
            .paper = "duan2012hfa",
            .takes = AKIN_LABELS,
            .makes = "ranker",
            .takes_right = 2,
            .takes_all = 1,
            .recipe = &ak_recipe_centred,
            AK_OPTION_ROWS(akin_hfa_options, AKIN_HFA_DEFAULTS, options),
        },
    .learn = hfa_learn,
};
