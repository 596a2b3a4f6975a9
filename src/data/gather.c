/* Rows of all ranks, one after another: each sends its own as bytes. */
#include <string.h>

#include "base/comm.h"
#include "data/append.h"
#include "data/io/formats.h"

/* The numbers that stand before the arrays. */
typedef struct head {
    int64_t n, d, values, labels, n_label_names, columns;
    int64_t index_base, label_column_bytes;
    int64_t sparse, has_labels, has_groups;
} head;

static head head_of(const akin_rows *r)
{
    head h = {.n = r->n,
              .d = r->d,
              .n_label_names = r->n_label_names,
              .columns = r->columns.n,
              .index_base = r->index_base,
              .sparse = r->offsets != NULL,
              .has_labels = r->label_offsets != NULL,
              .has_groups = r->groups != NULL};
    h.values = h.sparse ? r->offsets[r->n] : r->n * r->d;
    h.labels = h.has_labels ? r->label_offsets[r->n] : 0;
    if (r->label_column != NULL)
        h.label_column_bytes = (int64_t)strlen(r->label_column) + 1;
    return h;
}

/* Arrays go to bytes, or come from them; without bytes they are only counted.
 */
typedef struct cursor {
    unsigned char *bytes;
    size_t at;
    bool taking;
} cursor;

static void pass(cursor *c, void *array, int64_t count, size_t size)
{
    const size_t n = (size_t)count * size;
    if (c->bytes != NULL && n > 0)
        memcpy(c->taking ? array : c->bytes + c->at,
               c->taking ? c->bytes + c->at : array, n);
    c->at += n;
}

/* Room for an array that comes. */
#define PASS(c, ctx, array, count)                      \
    do {                                                \
        if ((c)->taking)                                \
            AK_CHECK(AK_NEW((ctx), (count), &(array))); \
        pass((c), (array), (count), sizeof *(array));   \
    } while (0)

static akin_status pass_columns(cursor *c, akin_ctx *ctx, akin_rows *r,
                                const head *h)
{
    ak_columns *x = &r->columns;
    if (h->columns == 0)
        return AKIN_OK;
    PASS(c, ctx, x->begin, h->columns + 1);
    if (c->taking) {
        x->n = h->columns;
        x->room = h->columns;
        x->text_room = x->begin[x->n];
    }
    PASS(c, ctx, x->text, x->begin[x->n]);
    return AKIN_OK;
}

static akin_status pass_names(cursor *c, akin_ctx *ctx, akin_rows *r,
                              const head *h)
{
    if (c->taking)
        AK_CHECK(AK_NEW(ctx, h->n_label_names, &r->label_names));
    for (int64_t k = 0; k < h->n_label_names; ++k) {
        if (c->taking) {
            AK_CHECK(ak_strdup(ctx, (const char *)c->bytes + c->at,
                               &r->label_names[k]));
            r->n_label_names = k + 1;
        }
        pass(c, r->label_names[k], (int64_t)strlen(r->label_names[k]) + 1, 1);
    }
    return AKIN_OK;
}

static akin_status pass_rows(cursor *c, akin_ctx *ctx, akin_rows *r, head *h)
{
    pass(c, h, 1, sizeof *h);
    if (c->taking) {
        r->n = h->n;
        r->d = h->d;
        r->index_base = h->index_base;
    }
    pass(c, r->prepared, AK_PREPARED_SIZE, 1);
    PASS(c, ctx, r->vals, h->values);
    if (h->sparse) {
        PASS(c, ctx, r->offsets, h->n + 1);
        PASS(c, ctx, r->cols, h->values);
    }
    if (h->has_labels) {
        PASS(c, ctx, r->label_offsets, h->n + 1);
        PASS(c, ctx, r->labels, h->labels);
    }
    if (h->has_groups)
        PASS(c, ctx, r->groups, h->n);
    if (h->label_column_bytes > 0)
        PASS(c, ctx, r->label_column, h->label_column_bytes);
    AK_CHECK(pass_columns(c, ctx, r, h));
    return pass_names(c, ctx, r, h);
}

/* `bytes` NULL: only how many. */
static akin_status pack(akin_ctx *ctx, akin_rows *rows, unsigned char *bytes,
                        int64_t *n)
{
    head h = head_of(rows);
    cursor c = {.bytes = bytes};
    AK_CHECK(pass_rows(&c, ctx, rows, &h));
    *n = (int64_t)c.at;
    return AKIN_OK;
}

