#include "learn/metric/links.h"

#include <stdio.h>
#include <string.h>

#include "data/supervision/lines.h"

/* A pair as one number: (i * n + j) * 2, and 1 when it is dissimilar. Pairs of
 * one file have the smaller row first. */
typedef struct keys {
    const akin_supervision *data;
    int64_t n;  // of the second row
    int64_t *key, count;
} keys;

static void add(keys *k, int64_t i, int64_t j, bool similar)
{
    const bool turn = k->data->right == NULL && j < i;
    k->key[k->count++] = ((turn ? j : i) * k->n + (turn ? i : j)) * 2 +
                         !similar;
}

static akin_status take_given(keys *k, akin_ctx *ctx)
{
    const akin_supervision *s = k->data;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->count, &k->key));
    for (int64_t t = 0; t < s->count; ++t) {
        const int64_t *x = s->numbers + 3 * t;
        if (s->right != NULL || x[0] != x[1])
            add(k, x[0], x[1], x[2] > 0);
    }
    if (k->count < s->count)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%" PRId64 " of %" PRId64
               " pairs are of a row and itself, and left out",
               s->count - k->count, s->count);
done:
    return st;
}

akin_status ak_labelled_rows(int64_t **rows, int64_t *n, akin_ctx *ctx,
                             const akin_supervision *data)
{
    const int64_t *offsets = data->rows->label_offsets;
    ak_sampler *sampler = NULL;
    akin_status st = AKIN_OK;
    *n = 0;
    AK_TRY(ak_sampler_new(&sampler, ctx, data));  // it knows what is wrong
    AK_TRY(AK_SCRATCH(ctx, ak_supervision_known(data), rows));
    for (int64_t i = 0; i < ak_supervision_known(data); ++i) {
        const int64_t row = ak_supervision_row(data, i);
        if (offsets != NULL && offsets[row + 1] > offsets[row])
            (*rows)[(*n)++] = row;
    }
done:
    ak_sampler_free(sampler, ctx);
    return st;
}

bool ak_labelled_same(const void *labelled, int64_t i, int64_t j)
{
    const ak_labelled *a = labelled;
    return ak_rows_share_label(a->rows, a->which[i], a->rows, a->which[j],
                               NULL);
}

static akin_status take_all(keys *k, akin_ctx *ctx, const int64_t *rows,
                            int64_t n)
{
    const ak_labelled of = {k->data->rows, rows};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * (n - 1) / 2, &k->key));
    for (int64_t a = 0; a < n; ++a)
        for (int64_t b = a + 1; b < n; ++b)
            add(k, rows[a], rows[b], ak_labelled_same(&of, a, b));
done:
    return st;
}

static akin_status draw(keys *k, akin_ctx *ctx, int64_t most)
{
    int64_t *numbers, count;
    akin_status st = AKIN_OK;
    AK_TRY(ak_links_draw(&numbers, &count, ctx, k->data, most));
    AK_TRY(AK_SCRATCH(ctx, count, &k->key));
    for (int64_t t = 0; t < count; ++t)
        add(k, numbers[3 * t], numbers[3 * t + 1], numbers[3 * t + 2] > 0);
done:
    return st;
}

static akin_status take_labels(keys *k, akin_ctx *ctx, int64_t most)
{
    int64_t *rows, n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_labelled_rows(&rows, &n, ctx, k->data));
    if (k->data->sample > 0)
        most = k->data->sample;
    if (n <= INT32_MAX && n * (n - 1) / 2 <= most)
        AK_TRY(take_all(k, ctx, rows, n));
    else
        AK_TRY(draw(k, ctx, most));
done:
    return st;
}

/* Where the pair of a file is given for the second time, otherwise than before:
 * "FILE:LINE", or "FILE: pair N" where lines are not known. */
