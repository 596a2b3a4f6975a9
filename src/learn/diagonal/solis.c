#include "learn/diagonal/solis.h"

#include <string.h>

#include "la/sparse.h"
#include "learn/diagonal/hadamard.h"
#include "model/diagonal.h"
#include "model/sparse_rows.h"

enum { BLOCK = 256, LINE = 64, FETCH_LEAST = 1 << 20 };

AK_CLONES
static void inverse_Hs(double delta, int64_t n, const double *G, double *h)
{
    for (int64_t k = 0; k < n; ++k)
        h[k] = ak_solis_inverse_H(delta, G[k]);
}

void ak_solis_inverse_Hs(double delta, int64_t n, const double *G, double *h)
{
    inverse_Hs(delta, n, G, h);
}

double ak_solis_loss(const ak_solis *s, int64_t n, const int32_t *cols,
                     const double *v)
{
    double margin = ak_dot8(n, s->w, v);
    if (s->w0 != NULL)
        margin += ak_gather_dot(n, cols, v, s->w0);
    return isfinite(margin) ? fmax(0.0, 1.0 - margin) : -1.0;
}

/* ---- start --------------------------------------------------------------- */

static void mark_words(const akin_rows *rows, int64_t i, double weight,
                       double *w0)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(rows, i, &cols, &vals);
    for (int64_t k = 0; k < n; ++k)
        if (vals[k] != 0.0f)
            w0[cols ? cols[k] : k] = weight;
}

/* The words that occur in rows that can be a positive. */
static akin_status start_mask(ak_solis *s, akin_ctx *ctx, const akin_rows *rows,
                              const ak_sampler *sampler, double weight)
{
    if (sampler == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "--start mask needs all examples beforehand (labels or "
                       "a file, not a stream)");
    const ak_mark mark = ak_scratch_begin(ctx);
    unsigned char *is_positive = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, rows->n, &is_positive));
    AK_TRY(AK_NEW(ctx, s->d, &s->w0));
    ak_sampler_positives(sampler, is_positive);
    for (int64_t i = 0; i < rows->n; ++i)
        if (is_positive[i])
            mark_words(rows, i, weight, s->w0);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status start_file(ak_solis *s, akin_ctx *ctx, const char *path)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_load(&m, ctx, path));
    if (!ak_model_is_diagonal(m))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: a model of kind %s cannot be a start (diagonal "
                       "wanted)",
                       path, akin_model_kind(m)));
    if (m->d[0] != s->d)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: the start has %" PRId64
                       " columns, the rows have %" PRId64,
                       path, m->d[0], s->d));
    AK_TRY(AK_NEW(ctx, s->d, &s->w0));
    const double *w = ak_diagonal_w(m);
    for (int64_t j = 0; j < s->d; ++j)
        s->w0[j] = w ? w[j] : 1.0;
done:
    akin_model_free(m);
    return st;
}

/* ---- state in a file ------------------------------------------------------
 */

akin_status ak_solis_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const ak_solis *s = state;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sparse_rows_put(t, ctx, "cells", s->d, s->rule->width, 0.0,
                              s->cells));
    if (s->w0 != NULL)
        AK_TRY(ak_sparse_rows_put(t, ctx, "start", s->d, 1, 0.0, s->w0));
    AK_TRY(ak_tensors_note_i64(t, ctx, "rounds", s->t));
    AK_TRY(ak_tensors_note_i64(t, ctx, "steps", s->N));
    AK_TRY(ak_tensors_note_i64(t, ctx, "last_step", s->T));
done:
    return st;
}

static akin_status resume_from(ak_solis *s, akin_ctx *ctx, const ak_tensors *t)
{
    akin_status st = AKIN_OK;
    AK_TRY(
        ak_sparse_rows_take(t, ctx, "cells", s->d, s->rule->width, s->cells));
    if (ak_tensors_find(t, "start") != NULL) {
        AK_TRY(AK_NEW(ctx, s->d, &s->w0));
        AK_TRY(ak_sparse_rows_take(t, ctx, "start", s->d, 1, s->w0));
    }
    AK_TRY(ak_state_count(t, ctx, "rounds", &s->t));
    AK_TRY(ak_state_count(t, ctx, "steps", &s->N));
    AK_TRY(ak_state_count(t, ctx, "last_step", &s->T));
    if (s->rule->refresh != NULL)
        for (int64_t j = 0; j < s->d; ++j)
            s->rule->refresh(s, s->cells + j * s->rule->width);
done:
    return st;
}

/* ---- the run ---------------------------------------------------------------
 */

static akin_status start_or_resume(ak_solis *s, akin_ctx *ctx,
                                   const akin_options *options,
                                   const akin_supervision *data,
                                   const ak_sampler *sampler,
                                   const ak_tensors *resume)
{
    const char *start = ak_options_string(options, "start");
    if (resume != NULL)
        return resume_from(s, ctx, resume);
    if (strcmp(start, "zero") == 0)
        return AKIN_OK;
    if (strcmp(start, "mask") == 0)
        return start_mask(s, ctx, data->rows, sampler,
                          ak_options_f64(options, "start_weight"));
    return start_file(s, ctx, start);
}

