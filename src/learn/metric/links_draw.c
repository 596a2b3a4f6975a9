/* Pairs drawn from labels: as many as are asked for, no pair twice.
 *
 * A row with one like it and one unlike it, again and again, until half of the
 * pairs are similar and half are not; where there are fewer of a kind than
 * that, all of them, about, and more of the other. */
#include "learn/metric/links.h"

enum { MOST_ROUNDS = 64 };

typedef struct drawing {
    const akin_supervision *data;
    int64_t n;              // of the second row
    int64_t *slot, n_slot;  // an open table of pairs, + 1; 0: free
    int64_t count[2], limit[2];
    int64_t *numbers, total;  // i, j and 1 or -1 of each pair
} drawing;

static bool is_new(drawing *w, int64_t i, int64_t j)
{
    const int64_t key = i * w->n + j + 1;
    uint64_t at = (uint64_t)key * UINT64_C(0x9e3779b97f4a7c15);
    for (at = (at ^ at >> 32) % (uint64_t)w->n_slot; w->slot[at] != 0;
         at = (at + 1) % (uint64_t)w->n_slot)
        if (w->slot[at] == key)
            return false;
    w->slot[at] = key;
    return true;
}

static void add(drawing *w, int64_t i, int64_t j, int similar)
{
    const bool turn = w->data->right == NULL && j < i;
    int64_t *x = w->numbers + 3 * w->total;
    if (w->count[similar] >= w->limit[similar] ||
        !is_new(w, turn ? j : i, turn ? i : j))
        return;
    x[0] = i;
    x[1] = j;
    x[2] = similar ? 1 : -1;
    ++w->total;
    ++w->count[similar];
}

/* A kind of which a round brought nothing new has no more: the other may make
 * up for it. */
static void shift_limits(drawing *w, int64_t most, const int64_t *before)
{
    for (int k = 0; k < 2; ++k)
        if (w->count[k] == before[k] && w->count[k] < w->limit[k]) {
            w->limit[k] = w->count[k];
            w->limit[1 - k] = most - w->count[k];
        }
}

static akin_status make_room(drawing *w, akin_ctx *ctx, int64_t most)
{
    akin_status st = AKIN_OK;
    w->n_slot = 2 * most + 1;
    AK_TRY(AK_SCRATCH(ctx, 3 * most, &w->numbers));
    AK_TRY(AK_SCRATCH(ctx, w->n_slot, &w->slot));
done:
    return st;
}

akin_status ak_links_draw(int64_t **numbers, int64_t *count, akin_ctx *ctx,
                          const akin_supervision *data, int64_t most)
{
    const int64_t half = ak_max_i64(most / 2, 1);
    drawing w = {.data = data,
                 .n = (data->right ? data->right : data->rows)->n,
                 .limit = {ak_max_i64(most - half, 1), half}};
    ak_sampler *sampler = NULL;
    int64_t *triplets;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sampler_new(&sampler, ctx, data));
    AK_TRY(make_room(&w, ctx, w.limit[0] + w.limit[1]));
    AK_TRY(AK_SCRATCH(ctx, 3 * half, &triplets));
    for (int64_t r = 0; r < MOST_ROUNDS; ++r) {
        const int64_t before[] = {w.count[0], w.count[1]};
        if (w.total >= most)
            break;
        ak_sampler_draw(sampler, r * half, half, triplets);
        for (int64_t t = 0; t < half; ++t) {
            const int64_t *x = triplets + 3 * t;
            add(&w, x[0], x[1], 1);
            add(&w, x[0], x[2], 0);
        }
        shift_limits(&w, most, before);
    }
    *numbers = w.numbers;
    *count = w.total;
done:
    ak_sampler_free(sampler, ctx);
    return st;
}
