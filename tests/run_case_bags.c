/* Cases of what is learned from captions, beside asml. */
#include <string.h>

#include "learn/captions/lr_svm.h"
#include "learn/captions/mildml.h"
#include "learn/captions/mms.h"
#include "run_case_naming.h"

akin_status case_mms_objective(akin_ctx *ctx, const json_t *in, json_t *out)
{
    ak_bags bags = {0};
    ak_shared_names peers;
    ak_mms s;
    int64_t n, d, p;
    double *X, *W, *G, value = 0.0, again = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(case_peers(&peers, &bags, ctx, in));
    AK_TRY(case_faces(&X, &n, &d, ctx, in));
    AK_TRY(case_input_matrix(&W, &p, &d, ctx, in, "W"));
    AK_TRY(AK_SCRATCH(ctx, p * d, &G));
    AK_TRY(ak_mms_begin(&s, ctx, &peers, d, X, case_param(in, "sigma")));
    AK_TRY(ak_mms_objective(&value, &s, ctx, W));
    AK_TRY(ak_mms_slope(&again, G, &s, ctx, W));
    AK_TRY(case_put_number(ctx, out, "objective", value));
    AK_TRY(case_put_rows(ctx, out, "subgradient", p, d, G));
done:
    return st;
}

akin_status case_mildml_value(akin_ctx *ctx, const json_t *in, json_t *out)
{
    ak_bags bags = {0};
    ak_shared_names peers;
    ak_mildml s;
    int64_t n, d, k;
    double *X, *L, *Lb, *slope, value = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(case_peers(&peers, &bags, ctx, in));
    AK_TRY(case_faces(&X, &n, &d, ctx, in));
    AK_TRY(case_input_matrix(&L, &d, &k, ctx, in, "L"));
    AK_TRY(AK_SCRATCH(ctx, d * k + 1, &Lb));
    AK_TRY(AK_SCRATCH(ctx, d * k + 1, &slope));
    memcpy(Lb, L, (size_t)(d * k) * sizeof *L);
    Lb[d * k] = case_param(in, "b");
    AK_TRY(ak_mildml_begin(&s, ctx, &peers, d, X, k));
    AK_TRY(ak_mildml_value(&s, ctx, Lb, &value, slope));
    AK_TRY(case_put_number(ctx, out, "value", value));
    AK_TRY(case_put_rows(ctx, out, "slope", d, k, slope));
    AK_TRY(case_put_number(ctx, out, "slope_b", slope[d * k]));
done:
    return st;
}

akin_status case_lr_associate(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const ak_lr_svm_params o = {.lambda = case_param(in, "lambda"),
                                .rho = case_param(in, "rho"),
                                .delta_rho = case_param(in, "delta_rho"),
                                .most = (int64_t)case_param(in, "steps")};
    ak_bags bags = {0};
    ak_shared_names peers;
    ak_lr_svm_result r;
    int64_t n, d;
    double *X;
    akin_status st = AKIN_OK;
    AK_TRY(case_peers(&peers, &bags, ctx, in));
    AK_TRY(case_faces(&X, &n, &d, ctx, in));
    AK_TRY(ak_lr_associate(&r, ctx, &peers, d, X, &o));
    json_t *labels = json_array();
    for (int64_t f = 0; f < n; ++f)
        json_array_append_new(labels, json_integer(r.labels[f]));
    json_object_set_new(out, "labels", labels);
    AK_TRY(case_put_number(ctx, out, "objective", r.objective));
done:
    return st;
}
