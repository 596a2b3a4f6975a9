/* learn/cross/rsl.h - the internals of rsl: a similarity of fixed rank between
 * two kinds of rows, and its derivatives.
 *
 *   f_t  = x_t' W y_t,  W = U diag(s) V'                                 (1)
 *   J(W) = sum_t w_t loss(f_t) + lambda |W|^2 / 2                        (2)
 *
 * Side 0 is the left one: N rows of n numbers; k is the rank. A = X U and B = Y
 * V hold the rows in the learned space, one row a sample, so that pairs that
 * share a row share its projection. All arrays are scratch. */
#ifndef AK_LEARN_CROSS_RSL_H
#define AK_LEARN_CROSS_RSL_H

#include "data/supervision/pairs.h"
#include "learn/cross/fixed_rank.h"
#include "opt/trust_region.h"

/* ---- one side's rows (rsl_rows.c) ---------------------------------------- */

/* The rows scale * (x - mean), dense or sparse; the mean is never subtracted
 * from the stored numbers, so sparse rows stay sparse. */
typedef struct ak_rsl_side {
    int64_t N, n;
    const double *X;        // N x n, of features; or
    float *tiles;           // dense rows in tiles, see below; or
    const akin_rows *rows;  // sparse: sample i is row which[i]
    const int64_t *which;
    int64_t *offsets;  // n + 1, the same numbers by column
    int32_t *samples;
    float *vals;
    double *mean;           // n; NULL: zero
    const double *weights;  // of the rows, their mean is 1; NULL: 1 each
    double scale;
} ak_rsl_side;

/* Rows `which` of `rows`; the caller keeps both. */
akin_status ak_rsl_side_rows(ak_rsl_side *s, akin_ctx *ctx,
                             const akin_rows *rows, const int64_t *which,
                             int64_t N);
/* The numbers of a dense matrix, borrowed. */
void ak_rsl_side_dense(ak_rsl_side *s, int64_t N, int64_t n, const double *X);
/* Centre the rows. Scale them to a mean square length of 1; false where it is
 * 0. Both means are by the weights. */
akin_status ak_rsl_side_center(ak_rsl_side *s, akin_ctx *ctx);
bool ak_rsl_side_scale(ak_rsl_side *s);
/* |mean of the rows|^2 / mean of |row|^2, 0 for centred rows. */
akin_status ak_rsl_side_bias(double *bias, akin_ctx *ctx, const ak_rsl_side *s);

/* A = X U (N x k), and G = X' C (n x k). */
akin_status ak_rsl_project(akin_ctx *ctx, const ak_rsl_side *s, int64_t k,
                           const double *U, double *A);
akin_status ak_rsl_gather(akin_ctx *ctx, const ak_rsl_side *s, int64_t k,
                          const double *C, double *G);

/* Dense rows are kept in tiles of LANES samples, column by column, padded with
 * zeros: column j of tile t is x + (t * n + j) * LANES. So are the k numbers of
 * each sample in double. */
enum { AK_RSL_LANES = 16 };

/* Half of the lanes, from floats or doubles, written one by one: the compiler
 * makes one conversion of this, but five steps of __builtin_convertvector. */
typedef double ak_rsl_v8 __attribute__((vector_size(64)));
#define AK_RSL_LOAD(x)                                                   \
    ((ak_rsl_v8){(x)[0], (x)[1], (x)[2], (x)[3], (x)[4], (x)[5], (x)[6], \
                 (x)[7]})

/* Tiles of n samples, and the numbers of one column in them. */
static inline int64_t ak_rsl_tiles(int64_t n)
{
    return n / AK_RSL_LANES + (n % AK_RSL_LANES != 0);
}

static inline int64_t ak_rsl_padded(int64_t n)
{
    return ak_rsl_tiles(n) * AK_RSL_LANES;
}

/* Y (k columns of a tile) = scale (X U - 1 shift') for one tile of X. */
void ak_rsl_tile_project(int64_t n, const float *x, int64_t k, const double *U,
                         double scale, const double *shift, double *Y);
/* Y (rows x k) += X'C over some tiles, for `rows` columns of X from x on. */
void ak_rsl_tiles_gather(int64_t tiles, int64_t n, const float *x, int64_t rows,
                         int64_t k, const double *C, double *Y);

/* ---- losses (rsl_pairs.c) ------------------------------------------------ */

typedef enum { AK_RSL_LOG, AK_RSL_HINGE2, AK_RSL_RIDGE } ak_rsl_loss;

/* The weighted sum over n values f; w[i] is positive where f should be 1 and
 * negative where it should be -1, and its size is the weight. */
double ak_rsl_losses(ak_rsl_loss loss, int64_t n, const double *f,
                     const double *w);
/* First and second derivatives by f, weighted; of hinge2 the second is the
 * generalised one. */
void ak_rsl_slopes(ak_rsl_loss loss, int64_t n, const double *f,
                   const double *w, double *c, double *h);

/* ---- the objective (rsl.c) ----------------------------------------------- */

