/* Canonical correlation analysis, regularised, between two kinds of rows.
 *   [1] Hotelling. Relations between two sets of variates. Biometrika
 *       28:321-377, 1936.
 *   [2] Hardoon, Szedmak, Shawe-Taylor. Canonical correlation analysis: an
 *       overview with application to learning methods. Neural Computation
 *       16:2639-2664, 2004.
 *   [3] Ledoit, Wolf. A well-conditioned estimator for large-dimensional
 *       covariance matrices. J. Multivariate Analysis 88:365-411, 2004.
 *
 * Over the m pairs (i, j) that match, rows centred by the recipe:
 *
 *   Cx = 1/m sum x_i x_i',  Cy = 1/m sum y_j y_j',  Cxy = 1/m sum x_i y_j' (1)
 *   Cx <- Cx + reg tr(Cx)/d I, and Cy                                      (2)
 *   reg = s / (1 - s),  s = (sum w_i^2 |x_i|^4 - |Cx|^2 sum w_i^2)
 *                           / (|Cx|^2 - tr(Cx)^2 / d),  w_i the share of the
 *         pairs that row i stands in, unless reg is given                  (5)
 *   Lx^-1 Cxy Ly^-T = U S V',  Cx = Lx Lx', Cy = Ly Ly'                    (3)
 *   A = Lx^-T U S^power,  B = Ly^-T V S^power,  the first k columns        (4)
 *
 * The columns of A and B of power 0 are the directions of largest correlation;
 * the power gives more weight to those that correlate more. Pairs that do not
 * match are ignored. Where all rows of a class match all rows of that class on
 * the other side, Cxy consists of class means, and its rank is at most the
 * number of classes.
 *
 * (5) is the share s of [3] for rows that weigh differently. Rows of one kind
 * match each other both ways. Then Cx = Cy, Cxy is symmetric, and A = B. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/shared.h"
#include "learn/cross/span.h"
#include "learn/learner.h"
#include "model/blend.h"
#include "model/factored.h"

/* Numbers in a full matrix: 8 GiB. */
static const int64_t MOST = INT64_C(1) << 30;
enum { RANK_OF_PAIRS = 10 };  // of rank "auto"

typedef struct cca {
    const akin_cca_options *o;
    ak_pairs pairs;
    bool is_one_kind;  // of rows, on both sides
    double matches;    // pairs, both ways in one kind of rows
    int64_t n[2], d[2];
    double *X[2];       // n x d
    double *degree[2];  // n, matching pairs of each row
    double *C[2];       // d x d, then L
    double reg[2];      // as used
    double *Z, *Cxy;    // n[0] x d[1], d[0] x d[1]
} cca;

static akin_status make_room(cca *s, akin_ctx *ctx)
{
    for (int side = 0; side < 2; ++side) {
        const akin_rows *rows = side ? s->pairs.right : s->pairs.left;
        s->n[side] = rows->n;
        s->d[side] = rows->d;
        if (rows->d > MOST / rows->d)
            return ak_fail(ctx, AKIN_ESHAPE,
                           "cca needs a matrix of %" PRId64 " x %" PRId64
                           ", which is too large (use fewer columns, or rsl)",
                           rows->d, rows->d);
        AK_CHECK(ak_side_matrix(&s->X[side], ctx, rows, NULL, rows->n, MOST));
        AK_CHECK(AK_SCRATCH(ctx, rows->n, &s->degree[side]));
        AK_CHECK(AK_SCRATCH(ctx, rows->d * rows->d, &s->C[side]));
    }
    AK_CHECK(AK_SCRATCH(ctx, s->n[0] * s->d[1], &s->Z));
    return AK_SCRATCH(ctx, s->d[0] * s->d[1], &s->Cxy);
}

static void match(double *degree[2], double *Z, const double *Y, int64_t d,
                  int64_t i, int64_t j)
{
    degree[0][i] += 1.0;
    degree[1][j] += 1.0;
    ak_axpy(d, 1.0, Y + j * d, Z + i * d);
}

