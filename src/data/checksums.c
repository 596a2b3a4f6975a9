#include "data/checksums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"

enum { ROWS_PER_BLOCK = 256, BITS = 32, KEY_SIZE = 64 };

/* ---- of one row ---- */

/* A multiplicative hash; the multiplier is 2^64 over the golden ratio, odd. */
static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static uint32_t row_sum(const akin_rows *rows, int64_t i)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    uint64_t h = 0;
    for (int64_t k = 0; k < n; ++k) {
        uint32_t bits;
        if (vals[k] == 0.0F)
            continue;
        memcpy(&bits, &vals[k], sizeof bits);
        h = mix(h, (uint64_t)(cols ? cols[k] : k) << BITS | bits);
    }
    return (uint32_t)(mix(h, 0) >> BITS);
}

/* ---- of many ---- */

typedef struct sums_work {
    const akin_rows *rows;
    uint32_t *sums;
} sums_work;

static akin_status sum_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const sums_work *w = arg;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        w->sums[i] = row_sum(w->rows, i);
    return AKIN_OK;
}

akin_status ak_rows_checksums(uint32_t **out, akin_ctx *ctx,
                              const akin_rows *rows)
{
    sums_work w = {.rows = rows};
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, rows->n, &w.sums));
    if (rows->raw_sums != NULL)
        memcpy(w.sums, rows->raw_sums, (size_t)rows->n * sizeof *w.sums);
    else
        AK_TRY(ak_parallel_for(ctx, rows->n, ROWS_PER_BLOCK, sum_block, &w));
    *out = w.sums;
    w.sums = NULL;
done:
    akin_free(w.sums);
    return st;
}

static int compare_sums(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void sort(uint32_t *sums, int64_t n)
{
    qsort(sums, (size_t)n, sizeof *sums, compare_sums);
}

/* Each once, of those that are sorted; returns how many. */
static int64_t drop_repeats(uint32_t *sums, int64_t n)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < n; ++k)
        if (kept == 0 || sums[k] != sums[kept - 1])
            sums[kept++] = sums[k];
    return kept;
}

/* How many of those that are sorted equal another one. */
static int64_t count_repeats(const uint32_t *sums, int64_t n)
{
    int64_t count = 0;
    for (int64_t k = 0; k < n; ++k)
        count += (k > 0 && sums[k - 1] == sums[k]) ||
                 (k + 1 < n && sums[k + 1] == sums[k]);
    return count;
}

static bool is_sampled(uint32_t sum, int64_t level)
{
    return level == 0 || sum >> (BITS - level) == 0;
}

/* Raise the level to this one and further until there are few enough. */
static void thin(ak_checksums *c, int64_t level)
{
    c->level = ak_max_i64(c->level, level);
    for (;; ++c->level) {
        while (c->n > 0 && !is_sampled(c->sums[c->n - 1], c->level))
            --c->n;
        if (c->n <= AK_CHECKSUMS_MOST)
            return;
    }
}

akin_status ak_checksums_of(ak_checksums *out, akin_ctx *ctx,
                            const akin_rows *rows, const unsigned char *used)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    uint32_t *all = NULL;
    akin_status st = AKIN_OK;
    *out = (ak_checksums){.known = true};
    AK_TRY(ak_rows_checksums(&out->sums, ctx, rows));
    AK_TRY(AK_SCRATCH(ctx, rows->n, &all));
    out->rows = rows->n;
    for (int64_t i = 0; i < rows->n; ++i) {
        all[i] = out->sums[i];
        if (used == NULL || used[i])
            out->sums[out->n++] = all[i];
    }
    sort(all, out->rows);
    out->repeated = count_repeats(all, out->rows);
    sort(out->sums, out->n);
    out->n = drop_repeats(out->sums, out->n);
    thin(out, 0);
    AK_TRY(ak_resize(ctx, out->n, sizeof *out->sums, &out->sums));
done:
    if (st != AKIN_OK)
        ak_checksums_free(out);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_checksums_join(ak_checksums *to, akin_ctx *ctx,
                              const ak_checksums *other)
{
    if (other->n > 0) {
        AK_CHECK(ak_resize(ctx, to->n + other->n, sizeof *to->sums, &to->sums));
        memcpy(to->sums + to->n, other->sums,
               (size_t)other->n * sizeof *to->sums);
        to->n += other->n;
    }
    sort(to->sums, to->n);
    to->n = drop_repeats(to->sums, to->n);
    thin(to, other->level);
    return AKIN_OK;
}

