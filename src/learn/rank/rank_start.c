/* Where the factors of a ranker begin. */
#include <string.h>

#include "data/label_names.h"
#include "learn/lowrank/loreta.h"
#include "learn/rank/rank.h"

/* Row l of A is that of the label with its name. */
static akin_status copy_A(double *A, akin_ctx *ctx, const akin_model *m,
                          const ak_rank *r, const char *path)
{
    const ak_labels from = ak_ranker_labels(m);
    const int64_t k = akin_model_rank(m);
    int32_t *map = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_label_map(ctx, r->n, r->names, from.n, from.names, &map));
    for (int64_t l = 0; l < r->n; ++l) {
        if (map[l] < 0)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "%s: the start does not know label '%s'", path,
                           r->names[l]));
        memcpy(A + l * k, ak_ranker_A(m) + map[l] * k, (size_t)k * sizeof *A);
    }
done:
    return st;
}

static akin_status start_file(double **A, akin_ctx *ctx, const char *path,
                              akin_side side, const ak_rank *r, int64_t k)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_load(&m, ctx, path));
    if (!ak_model_is_ranker(m))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: a model of kind %s cannot be a start (ranker "
                       "wanted)",
                       path, akin_model_kind(m)));
    AK_TRY(ak_loreta_start_fits(m, ctx, path, AKIN_LEFT, r->d, k));
    AK_TRY(AK_SCRATCH(ctx, (side == AKIN_LEFT ? r->n : r->d) * k, A));
    if (side == AKIN_LEFT)
        AK_TRY(copy_A(*A, ctx, m, r, path));
    else
        memcpy(*A, ak_ranker_B(m), (size_t)(r->d * k) * sizeof **A);
done:
    akin_model_free(m);
    return st;
}

akin_status ak_rank_start(double **A, akin_ctx *ctx, const char *start,
                          akin_side side, const ak_rank *r, int64_t k)
{
    if (k > r->n)
        return ak_fail(ctx, AKIN_EINVAL,
                       "--rank %" PRId64 " is more than the %" PRId64
                       " labels (--rank %" PRId64 " or less)",
                       k, r->n, r->n);
    if (strcmp(start, "identity") == 0 || strcmp(start, "gauss") == 0 ||
        strcmp(start, "zero") == 0)
        return ak_loreta_start(A, ctx, start, side,
                               side == AKIN_LEFT ? r->n : r->d, k);
    return start_file(A, ctx, start, side, r, k);
}
