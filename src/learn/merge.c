#include "learn/merge.h"

#include <string.h>

#include "base/comm.h"

akin_status ak_merge_begin(ak_merge_rows *m, akin_ctx *ctx)
{
    const size_t row = (size_t)m->width * sizeof *m->now;
    if (m->before == NULL)
        AK_CHECK(ak_alloc(ctx, m->n, row, &m->before));
    memcpy(m->before, m->now, (size_t)m->n * row);
    return AKIN_OK;
}

void ak_merge_end(ak_merge_rows *m)
{
    akin_free(m->before);
    m->before = NULL;
}

/* ---- changes ---- */

/* A record is the number of a row and `width` numbers, 8 bytes each. */
static size_t record_size(const ak_merge_rows *m)
{
    return sizeof(int64_t) + (size_t)m->width * sizeof *m->now;
}

static int64_t record_row(const ak_changes *c, const ak_merge_rows *m,
                          int64_t i)
{
    int64_t row;
    memcpy(&row, c->records + (size_t)i * record_size(m), sizeof row);
    return row;
}

static bool is_changed(const ak_merge_rows *m, int64_t i)
{
    return memcmp(m->now + i * m->width, m->before + i * m->width,
                  (size_t)m->width * sizeof *m->now) != 0;
}

static void apply(ak_merge_fn fn, const void *arg, int64_t i, double *x)
{
    if (fn != NULL)
        fn(arg, i, x);
}

akin_status ak_merge_collect(ak_changes *c, akin_ctx *ctx,
                             const ak_merge_rows *m, ak_merge_fn settle,
                             ak_merge_fn map, const void *arg)
{
    const size_t size = record_size(m), width = (size_t)m->width;
    const size_t row = width * sizeof(double);
    unsigned char *own = NULL, *at, *all = NULL, *changed = NULL;
    const size_t *offsets = NULL;
    double *x = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m->n, &changed));
    for (int64_t i = 0; i < m->n; ++i)
        n += changed[i] = is_changed(m, i);
    AK_TRY(AK_SCRATCH(ctx, n * (int64_t)size, &own));
    AK_TRY(AK_SCRATCH(ctx, 2 * m->width, &x));
    at = own;
    for (int64_t i = 0; i < m->n; ++i) {
        if (!changed[i])
            continue;
        memcpy(x, m->now + i * m->width, row);
        memcpy(x + width, m->before + i * m->width, row);
        apply(settle, arg, i, x);
        apply(settle, arg, i, x + width);
        for (size_t j = 0; j < width; ++j)
            x[j] -= x[width + j];
        apply(map, arg, i, x);
        memcpy(at, &i, sizeof i);
        memcpy(at + sizeof i, x, row);
        at += size;
    }
done:
    AK_CHECK(ak_comm_agree(ctx, st));
    AK_CHECK(ak_comm_collect(ctx, own, (size_t)n * size, &all, &offsets));
    c->records = all;
    c->n = (int64_t)(offsets[akin_ctx_ranks(ctx)] / size);
    return AKIN_OK;
}

void ak_merge_undo(const ak_changes *c, const ak_merge_rows *m)
{
    for (int64_t i = 0; i < c->n; ++i) {
        const int64_t at = record_row(c, m, i) * m->width;
        memcpy(m->now + at, m->before + at, (size_t)m->width * sizeof *m->now);
    }
}

static double record_at(const ak_changes *c, const ak_merge_rows *m, int64_t i,
                        int64_t j)
{
    double x;
    memcpy(&x,
           c->records + (size_t)i * record_size(m) + sizeof(int64_t) +
               (size_t)j * sizeof x,
           sizeof x);
    return x;
}

void ak_merge_add(const ak_changes *c, const ak_merge_rows *m,
                  ak_merge_fn settle, ak_merge_fn finish, const void *arg)
{
    for (int64_t i = 0; settle != NULL && i < c->n; ++i) {
        const int64_t row = record_row(c, m, i);
        settle(arg, row, m->now + row * m->width);
    }
    for (int64_t i = 0; i < c->n; ++i) {
        double *x = m->now + record_row(c, m, i) * m->width;
        for (int64_t j = 0; j < m->width; ++j)
            x[j] += record_at(c, m, i, j);
    }
    for (int64_t i = 0; i < c->n; ++i) {
        const int64_t row = record_row(c, m, i);
        double *x = m->now + row * m->width;
        apply(finish, arg, row, x);
        memcpy(m->before + row * m->width, x, (size_t)m->width * sizeof *x);
    }
}

akin_status ak_merge_sums(akin_ctx *ctx, int64_t n, const double *before,
                          double *x)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const size_t size = (size_t)n * sizeof *x;
    unsigned char *all = NULL;
    const size_t *offsets = NULL;
    double *own = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &own));
    for (int64_t i = 0; i < n; ++i)
        own[i] = x[i] - before[i];
    AK_TRY(ak_comm_collect(ctx, own, size, &all, &offsets));
    memcpy(x, before, size);
    for (int64_t r = 0; r < akin_ctx_ranks(ctx); ++r) {
        memcpy(own, all + offsets[r], size);
        for (int64_t i = 0; i < n; ++i)
            x[i] += own[i];
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}
