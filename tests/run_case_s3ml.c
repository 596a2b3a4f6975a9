/* Cases of sparse metrics; their numbers stand under "inputs". */
#include <stdio.h>
#include <string.h>

#include "learn/sparse/affinity.h"
#include "learn/sparse/sice.h"
#include "model/metric.h"
#include "run_case.h"

typedef struct points {
    int64_t n, d;
    double *X;
    ak_constraints pairs;
} points;

static akin_status take_points(points *x, akin_ctx *ctx, const json_t *in)
{
    akin_status st = AKIN_OK;
    AK_TRY(case_input(&x->X, &x->n, &x->d, ctx, in, "X"));
    AK_TRY(
        case_pairs(&x->pairs.ij, &x->pairs.similar, &x->pairs.count, ctx, in));
done:
    return st;
}

static akin_status begin(ak_propagation *a, akin_ctx *ctx, const json_t *in,
                         const points *x)
{
    *a = (ak_propagation){.k = (int64_t)case_param(in, "k"),
                          .alpha = case_param(in, "alpha"),
                          .theta = case_param(in, "theta")};
    return ak_propagation_begin(a, ctx, x->n, x->d, x->X, &x->pairs, 1.0);
}

akin_status case_s3ml_affinity(akin_ctx *ctx, const json_t *in, json_t *out)
{
    points x = {0};
    ak_propagation a;
    double *P, *W, *T;
    int64_t nnz = 0;
    akin_status st = AKIN_OK;
    AK_TRY(take_points(&x, ctx, in));
    AK_TRY(begin(&a, ctx, in, &x));
    AK_TRY(AK_SCRATCH(ctx, x.n * x.n, &P));
    AK_TRY(AK_SCRATCH(ctx, x.n * x.n, &W));
    AK_TRY(AK_SCRATCH(ctx, x.d * x.d, &T));
    for (int64_t i = 0; i < x.n; ++i) {
        for (int64_t c = 0; c < a.k; ++c)
            P[ak_propagation_point(&a, i) * x.n +
              ak_propagation_point(&a, a.near[i * a.k + c])] = 1.0 /
                                                               (double)a.k;
        AK_TRY(ak_propagation_row(&a, ctx, i, W + i * x.n));
        for (int64_t j = 0; j < x.n; ++j)
            nnz += W[i * x.n + j] != 0.0;
    }
    AK_TRY(ak_propagation_T(&a, ctx, T));
    AK_TRY(case_put_rows(ctx, out, "P", x.n, x.n, P));
    AK_TRY(case_put_rows(ctx, out, "W", x.n, x.n, W));
    AK_TRY(case_put_rows(ctx, out, "T", x.d, x.d, T));
    AK_TRY(case_put_number(ctx, out, "nnz", (double)nnz));
done:
    return st;
}

static void fetch(const void *arg, int64_t i, double *row)
{
    const points *x = arg;
    memcpy(row, x->X + i * x->d, (size_t)x->d * sizeof *row);
}

/* Sigma = M0^-1 + weight T; M0^-1 is given, or the covariance. */
static akin_status make_sigma(double **Sigma, akin_ctx *ctx, const json_t *in,
                              const points *x, double weight, const double *T)
{
    const json_t *inputs = json_object_get(in, "inputs");
    int64_t n, d;
    akin_status st = AKIN_OK;
    if (json_object_get(inputs, "M0inv")) {
        AK_TRY(case_input(Sigma, &n, &d, ctx, in, "M0inv"));
    } else {
        AK_TRY(AK_SCRATCH(ctx, x->d * x->d, Sigma));
        AK_TRY(ak_covariance(ctx, x->n, x->d, fetch, x, *Sigma));
    }
    for (int64_t k = 0; k < x->d * x->d; ++k)
        (*Sigma)[k] += weight * T[k];
done:
    return st;
}

/* Solve, and put what came of it. */
static akin_status solve(akin_ctx *ctx, const ak_sice *p, json_t *out)
{
    const ak_sice_options o = AK_SICE_DEFAULTS;
    ak_sice_result r;
    double *M;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->m * p->m, &M));
    AK_TRY(ak_sice_solve(ctx, p, &o, M, &r));
    case_put_status(out, r.outcome == AK_SICE_UNBOUNDED);
    if (r.outcome == AK_SICE_UNBOUNDED)
        goto done;
    AK_TRY(case_put_rows(ctx, out, "Sigma", p->m, p->m, p->Sigma));
    AK_TRY(case_put_rows(ctx, out, "M", p->m, p->m, M));
    AK_TRY(case_put_number(ctx, out, "objective", r.objective));
done:
    return st;
}

static akin_status run(akin_ctx *ctx, const json_t *in, json_t *out,
                       bool spreads)
{
    const double rho = case_param(in, "rho");
    points x = {0};
    ak_propagation a;
    double *T, *Sigma = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(take_points(&x, ctx, in));
    AK_TRY(AK_SCRATCH(ctx, x.d * x.d, &T));
    if (spreads) {
        AK_TRY(begin(&a, ctx, in, &x));
        AK_TRY(ak_propagation_T(&a, ctx, T));
    } else {
        AK_TRY(ak_constraints_scatter(ctx, x.d, x.X, &x.pairs, 1.0, T));
    }
    AK_TRY(make_sigma(&Sigma, ctx, in, &x, case_param(in, "beta"), T));
    const ak_sice p = {x.d, Sigma, rho, rho};
    AK_TRY(solve(ctx, &p, out));
done:
    return st;
}

akin_status case_s3ml(akin_ctx *ctx, const json_t *in, json_t *out)
{
    return run(ctx, in, out, true);
}

akin_status case_s2ml(akin_ctx *ctx, const json_t *in, json_t *out)
{
    return run(ctx, in, out, false);
}

akin_status case_sdml(akin_ctx *ctx, const json_t *in, json_t *out)
{
    points x = {0};
    double *T, *Sigma = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(take_points(&x, ctx, in));
    AK_TRY(AK_SCRATCH(ctx, x.d * x.d, &T));
    AK_TRY(ak_constraints_scatter(ctx, x.d, x.X, &x.pairs, 1.0, T));
    AK_TRY(make_sigma(&Sigma, ctx, in, &x, case_param(in, "eta"), T));
    const ak_sice p = {x.d, Sigma, case_param(in, "lambda"), 0.0};
    AK_TRY(solve(ctx, &p, out));
done:
    return st;
}
