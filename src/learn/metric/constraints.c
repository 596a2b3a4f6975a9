#include "learn/metric/constraints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/supervision/lines.h"
#include "la/dense.h"
#include "la/shared.h"

/* ---- rows ---------------------------------------------------------------- */

akin_status ak_rows_matrix(double **X, akin_ctx *ctx, const akin_rows *rows,
                           const int64_t *which, int64_t n)
{
    const int64_t d = rows->d;
    float *room;
    if (n > 0 && d > INT64_MAX / 16 / n)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " rows of %" PRId64
                       " columns are too many to store as dense rows",
                       n, d);
    AK_CHECK(AK_SCRATCH(ctx, n * d, X));
    AK_CHECK(AK_SCRATCH(ctx, d, &room));
    for (int64_t i = 0; i < n; ++i) {
        const float *x = ak_rows_full(rows, which ? which[i] : i, room);
        for (int64_t j = 0; j < d; ++j)
            (*X)[i * d + j] = x[j];
    }
    return AKIN_OK;
}

akin_status ak_labelled_rows(int64_t **rows, int64_t *n, akin_ctx *ctx,
                             const akin_supervision *data)
{
    const int64_t *offsets = data->rows->label_offsets;
    ak_sampler *sampler = NULL;
    akin_status st = AKIN_OK;
    *n = 0;
    AK_TRY(ak_sampler_new(&sampler, ctx, data));  // checks the labels
    AK_TRY(AK_SCRATCH(ctx, ak_supervision_known(data), rows));
    for (int64_t i = 0; i < ak_supervision_known(data); ++i) {
        const int64_t row = ak_supervision_row(data, i);
        if (offsets != NULL && offsets[row + 1] > offsets[row])
            (*rows)[(*n)++] = row;
    }
done:
    ak_sampler_free(sampler);
    return st;
}

bool ak_labelled_same(const void *labelled, int64_t i, int64_t j)
{
    const ak_labelled *a = labelled;
    return ak_rows_share_label(a->rows, a->which[i], a->rows, a->which[j],
                               NULL);
}

/* ---- drawing pairs from labels --------------------------------------------
 *
 * A row with a similar and a dissimilar one, again and again, until half of the
 * pairs are similar and half are not. Where there are fewer of one kind, nearly
 * all of them are taken, and more of the other kind. */

enum { MAX_ROUNDS = 64, BLOCK = 512 };

typedef struct drawing {
    const akin_supervision *data;
    int64_t n;              // rows that can be second in a pair
    int64_t *slot, n_slot;  // hash table of pairs, + 1; 0: free
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

static void add_drawn(drawing *w, int64_t i, int64_t j, int similar)
{
    const bool swap = w->data->right == NULL && j < i;
    int64_t *x = w->numbers + 3 * w->total;
    if (w->count[similar] >= w->limit[similar] ||
        !is_new(w, swap ? j : i, swap ? i : j))
        return;
    x[0] = i;
    x[1] = j;
    x[2] = similar ? 1 : -1;
    ++w->total;
    ++w->count[similar];
}

/* A kind that gained nothing in a round is exhausted: the other may fill up. */
static void shift_limits(drawing *w, int64_t most, const int64_t *before)
{
    for (int k = 0; k < 2; ++k)
        if (w->count[k] == before[k] && w->count[k] < w->limit[k]) {
            w->limit[k] = w->count[k];
            w->limit[1 - k] = most - w->count[k];
        }
}

akin_status ak_constraints_draw(int64_t **numbers, int64_t *count,
                                akin_ctx *ctx, const akin_supervision *data,
                                int64_t most)
{
    const int64_t half = ak_max_i64(most / 2, 1);
    drawing w = {.data = data,
                 .n = (data->right ? data->right : data->rows)->n,
                 .limit = {ak_max_i64(most - half, 1), half}};
    const int64_t capacity = w.limit[0] + w.limit[1];
    ak_sampler *sampler = NULL;
    int64_t *triplets;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sampler_new(&sampler, ctx, data));
    w.n_slot = 2 * capacity + 1;
    AK_TRY(AK_SCRATCH(ctx, 3 * capacity, &w.numbers));
    AK_TRY(AK_SCRATCH(ctx, w.n_slot, &w.slot));
    AK_TRY(AK_SCRATCH(ctx, 3 * half, &triplets));
    for (int64_t r = 0; r < MAX_ROUNDS; ++r) {
        const int64_t before[] = {w.count[0], w.count[1]};
        if (w.total >= most)
            break;
        ak_sampler_draw(sampler, r * half, half, triplets);
        for (int64_t t = 0; t < half; ++t) {
            const int64_t *x = triplets + 3 * t;
            add_drawn(&w, x[0], x[1], 1);
            add_drawn(&w, x[0], x[2], 0);
        }
        shift_limits(&w, most, before);
    }
    *numbers = w.numbers;
    *count = w.total;
done:
    ak_sampler_free(sampler);
    return st;
}