static akin_status unpack(akin_rows **out, akin_ctx *ctx, unsigned char *bytes)
{
    head h;
    cursor c = {.bytes = bytes, .taking = true};
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rows_new(&r, ctx, 0, 0));
    AK_TRY(pass_rows(&c, ctx, r, &h));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

/* The rows of rank `from`, which gives up its own. */
static akin_status append_rank(ak_appender *a, akin_ctx *ctx, akin_rows **own,
                               int64_t from)
{
    const bool mine = akin_ctx_rank(ctx) == from;
    unsigned char *bytes = NULL;
    akin_rows *part = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    if (mine && *own != NULL && (*own)->n > 0)
        AK_TRY(pack(ctx, *own, NULL, &n));
    AK_TRY(ak_comm_broadcast(ctx, &n, sizeof n, from));
    if (n == 0)
        goto done;
    AK_TRY(ak_alloc(ctx, n, 1, &bytes));
    if (mine)
        AK_TRY(pack(ctx, *own, bytes, &n));
    AK_TRY(ak_comm_broadcast(ctx, bytes, (size_t)n, from));
    if (mine) {
        part = *own;
        *own = NULL;
    } else {
        AK_TRY(unpack(&part, ctx, bytes));
    }
    akin_free(bytes);
    bytes = NULL;
    st = ak_append_rows(a, ctx, part, "the rows of a rank", "the first");
done:
    akin_free(bytes);
    return st;
}

akin_status akin_rows_gather(akin_rows **out, akin_ctx *ctx, akin_rows *own,
                             akin_status st)
{
    ak_appender a = {0};
    AK_TRY(ak_comm_agree(ctx, st));
    for (int64_t r = 0; r < akin_ctx_ranks(ctx); ++r)
        AK_TRY(ak_comm_agree(ctx, append_rank(&a, ctx, &own, r)));
    *out = NULL;
    if (a.rows != NULL)
        AK_TRY(ak_append_end(&a, ctx, out));
done:
    akin_rows_free(own);
    ak_append_drop(&a);
    return st;
}

/* All count from 0 where one does. */
static akin_status settle_base(akin_rows **own, akin_ctx *ctx, const char *path,
                               akin_read_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t ranks = akin_ctx_ranks(ctx), rank = akin_ctx_rank(ctx);
    const int64_t base = *own ? (*own)->index_base : AKIN_BASE_AUTO;
    unsigned char *all;
    const size_t *at;
    bool zero = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_comm_collect(ctx, &base, sizeof base, &all, &at));
    for (int64_t r = 0; r < ranks; ++r) {
        int64_t other;
        memcpy(&other, all + at[r], sizeof other);
        zero = zero || other == AKIN_BASE_0;
    }
    if (zero && base == AKIN_BASE_1) {
        akin_rows_free(*own);
        *own = NULL;
        o->index_base = AKIN_BASE_0;
        AK_TRY(akin_rows_read_shard(own, ctx, path, rank, ranks, o));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_rows_read_shared(akin_rows **out, akin_ctx *ctx,
                                  const char *path,
                                  const akin_read_options *options)
{
    const int64_t ranks = akin_ctx_ranks(ctx), rank = akin_ctx_rank(ctx);
    akin_read_options o;
    akin_rows *own = NULL;
    AK_CHECK(ak_read_options_take(&o, ctx, options));
    if (ranks == 1 || o.labels != NULL)
        return akin_rows_read(out, ctx, path, options);
    akin_status st = ak_comm_agree(
        ctx, akin_rows_read_shard(&own, ctx, path, rank, ranks, &o));
    if (st == AKIN_OK && o.index_base == AKIN_BASE_AUTO)
        st = settle_base(&own, ctx, path, &o);
    *out = NULL;
    st = akin_rows_gather(out, ctx, own, st);
    if (st == AKIN_ESHAPE)  // of which parts, tells who reads all
        return akin_rows_read(out, ctx, path, options);
    if (st == AKIN_OK && *out == NULL)
        st = ak_fail(ctx, AKIN_EFORMAT, "%s: no rows", path);
    return st;
}
