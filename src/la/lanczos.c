/* Block Lanczos with full orthogonalisation.
 *   [1] Golub, Underwood. The block Lanczos method for computing eigenvalues.
 *       Mathematical Software III, 361-377, 1977.
 *
 *   A Q_j = sum_{i <= j} Q_i T_ij + Q_{j+1} R_{j+1}                        (1)
 *   T = S diag(theta) S',  U = Q S                                         (2)
 *   |A u_c - theta_c u_c| = |R_{j+1} s_c|,  s_c the last rows of S          (3)
 *
 * Q_1 is random. Where A Q_j adds nothing new, the QR factorisation still gives
 * orthonormal columns, and these, orthogonal to the others, continue the basis:
 * so an eigenvalue is found as often as it occurs, and a basis of m columns
 * gives all. */
#include "la/lanczos.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "la/dense.h"
#include "la/tall.h"

/* The basis grows by a quarter between two looks at (3). */
enum { BLOCK = AK_LANCZOS_BLOCK, GROWTH = 4 };

/* Of the largest eigenvalue: what is below is rounding. */
static const double LEAST = 1e-12;

typedef struct work {
    int64_t m, most, blocks;
    double **Q;      // blocks of the basis, m x width of each
    int64_t *width;  // of each
    int64_t size;    // columns in all
    double *T;       // most x most, the upper triangle
    double *S;       // size x size: eigenvectors of T, by rising value
    double *theta;   // size
    double *W;       // A Q_j, then Q_{j+1}: m x BLOCK at most
    double *R, *C;   // BLOCK x BLOCK
} work;

static akin_status make_room(work *w, akin_ctx *ctx, const ak_lanczos *p)
{
    const int64_t whole = (p->most + BLOCK - 1) / BLOCK * BLOCK;
    const int64_t most = ak_min_i64(whole, p->m);
    *w = (work){.m = p->m, .most = most};
    AK_CHECK(AK_SCRATCH(ctx, most, &w->Q));
    AK_CHECK(AK_SCRATCH(ctx, most, &w->width));
    AK_CHECK(AK_SCRATCH_EACH(ctx, most * most, &w->T, &w->S));
    AK_CHECK(AK_SCRATCH(ctx, most, &w->theta));
    AK_CHECK(AK_SCRATCH(ctx, p->m * BLOCK, &w->W));
    return AK_SCRATCH_EACH(ctx, BLOCK * BLOCK, &w->R, &w->C);
}

/* W, b columns, minus its part in the basis, which is added to the columns of T
 * from `column` on (below 0: nowhere). */
static akin_status project(work *w, akin_ctx *ctx, int64_t b, int64_t column)
{
    for (int64_t i = 0, row = 0; i < w->blocks; row += w->width[i++]) {
        const int64_t a = w->width[i];
        AK_CHECK(ak_tall_cross(ctx, w->m, a, w->Q[i], b, w->W, w->C));
        AK_CHECK(ak_tall_multiply(ctx, w->m, a, -1.0, w->Q[i], a, b, w->C, 1.0,
                                  w->W));
        for (int64_t r = 0; column >= 0 && r < a; ++r)
            ak_axpy(b, 1.0, w->C + r * b, w->T + (row + r) * w->most + column);
    }
    return AKIN_OK;
}

/* W, b columns, becomes orthonormal, and R its factor. */
static akin_status factorise(work *w, akin_ctx *ctx, int64_t b)
{
    return ak_tall_qr(ctx, w->m, b, w->W, w->R);
}

/* The first columns of W, b wide and orthonormal, become orthogonal to the
 * basis and join it: as many as there are and as are missing. Columns that were
 * rounding alone may lie in the basis, so this is repeated until a column
 * keeps half of its length. */
