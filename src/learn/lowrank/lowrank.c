/* The learners on the manifold of matrices of rank k: learn/lowrank/lowrank.h.
 */
#include "learn/lowrank/lowrank.h"

#include <math.h>
#include <string.h>

#include "model/factored.h"

enum { N_VECS = 6 };

/* ---- the start ------------------------------------------------------------
 */

static akin_status new_factor(ak_factor *f, akin_ctx *ctx, const ak_lowrank *s,
                              const double *A, const char *start)
{
    const akin_status st = ak_factor_new(f, ctx, s->form, s->n, s->k, A);
    return st == AKIN_ENUMERIC
               ? ak_fail(ctx, AKIN_EINVAL,
                         "--start %s: the columns of a factor are not "
                         "independent, its rank is less than %" PRId64,
                         start, s->k)
               : st;
}

static akin_status start_factors(ak_lowrank *s, akin_ctx *ctx,
                                 const char *start)
{
    double *A = NULL, *B = NULL;
    akin_status st = AKIN_OK;
    s->is_ready = strcmp(start, "zero") != 0;
    if (!s->is_ready) {
        ak_zero_init(&s->zero, s->n, s->n, s->k, s->psd);
        start = "identity";
    }
    if (s->psd) {
        AK_TRY(ak_loreta_start_psd(&A, ctx, start, s->n, s->k));
    } else {
        AK_TRY(ak_loreta_start(&A, ctx, start, AKIN_LEFT, s->n, s->k));
        AK_TRY(ak_loreta_start(&B, ctx, start, AKIN_RIGHT, s->n, s->k));
    }
    if (s->is_ready)
        AK_TRY(new_factor(&s->A, ctx, s, A, start));
    if (s->is_ready && !s->psd)
        AK_TRY(new_factor(&s->B, ctx, s, B, start));
done:
    return st;
}

static const char *name_of(const ak_lowrank *s)
{
    return s->psd ? "Y" : "A";
}

static akin_status resume_factors(ak_lowrank *s, akin_ctx *ctx,
                                  const ak_tensors *t)
{
    akin_status st = AKIN_OK;
    s->is_ready = !ak_zero_is_saved(t);
    if (!s->is_ready) {
        ak_zero_init(&s->zero, s->n, s->n, s->k, s->psd);
        AK_TRY(ak_zero_load(&s->zero, ctx, t));
        goto done;
    }
    s->form = ak_factor_saved_form(t, name_of(s));
    AK_TRY(ak_factor_new(&s->A, ctx, s->form, s->n, s->k, NULL));
    AK_TRY(ak_factor_load(&s->A, ctx, t, name_of(s)));
    if (!s->psd) {
        AK_TRY(ak_factor_new(&s->B, ctx, s->form, s->n, s->k, NULL));
        AK_TRY(ak_factor_load(&s->B, ctx, t, "B"));
    }
done:
    return st;
}

akin_status ak_lowrank_begin(ak_lowrank *s, akin_ctx *ctx,
                             const akin_options *options,
                             const akin_supervision *data,
                             const ak_tensors *resume, bool psd,
                             const ak_loreta_rule *rule)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    s->head = ak_loreta_head_of(rule);
    s->n = akin_rows_dim(data->rows);
    s->k = (int64_t)ak_options_f64(options, "rank");
    s->eta = ak_options_f64(options, "eta");
    s->max_s = ak_options_f64(options, "max_s");
    s->by = ak_loreta_compare(ak_options_string(options, "score"));
    s->psd = psd;
    s->form = ak_factor_choose_form(ak_options_string(options, "form"),
                                    data->rows, s->k);
    AK_TRY(AK_NEW(ctx, N_VECS * s->k, &s->Aq));
    s->BD = s->Aq + s->k;
    AK_TRY(resume ? resume_factors(s, ctx, resume)
                  : start_factors(s, ctx, ak_options_string(options, "start")));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

void ak_lowrank_end(ak_lowrank *s)
{
    ak_zero_free(&s->zero);
    ak_factor_free(&s->A);
    ak_factor_free(&s->B);
    ak_lesson_free(&s->head.lesson);
    akin_free(s->Aq);
}

void ak_lowrank_free(void *state)
{
    if (state != NULL)
        ak_lowrank_end(state);
    akin_free(state);
}

akin_status ak_lowrank_new(void **state, akin_ctx *ctx,
                           const akin_options *options,
                           const akin_supervision *data,
                           const ak_tensors *resume, bool psd,
                           const ak_loreta_rule *rule)
{
    ak_lowrank *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(ak_lowrank_begin(s, ctx, options, data, resume, psd, rule));
    *state = s;
    s = NULL;
done:
    ak_lowrank_free(s);
    return st;
}

