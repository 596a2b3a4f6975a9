/* ARC-t: a similarity between two kinds of rows, of any rank, convex.
 *   [1] Kulis, Saenko, Darrell. What you saw is not what you get: domain
 *       adaptation using asymmetric kernel transforms. CVPR 2011.
 *
 *   f(x, y) = x' W y                                                      (1)
 *   J(W) = |W|^2 / 2 + C mean_t w_t (max(0, l - f_t)^2 where a pair matches,
 *                                    max(0, f_t - u)^2 where not)         (2)
 *
 * [1] eq. 6 with the mean in place of the sum and weights w_t of mean 1. W lies
 * in the spans of the rows: with X = Z P' (P d x r, orthonormal columns),
 * W = P V Q' and f = z' V w, so only V, r x s, has to be found. J is strongly
 * convex; Newton steps with truncated conjugate gradients find its minimum to
 * any tolerance, with the generalised second derivative of (2). With kernels,
 * z and w are the features of the rows. */
#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "base/parallel.h"
#include "la/dense.h"
#include "learn/cross/span.h"
#include "learn/learner.h"
#include "model/blend.h"
#include "opt/trust_region.h"

enum { BLOCK = 16 };
static const int64_t MOST = INT64_C(1) << 28;  // pairs

typedef struct arc {
    const akin_arc_t_options *o;
    ak_pairs pairs;
    ak_span side[2];
    int64_t *at;     // pairs at[i]..[i + 1] have left row i,
    int32_t *right;  // this right row each
    double *weight;  // and this weight over the count, below 0: no match
    double *f, *g;   // of each pair, at the point and where a step leads
    double *V, *W;   // r x s: the point, and where a step leads
    double *U, *R;   // n x s of the left side
    double value, next;
} arc;

/* ---- sums over pairs ----------------------------------------------------- */

/* How far the similarity of a pair is from its target; 0: it is reached. */
static double miss(const arc *s, double weight, double f)
{
    return weight > 0.0 ? fmin(f - s->o->lower, 0.0)
                        : fmax(f - s->o->upper, 0.0);
}

typedef struct job {
    arc *s;
    const double *U;  // n x s: Z times the point or a direction
    double *f;        // written by `similarities`
    bool second;      // `sums` of second derivatives, along f
} job;

static akin_status similarities(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const job *b = arg;
    const arc *s = b->s;
    const int64_t r = s->side[1].r;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        for (int64_t t = s->at[i]; t < s->at[i + 1]; ++t)
            b->f[t] = ak_dot(r, b->U + i * r, s->side[1].Z + s->right[t] * r);
    return AKIN_OK;
}

/* R_i = sum over the pairs of row i of the derivative times z_j. */
static akin_status sums(void *arg, int64_t begin, int64_t end, int64_t worker)
{
    const job *b = arg;
    arc *s = b->s;
    const int64_t r = s->side[1].r;
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        double *R = s->R + i * r;
        memset(R, 0, (size_t)r * sizeof *R);
        for (int64_t t = s->at[i]; t < s->at[i + 1]; ++t) {
            const double m = miss(s, s->weight[t], s->f[t]);
            if (m != 0.0)
                ak_axpy(r,
                        2.0 * s->o->C * fabs(s->weight[t]) *
                            (b->second ? b->f[t] : m),
                        s->side[1].Z + s->right[t] * r, R);
        }
    }
    return AKIN_OK;
}

/* f of all pairs at the point or along the direction V. */
static akin_status measure(arc *s, akin_ctx *ctx, const double *V, double *f)
{
    const ak_span *x = &s->side[0], *y = &s->side[1];
    job b = {s, s->U, f, false};
    AK_CHECK(ak_gemm(ctx, false, false, x->n, y->r, x->r, 1.0, x->Z, x->r, V,
                     y->r, 0.0, s->U, y->r));
    return ak_parallel_for(ctx, x->n, BLOCK, similarities, &b);
}

/* out = V + Z'R, the first derivative at V or the second along it. */
static akin_status derivative(arc *s, akin_ctx *ctx, const double *V,
                              double *along, double *out)
{
    const ak_span *x = &s->side[0], *y = &s->side[1];
    job b = {s, NULL, along, along != NULL};
    AK_CHECK(ak_parallel_for(ctx, x->n, BLOCK, sums, &b));
    memcpy(out, V, (size_t)(x->r * y->r) * sizeof *out);
    return ak_gemm(ctx, true, false, x->r, y->r, x->n, 1.0, x->Z, x->r, s->R,
                   y->r, 1.0, out, y->r);
}

static double value_of(const arc *s, const double *V, const double *f)
{
    const int64_t size = s->side[0].r * s->side[1].r;
    double sum = 0.0;
    for (int64_t t = 0; t < s->pairs.count; ++t) {
        const double m = miss(s, s->weight[t], f[t]);
        sum += fabs(s->weight[t]) * m * m;
    }
    return 0.5 * ak_dot(size, V, V) + s->o->C * sum;
}

/* ---- the objective of the solver -------------------------------------- */