/* One label per row: the sum over a class serves all its rows. */
static akin_status match_by_class(akin_ctx *ctx, const ak_pairs *p,
                                  const double *Y, double *degree[2], double *Z)
{
    const int64_t d = p->right->d;
    const ak_grid_side *side = p->side;
    double *sums, *count[2];
    AK_CHECK(AK_SCRATCH(ctx, p->n_labels * d, &sums));
    AK_CHECK(AK_SCRATCH_EACH(ctx, p->n_labels, &count[0], &count[1]));
    for (int s = 0; s < 2; ++s)
        for (int64_t a = 0; a < side[s].n; ++a)
            count[s][side[s].classes[a]] += 1.0;
    for (int64_t b = 0; b < side[1].n; ++b)
        ak_axpy(d, 1.0, Y + side[1].rows[b] * d, sums + side[1].classes[b] * d);
    for (int s = 0; s < 2; ++s)
        for (int64_t a = 0; a < side[s].n; ++a)
            degree[s][side[s].rows[a]] = count[1 - s][side[s].classes[a]];
    for (int64_t a = 0; a < side[0].n; ++a)
        memcpy(Z + side[0].rows[a] * d, sums + side[0].classes[a] * d,
               (size_t)d * sizeof *Z);
    return AKIN_OK;
}

/* degree[side][i]: the matching pairs that row i of a side stands in; and
 * Z (rows of the left x d of the right): row i the sum of the right-hand rows
 * Y that match it. All begin as zeros. */
static akin_status sum_matches(cca *s, akin_ctx *ctx)
{
    const ak_pairs *p = &s->pairs;
    int64_t i, j;
    s->matches = (double)p->n_match;
    if (p->is_grid && p->side[0].classes && p->side[1].classes)
        return match_by_class(ctx, p, s->X[1], s->degree, s->Z);
    for (int64_t t = 0; t < p->count; ++t) {
        if (!ak_pairs_at(p, t, &i, &j))
            continue;
        match(s->degree, s->Z, s->X[1], s->d[1], i, j);
        if (s->is_one_kind)
            match(s->degree, s->Z, s->X[1], s->d[1], j, i);
    }
    if (s->is_one_kind)
        s->matches *= 2.0;
    return AKIN_OK;
}

/* (5), X weighted. */
static double ledoit_wolf(const cca *s, int side, double trace)
{
    static const double MOST_REG = 1e3;
    const int64_t n = s->n[side], d = s->d[side];
    const double *X = s->X[side], *C = s->C[side];
    const double square = ak_dot(d * d, C, C);
    const double apart = square - trace * trace / (double)d;
    double noise = 0.0;
    for (int64_t i = 0; i < n; ++i) {
        const double w = s->degree[side][i] / s->matches;
        const double length = ak_dot(d, X + i * d, X + i * d);
        noise += length * length - w * w * square;
    }
    return noise < apart ? fmin(fmax(noise, 0.0) / (apart - noise), MOST_REG)
                         : MOST_REG;
}

/* (1) and (2): Z first, because X is weighted in place. */
static akin_status covariances(cca *s, akin_ctx *ctx)
{
    AK_CHECK(sum_matches(s, ctx));
    const double m = s->matches;
    AK_CHECK(ak_shared_cross(ctx, s->n[0], s->d[0], 1.0 / m, s->X[0], s->d[1],
                             s->Z, s->Cxy));
    for (int side = 0; side < 2; ++side) {
        const int64_t n = s->n[side], d = s->d[side];
        double *X = s->X[side], *C = s->C[side], trace = 0.0;
        for (int64_t i = 0; i < n; ++i) {
            const double w = sqrt(s->degree[side][i] / m);
            for (int64_t j = 0; j < d; ++j)
                X[i * d + j] *= w;
        }
        AK_CHECK(ak_shared_gram(ctx, true, d, n, X, d, C));
        for (int64_t j = 0; j < d; ++j)
            trace += C[j * d + j];
        if (!(trace > 0.0) || !isfinite(trace))
            return ak_fail(
                ctx, AKIN_EINVAL, "the %s rows of matching pairs are %s",
                ak_side_name(side), trace == 0.0 ? "all zero" : "too large");
        s->reg[side] = s->o->reg < 0.0 ? ledoit_wolf(s, side, trace)
                                       : s->o->reg;
        for (int64_t j = 0; j < d; ++j)
            C[j * d + j] += s->reg[side] * trace / (double)d;
    }
    return AKIN_OK;
}

