#include "learn/lowrank/plain.h"

#include <string.h>

#include "model/factored.h"
#include "model/sparse_rows.h"

double ak_plain_margin(void *state, const ak_lesson *l)
{
    ak_plain *s = state;
    ak_rows_project(s->k, s->A, l->q, s->Aq);
    ak_rows_project(s->k, s->B, l->D, s->BD);
    return ak_small_dot(s->k, s->Aq, s->BD);
}

void ak_plain_end(ak_plain *s)
{
    if (!s->psd)
        akin_free(s->B);
    akin_free(s->A);
    akin_free(s->Aq);
    ak_lesson_free(&s->head.lesson);
}

void ak_plain_free(void *state)
{
    if (state != NULL)
        ak_plain_end(state);
    akin_free(state);
}

akin_status ak_plain_factor(double **A, akin_ctx *ctx, int64_t n, int64_t k,
                            const double *start, const char *name,
                            const ak_tensors *resume)
{
    const akin_status st = ak_alloc(ctx, n, (size_t)k * sizeof **A, A);
    if (st != AKIN_OK || resume != NULL)
        return st != AKIN_OK ? st
                             : ak_sparse_rows_take(resume, ctx, name, n, k, *A);
    if (start != NULL)
        memcpy(*A, start, (size_t)(n * k) * sizeof **A);
    for (int64_t i = 0; start == NULL && i < k; ++i)
        (*A)[i * k + i] = 1.0;
    return AKIN_OK;
}

/* A factor where the options say to begin, or as it was saved. */
static akin_status begin_factor(double **A, akin_ctx *ctx, const ak_plain *s,
                                const char *start, akin_side side,
                                const ak_tensors *resume)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *given = NULL;
    akin_status st = AKIN_OK;
    if (resume == NULL && s->psd)
        AK_TRY(ak_loreta_start_psd(&given, ctx, start, s->n, s->k));
    else if (resume == NULL)
        AK_TRY(ak_loreta_start(&given, ctx, start, side, s->n, s->k));
    AK_TRY(ak_plain_factor(A, ctx, s->n, s->k, given,
                           side == AKIN_LEFT ? "A" : "B", resume));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_plain_options(ak_plain *s, akin_ctx *ctx,
                             const akin_options *options)
{
    const char *order = ak_options_string(options, "order");
    s->head.step_scale = 1.0;
    s->k = (int64_t)ak_options_f64(options, "rank");
    s->eta = ak_options_f64(options, "eta");
    s->C = ak_options_f64(options, "C");
    s->at_once = order != NULL && strcmp(order, "simultaneous") == 0;
    s->by = ak_loreta_compare(ak_options_string(options, "score"));
    const akin_status st = AK_NEW(ctx, 2 * s->k, &s->Aq);
    if (st == AKIN_OK)
        s->BD = s->Aq + s->k;
    return st;
}

akin_status ak_plain_begin(void **state, akin_ctx *ctx,
                           const ak_online_input *in)
{
    const ak_plain_rule *rule =
        ak_learner_find(in->options->learner)->online->rule;
    const char *start = ak_options_string(in->options, "start");
    ak_plain *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->head.rule = &rule->rule;
    s->psd = rule->psd;
    s->n = akin_rows_dim(in->data->rows);
    AK_TRY(ak_plain_options(s, ctx, in->options));
    AK_TRY(begin_factor(&s->A, ctx, s, start, AKIN_LEFT, in->resume));
    if (s->psd)
        s->B = s->A;
    else
        AK_TRY(begin_factor(&s->B, ctx, s, start, AKIN_RIGHT, in->resume));
    *state = s;
    s = NULL;
done:
    ak_plain_free(s);
    return st;
}

akin_status ak_plain_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const ak_plain *s = state;
    return ak_factored_new(out, ctx, s->n, s->n, s->k, s->A,
                           s->psd ? NULL : s->B, s->by);
}

akin_status ak_plain_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const ak_plain *s = state;
    akin_status st = ak_sparse_rows_put(t, ctx, "A", s->n, s->k, 0.0, s->A);
    if (st == AKIN_OK && !s->psd)
        st = ak_sparse_rows_put(t, ctx, "B", s->n, s->k, 0.0, s->B);
    return st;
}
