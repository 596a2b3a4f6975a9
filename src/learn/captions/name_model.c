/* A linear score for each name as a model; learn/captions/name_model.h. */
#include "learn/captions/name_model.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/ranker.h"

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
    AK_TRY(ak_ranker_check(m, ctx));
    AK_TRY(ak_model_check_rows(m, ctx, rows, AKIN_LEFT));
    AK_TRY(AK_SCRATCH(ctx, akin_model_rank(m), &room));
    for (int64_t i = 0; i < rows->n; ++i)
        ak_ranker_scores(m, rows, i, scores + i * ak_ranker_labels(m).n, room);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

double ak_name_model_theta(const akin_model *m)
{
    const char *text = akin_model_note(m, "theta");
    return text != NULL ? strtod(text, NULL) : 0.0;
}