/* B <- L^-1 B, B d x m. */
static void solve_forward(int64_t d, int64_t m, const double *L, double *B)
{
    for (int64_t i = 0; i < d; ++i) {
        for (int64_t j = 0; j < i; ++j)
            ak_axpy(m, -L[i * d + j], B + j * m, B + i * m);
        for (int64_t c = 0; c < m; ++c)
            B[i * m + c] /= L[i * d + i];
    }
}

/* B <- L^-T B. */
static void solve_backward(int64_t d, int64_t m, const double *L, double *B)
{
    for (int64_t i = d; i-- > 0;) {
        for (int64_t c = 0; c < m; ++c)
            B[i * m + c] /= L[i * d + i];
        for (int64_t j = 0; j < i; ++j)
            ak_axpy(m, -L[i * d + j], B + i * m, B + j * m);
    }
}

/* (3): Cxy becomes Lx^-1 Cxy Ly^-T. */
static akin_status whiten(cca *s, akin_ctx *ctx)
{
    const int64_t dx = s->d[0], dy = s->d[1];
    double *T;
    AK_CHECK(AK_SCRATCH(ctx, dx * dy, &T));
    for (int side = 0; side < 2; ++side)
        if (ak_cholesky(ctx, s->d[side], s->C[side]) != AKIN_OK)
            return ak_fail(ctx, AKIN_EINVAL,
                           "the %s columns are linearly dependent (use a "
                           "larger `reg`)",
                           ak_side_name(side));
    solve_forward(dx, dy, s->C[0], s->Cxy);
    ak_transpose(dx, dy, s->Cxy, T);
    solve_forward(dy, dx, s->C[1], T);
    ak_transpose(dy, dx, T, s->Cxy);
    return AKIN_OK;
}

/* The directions of at least this correlation in order, at most `most`; in one
 * kind of rows those that do not change their sign. */
static int64_t choose(const cca *s, int64_t most, double least, const double *S,
                      const double *U, const double *Vt, int64_t *which)
{
    const int64_t dx = s->d[0], dy = s->d[1], r = ak_min_i64(dx, dy);
    int64_t k = 0;
    for (int64_t c = 0; c < r && k < most && S[c] > least; ++c) {
        double same = 0.0;
        for (int64_t i = 0; i < dx && s->is_one_kind; ++i)
            same += U[i * r + c] * Vt[c * dy + i];
        if (same >= 0.0)
            which[k++] = c;
    }
    return k;
}

