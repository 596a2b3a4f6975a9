/* Singular values above a threshold by subspace iteration:
 *
 *   Y = A V, orthonormalised;  Z = A'Y;  Z'Z = P diag(sigma^2) P'
 *   U = Y P,  V = Z P / sigma,  A ~ U diag(sigma) V'
 *
 * with some columns more than there are values above the threshold, of the
 * last call as a rule, and twice as many while that is not enough. */
#include "learn/captions/svt.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "la/dense.h"

enum { SPARE = 12 };

void ak_svt_free(ak_svt *s)
{
    akin_free(s->U);
    akin_free(s->V);
    akin_free(s->sigma);
    *s = (ak_svt){.n = s->n};
}

/* Room for `width` columns; the first columns of V stay, the rest is drawn at
 * random. */
static akin_status widen(ak_svt *s, akin_ctx *ctx, int64_t width)
{
    ak_rng rng = ak_rng_split(ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_START),
                              (uint64_t)s->calls++);
    const int64_t keep = ak_min_i64(s->width, width), n = s->n;
    double *U = NULL, *V = NULL, *sigma = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, n * width, &U));
    AK_TRY(AK_NEW(ctx, n * width, &V));
    AK_TRY(AK_NEW(ctx, width, &sigma));
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t c = 0; c < keep; ++c)
            V[i * width + c] = s->V[i * s->width + c];
        for (int64_t c = keep; c < width; ++c)
            V[i * width + c] = ak_rng_normal(&rng) / sqrt((double)n);
    }
    const int64_t calls = s->calls;
    ak_svt_free(s);
    *s = (ak_svt){n, 0, width, U, V, sigma, calls};
    U = V = sigma = NULL;
done:
    akin_free(U);
    akin_free(V);
    akin_free(sigma);
    return st;
}

typedef struct pass_room {
    double *Y, *Z;  // n x width
    double *C, *R;  // width x width
    double *values;
} pass_room;

static akin_status make_room(pass_room *w, akin_ctx *ctx, int64_t n,
                             int64_t width)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * width, &w->Y));
    AK_TRY(AK_SCRATCH(ctx, n * width, &w->Z));
    AK_TRY(AK_SCRATCH(ctx, width * width, &w->C));
    AK_TRY(AK_SCRATCH(ctx, width * width, &w->R));
    AK_TRY(AK_SCRATCH(ctx, width, &w->values));
done:
    return st;
}

/* One step from V to a better U, sigma and V, largest first. */
static akin_status make_pass(ak_svt *s, akin_ctx *ctx, ak_product_fn product,
                             void *arg, const pass_room *w)
{
    const int64_t n = s->n, b = s->width;
    akin_status st = AKIN_OK;
    AK_TRY(product(arg, ctx, false, b, s->V, w->Y));
    AK_TRY(ak_qr(ctx, n, b, w->Y, w->R));
    AK_TRY(product(arg, ctx, true, b, w->Y, w->Z));
    AK_TRY(ak_gram(ctx, true, b, n, w->Z, b, w->C));
    AK_TRY(ak_eigh(ctx, b, w->C, w->values));
    for (int64_t c = 0; c < b; ++c) {  // falling
        for (int64_t i = 0; i < b; ++i)
            w->R[i * b + c] = w->C[i * b + b - 1 - c];
        s->sigma[c] = sqrt(fmax(w->values[b - 1 - c], 0.0));
    }
    AK_TRY(ak_gemm(ctx, false, false, n, b, b, 1.0, w->Y, b, w->R, b, 0.0, s->U,
                   b));
    for (int64_t c = 0; c < b; ++c)
        for (int64_t i = 0; s->sigma[c] > 0.0 && i < b; ++i)
            w->R[i * b + c] /= s->sigma[c];
    AK_TRY(ak_gemm(ctx, false, false, n, b, b, 1.0, w->Z, b, w->R, b, 0.0, s->V,
                   b));
done:
    return st;
}

static int64_t count_above(const ak_svt *s, double tau)
{
    int64_t k = 0;
    while (k < s->width && s->sigma[k] > tau)
        ++k;
    return k;
}

/* Passes at one width; *enough: not all values are above tau. */
static akin_status iterate(ak_svt *s, akin_ctx *ctx, ak_product_fn product,
                           void *arg, double tau, double tolerance,
                           int64_t passes, bool *enough)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    pass_room w;
    double *before, change = INFINITY;
    akin_status st = AKIN_OK;
    AK_TRY(make_room(&w, ctx, s->n, s->width));
    AK_TRY(AK_SCRATCH(ctx, s->width, &before));
    for (int64_t t = 0; t < passes; ++t) {
        AK_TRY(make_pass(s, ctx, product, arg, &w));
        s->k = count_above(s, tau);
        *enough = s->k < s->width || s->width == s->n;
        if (!*enough)
            break;
        change = 0.0;
        for (int64_t c = 0; c < ak_min_i64(s->k + 1, s->width); ++c)
            change = fmax(change, fabs(s->sigma[c] - before[c]));
        if (change <= tolerance * s->sigma[0])
            break;
        memcpy(before, s->sigma, (size_t)s->width * sizeof *before);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_svt_find(ak_svt *s, akin_ctx *ctx, ak_product_fn product,
                        void *arg, double tau, double tolerance, int64_t passes)
{
    int64_t width = ak_min_i64(s->n, s->k + SPARE);
    bool enough = false;
    akin_status st = AKIN_OK;
    while (!enough) {
        AK_TRY(widen(s, ctx, width));
        AK_TRY(iterate(s, ctx, product, arg, tau, tolerance, passes, &enough));
        width = ak_min_i64(s->n, 2 * width);
    }
done:
    return st;
}