static double arc_value(void *self)
{
    return ((arc *)self)->value;
}

static double arc_norm(void *self)
{
    const arc *s = self;
    return sqrt(ak_dot(s->side[0].r * s->side[1].r, s->V, s->V));
}

static akin_status arc_gradient(void *self, akin_ctx *ctx, double *g)
{
    arc *s = self;
    return derivative(s, ctx, s->V, NULL, g);
}

static akin_status arc_hessian(void *self, akin_ctx *ctx, const double *xi,
                               double *out)
{
    arc *s = self;
    AK_CHECK(measure(s, ctx, xi, s->g));
    return derivative(s, ctx, xi, s->g, out);
}

static akin_status arc_attempt(void *self, akin_ctx *ctx, const double *step,
                               double *value)
{
    arc *s = self;
    const int64_t size = s->side[0].r * s->side[1].r;
    for (int64_t k = 0; k < size; ++k)
        s->W[k] = s->V[k] + step[k];
    const akin_status st = measure(s, ctx, s->W, s->g);
    *value = s->next = value_of(s, s->W, s->g);
    return st;
}

static akin_status arc_accept(void *self, akin_ctx *ctx)
{
    arc *s = self;
    double *V = s->V, *f = s->f;
    (void)ctx;
    s->V = s->W;
    s->W = V;
    s->f = s->g;
    s->g = f;
    s->value = s->next;
    return AKIN_OK;
}

static akin_status arc_random(void *self, akin_ctx *ctx, ak_rng *rng,
                              double *xi)
{
    const arc *s = self;
    (void)ctx;
    for (int64_t k = 0; k < s->side[0].r * s->side[1].r; ++k)
        xi[k] = ak_rng_normal(rng);
    return AKIN_OK;
}

/* ---- pairs, model, learner -------------------------------------------- */

/* Pairs by left row, of a list or a grid. */
static akin_status order_pairs(arc *s, akin_ctx *ctx)
{
    const ak_pairs *p = &s->pairs;
    const int64_t n = p->left->n;
    int64_t i, j;
    if (p->count > MOST)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "arc-t keeps every pair in memory, and %" PRId64
                       " pairs are too many (try rsl)",
                       p->count);
    AK_CHECK(AK_SCRATCH(ctx, n + 2, &s->at));
    AK_CHECK(AK_SCRATCH(ctx, p->count, &s->right));
    AK_CHECK(AK_SCRATCH(ctx, p->count, &s->weight));
    for (int pass = 0; pass < 2; ++pass) {
        for (int64_t t = 0; t < p->count; ++t) {
            const bool match = ak_pairs_at(p, t, &i, &j);
            if (pass == 0) {
                ++s->at[i + 2];
                continue;
            }
            const double w = p->weight[match] / (double)p->count;
            const int64_t to = s->at[i + 1]++;
            s->right[to] = (int32_t)j;
            s->weight[to] = match ? w : -w;
        }
        for (int64_t k = 2; pass == 0 && k < n + 2; ++k)
            s->at[k] += s->at[k - 1];
    }
    return AKIN_OK;
}

static akin_status begin(arc *s, akin_ctx *ctx)
{
    const ak_span_options how = AK_SPAN_OPTIONS(s->o, s->o->kernel_right, true);
    if (s->pairs.right->n > INT32_MAX)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " rows are too many (at most %d)",
                       s->pairs.right->n, INT32_MAX);
    AK_CHECK(ak_span_open_sides(s->side, ctx, &s->pairs, false, &how));
    const int64_t r = s->side[0].r, c = s->side[1].r;
    const ak_kernel_map map[2] = {s->side[0].map, s->side[1].map};
    AK_CHECK(ak_kernel_map_rank(ctx, map, (const int64_t[]){r, c}, s->o->rank));
    AK_CHECK(order_pairs(s, ctx));
    AK_CHECK(AK_SCRATCH_EACH(ctx, s->pairs.count, &s->f, &s->g));
    AK_CHECK(AK_SCRATCH_EACH(ctx, r * c, &s->V, &s->W));
    AK_CHECK(AK_SCRATCH_EACH(ctx, s->side[0].n * c, &s->U, &s->R));
    s->value = value_of(s, s->V, s->f);  // at zero
    return AKIN_OK;
}

/* W = P V Q' = (P U S^1/2) (Q T S^1/2)' of the directions that matter. */
static akin_status make_model(akin_model **out, akin_ctx *ctx, const arc *s)
{
    const ak_span *x = &s->side[0], *y = &s->side[1];
    const int64_t m = ak_min_i64(x->r, y->r);
    double *S, *U, *Vt, *A[2];
    int64_t k = 1;
    AK_CHECK(AK_SCRATCH(ctx, m, &S));
    AK_CHECK(AK_SCRATCH(ctx, x->r * m, &U));
    AK_CHECK(AK_SCRATCH(ctx, m * y->r, &Vt));
    AK_CHECK(ak_svd(ctx, x->r, y->r, s->V, S, U, Vt));
    while (k < m && S[k] > 1e-9 * S[0])
        ++k;
    if (s->o->rank > 0)
        k = ak_min_i64(k, s->o->rank);
    for (int e = 0; e < 2; ++e) {
        const int64_t n = s->side[e].r;
        AK_CHECK(AK_SCRATCH(ctx, n * k, &A[e]));
        for (int64_t i = 0; i < n; ++i)
            for (int64_t c = 0; c < k; ++c)
                A[e][i * k + c] = sqrt(S[c]) *
                                  (e == 0 ? U[i * m + c] : Vt[c * y->r + i]);
    }
    return ak_span_model(out, ctx, s->side, k, A,
                         ak_compare_by(s->o->score, AKIN_BY_COSINE));
}