/* (4): the directions that correlate at all, at most `rank`. */
static akin_status directions(cca *s, akin_ctx *ctx, akin_model **out)
{
    const int64_t dx = s->d[0], dy = s->d[1], r = ak_min_i64(dx, dy);
    const int64_t most = s->o->rank > 0     ? s->o->rank
                         : s->pairs.is_grid ? r
                                            : RANK_OF_PAIRS;
    double *S, *U, *Vt, *A, *B;
    int64_t *which;
    AK_CHECK(AK_SCRATCH(ctx, r, &S));
    AK_CHECK(AK_SCRATCH(ctx, dx * r, &U));
    AK_CHECK(AK_SCRATCH(ctx, r * dy, &Vt));
    AK_CHECK(ak_svd(ctx, dx, dy, s->Cxy, S, U, Vt));
    AK_CHECK(AK_SCRATCH(ctx, r, &which));
    /* With a ridge S is below the correlation. 1e-7 is the precision of rows of
     * 32 bits. */
    const double least =
        fmax(1e-7 / (1.0 + fmax(s->reg[0], s->reg[1])), 1e-10 * S[0]);
    const int64_t k = choose(s, most, least, S, U, Vt, which);
    if (k == 0)
        return ak_fail(ctx, AKIN_EINVAL, "the two sides do not correlate");
    if (k < s->o->rank)  // was asked for
        ak_log(ctx, AKIN_LOG_INFO,
               "the two sides correlate in only %" PRId64
               " directions: rank %" PRId64 " instead of %" PRId64,
               k, k, s->o->rank);
    AK_CHECK(AK_SCRATCH(ctx, dx * k, &A));
    AK_CHECK(AK_SCRATCH(ctx, dy * k, &B));
    for (int64_t c = 0; c < k; ++c) {
        const double scale = pow(S[which[c]], s->o->power);
        for (int64_t i = 0; i < dx; ++i)
            A[i * k + c] = U[i * r + which[c]] * scale;
        for (int64_t j = 0; j < dy; ++j)
            B[j * k + c] = Vt[which[c] * dy + j] * scale;
    }
    solve_backward(dx, k, s->C[0], A);
    solve_backward(dy, k, s->C[1], B);
    return ak_factored_new(out, ctx, dx, dy, k, A, s->is_one_kind ? NULL : B,
                           ak_compare_by(s->o->score, AKIN_BY_COSINE));
}

static akin_status cca_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    cca s = {.o = (const akin_cca_options *)head};
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_pairs_matching(&s.pairs, ctx, data));
    AK_TRY(ak_pairs_differ(&s.pairs, ctx));
    if (s.o->blend > 0.0)
        AK_TRY(ak_side_check_columns(ctx, &s.pairs, "blend"));
    s.is_one_kind = s.pairs.left == s.pairs.right;
    AK_TRY(make_room(&s, ctx));
    AK_TRY(covariances(&s, ctx));
    AK_TRY(ak_ctx_tick(ctx, "steps", 1, 3, 0.0));
    AK_TRY(whiten(&s, ctx));
    AK_TRY(ak_ctx_tick(ctx, "steps", 2, 3, 0.0));
    AK_TRY(directions(&s, ctx, &m));
    if (s.o->blend > 0.0)
        AK_TRY(ak_blend_in_place(m, ctx, s.o->blend));
    *out = m;
    m = NULL;
    info->examples = info->updates = s.pairs.n_match;
    info->iterations = 1;
    info->outcome = AKIN_CONVERGED;
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_ZERO(akin_cca_options, rank, "auto", 1e6,
                   "maximum number of directions to keep; auto: 10 from a "
                   "list of pairs, all that correlate from labels"),
    AK_OPTION_GRID(akin_cca_options, reg, -1.0, 1e6,
                   "ridge on both covariances, as a multiple of their mean "
                   "variance; -1: by the rule of Ledoit and Wolf",
                   -1.0, 1e-3, 1e-2, 1e-1, 1.0),
    AK_OPTION_GRID(akin_cca_options, power, 0.0, 10.0,
                   "directions are weighted by this power of their correlation",
                   0.0, 0.5, 1.0, 2.0),
    AK_OPTION_WORD(akin_cca_options, score, AK_SCORE_WORDS, AK_SCORE_HELP),
    AK_OPTION_BLEND(akin_cca_options),
};

const ak_learner ak_learner_cca = {
    .info =
        {
            .name = "cca",
            .shares = "rows",
            .summary = "directions of two kinds of rows that correlate most",
            .when = "matching pairs of two kinds of rows",
            .paper = "hotelling1936cca",
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "factored",
            .takes_right = 1,
            .takes_all = 1,
            .recipe = &ak_recipe_centred,
            AK_OPTION_ROWS(akin_cca_options, AKIN_CCA_DEFAULTS, options),
        },
    .learn = cca_learn,
    .is_closed_form = true,
};
