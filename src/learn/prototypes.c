#include "learn/prototypes.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "model/factored.h"
#include "model/prototypes.h"

enum { ROWS_MOST = 20000, ROUNDS = 20, BLOCK = 256 };

static const double MERGE = 0.7;
static const double SHARPNESS = 10.0;

typedef struct clustering {
    const akin_model *m;
    const akin_supervision *data;
    int64_t n, k, p;
    double *X;     // n x k, rows of length 1 or 0
    double *sums;  // p x k, of the rows of each centre
    double *Z;     // p x k, the same at length 1
    int64_t *which;
} clustering;

static double dot(int64_t k, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t c = 0; c < k; ++c)
        sum += x[c] * y[c];
    return sum;
}

/* Returns false and leaves x if its length is 0 or not finite. */
static bool set_length_1(int64_t k, const double *from, double *x)
{
    const double length = sqrt(dot(k, from, from));
    if (!(length > 0.0) || !isfinite(length))
        return false;
    for (int64_t c = 0; c < k; ++c)
        x[c] = from[c] / length;
    return true;
}

static akin_status place_rows(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    clustering *h = arg;
    const int64_t all = ak_supervision_known(h->data);
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        double *x = h->X + i * h->k;
        const int64_t row = ak_supervision_row(
            h->data, (int64_t)((double)i / (double)h->n * (double)all));
        h->m->kind->embed(h->m, h->data->rows, row, AKIN_RIGHT, x);
        if (!set_length_1(h->k, x, x))
            memset(x, 0, (size_t)h->k * sizeof *x);
    }
    return AKIN_OK;
}

/* The nearest centre of each row; -1 for rows embedded at 0. */
static akin_status assign(void *arg, int64_t begin, int64_t end, int64_t worker)
{
    clustering *h = arg;
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        const double *x = h->X + i * h->k;
        double best = -INFINITY;
        h->which[i] = -1;
        for (int64_t p = 0; p < h->p && dot(h->k, x, x) > 0.0; ++p) {
            const double s = dot(h->k, x, h->Z + p * h->k);
            if (s > best) {
                best = s;
                h->which[i] = p;
            }
        }
    }
    return AKIN_OK;
}

/* Draw a row with a probability by its distance to the nearest centre; -1: all
 * distances are 0. `far` has these distances but for the last centre. */
static int64_t draw_far(const clustering *h, ak_rng *r, double *far)
{
    double sum = 0.0;
    for (int64_t i = 0; i < h->n; ++i) {
        const double *x = h->X + i * h->k;
        if (h->p == 0)
            far[i] = dot(h->k, x, x);  // 1, or 0
        else
            far[i] = fmax(
                0.0,
                fmin(far[i], 1.0 - dot(h->k, x, h->Z + (h->p - 1) * h->k)));
        sum += far[i];
    }
    double left = ak_rng_unit(r) * sum;
    int64_t last = -1;
    for (int64_t i = 0; i < h->n && !(left < 0.0); ++i)
        if (far[i] > 0.0) {
            last = i;
            left -= far[i];
        }
    return last;
}

static akin_status start(clustering *h, akin_ctx *ctx, int64_t most)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_rng r = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_PROTOTYPES);
    double *far = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, h->n, &far));
    while (h->p < most) {
        const int64_t i = draw_far(h, &r, far);
        if (i < 0)
            break;
        memcpy(h->Z + h->p++ * h->k, h->X + i * h->k,
               (size_t)h->k * sizeof *h->Z);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static void center(clustering *h)
{
    memset(h->sums, 0, (size_t)(h->p * h->k) * sizeof *h->sums);
    for (int64_t i = 0; i < h->n; ++i)
        for (int64_t c = 0; h->which[i] >= 0 && c < h->k; ++c)
            h->sums[h->which[i] * h->k + c] += h->X[i * h->k + c];
    for (int64_t p = 0; p < h->p; ++p)
        set_length_1(h->k, h->sums + p * h->k, h->Z + p * h->k);
}

/* The two closest centres, if their cosine is above MERGE. */
static bool find_close(const clustering *h, int64_t *a, int64_t *b)
{
    double best = MERGE;
    bool found = false;
    for (int64_t p = 0; p < h->p; ++p)
        for (int64_t q = p + 1; q < h->p; ++q) {
            const double s = dot(h->k, h->Z + p * h->k, h->Z + q * h->k);
            if (s > best) {
                best = s;
                *a = p;
                *b = q;
                found = true;
            }
        }
    return found;
}

static void merge(clustering *h)
{
    int64_t a, b;
    while (find_close(h, &a, &b)) {
        const int64_t k = h->k, last = --h->p;
        for (int64_t c = 0; c < k; ++c)
            h->sums[a * k + c] += h->sums[b * k + c];
        set_length_1(k, h->sums + a * k, h->Z + a * k);
        memmove(h->sums + b * k, h->sums + last * k,
                (size_t)k * sizeof *h->sums);
        memmove(h->Z + b * k, h->Z + last * k, (size_t)k * sizeof *h->Z);
    }
}

static akin_status gather(clustering *h, akin_ctx *ctx, int64_t most)
{
    AK_CHECK(AK_SCRATCH(ctx, h->n * h->k, &h->X));
    AK_CHECK(AK_SCRATCH(ctx, h->n, &h->which));
    AK_CHECK(AK_SCRATCH_EACH(ctx, most * h->k, &h->sums, &h->Z));
    AK_CHECK(ak_parallel_for(ctx, h->n, BLOCK, place_rows, h));
    AK_CHECK(start(h, ctx, most));
    for (int round = 0; round < ROUNDS; ++round) {
        AK_CHECK(ak_parallel_for(ctx, h->n, BLOCK, assign, h));
        center(h);
    }
    merge(h);
    return AKIN_OK;
}

akin_status ak_prototypes_learn(akin_model **m, akin_ctx *ctx,
                                const akin_supervision *data, int64_t most)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    clustering h = {.m = *m, .data = data, .k = ak_factored_rank(*m)};
    akin_model *made = NULL;
    akin_status st = AKIN_OK;
    h.n = ak_min_i64(ROWS_MOST, ak_supervision_known(data));
    AK_TRY(gather(&h, ctx, most));
    if (h.p == 0)
        goto done;
    AK_TRY(ak_prototypes_new(&made, ctx, (*m)->d[0], h.k, h.p,
                             ak_factored_A(*m), h.Z, SHARPNESS));
    AK_TRY(ak_tensors_note_i64(made->notes, ctx, "prototypes", h.p));
    akin_model_free(*m);
    *m = made;
    made = NULL;
done:
    akin_model_free(made);
    ak_scratch_end(ctx, mark);
    return st;
}