static void find_second(const keys *k, int64_t pair, char *text, size_t size)
{
    const akin_supervision *s = k->data;
    keys one = {.data = s, .n = k->n, .key = (int64_t[1]){0}};
    int64_t first = -1, t = 0;
    for (; s->kind == AKIN_PAIRS && t < s->count; ++t) {
        const int64_t *x = s->numbers + 3 * t;
        one.count = 0;
        add(&one, x[0], x[1], x[2] > 0);
        if (one.key[0] / 2 != pair)
            continue;
        if (first >= 0 && one.key[0] != first)
            break;
        first = one.key[0];
    }
    if (s->first_line > 0)
        snprintf(text, size, ":%" PRId64, s->first_line + t);
    else
        snprintf(text, size, ": pair %" PRId64, t + 1);
}

/* Keys that differ in their last bit alone are one pair given as both. */
static akin_status check_both(const keys *k, akin_ctx *ctx)
{
    for (int64_t t = 1; t < k->count; ++t) {
        const int64_t pair = k->key[t] / 2;
        char where[40];
        if (pair != k->key[t - 1] / 2)
            continue;
        find_second(k, pair, where, sizeof where);
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s%s: rows %" PRId64 " and %" PRId64
                       " are a pair that matches and one that does not",
                       k->data->name ? k->data->name : "pairs", where,
                       pair / k->n, pair % k->n);
    }
    return AKIN_OK;
}

akin_status ak_links_of(ak_links *out, akin_ctx *ctx,
                        const akin_supervision *data, int64_t most)
{
    keys k = {.data = data, .n = (data->right ? data->right : data->rows)->n};
    ak_links p = {0};
    akin_status st = AKIN_OK;
    if (data->kind == AKIN_PAIRS)
        AK_TRY(take_given(&k, ctx));
    else
        AK_TRY(take_labels(&k, ctx, most));
    k.count = ak_numbers_sort(k.key, k.count);
    if (k.count == 0)
        AK_TRY(ak_supervision_blame(
            ak_fail(ctx, AKIN_EINVAL, "there are no pairs"), ctx, data));
    AK_TRY(check_both(&k, ctx));
    AK_TRY(AK_SCRATCH(ctx, 2 * k.count, &p.ij));
    for (int64_t sign = 0; sign < 2; ++sign) {
        for (int64_t t = 0; t < k.count; ++t)
            if (k.key[t] % 2 == sign) {
                p.ij[2 * p.count] = k.key[t] / 2 / k.n;
                p.ij[2 * p.count++ + 1] = k.key[t] / 2 % k.n;
            }
        if (sign == 0)
            p.similar = p.count;
    }
    *out = p;
done:
    return st;
}

akin_status ak_points_of(double **X, akin_ctx *ctx, const akin_rows *rows,
                         const int64_t *which, int64_t n)
{
    const int64_t d = rows->d;
    float *room;
    akin_status st = AKIN_OK;
    if (n > 0 && d > INT64_MAX / 16 / n)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " rows of %" PRId64
                       " columns are too many to have with all their zeros",
                       n, d));
    AK_TRY(AK_SCRATCH(ctx, n * d, X));
    AK_TRY(AK_SCRATCH(ctx, d, &room));
    for (int64_t i = 0; i < n; ++i) {
        const float *x = ak_rows_full(rows, which ? which[i] : i, room);
        for (int64_t j = 0; j < d; ++j)
            (*X)[i * d + j] = x[j];
    }
done:
    return st;
}

akin_status ak_links_points(double **X, int64_t *n, akin_ctx *ctx,
                            ak_links *pairs, const akin_rows *rows, int side)
{
    int64_t *place, *which;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, rows->n, &place));
    for (int64_t t = 0; t < 2 * pairs->count; ++t)
        if (side == 2 || t % 2 == side)
            place[pairs->ij[t]] = 1;
    *n = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        *n += place[i];
    AK_TRY(AK_SCRATCH(ctx, *n, &which));
    *n = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        if (place[i] != 0) {
            place[i] = *n;
            which[(*n)++] = i;
        }
    for (int64_t t = 0; t < 2 * pairs->count; ++t)
        if (side == 2 || t % 2 == side)
            pairs->ij[t] = place[pairs->ij[t]];
    AK_TRY(ak_points_of(X, ctx, rows, which, *n));
done:
    return st;
}
