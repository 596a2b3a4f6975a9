#include "data/io/csr.h"

#include <math.h>
#include <stdlib.h>

enum { MANY_ROWS = 1 << 20 };

void ak_csr_free(ak_csr *c)
{
    akin_free(c->starts);
    akin_free(c->index);
    akin_free(c->vals);
    *c = (ak_csr){0};
}

static akin_status check(const ak_csr *c, akin_ctx *ctx, const char *name)
{
    const int64_t lines = c->by_column ? c->d : c->n;
    const int64_t across = c->by_column ? c->n : c->d;
    /* Of columns, nothing in the file is as long as there are rows. */
    if (c->by_column && c->n > MANY_ROWS + 1024 * c->count)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: %" PRId64 " rows, almost all empty", name, c->n);
    bool good = c->starts[0] == 0 && c->starts[lines] == c->count;
    for (int64_t i = 0; i < lines && good; ++i)
        good = c->starts[i] <= c->starts[i + 1];
    if (!good)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: the offsets must increase from 0 to %" PRId64, name,
                       c->count);
    for (int64_t k = 0; k < c->count; ++k) {
        if (c->index[k] < 0 || c->index[k] >= across)
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: entry %" PRId64 ": index %" PRId32
                           " (expected 0 to %" PRId64 ")",
                           name, k, c->index[k], across - 1);
        if (!isfinite(c->vals[k]))
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: entry %" PRId64 " is not finite in 32 bits",
                           name, k);
    }
    return AKIN_OK;
}

/* Columns to rows, which come out sorted. */
static akin_status turn(ak_csr *c, akin_ctx *ctx)
{
    ak_csr to = {.n = c->n, .d = c->d, .count = c->count};
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, c->n + 2, &to.starts));
    AK_TRY(AK_NEW(ctx, c->count, &to.index));
    AK_TRY(AK_NEW(ctx, c->count, &to.vals));
    /* starts[i + 1] is where row i goes on, and in the end where it ends. */
    for (int64_t k = 0; k < c->count; ++k)
        ++to.starts[c->index[k] + 2];
    for (int64_t i = 0; i < c->n; ++i)
        to.starts[i + 2] += to.starts[i + 1];
    for (int64_t j = 0; j < c->d; ++j)
        for (int64_t k = c->starts[j]; k < c->starts[j + 1]; ++k) {
            const int64_t at = to.starts[c->index[k] + 1]++;
            to.index[at] = (int32_t)j;
            to.vals[at] = c->vals[k];
        }
    ak_csr_free(c);
    *c = to;
    to = (ak_csr){0};
done:
    ak_csr_free(&to);
    return st;
}

typedef struct item {
    int32_t index;
    float value;
} item;

static int compare(const void *a, const void *b)
{
    const int32_t x = ((const item *)a)->index, y = ((const item *)b)->index;
    return (x > y) - (x < y);
}

static bool is_sorted(const ak_csr *c, int64_t i)
{
    for (int64_t k = c->starts[i] + 1; k < c->starts[i + 1]; ++k)
        if (c->index[k] < c->index[k - 1])
            return false;
    return true;
}

static akin_status sort_row(ak_csr *c, akin_ctx *ctx, int64_t i)
{
    const int64_t at = c->starts[i], n = c->starts[i + 1] - at;
    const ak_mark mark = ak_scratch_begin(ctx);
    item *items;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &items));
    for (int64_t k = 0; k < n; ++k)
        items[k] = (item){c->index[at + k], c->vals[at + k]};
    qsort(items, (size_t)n, sizeof *items, compare);
    for (int64_t k = 0; k < n; ++k) {
        c->index[at + k] = items[k].index;
        c->vals[at + k] = items[k].value;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Drop zeros in place; EFORMAT for a repeat. */
static akin_status tidy(ak_csr *c, akin_ctx *ctx, const char *name)
{
    int64_t at = 0;
    for (int64_t i = 0, k = 0; i < c->n; ++i) {
        const int64_t first = k;
        for (; k < c->starts[i + 1]; ++k) {
            if (k > first && c->index[k] == c->index[k - 1])
                return ak_fail(ctx, AKIN_EFORMAT,
                               "%s: row %" PRId64 " has column %" PRId32
                               " twice",
                               name, i, c->index[k]);
            if (c->vals[k] == 0.0F)
                continue;
            c->vals[at] = c->vals[k];
            c->index[at++] = c->index[k];
        }
        c->starts[i + 1] = at;
    }
    return AKIN_OK;
}

akin_status ak_rows_from_csr(akin_rows **out, akin_ctx *ctx, const char *name,
                             ak_csr *c)
{
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(check(c, ctx, name));
    if (c->by_column)
        AK_TRY(turn(c, ctx));
    for (int64_t i = 0; i < c->n; ++i)
        if (!is_sorted(c, i))
            AK_TRY(sort_row(c, ctx, i));
    AK_TRY(tidy(c, ctx, name));
    AK_TRY(ak_rows_new(&r, ctx, c->n, c->d));
    r->offsets = c->starts;
    r->cols = c->index;
    r->vals = c->vals;
    *c = (ak_csr){0};
    *out = r;
done:
    ak_csr_free(c);
    return st;
}
