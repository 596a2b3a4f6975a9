#include "learn/metric/logdet.h"

#include "learn/difference.h"

static akin_status reserve(ak_logdet *l, akin_ctx *ctx, int64_t n)
{
    akin_status st = AKIN_OK;
    if (n <= l->capacity)
        return st;
    AK_TRY(ak_resize(ctx, n, sizeof *l->cols, &l->cols));
    AK_TRY(ak_resize(ctx, n, sizeof *l->z, &l->z));
    l->capacity = n;
done:
    return st;
}

static akin_status logdet_triplet(ak_logdet *l, akin_ctx *ctx,
                                  const akin_rows *rows, const int64_t *t,
                                  akin_learn_info *info)
{
    double *d = l->distance;
    bool moved = false;
    akin_status st = AKIN_OK;
    AK_TRY(reserve(l, ctx,
                   ak_max_i64(ak_difference_room(rows, t[0], t[1]),
                              ak_difference_room(rows, t[0], t[2]))));
    l->n = ak_difference(rows, t[0], t[1], l->cols, l->z);
    AK_TRY(l->step(l, l->y_sim, l->inequality, &d[0], &moved));
    l->n = ak_difference(rows, t[0], t[2], l->cols, l->z);
    AK_TRY(l->step(l, l->y_dis, -l->inequality, &d[1], &moved));
    const double loss = 0.5 * ((d[0] - l->y_sim) * (d[0] - l->y_sim) +
                               (d[1] - l->y_dis) * (d[1] - l->y_dis));
    ak_learn_count(info, loss, moved);
done:
    return st;
}

akin_status ak_logdet_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                              const int64_t *triplets, int64_t count,
                              akin_learn_info *info)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < count && st == AKIN_OK; ++i)
        st = logdet_triplet(state, ctx, rows, triplets + 3 * i, info);
    return st;
}

void ak_logdet_free(ak_logdet *l)
{
    akin_free(l->cols);
    akin_free(l->z);
}