/* From the start of a cache line, so that few cells lie in two. */
static akin_status make_cells(ak_solis *s, akin_ctx *ctx)
{
    const size_t width = (size_t)s->rule->width * sizeof(double);
    const akin_status st = ak_alloc(ctx, s->d + LINE, width, &s->memory);
    if (st == AKIN_OK)
        s->cells = (double *)(((uintptr_t)s->memory + LINE - 1) / LINE * LINE);
    return st;
}

akin_status ak_solis_begin(void **state, akin_ctx *ctx,
                           const ak_online_input *in)
{
    ak_solis *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->rule = ak_learner_find(in->options->learner)->online->rule;
    s->d = akin_rows_dim(in->data->rows);
    s->eta = ak_options_f64(in->options, "eta");
    s->lambda = ak_options_f64(in->options, "lambda");
    s->delta = ak_options_f64(in->options, "delta");
    s->gamma = ak_options_f64(in->options, "gamma");
    s->rho = ak_options_f64(in->options, "rho");
    s->every_round = strcmp(ak_options_string(in->options, "clock"), "all") ==
                     0;
    AK_TRY(AK_NEW(ctx, 1, &s->block));
    AK_TRY(make_cells(s, ctx));
    AK_TRY(start_or_resume(s, ctx, in->options, in->data, in->sampler,
                           in->resume));
    *state = s;
    s = NULL;
done:
    ak_solis_free(s, ctx);
    return st;
}

void ak_solis_free(void *state, akin_ctx *ctx)
{
    ak_solis *s = state;
    if (s == NULL)
        return;
    if (s->block != NULL)
        ak_hadamards_free(s->block, ctx);
    ak_release(ctx, s->block);
    ak_release(ctx, s->memory);
    ak_release(ctx, s->w0);
    ak_release(ctx, s->w);
    ak_release(ctx, s);
}

static akin_status make_room(ak_solis *s, akin_ctx *ctx, int64_t n)
{
    if (n <= s->room)
        return AKIN_OK;
    const akin_status st = ak_resize(ctx, 6 * n, sizeof *s->w, &s->w);
    if (st == AKIN_OK) {
        s->room = 2 * n;
        s->G = s->w + s->room;
        s->h = s->G + s->room;
    }
    return st;
}

/* The cells of a vector lie anywhere in a state larger than the near caches:
 * ask for them a round ahead. The empty
 * instruction keeps gcc from leaving out a function that seems to do nothing.
 */
static void fetch_cells(const ak_solis *s, int64_t n, const int32_t *cols)
{
    const int64_t width = s->rule->width;
    if (s->d * width * (int64_t)sizeof *s->cells < FETCH_LEAST)
        return;
    __asm__ volatile("");
    for (int64_t k = 0; k < n; ++k)
        __builtin_prefetch(s->cells + cols[k] * width);
}

akin_status ak_solis_rounds(ak_solis *s, akin_ctx *ctx, int64_t count,
                            const int64_t *offsets, const int64_t *counts,
                            const int32_t *cols, const double *vals,
                            akin_learn_info *info)
{
    for (int64_t k = 0; k < count; ++k) {
        const akin_status st = make_room(s, ctx, counts[k]);
        if (st != AKIN_OK)
            return st;
        if (k + 1 < count)
            fetch_cells(s, counts[k + 1], cols + offsets[k + 1]);
        const double loss =
            s->rule->round(s, counts[k], cols + offsets[k], vals + offsets[k]);
        if (loss < 0.0)
            return AKIN_ENUMERIC;
        ak_learn_count(info, loss, loss > 0.0);
    }
    return AKIN_OK;
}

akin_status ak_solis_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                             const int64_t *triplets, int64_t count,
                             akin_learn_info *info)
{
    ak_solis *s = state;
    ak_hadamards *h = s->block;
    for (int64_t at = 0; at < count; at += h->n) {
        akin_status st = ak_hadamards_fill(h, ctx, rows, triplets + 3 * at,
                                           count - at, BLOCK);
        if (st == AKIN_OK)
            st = ak_solis_rounds(s, ctx, h->n, h->offsets, h->counts, h->cols,
                                 h->vals, info);
        if (st != AKIN_OK)
            return st;
    }
    return AKIN_OK;
}

/* lambda is set against the mean gradient: many examples over many words make
 * that small, and a lambda that suits few examples then leaves nothing. */
static void warn_if_empty(const ak_solis *s, akin_ctx *ctx, const akin_model *m)
{
    if (s->N > 0 && akin_model_nonzeros(m) == 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "every weight is zero: --lambda %g draws harder than the "
               "examples pull (try %g, or akin tune)",
               s->lambda, s->lambda / 100.0);
}

akin_status ak_solis_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const ak_solis *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    double *w = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->d, &w));
    for (int64_t j = 0; j < s->d; ++j)
        w[j] = s->rule->value(s, s->cells + j * s->rule->width) +
               (s->w0 ? s->w0[j] : 0.0);
    AK_TRY(ak_diagonal_new(out, ctx, s->d, w, AKIN_BY_DOT));
    warn_if_empty(s, ctx, *out);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
