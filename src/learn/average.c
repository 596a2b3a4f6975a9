#include "learn/average.h"

#include "model/factored.h"
#include "model/sparse_rows.h"

enum { LEAST = 1024 };

/* Memory for the means, set to zero. */
static akin_status make_room(ak_average *a, akin_ctx *ctx, int64_t n, int64_t k,
                             bool two)
{
    a->n = n;
    a->k = k;
    AK_CHECK(ak_alloc(ctx, n, (size_t)k * sizeof *a->A, &a->A));
    if (two)
        AK_CHECK(ak_alloc(ctx, n, (size_t)k * sizeof *a->B, &a->B));
    return AKIN_OK;
}

akin_status ak_average_begin(ak_average *a, akin_ctx *ctx, int64_t n, int64_t k,
                             bool two, const ak_tensors *resume)
{
    a->every = ak_max_i64(LEAST, n / 4);
    if (resume == NULL || ak_tensors_get_note(resume, "average.taken") == NULL)
        return AKIN_OK;
    AK_CHECK(ak_state_count(resume, ctx, "average.taken", &a->taken));
    AK_CHECK(make_room(a, ctx, n, k, two));
    AK_CHECK(ak_sparse_rows_take(resume, ctx, "average.A", n, k, a->A));
    if (two)
        AK_CHECK(ak_sparse_rows_take(resume, ctx, "average.B", n, k, a->B));
    return AKIN_OK;
}

/* The share of c^3 in 1 + 8 + ... + c^3 = (c (c + 1) / 2)^2. */
static double part_of(int64_t c)
{
    return 4.0 * (double)c / ((double)(c + 1) * (double)(c + 1));
}

static void move(int64_t n, double part, const double *x, double *mean)
{
    for (int64_t i = 0; i < n; ++i)
        mean[i] += part * (x[i] - mean[i]);
}

akin_status ak_average_take(ak_average *a, akin_ctx *ctx,
                            const ak_online *online, void *state, int64_t seen)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (a->every == 0 || seen % a->every != 0)
        return AKIN_OK;
    AK_TRY(online->model(&m, ctx, state));
    const int64_t n = m->d[0], k = ak_factored_rank(m);
    const bool two = ak_factored_B(m) != ak_factored_A(m);
    if (a->A == NULL)
        AK_TRY(make_room(a, ctx, n, k, two));
    const double part = part_of(++a->taken);
    move(n * k, part, ak_factored_A(m), a->A);
    if (two)
        move(n * k, part, ak_factored_B(m), a->B);
done:
    akin_model_free(m);
    return st;
}

akin_status ak_average_model(const ak_average *a, akin_ctx *ctx, akin_model **m)
{
    akin_model *mean = NULL;
    if (a->taken == 0)
        return AKIN_OK;
    const akin_status st =
        ak_factored_new(&mean, ctx, a->n, a->n, a->k, a->A, a->B, (*m)->by);
    if (st == AKIN_OK) {
        akin_model_free(*m);
        *m = mean;
    }
    return st;
}

akin_status ak_average_save(const ak_average *a, akin_ctx *ctx, ak_tensors *t)
{
    akin_status st = AKIN_OK;
    if (a->taken == 0)
        return st;
    AK_TRY(ak_tensors_note_i64(t, ctx, "average.taken", a->taken));
    AK_TRY(ak_sparse_rows_put(t, ctx, "average.A", a->n, a->k, 0.0, a->A));
    if (a->B != NULL)
        AK_TRY(ak_sparse_rows_put(t, ctx, "average.B", a->n, a->k, 0.0, a->B));
done:
    return st;
}

void ak_average_free(ak_average *a)
{
    akin_free(a->A);
    akin_free(a->B);
}
