/* Names by asml's metric: the distance to all faces less that to the faces of
 * a name; and its kernel. Distances are scaled to a mean of 1 first, because a
 * loss counts faces. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/asml.h"
#include "learn/rlrr.h"
#include "model/metric.h"
#include "naming/scores.h"

enum { EPOCHS = 4, BATCH = 100 };

/* Faces for asml: the first principal directions where fewer are wanted, and
 * a mean squared distance of 1. */
static akin_status scaled_faces(double **out, int64_t *d, const akin_naming *s,
                                akin_ctx *ctx)
{
    const int64_t n = s->peers.n;
    ak_faces_svd x;
    double *X, spread = 0.0;
    akin_status st = AKIN_OK;
    *d = s->o.pca > 0 && s->o.pca < s->d ? s->o.pca : s->d;
    AK_TRY(AK_SCRATCH(ctx, n * *d, &X));
    if (*d < s->d) {
        AK_TRY(ak_faces_svd_of(&x, ctx, n, s->d, s->X));
        *d = ak_min_i64(*d, x.r);
        for (int64_t k = 0; k < n * *d; ++k)
            X[k] = x.s[k % *d] * x.V[k / *d * x.r + k % *d];
    } else {
        memcpy(X, s->X, (size_t)(n * *d) * sizeof *X);
    }
    for (int64_t c = 0; c < *d; ++c) {
        double mean = 0.0, squares = 0.0;
        for (int64_t i = 0; i < n; ++i) {
            mean += X[i * *d + c] / (double)n;
            squares += X[i * *d + c] * X[i * *d + c] / (double)n;
        }
        spread += 2.0 * (squares - mean * mean);
    }
    for (int64_t k = 0; spread > 0.0 && k < n * *d; ++k)
        X[k] /= sqrt(spread);
    *out = X;
done:
    return st;
}

/* M of asml, and the faces it is for. */
static akin_status learn_metric(akin_naming *s, akin_ctx *ctx, ak_asml *asml,
                                double **M)
{
    const ak_rounds_params p = {s->o.outer, EPOCHS, BATCH, s->o.eps};
    ak_rounds_result r;
    double *X;
    int64_t d = 0;
    akin_status st = AKIN_OK;
    AK_TRY(scaled_faces(&X, &d, s, ctx));
    AK_TRY(ak_asml_begin(asml, ctx, &s->peers, d, X, s->o.sigma));
    AK_TRY(AK_SCRATCH(ctx, d * d, M));
    for (int64_t k = 0; k < d; ++k)
        (*M)[k * d + k] = 1.0;
    const ak_rounds rounds = ak_asml_rounds(asml);
    AK_TRY(ak_rounds_fit(&r, *M, &rounds, ctx, &p));
    s->info.iterations = r.outer;
    s->info.converged = 1;
done:
    return st;
}

akin_status ak_learn_asml(akin_naming *s, akin_ctx *ctx)
{
    ak_asml asml;
    ak_table *t;
    double *M;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 1, &t));
    AK_TRY(learn_metric(s, ctx, &asml, &M));
    AK_TRY(ak_asml_distances(&asml, ctx, M));
    const int64_t p1 = asml.p + 1;
    for (int64_t k = 0; k < asml.n; ++k)
        for (int64_t q = 0; q < p1; ++q)
            if (q < asml.p)
                asml.margins.D[k * p1 + q] = asml.margins.D[k * p1 + asml.p] -
                                             asml.margins.D[k * p1 + q];
    *t = (ak_table){asml.margins.D, p1};
    s->scorer = ak_table_scorer(&s->peers, t);
done:
    return st;
}

akin_status ak_asml_kernel(akin_naming *s, akin_ctx *ctx, ak_affinity *a)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = s->peers.n;
    ak_asml asml;
    double *M, *B, *points;
    int64_t rank = 0;
    akin_status st = AKIN_OK;
    AK_TRY(learn_metric(s, ctx, &asml, &M));
    const int64_t d = asml.d;
    AK_TRY(AK_SCRATCH(ctx, d * d, &B));
    AK_TRY(AK_SCRATCH(ctx, n * d, &points));
    AK_TRY(ak_psd_root(ctx, d, M, false, B, &rank));
    AK_TRY(ak_gemm(ctx, false, false, n, rank, d, 1.0, asml.X, d, B, d, 0.0,
                   points, rank));
    AK_TRY(ak_affinity_kernel(a, ctx, rank, points));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
