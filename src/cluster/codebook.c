/* Codebooks: words, cells of words, and both in a file. */
#include "cluster/codebook.h"

#include <math.h>

#include "base/parallel.h"
#include "cluster/kmeans.h"

enum { COARSE_ITERATIONS = 4 };

static akin_status new_words(ak_codebook **out, akin_ctx *ctx, int64_t k,
                             int64_t d)
{
    ak_codebook *c = NULL;
    int64_t size = 0;
    akin_status st = AKIN_OK;
    *out = NULL;
    if (k > INT32_MAX || !ak_mul_i64(k, d, &size))
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE, "%" PRId64 " words are too many", k));
    AK_TRY(AK_NEW(ctx, 1, &c));
    c->k = k;
    c->d = d;
    AK_TRY(AK_NEW(ctx, size, &c->at));
    AK_TRY(AK_NEW(ctx, k, &c->half));
    *out = c;
    c = NULL;
done:
    ak_codebook_free(c);
    return st;
}

void ak_codebook_free(ak_codebook *c)
{
    if (c == NULL)
        return;
    ak_codebook_free(c->cells);
    if (c->at)
        akin_free(c->at);
    if (c->half)
        akin_free(c->half);
    if (c->cell_offsets)
        akin_free(c->cell_offsets);
    akin_free(c);
}

void ak_codebook_measure(ak_codebook *c, int64_t w)
{
    const float *x = c->at + w * c->d;
    double sum = 0.0;
    for (int64_t j = 0; j < c->d; ++j)
        sum += (double)x[j] * (double)x[j];
    c->half[w] = (float)(0.5 * sum);
}

akin_status ak_codebook_new(ak_codebook **out, akin_ctx *ctx,
                            const ak_points *points)
{
    const akin_status st = new_words(out, ctx, points->n, points->d);
    for (int64_t w = 0; st == AKIN_OK && w < points->n; ++w) {
        ak_points_load(points, w, (*out)->at + w * points->d);
        ak_codebook_measure(*out, w);
    }
    return st;
}

/* ---- cells ---- */

/* About sqrt(probe k) of them: comparing with cells then costs what comparing
 * with words in `probe` cells does. */
static int64_t count_cells(int64_t k, int64_t probe)
{
    const double n = sqrt((double)probe * (double)k);
    return ak_max_i64(1, ak_min_i64(k, (int64_t)(n + 0.5)));
}

