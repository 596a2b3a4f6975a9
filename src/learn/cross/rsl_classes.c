/* The middle of each class in the learned space, as prototypes. With e(x) the
 * place of a row at length 1, on either side, class c has
 *
 *   z_c = the sum of mean e(x) and mean e(y), at length 1 each and then
 *         itself, over the left rows x and the right rows y of class c   (1)
 *
 * so that both sides count the same, however many rows they have. */
#include <math.h>
#include <string.h>

#include "learn/cross/rsl_map.h"
#include "model/prototypes.h"

/* Of 5 and 10, 5 was as good or better on rows kept out of learning. */
static const double SHARPNESS = 5.0;

/* False, and x stays, where it has no length. */
static bool set_length_1(int64_t k, double *x)
{
    double square = 0.0;
    for (int64_t c = 0; c < k; ++c)
        square += x[c] * x[c];
    for (int64_t c = 0; c < k && square > 0.0; ++c)
        x[c] /= sqrt(square);
    return square > 0.0;
}

/* Adds the places of a side's rows to the sums of their classes. */
static void add_places(const ak_rsl *p, const ak_grid_side *side,
                       const double *A, double *place, double *sums)
{
    const int64_t k = p->shape.k;
    for (int64_t a = 0; a < side->n; ++a) {
        for (int64_t c = 0; c < k; ++c)
            place[c] = sqrt(p->now.x.s[c]) * A[a * k + c];
        if (!set_length_1(k, place))
            continue;
        for (int64_t i = side->offsets[a]; i < side->offsets[a + 1]; ++i)
            for (int64_t c = 0; c < k; ++c)
                sums[side->labels[i] * k + c] += place[c];
    }
}

/* (1), n_labels x k; the classes that are somewhere come first. */
static akin_status find_middles(akin_ctx *ctx, const ak_rsl *p,
                                const ak_pairs *pairs, double **Z, int64_t *n)
{
    const int64_t k = p->shape.k, all = pairs->n_labels;
    const double *A[2] = {p->now.A, p->now.B};
    double *sums[2], *place;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k, &place));
    for (int side = 0; side < 2; ++side) {
        AK_TRY(AK_SCRATCH(ctx, all * k, &sums[side]));
        add_places(p, &pairs->side[side], A[side], place, sums[side]);
    }
    *Z = sums[0];
    *n = 0;
    for (int64_t c = 0; c < all; ++c) {
        double *x = sums[0] + c * k, *y = sums[1] + c * k;
        set_length_1(k, x);
        set_length_1(k, y);
        for (int64_t i = 0; i < k; ++i)
            x[i] += y[i];
        if (set_length_1(k, x))
            memmove(*Z + (*n)++ * k, x, (size_t)k * sizeof *x);
    }
done:
    return st;
}

akin_status ak_rsl_prototypes(akin_model **m, akin_ctx *ctx, const ak_rsl *p,
                              const ak_pairs *pairs)
{
    double *Z = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(find_middles(ctx, p, pairs, &Z, &n));
    if (n > 0)
        AK_TRY(ak_prototypes_over(m, ctx, n, Z, SHARPNESS));
done:
    return st;
}