/* Pairs as a list, by left and by right sample, or as a grid. */
typedef struct ak_rsl_pairs {
    int64_t count;
    const ak_pairs *grid;  // NULL: a list
    double weight[2];      // of a grid: as of ak_pairs, times the loss's scale
    int64_t *left_at;      // pairs left_at[i]..[i + 1] have left sample i,
    int32_t *right_of;     // this right sample each
    double *w;             // and this weight, negative where they do not match
    int64_t *right_at;     // right sample j stands in the pairs
    int64_t *pair_of;      // pair_of[right_at[j]..[j + 1]), with
    int32_t *left_of;      // this left sample each
} ak_rsl_pairs;

/* A point and what follows from it. */
typedef struct ak_rsl_state {
    ak_fixed_point x;
    double *A, *B;  // N x k of either side, in tiles where pairs are aligned
    double *c, *h;  // of each pair of a list, and zeros to a whole tile
    double value;
} ak_rsl_state;

typedef struct ak_rsl {
    ak_fixed_rank shape;
    ak_rsl_side side[2];
    ak_rsl_pairs pairs;
    ak_rsl_loss loss;
    double lambda;
    bool frobenius;    // lambda |W| in place of lambda |W|^2 / 2
    bool differences;  // the Hessian by differences of gradients
    bool aligned;      // pair t is left t, right t, in dense rows
    ak_rsl_state now, next;
    double *P[2], *Q, *E, *C[2], *D[2];  // N x k of a side, see rsl.c
    double *w;                           // of each pair of a list
    double *g, *g_next;                  // tangent, of `differences`
} ak_rsl;

/* Allocates everything else, once side, pairs and shape are set. */
akin_status ak_rsl_begin(ak_rsl *p, akin_ctx *ctx);
/* Go to the point in now.x. */
akin_status ak_rsl_move(ak_rsl *p, akin_ctx *ctx);
ak_objective ak_rsl_objective(ak_rsl *p);

/* ---- sums over pairs (rsl_pairs.c) --------------------------------------- */

/* Room for a list of `count` pairs. Once left_at, right_of and w are set,
 * list_by_right sets the rest. */
akin_status ak_rsl_list_room(ak_rsl_pairs *out, akin_ctx *ctx, int64_t n_left,
                             int64_t n_right, int64_t count);
void ak_rsl_list_by_right(ak_rsl_pairs *q, int64_t n_left, int64_t n_right);
/* A list of `count` pairs of samples, i, j and 1 or -1 each. */
akin_status ak_rsl_list(ak_rsl_pairs *out, akin_ctx *ctx, int64_t n_left,
                        int64_t n_right, const int64_t *numbers, int64_t count,
                        const double *weight);

/* A list of about `count` pairs of a grid (at least 2), drawn (rsl_draw.c).
 * weight: of a pair of the grid that does not match, and of one that does. The
 * expectation of every sum over the list is the sum over the grid. */
akin_status ak_rsl_draw(ak_rsl_pairs *out, akin_ctx *ctx, const ak_pairs *grid,
                        const double weight[2], int64_t count, ak_rng rng);

/* The loss at a state; of a list, c and h are kept. */
akin_status ak_rsl_value(double *sum, akin_ctx *ctx, const ak_rsl *p,
                         ak_rsl_state *s);
/* P[0] = C B and P[1] = C' A, with C the derivatives c as a sparse matrix. */
akin_status ak_rsl_first(akin_ctx *ctx, ak_rsl *p, const ak_rsl_state *s);
/* With df = <E, B> + <A, C[1]> of a pair, and H as C but of h df:
 * Q = H B, P[0] = Q + C D[1], P[1] = H'A + C'D[0]. */
akin_status ak_rsl_second(akin_ctx *ctx, ak_rsl *p);

/* ---- aligned pairs (rsl_pairs.c) ----------------------------------------- */

bool ak_rsl_is_aligned(const ak_rsl *p);
/* A and B of s. */
akin_status ak_rsl_aligned_place(akin_ctx *ctx, const ak_rsl *p,
                                 ak_rsl_state *s);
/* The losses' part of the gradient at s, and of the Hessian times xi, before
 * they are projected. */
akin_status ak_rsl_aligned_first(akin_ctx *ctx, const ak_rsl *p,
                                 const ak_rsl_state *s, double *g);
akin_status ak_rsl_aligned_second(akin_ctx *ctx, ak_rsl *p, const double *xi,
                                  double *out);
/* G = X'C Y V for side 0 and Y'C'X V for side 1, with C at p->now. */
akin_status ak_rsl_aligned_cross(akin_ctx *ctx, ak_rsl *p, int side,
                                 const double *V, double *G);

/* ---- starts (rsl.c) ------------------------------------------------------ */

/* now.x = the leading singular vectors of minus the gradient at W = 0, at the
 * best of several lengths. */
akin_status ak_rsl_spectral(ak_rsl *p, akin_ctx *ctx, ak_rng *rng);
/* now.x = orthonormal U and V at random, s = 1. */
akin_status ak_rsl_random(ak_rsl *p, akin_ctx *ctx, ak_rng *rng);

#endif
