/* How the affinity begins: neighbours, W0, and the columns of W* that points
 * share. */
#include "base/parallel.h"
#include "learn/sparse/affinity_parts.h"
#include "learn/sparse/neighbours.h"

enum { EXACT = 1000 };

typedef struct sharing {
    const ak_propagation *a;
    ak_reach *reach;  // of each worker
    int32_t *first;   // of each shared column, a point of its group
} sharing;

static akin_status column_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const sharing *s = arg;
    const ak_propagation *a = s->a;
    ak_reach *u = &s->reach[worker];
    for (int64_t g = begin; g < end; ++g) {
        ak_propagation_spread_column(a, u, s->first[g]);
        for (int64_t c = 0; c < u->count; ++c)
            a->columns[u->at[c] * a->n_shared + g] = ak_reach_get(u, u->at[c]);
    }
    return AKIN_OK;
}

/* Every shared column, finer than the rest as many points have it. */
static akin_status spread_shared(ak_propagation *a, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t workers = ak_workers(ctx);
    sharing s = {.a = a};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, a->n_shared, &s.first));
    for (int64_t g = 0; g < a->n_groups; ++g)
        if (a->shared[g] >= 0)
            s.first[a->shared[g]] = a->first[g];
    AK_TRY(AK_SCRATCH(ctx, workers, &s.reach));
    for (int64_t w = 0; w < workers; ++w)
        AK_TRY(ak_reach_new(&s.reach[w], ctx, a->n, 0.1 * a->drop));
    AK_TRY(ak_parallel_for(ctx, a->n_shared, 1, column_block, &s));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The members of the groups that share, group after group. */
static akin_status list_members(ak_propagation *a, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, a->n_shared + 2, &a->member_at));
    AK_TRY(AK_SCRATCH(ctx, a->n, &a->members));
    for (int64_t i = 0; i < a->n; ++i)
        if (ak_propagation_shares(a, i))
            ++a->member_at[a->shared[a->group[i]] + 2];
    for (int64_t g = 1; g <= a->n_shared + 1; ++g)
        a->member_at[g] += a->member_at[g - 1];
    for (int64_t i = 0; i < a->n; ++i)
        if (ak_propagation_shares(a, i))
            a->members[a->member_at[a->shared[a->group[i]] + 1]++] = (int32_t)i;
done:
    return st;
}

/* The columns of groups of two or more, as far as a GiB goes. */
static akin_status share_columns(ak_propagation *a, akin_ctx *ctx)
{
    const int64_t most = (INT64_C(1) << 27) / a->n;
    int64_t *size;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, a->n_groups, &size));
    AK_TRY(AK_SCRATCH(ctx, a->n_groups, &a->shared));
    for (int64_t i = 0; i < a->n; ++i)
        if (a->group[i] >= 0)
            ++size[a->group[i]];
    for (int64_t g = 0; g < a->n_groups; ++g)
        a->shared[g] =
            size[g] > 1 && a->n_shared < most ? (int32_t)a->n_shared++ : -1;
    AK_TRY(AK_SCRATCH(ctx, a->n * a->n_shared, &a->columns));
    AK_TRY(list_members(a, ctx));
    AK_TRY(spread_shared(a, ctx));
done:
    return st;
}

akin_status ak_propagation_begin(ak_propagation *a, akin_ctx *ctx, int64_t n,
                                 int64_t d, const double *X,
                                 const ak_constraints *pairs, double far)
{
    akin_status st = AKIN_OK;
    a->n = n;
    a->d = d;
    a->X = X;
    a->k = ak_min_i64(a->k, n - 1);
    /* Few points: to rounding. Many: W to a thousandth of theta. */
    a->drop = n <= EXACT ? 1e-14 : 1e-3 * a->theta;
    AK_TRY(AK_SCRATCH(ctx, n * a->k, &a->near));
    AK_TRY(ak_neighbours(ctx, n, d, X, a->k, a->near));
    ak_constraints placed = *pairs;
    if (a->theta > 0.0)
        AK_TRY(ak_propagation_order(a, ctx, &placed));
    AK_TRY(ak_propagation_graph(a, ctx, &placed, far));
    if (a->theta > 0.0)
        AK_TRY(share_columns(a, ctx));
done:
    return st;
}
