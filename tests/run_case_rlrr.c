/* Cases of low-rank representations. */
#include "learn/captions/rlrr.h"
#include "run_case_naming.h"

typedef struct rlrr_case {
    ak_bags bags;
    ak_shared_names peers;
    ak_faces_svd x;
    ak_rlrr_params p;
    int64_t n;
} rlrr_case;

/* The case's faces are columns. */
static akin_status take(rlrr_case *c, akin_ctx *ctx, const json_t *in)
{
    double *X, *rows;
    int64_t d = 0;
    akin_status st = AKIN_OK;
    AK_TRY(case_peers(&c->peers, &c->bags, ctx, in));
    AK_TRY(case_input_matrix(&X, &d, &c->n, ctx, in, "X"));
    AK_TRY(AK_SCRATCH(ctx, c->n * d, &rows));
    for (int64_t k = 0; k < c->n * d; ++k)
        rows[k] = X[k % d * c->n + k / d];
    AK_TRY(ak_faces_svd_of(&c->x, ctx, c->n, d, rows));
    c->p = (ak_rlrr_params){
        .lambda = case_param(in, "lambda"),
        .gamma = case_param(in, "gamma"),
        .rho = case_param(in, "rho0"),
        .delta_rho = case_param(in, "delta_rho"),
        .rho_max = case_param(in, "rho_max"),
        .eps = case_param(in, "eps"),
        .most = (int64_t)case_param(in, "maxit"),
        .by_entry = true,
    };
done:
    return st;
}

akin_status case_rlrr_H(akin_ctx *ctx, const json_t *in, json_t *out)
{
    ak_bags bags = {0};
    ak_shared_names peers;
    json_t *rows = json_array();
    akin_status st = AKIN_OK;
    AK_TRY(case_peers(&peers, &bags, ctx, in));
    for (int64_t i = 0; i < peers.n; ++i) {
        json_t *row = json_array();
        for (int64_t j = 0; j < peers.n; ++j)
            json_array_append_new(row, json_integer(ak_rlrr_penalised(
                                           &peers, AK_PENALISE_BOTH, i, j)));
        json_array_append_new(rows, row);
    }
    json_object_set(out, "H", rows);
done:
    json_decref(rows);
    return st;
}

akin_status case_rlrr_wstep(akin_ctx *ctx, const json_t *in, json_t *out)
{
    rlrr_case c = {0};
    double *rhs, *W;
    akin_status st = AKIN_OK;
    AK_TRY(take(&c, ctx, in));
    AK_TRY(case_input_matrix(&rhs, &c.n, &c.n, ctx, in, "rhs"));
    AK_TRY(AK_SCRATCH(ctx, c.n * c.n, &W));
    AK_TRY(ak_rlrr_wstep(W, ctx, &c.x, &c.peers, &c.p, case_param(in, "rho"),
                         rhs));
    AK_TRY(case_put_rows(ctx, out, "W", c.n, c.n, W));
done:
    return st;
}

/* E of the coordinates of Q, faces as columns. */
static akin_status put_E(akin_ctx *ctx, json_t *out, const rlrr_case *c,
                         const double *coordinates)
{
    const int64_t n = c->n, r = c->x.r;
    double *E;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, c->x.d * n, &E));
    for (int64_t a = 0; a < c->x.d; ++a)
        for (int64_t j = 0; j < n; ++j)
            for (int64_t k = 0; k < r; ++k)
                E[a * n + j] += c->x.Q[a * r + k] * coordinates[j * r + k];
    AK_TRY(case_put_rows(ctx, out, "E", c->x.d, n, E));
done:
    return st;
}

akin_status case_rlrr_iterate(akin_ctx *ctx, const json_t *in, json_t *out)
{
    rlrr_case c = {0};
    ak_rlrr_result result;
    ak_rlrr_dense dense;
    double objective = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(take(&c, ctx, in));
    AK_TRY(ak_rlrr_solve_dense(&result, &dense, ctx, &c.x, &c.peers, &c.p));
    AK_TRY(ak_rlrr_objective(&objective, ctx, &c.x, &c.peers, &c.p, dense.W));
    AK_TRY(case_put_rows(ctx, out, "W", c.n, c.n, dense.W));
    AK_TRY(put_E(ctx, out, &c, dense.E));
    json_object_set_new(out, "iters", json_integer(result.iterations));
    AK_TRY(case_put_number(ctx, out, "objective", objective));
done:
    return st;
}

/* rho that does not grow: the true optimum, slowly. */
akin_status case_rlrr_optimum(akin_ctx *ctx, const json_t *in, json_t *out)
{
    rlrr_case c = {0};
    ak_rlrr_result result;
    ak_rlrr_dense dense;
    double objective = 0.0, bound = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(take(&c, ctx, in));
    c.p.rho = c.p.rho_max = 1.0;
    c.p.eps = 1e-9;
    c.p.most = 6000;
    AK_TRY(ak_rlrr_solve_dense(&result, &dense, ctx, &c.x, &c.peers, &c.p));
    AK_TRY(ak_rlrr_objective(&objective, ctx, &c.x, &c.peers, &c.p, dense.W));
    AK_TRY(ak_rlrr_bound(&bound, ctx, &c.x, &c.peers, &c.p, dense.U, dense.V));
    if (bound > objective * (1.0 + 1e-9) || bound < objective * (1.0 - 1e-4))
        AK_TRY(ak_fail(ctx, AKIN_ENUMERIC, "the bound %g of %g", bound,
                       objective));
    AK_TRY(case_put_number(ctx, out, "objective", objective));
done:
    return st;
}