/* ---- constraints, given or from labels -------------------------------- */

/* A pair as one number: (i * n + j) * 2, plus 1 if it is dissimilar. Pairs
 * within one set of rows have the smaller row first. */
typedef struct keys {
    const akin_supervision *data;
    int64_t n;  // rows that can be second in a pair
    int64_t *key, count;
} keys;

static void add_key(keys *k, int64_t i, int64_t j, bool similar)
{
    const bool swap = k->data->right == NULL && j < i;
    k->key[k->count++] = ((swap ? j : i) * k->n + (swap ? i : j)) * 2 +
                         !similar;
}

static akin_status take_given(keys *k, akin_ctx *ctx)
{
    const akin_supervision *s = k->data;
    AK_CHECK(AK_SCRATCH(ctx, s->count, &k->key));
    for (int64_t t = 0; t < s->count; ++t) {
        const int64_t *x = s->numbers + 3 * t;
        if (s->right != NULL || x[0] != x[1])
            add_key(k, x[0], x[1], x[2] > 0);
    }
    if (k->count < s->count)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%" PRId64 " of %" PRId64
               " pairs have the same row twice and are skipped",
               s->count - k->count, s->count);
    return AKIN_OK;
}

static akin_status take_all(keys *k, akin_ctx *ctx, const int64_t *rows,
                            int64_t n)
{
    const ak_labelled of = {k->data->rows, rows};
    AK_CHECK(AK_SCRATCH(ctx, n * (n - 1) / 2, &k->key));
    for (int64_t a = 0; a < n; ++a)
        for (int64_t b = a + 1; b < n; ++b)
            add_key(k, rows[a], rows[b], ak_labelled_same(&of, a, b));
    return AKIN_OK;
}

static akin_status take_drawn(keys *k, akin_ctx *ctx, int64_t most)
{
    int64_t *numbers, count;
    AK_CHECK(ak_constraints_draw(&numbers, &count, ctx, k->data, most));
    AK_CHECK(AK_SCRATCH(ctx, count, &k->key));
    for (int64_t t = 0; t < count; ++t)
        add_key(k, numbers[3 * t], numbers[3 * t + 1], numbers[3 * t + 2] > 0);
    return AKIN_OK;
}

static akin_status take_labels(keys *k, akin_ctx *ctx, int64_t most)
{
    int64_t *rows, n;
    AK_CHECK(ak_labelled_rows(&rows, &n, ctx, k->data));
    if (k->data->sample > 0)
        most = k->data->sample;
    if (n <= INT32_MAX && n * (n - 1) / 2 <= most)
        AK_CHECK(take_all(k, ctx, rows, n));
    else
        AK_CHECK(take_drawn(k, ctx, most));
    return AKIN_OK;
}

/* Where a pair of a file is given again with the other sign: "FILE:LINE", or
 * "FILE: pair N" where lines are not known. */
