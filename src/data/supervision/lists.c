/* Lists of rows for queries, and plain lists of rows. */
#include <string.h>

#include "data/supervision/lines.h"

struct akin_lists {
    int64_t n;
    int64_t *offsets;  // n + 1
    int64_t *rows;
};

/* Place the rows behind their queries; one place ahead, so that the offsets
 * are right afterwards. */
static void place(akin_lists *l, const int64_t *query_row, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        ++l->offsets[query_row[2 * k] + 2];
    for (int64_t q = 1; q <= l->n + 1; ++q)
        l->offsets[q] += l->offsets[q - 1];
    for (int64_t k = 0; k < count; ++k)
        l->rows[l->offsets[query_row[2 * k] + 1]++] = query_row[2 * k + 1];
}

static void sort_each(akin_lists *l)
{
    int64_t begin = 0, to = 0;
    for (int64_t q = 0; q < l->n; ++q) {
        const int64_t end = l->offsets[q + 1];
        const int64_t n = ak_numbers_sort(l->rows + begin, end - begin);
        memmove(l->rows + to, l->rows + begin, (size_t)n * sizeof *l->rows);
        to += n;
        begin = end;
        l->offsets[q + 1] = to;
    }
}

static akin_status make_lists(akin_lists **out, akin_ctx *ctx,
                              int64_t n_queries, const int64_t *query_row,
                              int64_t count)
{
    akin_lists *l = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(AK_NEW(ctx, 1, &l));
    l->n = n_queries;
    AK_TRY(AK_NEW(ctx, n_queries + 2, &l->offsets));
    AK_TRY(AK_NEW(ctx, count, &l->rows));
    place(l, query_row, count);
    sort_each(l);
    *out = l;
    l = NULL;
done:
    akin_lists_free(l);
    return st;
}

static ak_line_form form_of(int64_t n_queries, int64_t n_rows)
{
    return (ak_line_form){2, {n_queries, n_rows}, false, "query row"};
}

akin_status akin_lists_new(akin_lists **out, akin_ctx *ctx, int64_t n_queries,
                           const int64_t *query_row, int64_t count)
{
    const akin_status st =
        ak_lines_check(ctx, form_of(n_queries, INT64_MAX), query_row, count);
    if (st != AKIN_OK)
        return st;
    return make_lists(out, ctx, n_queries, query_row, count);
}

akin_status akin_lists_read(akin_lists **out, akin_ctx *ctx, const char *path,
                            int64_t n_queries, int64_t n_rows)
{
    int64_t *numbers = NULL, count = 0;
    akin_status st = AKIN_OK;

    AK_TRY(ak_lines_read(ctx, path, form_of(n_queries, n_rows), &numbers,
                         &count, NULL));
    AK_TRY(make_lists(out, ctx, n_queries, numbers, count));
done:
    akin_free(numbers);
    return st;
}

int64_t akin_lists_get(const int64_t **rows, const akin_lists *l, int64_t query)
{
    *rows = NULL;
    if (query < 0 || query >= l->n)
        return 0;
    *rows = l->rows + l->offsets[query];
    return l->offsets[query + 1] - l->offsets[query];
}

void akin_lists_free(akin_lists *l)
{
    if (l == NULL)
        return;
    akin_free(l->offsets);
    akin_free(l->rows);
    akin_free(l);
}

akin_status akin_numbers_read(int64_t **out, int64_t *count, akin_ctx *ctx,
                              const char *path, int64_t n_rows)
{
    const ak_line_form form = {1, {n_rows}, false, "a row number"};
    return ak_lines_read(ctx, path, form, out, count, NULL);
}