/* ---- a round --------------------------------------------------------------
 */

void ak_lowrank_fetch(const void *state, const akin_rows *rows,
                      const int64_t *triplet)
{
    const ak_lowrank *s = state;
    const ak_factor *factors[] = {&s->A, s->psd ? &s->A : &s->B};
    for (int i = 0; s->is_ready && rows->offsets && i < 3; ++i) {
        const ak_sparse x = ak_rows_sparse(rows, triplet[i]);
        ak_factor_fetch(factors[i > 0], x.n, x.cols);
    }
}

double ak_lowrank_margin(void *state, const ak_lesson *l)
{
    ak_lowrank *s = state;
    if (!s->is_ready)
        return ak_zero_score(&s->zero, l->q, l->D);
    ak_factor_project(&s->A, l->q, s->Aq);
    ak_factor_project(s->psd ? &s->A : &s->B, l->D, s->BD);
    return ak_small_dot(s->k, s->Aq, s->BD);
}

bool ak_lowrank_counts(ak_lowrank *s)
{
    const bool counts = s->is_ready && !s->is_new;
    s->is_new = false;
    return counts;
}

akin_status ak_lowrank_pretrain(ak_lowrank *s, akin_ctx *ctx,
                                const ak_lesson *l)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A = NULL, *B = NULL;
    int64_t rank = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_zero_add(&s->zero, ctx, s->eta * s->head.step_scale, l->q, l->D));
    if (!ak_zero_due(&s->zero))
        goto done;
    AK_TRY(AK_SCRATCH(ctx, s->n * s->k, &A));
    AK_TRY(AK_SCRATCH(ctx, s->n * s->k, &B));
    AK_TRY(ak_zero_factors(&s->zero, ctx, A, B, &rank));
    if (rank < s->k)
        goto done;
    AK_TRY(new_factor(&s->A, ctx, s, A, "zero"));
    if (!s->psd)
        AK_TRY(new_factor(&s->B, ctx, s, B, "zero"));
    s->is_ready = s->is_new = true;
    ak_zero_free(&s->zero);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

ak_stride ak_lowrank_stride(const ak_lowrank *s, const ak_lesson *l)
{
    return (ak_stride){s->eta * s->head.step_scale, s->max_s, l->q2, l->D2,
                       s->Aq};
}

akin_status ak_lowrank_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    ak_lowrank *s = state;
    if (!s->is_ready)
        return ak_lowrank_pretrain(s, ctx, l);
    const ak_stride stride = ak_lowrank_stride(s, l);
    return ak_retract(&s->A, &s->B, ctx, l->q, l->D, &stride);
}

/* ---- what was learned -----------------------------------------------------
 */

akin_status ak_lowrank_model_of(akin_model **out, akin_ctx *ctx,
                                const ak_lowrank *s, const ak_factor *FA,
                                const ak_factor *FB)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = s->n, k = s->k;
    double *A = NULL, *B = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * k, &A));
    if (!s->psd)
        AK_TRY(AK_SCRATCH(ctx, n * k, &B));
    for (int64_t i = 0; s->is_ready && i < n; ++i) {
        ak_factor_row(FA, i, A + i * k);
        if (!s->psd)
            ak_factor_row(FB, i, B + i * k);
    }
    if (!s->is_ready) {
        int64_t rank = 0;
        AK_TRY(ak_zero_factors(&s->zero, ctx, A, B, &rank));
    }
    AK_TRY(ak_factored_new(out, ctx, n, n, k, A, B, s->by));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_lowrank_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const ak_lowrank *s = state;
    return ak_lowrank_model_of(out, ctx, s, &s->A, &s->B);
}

akin_status ak_lowrank_model_after(akin_model **out, akin_ctx *ctx,
                                   const void *state, ak_finish_fn finish)
{
    const ak_lowrank *s = state;
    ak_factor A = {0}, B = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_factor_clone(&A, ctx, &s->A));
    AK_TRY(ak_factor_clone(&B, ctx, &s->B));
    AK_TRY(finish(state, ctx, &A, &B));
    AK_TRY(ak_lowrank_model_of(out, ctx, s, &A, &B));
done:
    ak_factor_free(&A);
    ak_factor_free(&B);
    return st;
}

akin_status ak_lowrank_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const ak_lowrank *s = state;
    if (!s->is_ready)
        return ak_zero_save(&s->zero, ctx, t);
    const akin_status st = ak_factor_save(&s->A, ctx, t, name_of(s));
    return st == AKIN_OK && !s->psd ? ak_factor_save(&s->B, ctx, t, "B") : st;
}