static void find_second(const keys *k, int64_t pair, char *text, size_t size)
{
    const akin_supervision *s = k->data;
    keys one = {.data = s, .n = k->n, .key = (int64_t[1]){0}};
    int64_t first = -1, t = 0;
    for (; s->kind == AKIN_PAIRS && t < s->count; ++t) {
        const int64_t *x = s->numbers + 3 * t;
        one.count = 0;
        add_key(&one, x[0], x[1], x[2] > 0);
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

/* Keys that differ in their last bit only are one pair given with both signs.
 */
static akin_status check_signs(const keys *k, akin_ctx *ctx)
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

akin_status ak_constraints_of(ak_constraints *out, akin_ctx *ctx,
                              const akin_supervision *data, int64_t most)
{
    keys k = {.data = data, .n = (data->right ? data->right : data->rows)->n};
    ak_constraints p = {0};
    if (data->kind == AKIN_PAIRS)
        AK_CHECK(take_given(&k, ctx));
    else
        AK_CHECK(take_labels(&k, ctx, most));
    k.count = ak_numbers_sort(k.key, k.count);
    if (k.count == 0)
        AK_CHECK(ak_supervision_blame(
            ak_fail(ctx, AKIN_EINVAL, "there are no pairs"), ctx, data));
    AK_CHECK(check_signs(&k, ctx));
    AK_CHECK(AK_SCRATCH(ctx, 2 * k.count, &p.ij));
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
    return AKIN_OK;
}

akin_status ak_constraints_points(double **X, int64_t *n, akin_ctx *ctx,
                                  ak_constraints *pairs, const akin_rows *rows)
{
    int64_t *number, *which;
    AK_CHECK(AK_SCRATCH(ctx, rows->n, &number));
    for (int64_t t = 0; t < 2 * pairs->count; ++t)
        number[pairs->ij[t]] = 1;
    *n = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        *n += number[i];
    AK_CHECK(AK_SCRATCH(ctx, *n, &which));
    *n = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        if (number[i] != 0) {
            number[i] = *n;
            which[(*n)++] = i;
        }
    for (int64_t t = 0; t < 2 * pairs->count; ++t)
        pairs->ij[t] = number[pairs->ij[t]];
    return ak_rows_matrix(X, ctx, rows, which, *n);
}

typedef struct scatter {
    akin_ctx *ctx;
    int64_t d;
    const double *X;
    const ak_constraints *pairs;
    double far;
    double *V;  // BLOCK x d, of each worker
} scatter;

/* The lower triangle, of some pairs. */
static akin_status scatter_pairs(void *arg, int64_t begin, int64_t end,
                                 int64_t worker, double *sum)
{
    const scatter *s = arg;
    const ak_constraints *p = s->pairs;
    const int64_t d = s->d;
    double *V = s->V + worker * BLOCK * d;
    for (int64_t to; begin < end; begin = to) {
        const bool near = begin < p->similar;
        to = ak_min_i64(begin + BLOCK, end);
        if (near)
            to = ak_min_i64(to, p->similar);
        for (int64_t t = begin; t < to; ++t) {
            double *v = V + (t - begin) * d;
            memcpy(v, s->X + p->ij[2 * t] * d, (size_t)d * sizeof *v);
            ak_axpy(d, -1.0, s->X + p->ij[2 * t + 1] * d, v);
        }
        AK_CHECK(worker == 0
                     ? ak_ctx_tick(s->ctx, "pairs", begin, p->count, NAN)
                     : ak_ctx_poll(s->ctx));
        AK_CHECK(ak_gram_add(NULL, true, d, to - begin, near ? 1.0 : -s->far, V,
                             d, sum));
    }
    return AKIN_OK;
}

akin_status ak_constraints_scatter(akin_ctx *ctx, int64_t d, const double *X,
                                   const ak_constraints *pairs, double far,
                                   double *T)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    scatter s = {ctx, d, X, pairs, far, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * BLOCK * d, &s.V));
    AK_TRY(ak_check_dims(ctx, d, d, d));
    AK_TRY(ak_shared_sum(ctx, pairs->count, AK_SHARED_ROWS, d * d,
                         scatter_pairs, &s, T));
    ak_mirror(d, T);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
