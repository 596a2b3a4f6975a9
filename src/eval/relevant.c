/* What is relevant to a query: listed rows, or rows that share a label. */
#include <string.h>

#include "eval/retrieval.h"

static akin_status check_list(const ak_retrieval *r, akin_ctx *ctx,
                              const akin_lists *lists, const char *what)
{
    for (int64_t t = 0; lists && t < r->count; ++t) {
        const int64_t *rows, query = ak_query_row(r, t);
        const int64_t n = akin_lists_get(&rows, lists, query);
        if (n > 0 && (rows[0] < 0 || rows[n - 1] >= r->rows->n))
            return ak_fail(ctx, AKIN_ESHAPE,
                           "%s of query %" PRId64 ": row %" PRId64
                           " is not there (there are %" PRId64 ")",
                           what, query, rows[rows[0] < 0 ? 0 : n - 1],
                           r->rows->n);
    }
    return AKIN_OK;
}

static akin_status check_queries(const ak_retrieval *r, akin_ctx *ctx)
{
    for (int64_t t = 0; t < r->count; ++t) {
        const int64_t i = ak_query_row(r, t);
        if (i < 0 || i >= r->queries->n)
            return ak_fail(ctx, AKIN_ESHAPE,
                           "query row %" PRId64
                           " is not there (there are %" PRId64 ")",
                           i, r->queries->n);
    }
    return AKIN_OK;
}

static akin_status sort_by_label(ak_retrieval *r, akin_ctx *ctx)
{
    const akin_rows *rows = r->rows;
    ak_label_rows *l = &r->labels;
    akin_status st = AKIN_OK;
    if (rows->label_offsets == NULL || r->queries->label_offsets == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the rows have no labels (say which are relevant)");
    const int64_t n_labels = rows->n_label_names;
    AK_TRY(AK_SCRATCH(ctx, n_labels + 2, &l->offsets));
    AK_TRY(AK_SCRATCH(ctx, rows->label_offsets[rows->n], &l->rows));
    if (r->queries != rows)
        AK_TRY(ak_rows_label_map(ctx, r->queries, rows, &l->map));
    for (int64_t k = 0; k < rows->label_offsets[rows->n]; ++k)
        ++l->offsets[rows->labels[k] + 2];
    for (int64_t k = 2; k <= n_labels; ++k)
        l->offsets[k + 1] += l->offsets[k];
    for (int64_t i = 0; i < rows->n; ++i)  // offsets[k + 1] grows to its end
        for (int64_t k = rows->label_offsets[i]; k < rows->label_offsets[i + 1];
             ++k)
            l->rows[l->offsets[rows->labels[k] + 1]++] = i;
done:
    return st;
}

akin_status ak_relevant_begin(ak_retrieval *r, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    AK_TRY(check_queries(r, ctx));
    AK_TRY(check_list(r, ctx, r->o.relevant, "relevant rows"));
    AK_TRY(check_list(r, ctx, r->o.ignore, "ignored rows"));
    AK_TRY(check_list(r, ctx, r->o.like, "examples"));
    if (r->o.relevant == NULL)
        AK_TRY(sort_by_label(r, ctx));
done:
    return st;
}

static int64_t add_rows(const int64_t *rows, int64_t n, unsigned char *flags,
                        ak_hit *hits, int64_t count)
{
    for (int64_t k = 0; k < n; ++k)
        if (flags[rows[k]] == AK_WRONG) {
            flags[rows[k]] = AK_RELEVANT;
            hits[count++].row = rows[k];
        }
    return count;
}

static int64_t add_labelled(const ak_retrieval *r, int64_t query,
                            unsigned char *flags, ak_hit *hits)
{
    const ak_label_rows *l = &r->labels;
    const int32_t *mine;
    const int64_t n = akin_rows_labels(&mine, r->queries, query);
    int64_t count = 0;
    for (int64_t k = 0; k < n; ++k) {
        const int32_t label = l->map ? l->map[mine[k]] : mine[k];
        if (label >= 0)
            count = add_rows(l->rows + l->offsets[label],
                             l->offsets[label + 1] - l->offsets[label], flags,
                             hits, count);
    }
    return count;
}

int64_t ak_relevant(const ak_retrieval *r, int64_t t, unsigned char *flags,
                    ak_hit *hits)
{
    const int64_t query = ak_query_row(r, t);
    const bool among = r->queries == r->rows;
    const int64_t *rows;
    memset(flags, AK_WRONG, (size_t)r->rows->n);
    for (int64_t i = 0; r->o.exclude && i < r->rows->n; ++i)
        if (r->o.exclude[i])
            flags[i] = AK_LEFT_OUT;
    const int64_t n_ignored =
        r->o.ignore ? akin_lists_get(&rows, r->o.ignore, query) : 0;
    for (int64_t k = 0; k < n_ignored; ++k)
        flags[rows[k]] = AK_LEFT_OUT;
    if (r->o.relevant == NULL) {
        if (among)
            flags[query] = AK_LEFT_OUT;
        return add_labelled(r, query, flags, hits);
    }
    const int64_t n = akin_lists_get(&rows, r->o.relevant, query);
    const int64_t count = add_rows(rows, n, flags, hits, 0);
    if (among && flags[query] != AK_RELEVANT)
        flags[query] = AK_LEFT_OUT;
    return count;
}
