/* bench_sice - sparse inverse covariance, one JSON line a measurement, one
 * thread.
 *
 *   bench_sice SIGMA M RHO [SOLVER [POLISH]]
 *       SIGMA is a file of M x M doubles; the penalty is on every entry. SOLVER
 *       is auto, alm, quic or paper, POLISH 0 or 1 [0]: to rounding. Where the
 *       time is short, the median of several runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn/sparse/sice.h"
#include "timing.h"

enum { MAX_REPS = 21 };

static const char *const solvers[] = {"auto", "alm", "quic", "paper"};

static int64_t nonzeros(int64_t n, const double *M)
{
    int64_t count = 0;
    for (int64_t k = 0; k < n; ++k)
        count += M[k] != 0.0;
    return count;
}

/* Repetitions that take about a second. */
static akin_status measure(akin_ctx *ctx, const ak_sice *p,
                           const ak_sice_options *o, double *M)
{
    double t[MAX_REPS], total = 0.0;
    ak_sice_result r;
    int n = 0;
    akin_status st = AKIN_OK;
    while (n < MAX_REPS && total < 1.0) {
        const double start = now();
        AK_TRY(ak_sice_solve(ctx, p, o, M, &r));
        t[n] = now() - start;
        total += t[n++];
    }
    printf("{\"bench\": \"sice\", \"m\": %lld, \"rho\": %g, "
           "\"solver\": \"%s\", \"seconds\": %.4g, \"gap\": %.3g, "
           "\"iterations\": %lld, \"parts\": %lld, \"nonzeros\": %lld, "
           "\"objective\": %.12g, \"outcome\": %d}\n",
           (long long)p->m, p->rho, solvers[r.solver], median(n, t), r.gap,
           (long long)r.iterations, (long long)r.parts,
           (long long)nonzeros(p->m * p->m, M), r.objective, (int)r.outcome);
done:
    return st;
}

static akin_status run(akin_ctx *ctx, int argc, char **argv)
{
    const int64_t m = atoll(argv[2]);
    FILE *f = fopen(argv[1], "rb");
    double *Sigma = NULL, *M = NULL;
    ak_sice_options o = AK_SICE_DEFAULTS;
    akin_status st = AKIN_OK;
    o.polish = argc > 5 && atoi(argv[5]) != 0;
    for (int i = 0; argc > 4 && i < 4; ++i)
        if (strcmp(argv[4], solvers[i]) == 0)
            o.solver = (ak_sice_solver)i;
    AK_TRY(AK_NEW(ctx, m * m, &Sigma));
    AK_TRY(AK_NEW(ctx, m * m, &M));
    if (f == NULL || fread(Sigma, 8, (size_t)(m * m), f) != (size_t)(m * m))
        AK_TRY(ak_fail(ctx, AKIN_EIO, "%s cannot be read", argv[1]));
    const double rho = atof(argv[3]);
    const ak_sice p = {m, Sigma, rho, rho};
    AK_TRY(measure(ctx, &p, &o, M));
done:
    if (f != NULL)
        fclose(f);
    akin_free(M);
    akin_free(Sigma);
    return st;
}

int main(int argc, char **argv)
{
    akin_ctx *ctx = NULL;
    akin_status st = akin_ctx_new(&ctx, NULL);
    if (argc < 4) {
        fprintf(stderr, "usage: bench_sice SIGMA M RHO [SOLVER [POLISH]]\n");
        return 2;
    }
    if (st == AKIN_OK)
        st = run(ctx, argc, argv);
    if (st != AKIN_OK)
        fprintf(stderr, "bench_sice: %s\n",
                ctx ? akin_ctx_message(ctx) : akin_status_name(st));
    akin_ctx_free(ctx);
    return st != AKIN_OK;
}