/* Words at equal steps among those of c. */
static akin_status begin_cells(ak_codebook *c, akin_ctx *ctx, int64_t n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_points some = {.n = n, .d = c->d, .f32 = c->at};
    int64_t *which = NULL;
    akin_status st = AKIN_OK;
    ak_codebook_free(c->cells);
    c->cells = NULL;
    AK_TRY(AK_SCRATCH(ctx, n, &which));
    for (int64_t i = 0; i < n; ++i)
        which[i] = i * c->k / n;
    some.which = which;
    AK_TRY(ak_codebook_new(&c->cells, ctx, &some));
    AK_TRY(ak_resize(ctx, n + 1, sizeof *c->cell_offsets, &c->cell_offsets));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Words in the order of their cells. */
static akin_status sort_words(ak_codebook *c, akin_ctx *ctx,
                              const int32_t *cell, int64_t *old)
{
    const int64_t d = c->d;
    int64_t *next = NULL;
    float *at = NULL;
    AK_CHECK(AK_SCRATCH(ctx, c->cells->k + 1, &next));
    AK_CHECK(AK_SCRATCH(ctx, c->k * d, &at));
    for (int64_t w = 0; w < c->k; ++w)
        ++next[cell[w] + 1];
    for (int64_t i = 0; i < c->cells->k; ++i)
        next[i + 1] += next[i];
    memcpy(c->cell_offsets, next,
           (size_t)(c->cells->k + 1) * sizeof *c->cell_offsets);
    memcpy(at, c->at, (size_t)(c->k * d) * sizeof *at);
    for (int64_t w = 0; w < c->k; ++w) {
        const int64_t to = next[cell[w]]++;
        memcpy(c->at + to * d, at + w * d, (size_t)d * sizeof *at);
        if (old)
            old[to] = w;
    }
    for (int64_t w = 0; w < c->k; ++w)
        ak_codebook_measure(c, w);
    return AKIN_OK;
}

akin_status ak_codebook_divide(ak_codebook *c, akin_ctx *ctx, int64_t probe,
                               int64_t *old)
{
    ak_kmeans_options coarse = {.iterations = 1};
    const ak_points words = {.n = c->k, .d = c->d, .f32 = c->at};
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = count_cells(c->k, probe);
    int32_t *cell = NULL;
    ak_kmeans_info info;
    akin_status st = AKIN_OK;
    ak_ctx_quiet_begin(ctx);
    if (c->cells == NULL || c->cells->k != n) {
        AK_TRY(begin_cells(c, ctx, n));
        coarse.iterations = COARSE_ITERATIONS;
    }
    c->probe = ak_min_i64(probe, n);
    AK_TRY(ak_kmeans_improve(c->cells, ctx, &words, &coarse, &info));
    AK_TRY(AK_SCRATCH(ctx, c->k, &cell));
    AK_TRY(ak_codebook_assign(c->cells, ctx, &words, cell, NULL));
    AK_TRY(sort_words(c, ctx, cell, old));
done:
    ak_ctx_quiet_end(ctx);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- files ---- */

akin_status ak_codebook_put(const ak_codebook *c, akin_ctx *ctx, ak_tensors *t)
{
    const ak_tensor words = {"words", AK_DTYPE_F32, 2, {c->k, c->d}, c->at};
    AK_CHECK(ak_tensors_note(t, ctx, "kind", "codebook"));
    AK_CHECK(ak_tensors_put(t, ctx, words));
    if (c->cells) {
        const ak_codebook *b = c->cells;
        const ak_tensor cells = {"cells", AK_DTYPE_F32, 2, {b->k, b->d}, b->at};
        AK_CHECK(ak_tensors_note_i64(t, ctx, "probe", c->probe));
        AK_CHECK(ak_tensors_put(t, ctx, cells));
        AK_CHECK(ak_tensors_put_vector(t, ctx, "cell_offsets", AK_DTYPE_I64,
                                       b->k + 1, c->cell_offsets));
    }
    return AKIN_OK;
}

static akin_status take_words(ak_codebook **out, akin_ctx *ctx,
                              const ak_tensors *t, const char *name)
{
    const ak_tensor *x = NULL;
    ak_points words = {0};
    AK_CHECK(ak_tensors_need(t, ctx, name, AK_DTYPE_F32, 2, &x));
    words = (ak_points){.n = x->shape[0], .d = x->shape[1], .f32 = x->data};
    if (words.n < 1 || words.d < 1)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: '%s' is empty",
                       ak_tensors_path(t), name);
    for (int64_t i = 0; i < words.n * words.d; ++i)
        if (!isfinite(words.f32[i]))
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: '%s' has a value that is not finite",
                           ak_tensors_path(t), name);
    return ak_codebook_new(out, ctx, &words);
}

static bool offsets_rise(const int64_t *offsets, int64_t n, int64_t end)
{
    for (int64_t i = 0; i < n; ++i)
        if (offsets[i] > offsets[i + 1])
            return false;
    return offsets[0] == 0 && offsets[n] == end;
}

static akin_status take_cells(ak_codebook *c, akin_ctx *ctx,
                              const ak_tensors *t)
{
    const ak_tensor *x = NULL;
    AK_CHECK(take_words(&c->cells, ctx, t, "cells"));
    AK_CHECK(ak_tensors_need_i64(t, ctx, "probe", &c->probe));
    AK_CHECK(ak_tensors_need(t, ctx, "cell_offsets", AK_DTYPE_I64, 1, &x));
    if (c->cells->d != c->d || x->shape[0] != c->cells->k + 1 || c->probe < 1 ||
        c->probe > ak_min_i64(c->cells->k, AK_PROBE_MOST) ||
        !offsets_rise(x->data, c->cells->k, c->k))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: the cells do not match the words",
                       ak_tensors_path(t));
    AK_CHECK(AK_NEW(ctx, c->cells->k + 1, &c->cell_offsets));
    memcpy(c->cell_offsets, x->data,
           (size_t)(c->cells->k + 1) * sizeof *c->cell_offsets);
    return AKIN_OK;
}

akin_status ak_codebook_take(ak_codebook **out, akin_ctx *ctx,
                             const ak_tensors *t)
{
    const char *kind = ak_tensors_get_note(t, "kind");
    ak_codebook *c = NULL;
    akin_status st = AKIN_OK;
    if (kind == NULL || strcmp(kind, "codebook") != 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: not a codebook",
                       ak_tensors_path(t)));
    AK_TRY(take_words(&c, ctx, t, "words"));
    if (ak_tensors_find(t, "cells"))
        AK_TRY(take_cells(c, ctx, t));
    *out = c;
    c = NULL;
done:
    ak_codebook_free(c);
    return st;
}
