/* Searching shards, and the rows of all of them. */
#include "index/sharded/sharded.h"

#include <math.h>
#include <string.h>

static const ak_sharded *of(const akin_index *x)
{
    return x->state;
}

/* ---- one shard ---- */

/* Rows [first, end) of all, of one shard; ignored and hidden rows of it are
 * numbered as it numbers them. */
typedef struct part {
    const akin_index *x;
    int64_t first, end;
    akin_lists *ignore;
    int64_t *hidden;
} part;

static akin_status take_ignored(part *p, akin_ctx *ctx, const ak_search *w)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = w->queries->n;
    const int64_t *rows;
    int64_t *pairs = NULL, most = 0, count = 0;
    akin_status st = AKIN_OK;
    for (int64_t t = 0; t < n; ++t)
        most += akin_lists_get(&rows, w->ignore, t);
    AK_TRY(AK_SCRATCH(ctx, 2 * most, &pairs));
    for (int64_t t = 0; t < n; ++t) {
        const int64_t m = akin_lists_get(&rows, w->ignore, t);
        for (int64_t k = 0; k < m; ++k)
            if (rows[k] >= p->first && rows[k] < p->end) {
                pairs[2 * count] = t;
                pairs[2 * count++ + 1] = rows[k] - p->first;
            }
    }
    AK_TRY(akin_lists_new(&p->ignore, ctx, n, pairs, count));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status search_part(part *p, akin_ctx *ctx, ak_search w)
{
    const akin_index *x = p->x;
    int64_t n_hidden = 0;
    if (w.ignore != NULL)
        AK_CHECK(take_ignored(p, ctx, &w));
    AK_CHECK(AK_NEW(ctx, w.n_hidden, &p->hidden));
    for (int64_t k = 0; k < w.n_hidden; ++k)
        if (w.hidden[k] >= p->first && w.hidden[k] < p->end)
            p->hidden[n_hidden++] = w.hidden[k] - p->first;
    w.ignore = p->ignore;
    w.hidden = p->hidden;
    w.n_hidden = n_hidden;
    w.top = ak_min_i64(w.stride, x->n);
    w.n_exclude = 0;
    if (w.exclude != NULL)
        w.exclude += p->first;
    for (int64_t i = 0; w.exclude && i < x->n; ++i)
        w.n_exclude += w.exclude[i] && !x->gone[i];
    return x->kind->search(x, ctx, &w);
}

/* ---- the best of all ---- */

/* The best of two lists of `n` hits, each sorted and padded with row -1, where
 * those of the second are `by` rows further on. They replace the first. */
static void merge(int64_t *rows, double *scores, const int64_t *more,
                  const double *more_scores, int64_t by, int64_t n,
                  ak_hit *room)
{
    int64_t i = 0, j = 0;
    for (int64_t k = 0; k < n; ++k) {
        const ak_hit a = {scores[i], rows[i]};
        const ak_hit b = {more_scores[j], more[j] < 0 ? -1 : more[j] + by};
        const bool first = b.row < 0 || (a.row >= 0 && ak_hit_before(a, b));
        room[k] = first ? a : b;
        i += first;
        j += !first;
    }
    for (int64_t k = 0; k < n; ++k) {
        rows[k] = room[k].row;
        scores[k] = room[k].row < 0 ? NAN : room[k].score;
    }
}

static void merge_all(const ak_search *w, const int64_t *rows,
                      const double *scores, int64_t by, ak_hit *room)
{
    for (int64_t t = 0; t < w->queries->n; ++t) {
        const int64_t at = t * w->stride;
        merge(w->rows + at, w->scores + at, rows + at, scores + at, by,
              w->stride, room);
    }
}