static akin_status visit(void *self, akin_ctx *ctx, ak_state *state)
{
    arc *s = self;
    return ak_state_f64(state, ctx, "V", s->side[0].r * s->side[1].r, s->V);
}

/* To the point that was restored. */
static akin_status move(arc *s, akin_ctx *ctx)
{
    AK_CHECK(measure(s, ctx, s->V, s->f));
    s->value = value_of(s, s->V, s->f);
    return AKIN_OK;
}

static akin_status arc_t_learn(akin_model **out, akin_ctx *ctx,
                               const akin_options *head,
                               const akin_supervision *data,
                               akin_learn_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    arc s = {.o = (const akin_arc_t_options *)head};
    ak_section section = {"arc_t", visit, &s, NULL};
    ak_trust_info end = {0};
    akin_model *m = NULL;
    bool continued;
    akin_status st = AKIN_OK;
    AK_TRY(ak_pairs_of(&s.pairs, ctx, data));
    AK_TRY(ak_pairs_differ(&s.pairs, ctx));
    if (s.o->blend > 0.0)
        AK_TRY(ak_side_check_columns(ctx, &s.pairs, "blend"));
    AK_TRY(begin(&s, ctx));
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    if (continued)
        AK_TRY(move(&s, ctx));
    const int64_t size = s.side[0].r * s.side[1].r;
    const ak_objective f = {
        .self = &s,
        .size = size,
        .dim = size,
        .value = arc_value,
        .norm = arc_norm,
        .gradient = arc_gradient,
        .hessian = arc_hessian,
        .attempt = arc_attempt,
        .accept = arc_accept,
        .random = arc_random,
    };
    const ak_trust_options o = {.tol = s.o->tol,
                                .relative = true,
                                .max_iterations = s.o->max_iterations,
                                .radius = 1e3,
                                .radius_max = 1e9};
    AK_TRY(ak_ctx_tick(ctx, "iterations", 0, 0, s.value));
    AK_TRY(ak_trust_region(ctx, &f, &o, &end));
    AK_TRY(make_model(&m, ctx, &s));
    if (s.o->blend > 0.0)
        AK_TRY(ak_blend_in_place(m, ctx, s.o->blend));
    *out = m;
    m = NULL;
    info->outcome = end.end == AK_TRUST_GRADIENT ? AKIN_CONVERGED
                    : end.end == AK_TRUST_LIMIT  ? AKIN_STEP_LIMIT
                                                 : AKIN_STALLED;
    info->examples = info->updates = s.pairs.count;
    info->iterations = end.iterations;
    info->objective = end.value;
done:
    ak_section_leave(ctx, &section);
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_arc_t_options, C, 1e-9, 1e12,
                   "weight of the pairs against the norm of the matrix", 1.0,
                   10.0, 100.0, 1e3, 1e4),
    AK_OPTION(akin_arc_t_options, lower, -1e12, 1e12,
              "least similarity wanted of a matching pair"),
    AK_OPTION(akin_arc_t_options, upper, -1e12, 1e12,
              "largest similarity wanted of a pair that does not match"),
    AK_OPTION(akin_arc_t_options, rank, 0, 1e6,
              "directions kept of the result; 0: all"),
    AK_OPTION_WORD(akin_arc_t_options, score, AK_SCORE_WORDS, AK_SCORE_HELP),
    AK_OPTION_BLEND(akin_arc_t_options),
    AK_OPTION(akin_arc_t_options, tol, 0.0, 1.0,
              "stop when the gradient falls below this share of the first one"),
    AK_OPTION(akin_arc_t_options, max_iterations, 1, 1e9,
              "maximum number of iterations"),
    AK_OPTION_KERNEL(akin_arc_t_options),
    AK_OPTION_KERNEL_RIGHT(akin_arc_t_options),
    AK_OPTION_KERNEL_PLACE(akin_arc_t_options),
};

const ak_learner ak_learner_arc_t = {
    .info =
        {
            .name = "arc-t",
            .summary = "similarity of full rank between two kinds of rows",
            .when = "few rows of two kinds; a convex baseline",
            .paper = "kulis2011arct",
            .has_checkpoints = 1,
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "factored",
            .takes_right = 1,
            .weighs_pairs = 1,
            .takes_all = 1,
            .recipe = &ak_recipe_centred,
            AK_OPTION_ROWS(akin_arc_t_options, AKIN_ARC_T_DEFAULTS, options),
        },
    .learn = arc_t_learn,
};
