/* Cases of the metric from captions. */
#include "learn/captions/asml.h"
#include "run_case_naming.h"

typedef struct asml_case {
    ak_bags bags;
    ak_shared_names peers;
    ak_asml s;
    double *M;
    int64_t d;
} asml_case;

/* The case's faces are columns; M is I where there is none. */
static akin_status take(asml_case *c, akin_ctx *ctx, const json_t *in)
{
    double *rows;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(case_peers(&c->peers, &c->bags, ctx, in));
    AK_TRY(case_faces(&rows, &n, &c->d, ctx, in));
    AK_TRY(ak_asml_begin(&c->s, ctx, &c->peers, c->d, rows,
                         case_param(in, "sigma")));
    if (json_object_get(json_object_get(in, "inputs"), "M")) {
        AK_TRY(case_input_matrix(&c->M, &c->d, &c->d, ctx, in, "M"));
        goto done;
    }
    AK_TRY(AK_SCRATCH(ctx, c->d * c->d, &c->M));
    for (int64_t k = 0; k < c->d; ++k)
        c->M[k * c->d + k] = 1.0;
done:
    return st;
}

akin_status case_asml_objective(akin_ctx *ctx, const json_t *in, json_t *out)
{
    asml_case c = {0};
    double value = 0.0, again = 0.0, *G;
    akin_status st = AKIN_OK;
    AK_TRY(take(&c, ctx, in));
    AK_TRY(AK_SCRATCH(ctx, c.d * c.d, &G));
    AK_TRY(ak_asml_objective(&value, &c.s, ctx, c.M));
    AK_TRY(ak_asml_slope(&again, G, &c.s, ctx, c.M));
    AK_TRY(case_put_rows(ctx, out, "F2N", c.s.n, c.s.p + 1, c.s.margins.D));
    AK_TRY(case_put_number(ctx, out, "objective", value));
    AK_TRY(case_put_rows(ctx, out, "subgradient", c.d, c.d, G));
done:
    return st;
}

akin_status case_asml_steps(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const json_t *list =
        json_object_get(json_object_get(in, "inputs"), "sequence");
    const int64_t n = (int64_t)json_array_size(list);
    asml_case c = {0};
    int64_t *order;
    double value = 0.0, *G;
    akin_status st = AKIN_OK;
    AK_TRY(take(&c, ctx, in));
    AK_TRY(AK_SCRATCH(ctx, n, &order));
    AK_TRY(AK_SCRATCH(ctx, c.d * c.d, &G));
    for (int64_t k = 0; k < n; ++k)
        order[k] = json_integer_value(json_array_get(list, (size_t)k));
    AK_TRY(ak_asml_objective(&value, &c.s, ctx, c.M));
    const ak_cccp rounds = ak_asml_cccp(&c.s);
    AK_TRY(
        ak_cccp_steps(c.M, &rounds, ctx, order, n, 1, case_param(in, "t0"), 0));
    AK_TRY(ak_asml_slope(&value, G, &c.s, ctx, c.M));
    AK_TRY(case_put_rows(ctx, out, "M", c.d, c.d, c.M));
    AK_TRY(case_put_number(ctx, out, "sub_objective", value));
done:
    return st;
}

akin_status case_asml_fit(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const ak_cccp_params p = {.outer = (int64_t)case_param(in, "outer"),
                              .epochs = 400,
                              .batch = 0,
                              .eps = 1e-4};
    asml_case c = {0};
    ak_cccp_result result;
    akin_status st = AKIN_OK;
    AK_TRY(take(&c, ctx, in));
    const ak_cccp rounds = ak_asml_cccp(&c.s);
    AK_TRY(ak_cccp_run(&result, c.M, &rounds, ctx, &p));
    AK_TRY(case_put_number(ctx, out, "objective", result.objective));
done:
    return st;
}