/* Search the shards of this rank, one after another. */
static akin_status search_own(const akin_index *x, akin_ctx *ctx,
                              const ak_search *w, ak_rank_range own,
                              ak_hit *room)
{
    const int64_t size = w->queries->n * w->stride;
    const ak_sharded *s = of(x);
    ak_search found = *w;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < size; ++k) {
        w->rows[k] = -1;
        w->scores[k] = NAN;
    }
    AK_CHECK(AK_SCRATCH(ctx, size, &found.rows));
    AK_CHECK(AK_SCRATCH(ctx, size, &found.scores));
    for (int64_t k = own.begin; k < own.end && st == AKIN_OK; ++k) {
        part p = {s->shards[k], s->first[k], s->first[k + 1], NULL, NULL};
        st = search_part(&p, ctx, found);
        if (st == AKIN_OK)
            merge_all(w, found.rows, found.scores, p.first, room);
        akin_lists_free(p.ignore);
        akin_free(p.hidden);
    }
    return st;
}

/* What the others found. */
static akin_status merge_ranks(akin_ctx *ctx, const ak_search *w, ak_hit *room)
{
    const size_t n = (size_t)(w->queries->n * w->stride);
    const int64_t ranks = akin_ctx_ranks(ctx), rank = akin_ctx_rank(ctx);
    const size_t *at, *scores_at;
    unsigned char *rows, *scores;
    if (ranks == 1)
        return AKIN_OK;
    AK_CHECK(ak_comm_collect(ctx, w->rows, n * sizeof *w->rows, &rows, &at));
    AK_CHECK(ak_comm_collect(ctx, w->scores, n * sizeof *w->scores, &scores,
                             &scores_at));
    for (int64_t r = 0; r < ranks; ++r)
        if (r != rank)
            merge_all(w, (const int64_t *)(const void *)(rows + at[r]),
                      (const double *)(const void *)(scores + scores_at[r]), 0,
                      room);
    return AKIN_OK;
}

/* Ranks have shards, so a shard is searched by one rank alone. */
static akin_status sharded_search(const akin_index *x, akin_ctx *ctx,
                                  const ak_search *w)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const struct akin_comm *ranks = ak_ctx_comm(ctx);
    const ak_rank_range own = ak_comm_own(ctx, of(x)->n, 1);
    ak_hit *room;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, w->stride, &room));
    akin_ctx_set_comm(ctx, NULL);
    st = search_own(x, ctx, w, own, room);
    akin_ctx_set_comm(ctx, ranks);
    AK_TRY(ak_comm_agree(ctx, st));
    AK_TRY(merge_ranks(ctx, w, room));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the rest of a kind ---- */

static int64_t shard_of(const ak_sharded *s, int64_t row)
{
    int64_t low = 0, high = s->n;
    while (high - low > 1) {
        const int64_t mid = low + (high - low) / 2;
        if (s->first[mid] <= row)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static akin_status sharded_rows(const akin_index *x, akin_ctx *ctx,
                                const int64_t *which, int64_t count,
                                akin_rows **out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_sharded *s = of(x);
    akin_rows **parts;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, count, &parts));
    for (int64_t k = 0; k < count && st == AKIN_OK; ++k) {
        const int64_t at = shard_of(s, which[k]);
        const akin_index *shard = s->shards[at];
        const int64_t row = which[k] - s->first[at];
        st = shard->kind->rows(shard, ctx, &row, 1, &parts[k]);
    }
    if (st == AKIN_OK)
        st = ak_rows_join(out, ctx, (const akin_rows *const *)parts, count);
    for (int64_t k = 0; k < count; ++k)
        akin_rows_free(parts[k]);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static void sharded_free(akin_index *x)
{
    ak_sharded *s = x->state;
    if (s == NULL)
        return;
    for (int64_t k = 0; k < s->n && s->shards; ++k)
        akin_index_free(s->shards[k]);
    for (int64_t k = 0; k < s->n && s->paths; ++k)
        akin_free(s->paths[k]);
    akin_free(s->shards);
    akin_free(s->paths);
    akin_free(s->first);
    akin_free(s);
}

const ak_index_kind ak_index_sharded = {
    .name = "sharded",
    .search = sharded_search,
    .rows = sharded_rows,
    .put = ak_sharded_put,
    .take = ak_sharded_take,
    .free = sharded_free,
};
