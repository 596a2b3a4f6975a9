/* Faces of captioned photos, and the model that scores names for others;
 * learn/captions/faces.h. */
#include "learn/captions/faces.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/ranker.h"

const akin_recipe_options ak_recipe_faces = {sizeof(akin_recipe_options),
                                             "none", "su", "none", 0};

akin_status ak_faces_of(ak_faces *out, akin_ctx *ctx,
                        const akin_supervision *data)
{
    const akin_rows *rows = data->rows;
    *out = (ak_faces){.n = rows->n, .d = rows->d};
    if (data->kind != AKIN_BAGS || data->bags->n_names == 0)
        return ak_fail(ctx, AKIN_EINVAL, "no captions, or none has a name");
    AK_CHECK(ak_shared_names_find(&out->peers, ctx, data->bags, rows->n));
    AK_CHECK(AK_SCRATCH(ctx, rows->n * rows->d, &out->X));
    for (int64_t i = 0; i < rows->n; ++i) {
        const int32_t *columns;
        const float *values;
        const int64_t m = akin_rows_row(&columns, &values, rows, i);
        for (int64_t k = 0; k < m; ++k)
            out->X[i * rows->d + (columns ? columns[k] : k)] =
                (double)values[k];
    }
    return AKIN_OK;
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

/* ---- a score for each name ----------------------------------------------- */

akin_status ak_name_model_new(akin_model **out, akin_ctx *ctx,
                              const akin_supervision *captions, const double *W,
                              const double *b, double theta)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_labels names = {captions->bags->n_names,
                             captions->bags->name_texts};
    const int64_t d = captions->rows->d;
    akin_model *m = NULL;
    double *by_feature;
    char text[40];
    akin_status st = AKIN_OK;
    if (names.n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "no caption has a name"));
    AK_TRY(AK_SCRATCH(ctx, d * names.n, &by_feature));
    for (int64_t k = 0; k < d * names.n; ++k)
        by_feature[k] = W[k % names.n * d + k / names.n];
    AK_TRY(ak_ranker_new(&m, ctx, names, d, by_feature));
    if (b != NULL)
        AK_TRY(ak_ranker_set_offsets(m, ctx, b));
    snprintf(text, sizeof text, "%.17g", theta);
    AK_TRY(ak_model_set_note(m, ctx, "theta", text));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_name_model_scores(double *scores, akin_ctx *ctx,
                                 const akin_model *m, const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *room;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_check_labels(m, ctx));
    AK_TRY(ak_model_check_rows(m, ctx, rows, AKIN_LEFT));
    AK_TRY(AK_SCRATCH(ctx, akin_model_rank(m), &room));
    for (int64_t i = 0; i < rows->n; ++i)
        m->kind->label_scores(m, rows, i, scores + i * ak_model_labels(m).n,
                              room);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

double ak_name_model_theta(const akin_model *m)
{
    const char *text = akin_model_note(m, "theta");
    return text != NULL ? strtod(text, NULL) : 0.0;
}
