/* ASML: a metric from faces with candidate names.
 *   [1] Xiao, Xu, Wu. Automatic face naming by learning discriminative affinity
 *       matrices from weakly labeled images. TNNLS 26(10), 2015.
 *
 *   D(x, q) = mean of (x - y)'M(x - y) over the faces y of photos whose caption
 *             has name q; over all faces for "none of the names"          (1)
 *   min over M >= 0 of  sigma/2 |M - I|^2 + 1/m sum over photos of
 *             [max over labels z that do not fit of (loss(z) - D(z))
 *              + min over labels that fit of D(z)]_+                      (2)
 *
 * With mu_q and R_q = mean of y y' of the faces of a name,
 * D(x, q) = x'M x - 2 x'M mu_q + <M, R_q>, so no pair of faces is compared.
 *
 * Faces are scaled to a mean squared distance of 1, because a loss counts
 * faces. */
#include "learn/captions/asml.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/captions/faces.h"
#include "learn/metric/full_metric.h"

static const akin_option options[] = {
    AK_OPTION_GRID(akin_asml_options, sigma, 1e-12, 1e12,
                   "pull towards the plain distance", 1e-3, 1e-2, 1e-1, 1.0),
    AK_CCCP_OPTIONS(akin_asml_options, "metric"),
    AK_OPTION_USE(akin_asml_options, rank, 0, 1e6, AKIN_TRAINING,
                  "dimensions kept of the learned space, by principal "
                  "components; 0: all"),
    {AK_OPTION_OF(akin_asml_options, pca), .max = 1e6, .zero = "all",
     .help = "principal components of the faces to keep; 0: all",
     .use = AKIN_NAMING},
};

/* ---- moments ------------------------------------------------------------- */

/* Numbers in a triangle: half of what a symmetric matrix has, and time goes
 * into reading them. */
static int64_t triangle(int64_t d)
{
    return d * (d + 1) / 2;
}

static akin_status take_room(ak_asml *s, akin_ctx *ctx)
{
    AK_CHECK(AK_SCRATCH(ctx, (s->p + 1) * s->d, &s->mu));
    AK_CHECK(AK_SCRATCH(ctx, (s->p + 1) * triangle(s->d), &s->R));
    AK_CHECK(AK_SCRATCH(ctx, s->p + 1, &s->counts));
    return ak_margins_begin(&s->margins, ctx, s->peers);
}

/* The faces of name q, all faces for q = p, side by side; how many. */
static int64_t gather(const ak_asml *s, int64_t q, double *out)
{
    int64_t n = 0;
    for (int64_t j = 0; j < s->n; ++j)
        if (q == s->p || ak_shared_names_has(s->peers, j, q))
            memcpy(out + n++ * s->d, s->X + j * s->d,
                   (size_t)s->d * sizeof *out);
    return n;
}

static akin_status take_moments(ak_asml *s, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->d;
    double *Y, *YY;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->n * d, &Y));
    AK_TRY(AK_SCRATCH(ctx, d * d, &YY));
    for (int64_t q = 0; q <= s->p; ++q) {
        double *R = s->R + q * triangle(d), *mu = s->mu + q * d;
        const int64_t n = gather(s, q, Y);
        s->counts[q] = (double)n;
        if (n == 0)
            continue;
        AK_TRY(ak_gram(ctx, true, d, n, Y, d, YY));
        for (int64_t a = 0; a < d; ++a)
            for (int64_t b = 0; b <= a; ++b)
                *R++ = YY[a * d + b] / (double)n;
        for (int64_t k = 0; k < n * d; ++k)
            mu[k % d] += Y[k] / (double)n;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_asml_begin(ak_asml *s, akin_ctx *ctx,
                          const ak_shared_names *peers, int64_t d,
                          const double *X, double sigma)
{
    *s = (ak_asml){.peers = peers,
                   .n = peers->n,
                   .d = d,
                   .p = peers->n_names,
                   .m = peers->bags->n_photos,
                   .X = X,
                   .sigma = sigma};
    AK_CHECK(take_room(s, ctx));
    return take_moments(s, ctx);
}

/* ---- distances ----------------------------------------------------------- */

akin_status ak_asml_traces(double *out, const ak_asml *s, akin_ctx *ctx,
                           const double *M)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->d, size = triangle(d);
    double *folded, *to;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, size, &folded));
    to = folded;
    for (int64_t a = 0; a < d; ++a) {
        for (int64_t b = 0; b < a; ++b)
            *to++ = M[a * d + b] + M[b * d + a];
        *to++ = M[a * d + a];
    }
    for (int64_t q = 0; q <= s->p; ++q)
        out[q] = s->counts[q] > 0.0 ? ak_dot(size, folded, s->R + q * size)
                                    : INFINITY;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* D of some faces, `count` of them. */