akin_status ak_checksums_copy(ak_checksums *to, akin_ctx *ctx,
                              const ak_checksums *from)
{
    *to = *from;
    to->sums = NULL;
    AK_CHECK(AK_NEW(ctx, from->n, &to->sums));
    if (from->n > 0)
        memcpy(to->sums, from->sums, (size_t)from->n * sizeof *to->sums);
    return AKIN_OK;
}

void ak_checksums_free(ak_checksums *c)
{
    akin_free(c->sums);
    *c = (ak_checksums){0};
}

akin_status ak_checksums_match(ak_checksum_matches *out, akin_ctx *ctx,
                               const ak_checksums *c, const akin_rows *rows,
                               const unsigned char *used)
{
    uint32_t *sums = NULL;
    *out = (ak_checksum_matches){0};
    AK_CHECK(ak_rows_checksums(&sums, ctx, rows));
    for (int64_t i = 0; i < rows->n; ++i) {
        if ((used != NULL && !used[i]) || !is_sampled(sums[i], c->level))
            continue;
        ++out->sampled;
        out->found += c->n > 0 &&
                      bsearch(&sums[i], c->sums, (size_t)c->n, sizeof *c->sums,
                              compare_sums) != NULL;
    }
    akin_free(sums);
    return AKIN_OK;
}

/* ---- in files ---- */

static const char *key_of(char key[KEY_SIZE], const char *prefix,
                          const char *name)
{
    snprintf(key, KEY_SIZE, "%s%s", prefix, name);
    return key;
}

akin_status ak_checksums_put(const ak_checksums *c, akin_ctx *ctx,
                             ak_tensors *t, const char *prefix)
{
    char key[KEY_SIZE];
    if (!c->known)
        return AKIN_OK;
    AK_CHECK(
        ak_tensors_note_i64(t, ctx, key_of(key, prefix, "level"), c->level));
    AK_CHECK(ak_tensors_note_i64(t, ctx, key_of(key, prefix, "rows"), c->rows));
    AK_CHECK(ak_tensors_note_i64(t, ctx, key_of(key, prefix, "repeated"),
                                 c->repeated));
    if (c->n == 0)
        return AKIN_OK;
    return ak_tensors_put_vector(t, ctx, key_of(key, prefix, "checksums"),
                                 AK_DTYPE_I32, c->n, c->sums);
}

static akin_status take_sums(ak_checksums *c, akin_ctx *ctx,
                             const ak_tensors *t, const char *key)
{
    const ak_tensor *x;
    if (ak_tensors_find(t, key) == NULL)
        return AKIN_OK;
    AK_CHECK(ak_tensors_need(t, ctx, key, AK_DTYPE_I32, 1, &x));
    AK_CHECK(AK_NEW(ctx, x->shape[0], &c->sums));
    c->n = x->shape[0];
    if (c->n > 0)
        memcpy(c->sums, x->data, (size_t)c->n * sizeof *c->sums);
    for (int64_t k = 0; k < c->n; ++k)
        if ((k > 0 && c->sums[k] <= c->sums[k - 1]) ||
            !is_sampled(c->sums[k], c->level))
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: tensor %s must increase below its level",
                           ak_tensors_path(t), key);
    return AKIN_OK;
}

akin_status ak_checksums_take(ak_checksums *c, akin_ctx *ctx,
                              const ak_tensors *t, const char *prefix)
{
    char key[KEY_SIZE];
    if (ak_tensors_get_note(t, key_of(key, prefix, "level")) == NULL)
        return AKIN_OK;
    AK_CHECK(ak_tensors_need_i64(t, ctx, key, &c->level));
    AK_CHECK(
        ak_tensors_need_i64(t, ctx, key_of(key, prefix, "rows"), &c->rows));
    AK_CHECK(ak_tensors_need_i64(t, ctx, key_of(key, prefix, "repeated"),
                                 &c->repeated));
    if (c->level < 0 || c->level >= BITS || c->rows < 0 || c->repeated < 0 ||
        c->repeated > c->rows)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: a note %s* is out of range",
                       ak_tensors_path(t), prefix);
    c->known = true;
    return take_sums(c, ctx, t, key_of(key, prefix, "checksums"));
}
