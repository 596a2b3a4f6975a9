/* Faces of captioned photos as doubles; learn/captions/faces.h. */
#include "learn/captions/faces.h"

const akin_recipe_options ak_recipe_faces = {sizeof(akin_recipe_options),
                                             "none", "su", "none", 0};

akin_status ak_faces_of(ak_faces *out, akin_ctx *ctx,
                        const akin_supervision *data)
{
    const akin_rows *rows = data->rows;
    akin_status st = AKIN_OK;
    *out = (ak_faces){.n = rows->n, .d = rows->d};
    if (data->kind != AKIN_BAGS || data->bags->n_names == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "captions with names are needed (--captions FILE)"));
    AK_TRY(ak_peers_of(&out->peers, ctx, data->bags, rows->n));
    AK_TRY(AK_SCRATCH(ctx, rows->n * rows->d, &out->X));
    for (int64_t i = 0; i < rows->n; ++i) {
        const int32_t *columns;
        const float *values;
        const int64_t m = akin_rows_row(&columns, &values, rows, i);
        for (int64_t k = 0; k < m; ++k)
            out->X[i * rows->d + (columns ? columns[k] : k)] =
                (double)values[k];
    }
done:
    return st;
}

void ak_faces_ended(akin_learn_info *info, bool converged, int64_t iterations,
                    int64_t examples, double objective)
{
    info->outcome = converged ? AKIN_CONVERGED : AKIN_STEP_LIMIT;
    info->iterations = iterations;
    info->examples = examples;
    info->objective = objective;
}

double ak_faces_spread(int64_t n, int64_t d, const double *X)
{
    double spread = 0.0;
    for (int64_t c = 0; c < d; ++c) {
        double mean = 0.0, squares = 0.0;
        for (int64_t i = 0; i < n; ++i) {
            mean += X[i * d + c] / (double)n;
            squares += X[i * d + c] * X[i * d + c] / (double)n;
        }
        spread += 2.0 * (squares - mean * mean);
    }
    return spread;
}