static akin_status distances_of(ak_asml *s, akin_ctx *ctx, const double *M,
                                const int64_t *faces, int64_t count)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->d, p1 = s->p + 1;
    double *x, *Mx, *cross, *trace;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, count * d, &x, &Mx));
    AK_TRY(AK_SCRATCH(ctx, count * p1, &cross));
    AK_TRY(AK_SCRATCH(ctx, p1, &trace));
    for (int64_t k = 0; k < count; ++k)
        memcpy(x + k * d, s->X + (faces ? faces[k] : k) * d,
               (size_t)d * sizeof *x);
    AK_TRY(
        ak_gemm(ctx, false, false, count, d, d, 1.0, x, d, M, d, 0.0, Mx, d));
    AK_TRY(ak_gemm(ctx, false, true, count, p1, d, 1.0, Mx, d, s->mu, d, 0.0,
                   cross, p1));
    AK_TRY(ak_asml_traces(trace, s, ctx, M));
    for (int64_t k = 0; k < count; ++k) {
        const double own = ak_dot(d, x + k * d, Mx + k * d);
        double *D = s->margins.D + (faces ? faces[k] : k) * p1;
        for (int64_t q = 0; q < p1; ++q)
            D[q] = own - 2.0 * cross[k * p1 + q] + trace[q];
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status distances_of_all(ak_asml *s, akin_ctx *ctx, const double *M)
{
    return distances_of(s, ctx, M, NULL, s->n);
}

/* sigma/2 |M - I|^2 + mean of the hinges. */
static double value_of(const ak_asml *s, const double *M)
{
    double off = 0.0;
    for (int64_t k = 0; k < s->d * s->d; ++k) {
        const double gap = M[k] - (k / s->d == k % s->d ? 1.0 : 0.0);
        off += gap * gap;
    }
    return s->sigma / 2.0 * off + ak_margins_mean(&s->margins);
}

akin_status ak_asml_objective(double *out, ak_asml *s, akin_ctx *ctx,
                              const double *M)
{
    AK_CHECK(distances_of_all(s, ctx, M));
    AK_CHECK(ak_margins_sweep(&s->margins, ctx, NULL, s->m, true));
    *out = value_of(s, M);
    return AKIN_OK;
}

/* ---- slopes -------------------------------------------------------------- */

/* G = sigma (M - I) + by sum over photos with a hinge of C(right) - C(wrong):
 * x x' cancels, what is left are -x mu' - mu x' and R_q times net counts. */
static akin_status slope_of(double *G, ak_asml *s, akin_ctx *ctx,
                            const double *M, const int64_t *which, int64_t n,
                            double by)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->d, p1 = s->p + 1;
    double *A, *net, *H, *sum;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p1 * d, &A));
    AK_TRY(AK_SCRATCH(ctx, p1, &net));
    AK_TRY(AK_SCRATCH(ctx, d * d, &H));
    AK_TRY(AK_SCRATCH(ctx, triangle(d), &sum));
    for (int64_t k = 0; k < n; ++k) {
        const int64_t i = which ? which[k] : k, *faces;
        const int64_t m = ak_bags_faces(s->peers->bags, i, &faces);
        for (int64_t f = 0; s->margins.hinge[i] > 0.0 && f < m; ++f) {
            const double *x = s->X + faces[f] * d;
            ak_axpy(d, 1.0, x, A + s->margins.right[faces[f]] * d);
            ak_axpy(d, -1.0, x, A + s->margins.wrong[faces[f]] * d);
            net[s->margins.right[faces[f]]] += 1.0;
            net[s->margins.wrong[faces[f]]] -= 1.0;
        }
    }
    AK_TRY(
        ak_gemm(ctx, true, false, d, d, p1, -1.0, A, d, s->mu, d, 0.0, H, d));
    for (int64_t q = 0; q < p1; ++q)
        if (net[q] != 0.0)
            ak_axpy(triangle(d), net[q], s->R + q * triangle(d), sum);
    for (int64_t a = 0; a < d; ++a)
        for (int64_t b = 0; b < d; ++b) {
            const double R = sum[a > b ? triangle(a) + b : triangle(b) + a];
            G[a * d + b] = s->sigma * (M[a * d + b] - (a == b ? 1.0 : 0.0)) +
                           by * (H[a * d + b] + H[b * d + a] + R);
        }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_asml_slope(double *out, double *G, ak_asml *s, akin_ctx *ctx,
                          const double *M)
{
    AK_CHECK(distances_of_all(s, ctx, M));
    AK_CHECK(ak_margins_sweep(&s->margins, ctx, NULL, s->m, false));
    *out = value_of(s, M);
    return slope_of(G, s, ctx, M, NULL, s->m, 1.0 / (double)s->m);
}