static akin_status append(work *w, akin_ctx *ctx, int64_t b)
{
    const int64_t width = ak_min_i64(b, w->most - w->size);
    double *Q, least = 0.0;
    for (int64_t i = 0; i < w->m && width < b; ++i)
        memmove(w->W + i * width, w->W + i * b, (size_t)width * sizeof *w->W);
    for (int pass = 0; pass < 5 && least < 0.5 && w->blocks > 0; ++pass) {
        AK_CHECK(project(w, ctx, width, -1));
        AK_CHECK(factorise(w, ctx, width));
        least = 1.0;
        for (int64_t c = 0; c < width; ++c)
            least = fmin(least, fabs(w->R[c * width + c]));
    }
    AK_CHECK(AK_SCRATCH(ctx, w->m * width, &Q));
    memcpy(Q, w->W, (size_t)(w->m * width) * sizeof *Q);
    w->Q[w->blocks] = Q;
    w->width[w->blocks++] = width;
    w->size += width;
    return AKIN_OK;
}

/* (2) */
static akin_status solve(work *w, akin_ctx *ctx)
{
    const int64_t size = w->size;
    for (int64_t i = 0; i < size; ++i)
        for (int64_t j = i; j < size; ++j)
            w->S[i * size + j] = w->S[j * size + i] = w->T[i * w->most + j];
    AK_CHECK(ak_check_finite(ctx, size * size, w->S));
    return ak_eigh(ctx, size, w->S, w->theta);
}

/* (3) of the k largest. */
static bool has_converged(const work *w, const ak_lanczos *p)
{
    const int64_t size = w->size, b = w->width[w->blocks - 1];
    const double least = LEAST * w->theta[size - 1];
    for (int64_t c = size - p->k; c < size; ++c) {
        double square = 0.0;
        for (int64_t r = 0; r < b; ++r) {
            double sum = 0.0;
            for (int64_t e = 0; e < b; ++e)
                sum += w->R[r * b + e] * w->S[(size - b + e) * size + c];
            square += sum * sum;
        }
        if (sqrt(square) > p->tol * fmax(w->theta[c], least))
            return false;
    }
    return true;
}

/* U and the values, of the k largest. */
static akin_status finish(ak_lanczos *p, akin_ctx *ctx, const work *w)
{
    const int64_t size = w->size, k = p->k;
    double *S;
    AK_CHECK(AK_SCRATCH(ctx, k, &p->values));
    AK_CHECK(AK_SCRATCH(ctx, p->m * k, &p->U));
    AK_CHECK(AK_SCRATCH(ctx, size * k, &S));
    for (int64_t c = 0; c < k; ++c) {
        p->values[c] = fmax(w->theta[size - 1 - c], 0.0);
        for (int64_t r = 0; r < size; ++r)
            S[r * k + c] = w->S[r * size + size - 1 - c];
    }
    for (int64_t i = 0, row = 0; i < w->blocks; row += w->width[i++])
        AK_CHECK(ak_tall_multiply(ctx, p->m, w->width[i], 1.0, w->Q[i],
                                  w->width[i], k, S + row * k, 1.0, p->U));
    p->basis = size;
    return AKIN_OK;
}

akin_status ak_lanczos_run(ak_lanczos *p, akin_ctx *ctx, ak_product_fn product,
                           const void *arg)
{
    ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_START);
    int64_t b = ak_min_i64(BLOCK, p->m), look = 2 * p->k;
    work w;
    AK_CHECK(make_room(&w, ctx, p));
    for (int64_t i = 0; i < w.m * b; ++i)
        w.W[i] = ak_rng_normal(&rng);
    AK_CHECK(factorise(&w, ctx, b));
    p->converged = false;
    while (!p->converged && w.size < w.most) {
        AK_CHECK(append(&w, ctx, b));
        b = w.width[w.blocks - 1];
        AK_CHECK(product(arg, ctx, b, w.Q[w.blocks - 1], w.W));
        for (int pass = 0; pass < 2; ++pass)
            AK_CHECK(project(&w, ctx, b, w.size - b));
        AK_CHECK(factorise(&w, ctx, b));  // (1)
        AK_CHECK(ak_ctx_tick(ctx, "dimensions", w.size, w.most, NAN));
        if (w.size < ak_min_i64(look, w.most))
            continue;
        look = w.size + w.size / GROWTH;
        AK_CHECK(solve(&w, ctx));
        p->converged = w.size == w.m || has_converged(&w, p);
    }
    return finish(p, ctx, &w);
}
