/* learn/sparse/sice.h - sparse inverse covariance: a sparse, positive definite
 * M that
 *
 *   minimises  F(M) = - log det M + <Sigma, M> + sum_ij R_ij |M_ij|     (1)
 *
 * with R_ij = rho off the diagonal and rho_diag on it. Sigma is symmetric and
 * need not be positive definite. Every Z > 0 with |Z - Sigma| <= R entrywise
 * bounds the minimum from below:
 *
 *   F(M) >= log det Z + m,  gap = F(M) - log det Z - m                  (2)
 *
 * There is a minimiser, one, when there is such a Z, and none (F falls without
 * end) when there is not; any M > 0 with <Sigma, M> + sum R |M| <= 0 proves
 * the latter, because F falls along its multiples. */
#ifndef AK_LEARN_SPARSE_SICE_H
#define AK_LEARN_SPARSE_SICE_H

#include "base/ctx.h"

typedef struct ak_sice {
    int64_t m;
    const double *Sigma;  // m x m, symmetric
    double rho, rho_diag;
} ak_sice;

typedef enum {
    AK_SICE_AUTO,   // the one of the next two that the data make faster
    AK_SICE_ALM,    // alternating linearisation, an eigenproblem a step
    AK_SICE_QUIC,   // proximal Newton steps by coordinate descent
    AK_SICE_PAPER,  // smoothed alternating linearisation, as printed
} ak_sice_solver;

typedef struct ak_sice_options {
    ak_sice_solver solver;
    double tol;              // stop at this gap
    int64_t max_iterations;  // of a part; 0: as many as suit the solver
    bool polish;             // go on to rounding once the support is known
    double sigma;            // paper: smoothing
    double work;             // quic: give up after so many operations, about;
                             // 0: never
} ak_sice_options;

#define AK_SICE_DEFAULTS                                         \
    {                                                            \
        AK_SICE_AUTO, .tol = 1e-6, .polish = true, .sigma = 1e-6 \
    }

typedef enum {
    AK_SICE_CONVERGED,
    AK_SICE_LIMIT,
    AK_SICE_UNBOUNDED,  // proved: there is no minimiser
} ak_sice_outcome;

typedef struct ak_sice_result {
    ak_sice_outcome outcome;
    ak_sice_solver solver;  // that ended it, of the largest part
    int64_t iterations;     // of all parts
    int64_t parts;          // into which the problem falls
    double objective;       // F(M)
    double gap;             // at most so far above the minimum
} ak_sice_result;

/* M (m x m, symmetric, positive definite, exact zeros). EINVAL: an entry of
 * Sigma is not finite. */
akin_status ak_sice_solve(akin_ctx *ctx, const ak_sice *p,
                          const ak_sice_options *o, double *M,
                          ak_sice_result *r);

/* F(M), infinite unless M > 0. `room` is m x m. */
double ak_sice_value(akin_ctx *ctx, const ak_sice *p, const double *M,
                     double *room);
/* log det Z + m, minus infinity unless Z > 0. */
double ak_sice_dual(akin_ctx *ctx, int64_t m, const double *Z, double *room);
/* Z = Sigma + clip(W - Sigma, R) of W = M^-1, in the box of (2). */
void ak_sice_dual_point(const ak_sice *p, const double *W, double *Z);
/* <Sigma, M> + sum R |M|; not above 0: there is no minimiser. */
double ak_sice_linear(const ak_sice *p, const double *M);

/* The smallest rho with which there is a minimiser, between two bounds. */
typedef struct ak_sice_edge {
    bool diag;            // rho_diag is rho too; else it is as it is
    double tol;           // stop where above <= (1 + tol) below (infinite: at
                          // what is known at once),
    double rho;           // or where it is known on which side this is; 0: not
    double below, above;  // with a rho larger than `above` there is one, with
                          // one up to `below` there is none; infinite: with no
                          // rho at all
} ak_sice_edge;

akin_status ak_sice_least_rho(akin_ctx *ctx, const ak_sice *p, ak_sice_edge *e);

/* ---- between sice.c and its solvers ----------------------------------------
 *
 * The problems of the solvers have the penalty of the diagonal added to Sigma
 * already: rho_diag is 0. */

static inline double ak_clip(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

static inline double ak_soft(double x, double by)
{
    return x > by ? x - by : x < -by ? x + by : 0.0;
}

/* W = M^-1 and F(M); ENUMERIC unless M > 0. */
akin_status ak_sice_invert(akin_ctx *ctx, const ak_sice *p, const double *M,
                           double *W, double *F);
/* A lower bound of the minimum from W = M^-1; `Z` and `room` are m x m. */
double ak_sice_bound(akin_ctx *ctx, const ak_sice *p, const double *W,
                     double *Z, double *room);
/* A better bound where M has the right zeros and signs: Z is at the end of the
 * box where M_ij is not 0, so that the gap falls with the square of the error.
 */
double ak_sice_bound_at(akin_ctx *ctx, const ak_sice *p, const double *M,
                        const double *W, double *Z, double *room);

typedef akin_status (*ak_sice_fn)(akin_ctx *ctx, const ak_sice *p,
                                  const ak_sice_options *o, double *M,
                                  ak_sice_result *r);
/* Both start from the given M, which is positive definite: sice_alm.c,
 * sice_quic.c. */
akin_status ak_sice_alm(akin_ctx *ctx, const ak_sice *p,
                        const ak_sice_options *o, double *M, ak_sice_result *r);
akin_status ak_sice_quic(akin_ctx *ctx, const ak_sice *p,
                         const ak_sice_options *o, double *M,
                         ak_sice_result *r);

/* Algorithm 1 as printed, with its own penalty on the diagonal: `iterations`
 * steps from Y, which ends as the last Y; M is the last M. For tests, which
 * compare single steps. */
akin_status ak_sice_paper_steps(akin_ctx *ctx, const ak_sice *p, double sigma,
                                double mu, int64_t iterations, double *Y,
                                double *M);
akin_status ak_sice_paper(akin_ctx *ctx, const ak_sice *p,
                          const ak_sice_options *o, double *M,
                          ak_sice_result *r);

/* Newton steps on the support and the signs of M until the gap is `tol` or at
 * the level of rounding. M, gap and objective change only if the gap improves.
 */
akin_status ak_sice_polish(akin_ctx *ctx, const ak_sice *p, double tol,
                           double *M, ak_sice_result *r);

#endif