/* ---- steps --------------------------------------------------------------- */

/* The nearest positive semi-definite matrix; M itself where it is definite. */
static akin_status project(akin_ctx *ctx, int64_t d, double *M)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *V, *B, *values;
    int64_t k = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, d * d, &V, &B));
    AK_TRY(AK_SCRATCH(ctx, d, &values));
    for (int64_t a = 0; a < d; ++a)
        for (int64_t b = 0; b < d; ++b)
            V[a * d + b] = 0.5 * (M[a * d + b] + M[b * d + a]);
    memcpy(M, V, (size_t)(d * d) * sizeof *M);
    memcpy(B, V, (size_t)(d * d) * sizeof *B);
    if (ak_cholesky(ctx, d, B) == AKIN_OK)
        goto done;
    AK_TRY(ak_eigh(ctx, d, V, values));
    while (k < d && values[k] <= 0.0)
        ++k;
    for (int64_t a = 0; a < d; ++a)
        for (int64_t c = k; c < d; ++c)
            B[a * (d - k) + c - k] = sqrt(values[c]) * V[a * d + c];
    AK_TRY(ak_gram(ctx, false, d, d - k, B, d - k, M));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* One step on some photos. */
static akin_status step(double *M, void *arg, akin_ctx *ctx,
                        const int64_t *which, int64_t n, double eta)
{
    ak_asml *s = arg;
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *faces;
    double *G;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->d * s->d, &G));
    AK_TRY(AK_SCRATCH(ctx, n * s->margins.most_faces, &faces));
    const int64_t count = ak_margins_faces(&s->margins, which, n, faces);
    AK_TRY(distances_of(s, ctx, M, faces, count));
    AK_TRY(ak_margins_sweep(&s->margins, ctx, which, n, false));
    AK_TRY(slope_of(G, s, ctx, M, which, n, 1.0 / (double)n));
    ak_axpy(s->d * s->d, -eta, G, M);
    AK_TRY(project(ctx, s->d, M));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status objective(double *out, void *arg, akin_ctx *ctx,
                             const double *M)
{
    return ak_asml_objective(out, arg, ctx, M);
}

ak_cccp ak_asml_cccp(ak_asml *s)
{
    return (ak_cccp){s, s->d * s->d, s->m, s->sigma, objective, step};
}

akin_status ak_asml_run(ak_cccp_result *out, double **M, ak_asml *s,
                        akin_ctx *ctx, const ak_shared_names *peers, int64_t d,
                        const double *X, const akin_asml_options *o)
{
    const ak_cccp_params p = {o->outer, o->epochs, o->batch, o->eps};
    AK_CHECK(ak_asml_begin(s, ctx, peers, d, X, o->sigma));
    AK_CHECK(AK_SCRATCH(ctx, d * d, M));
    for (int64_t k = 0; k < d; ++k)
        (*M)[k * d + k] = 1.0;
    const ak_cccp rounds = ak_asml_cccp(s);
    return ak_cccp_run(out, *M, &rounds, ctx, &p);
}

/* ---- the learner --------------------------------------------------------- */

static akin_status asml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const akin_asml_options *o = (const akin_asml_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_faces x;
    ak_asml s;
    ak_cccp_result r;
    double *M;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_check_rows(ctx, head, data->rows));
    AK_TRY(ak_faces_of(&x, ctx, data));
    const double spread = ak_faces_spread(x.n, x.d, x.X);
    const double by = spread > 0.0 ? 1.0 / spread : 1.0;
    for (int64_t k = 0; k < x.n * x.d; ++k)
        x.X[k] *= sqrt(by);
    AK_TRY(ak_asml_run(&r, &M, &s, ctx, &x.peers, x.d, x.X, o));
    for (int64_t k = 0; k < x.d * x.d; ++k)
        M[k] *= by;
    AK_TRY(ak_metric_learned(out, ctx, data->rows, M, o->rank));
    ak_faces_ended(info, r.converged, r.outer, s.m, r.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

const ak_learner ak_learner_asml = {
    .info =
        {
            .name = "asml",
            .summary = "a metric from candidate names, by margins",
            .when = "captioned photos; distances between any faces",
            .paper = "xiao2015naming",
            .takes = AKIN_BAGS,
            .makes = "metric",
            .names_faces = 1,
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_faces,
            AK_OPTION_ROWS(akin_asml_options, AKIN_ASML_DEFAULTS, options),
        },
    .learn = asml_learn,
};
