/* Cases of sparse inverse covariance; their numbers stand under "inputs". */
#include "learn/sparse/sice.h"
#include "run_case.h"

static akin_status take_problem(ak_sice *p, akin_ctx *ctx, const json_t *in)
{
    double *Sigma = NULL;
    *p = (ak_sice){.rho = case_param(in, "rho"),
                   .rho_diag = case_param(in, "rho")};
    int64_t d;
    const akin_status st = case_input(&Sigma, &p->m, &d, ctx, in, "Sigma");
    p->Sigma = Sigma;
    return st;
}

static akin_status put_pattern(akin_ctx *ctx, json_t *out, int64_t m,
                               const double *M, double *room)
{
    for (int64_t k = 0; k < m * m; ++k)
        room[k] = M[k] == 0.0;
    return case_put_rows(ctx, out, "zero_pattern", m, m, room);
}

akin_status case_sice(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const ak_sice_options o = AK_SICE_DEFAULTS;
    ak_sice_result r;
    ak_sice p;
    double *M, *room;
    akin_status st = AKIN_OK;
    AK_TRY(take_problem(&p, ctx, in));
    AK_TRY(AK_SCRATCH(ctx, p.m * p.m, &M));
    AK_TRY(AK_SCRATCH(ctx, p.m * p.m, &room));
    AK_TRY(ak_sice_solve(ctx, &p, &o, M, &r));
    case_put_status(out, r.outcome == AK_SICE_UNBOUNDED);
    if (r.outcome == AK_SICE_UNBOUNDED)
        goto done;
    AK_TRY(case_put_rows(ctx, out, "M", p.m, p.m, M));
    AK_TRY(case_put_number(ctx, out, "objective", r.objective));
    AK_TRY(case_put_number(ctx, out, "dual", r.objective - r.gap));
    AK_TRY(put_pattern(ctx, out, p.m, M, room));
done:
    return st;
}

akin_status case_sice_gap(akin_ctx *ctx, const json_t *in, json_t *out)
{
    ak_sice p;
    double *M, *W, *Z, F = 0.0;
    int64_t d;
    akin_status st = AKIN_OK;
    AK_TRY(take_problem(&p, ctx, in));
    AK_TRY(case_input(&M, &p.m, &d, ctx, in, "M"));
    AK_TRY(AK_SCRATCH(ctx, p.m * p.m, &W));
    AK_TRY(AK_SCRATCH(ctx, p.m * p.m, &Z));
    AK_TRY(ak_sice_invert(ctx, &p, M, W, &F));
    ak_sice_dual_point(&p, W, Z);
    const double dual = ak_sice_dual(ctx, p.m, Z, W);
    AK_TRY(case_put_number(ctx, out, "objective", F));
    AK_TRY(case_put_rows(ctx, out, "Z", p.m, p.m, Z));
    json_object_set_new(out, "dual_feasible", json_boolean(dual > -1e300));
    AK_TRY(case_put_number(ctx, out, "dual", dual));
    AK_TRY(case_put_number(ctx, out, "gap", F - dual));
done:
    return st;
}

akin_status case_sice_alm_steps(akin_ctx *ctx, const json_t *in, json_t *out)
{
    ak_sice p;
    double *Y, *M;
    int64_t d;
    akin_status st = AKIN_OK;
    AK_TRY(take_problem(&p, ctx, in));
    AK_TRY(case_input(&Y, &p.m, &d, ctx, in, "Y0"));
    AK_TRY(AK_SCRATCH(ctx, p.m * p.m, &M));
    AK_TRY(ak_sice_paper_steps(ctx, &p, case_param(in, "sigma"),
                               case_param(in, "mu"),
                               (int64_t)case_param(in, "iters"), Y, M));
    AK_TRY(case_put_rows(ctx, out, "M", p.m, p.m, M));
    AK_TRY(case_put_rows(ctx, out, "Y", p.m, p.m, Y));
done:
    return st;
}
