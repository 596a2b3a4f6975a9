/* Sums over pairs that are given one by one. What is summed for a left sample
 * follows the pairs by left sample, for a right one those by right sample;
 * blocks of samples are independent of each other. */
#include <string.h>

#include "base/parallel.h"
#include "la/clones.h"
#include "learn/cross/rsl.h"

enum { BLOCK = 64 };

/* Places of `count` keys below n: at[v]..at[v + 1] for key v. `at` has n + 2
 * entries that are zero. */
static void count_keys(int64_t n, int64_t count, const int64_t *numbers,
                       int64_t key, int64_t *at)
{
    for (int64_t t = 0; t < count; ++t)
        ++at[numbers[3 * t + key] + 2];
    for (int64_t v = 0; v < n; ++v)
        at[v + 2] += at[v + 1];
}

akin_status ak_rsl_list(ak_rsl_pairs *out, akin_ctx *ctx, int64_t n_left,
                        int64_t n_right, const int64_t *numbers, int64_t count,
                        const double *weight)
{
    akin_status st = AKIN_OK;
    out->count = count;
    memcpy(out->weight, weight, sizeof out->weight);
    AK_TRY(AK_SCRATCH(ctx, n_left + 2, &out->left_at));
    AK_TRY(AK_SCRATCH(ctx, n_right + 2, &out->right_at));
    AK_TRY(AK_SCRATCH(ctx, count, &out->right_of));
    AK_TRY(AK_SCRATCH(ctx, count, &out->left_of));
    AK_TRY(AK_SCRATCH(ctx, count, &out->pair_of));
    AK_TRY(AK_SCRATCH(ctx, count, &out->w));
    count_keys(n_left, count, numbers, 0, out->left_at);
    count_keys(n_right, count, numbers, 1, out->right_at);
    for (int64_t t = 0; t < count; ++t) {
        const int64_t i = numbers[3 * t], j = numbers[3 * t + 1];
        const bool match = numbers[3 * t + 2] > 0;
        const int64_t to = out->left_at[i + 1]++;
        const int64_t at = out->right_at[j + 1]++;
        out->right_of[to] = (int32_t)j;
        out->w[to] = match ? weight[1] : -weight[0];
        out->pair_of[at] = to;
        out->left_of[at] = (int32_t)i;
    }
done:
    return st;
}

typedef struct job {
    const ak_rsl *p;
    ak_rsl_state *s;
    double *sums;  // one a block
} job;

/* f of the pairs of one left sample. */
static inline void scores_of(const ak_rsl_pairs *q, const ak_rsl_state *s,
                             int64_t k, int64_t i, double *f)
{
    const double *a = s->A + i * k;
    for (int64_t t = q->left_at[i]; t < q->left_at[i + 1]; ++t) {
        const double *b = s->B + (int64_t)q->right_of[t] * k;
        double sum = 0.0;
        for (int64_t c = 0; c < k; ++c)
            sum += a[c] * s->x.s[c] * b[c];
        f[t] = sum;
    }
}

static akin_status value_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const job *b = arg;
    const ak_rsl_pairs *q = &b->p->pairs;
    const int64_t from = q->left_at[begin], n = q->left_at[end] - from;
    double *f = b->p->w;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        scores_of(q, b->s, b->p->shape.k, i, f);
    b->sums[begin / BLOCK] =
        ak_rsl_losses(b->p->loss, n, f + from, q->w + from);
    ak_rsl_slopes(b->p->loss, n, f + from, q->w + from, b->s->c + from,
                  b->s->h + from);
    return AKIN_OK;
}

akin_status ak_rsl_list_value(double *sum, akin_ctx *ctx, const ak_rsl *p,
                              ak_rsl_state *s)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t blocks = p->side[0].N / BLOCK + 1;
    job b = {p, s, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, blocks, &b.sums));
    AK_TRY(ak_parallel_for(ctx, p->side[0].N, BLOCK, value_block, &b));
    *sum = 0.0;
    for (int64_t i = 0; i < blocks; ++i)
        *sum += b.sums[i];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static inline void add(int64_t k, double a, const double *x, double *restrict y)
{
    for (int64_t c = 0; c < k; ++c)
        y[c] += a * x[c];
}

AK_CLONES static void first_left(const ak_rsl_pairs *q, const ak_rsl_state *s,
                                 int64_t k, int64_t i, double *out)
{
    memset(out, 0, (size_t)k * sizeof *out);
    for (int64_t t = q->left_at[i]; t < q->left_at[i + 1]; ++t)
        add(k, s->c[t], s->B + (int64_t)q->right_of[t] * k, out);
}

AK_CLONES static void first_right(const ak_rsl_pairs *q, const ak_rsl_state *s,
                                  int64_t k, int64_t j, double *out)
{
    memset(out, 0, (size_t)k * sizeof *out);
    for (int64_t t = q->right_at[j]; t < q->right_at[j + 1]; ++t)
        add(k, s->c[q->pair_of[t]], s->A + (int64_t)q->left_of[t] * k, out);
}

static akin_status first_left_block(void *arg, int64_t begin, int64_t end,
                                    int64_t worker)
{
    const job *b = arg;
    const int64_t k = b->p->shape.k;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        first_left(&b->p->pairs, b->s, k, i, b->p->P[0] + i * k);
    return AKIN_OK;
}

static akin_status first_right_block(void *arg, int64_t begin, int64_t end,
                                     int64_t worker)
{
    const job *b = arg;
    const int64_t k = b->p->shape.k;
    (void)worker;
    for (int64_t j = begin; j < end; ++j)
        first_right(&b->p->pairs, b->s, k, j, b->p->P[1] + j * k);
    return AKIN_OK;
}

akin_status ak_rsl_list_first(akin_ctx *ctx, ak_rsl *p, const ak_rsl_state *s)
{
    job b = {p, (ak_rsl_state *)s, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(ak_parallel_for(ctx, p->side[0].N, BLOCK, first_left_block, &b));
    AK_TRY(ak_parallel_for(ctx, p->side[1].N, BLOCK, first_right_block, &b));
done:
    return st;
}

/* w = h df of the pairs of a left sample, their sum over B, and that of c
 * over D[1] on top. */
AK_CLONES static void second_left(const ak_rsl *p, int64_t i)
{
    const ak_rsl_pairs *q = &p->pairs;
    const ak_rsl_state *s = &p->now;
    const int64_t k = p->shape.k;
    const double *e = p->E + i * k, *a = s->A + i * k;
    double *sum = p->Q + i * k, *out = p->P[0] + i * k;
    memset(sum, 0, (size_t)k * sizeof *sum);
    memset(out, 0, (size_t)k * sizeof *out);
    for (int64_t t = q->left_at[i]; t < q->left_at[i + 1]; ++t) {
        const int64_t j = (int64_t)q->right_of[t] * k;
        const double *b = s->B + j, *c2 = p->C[1] + j;
        double df = 0.0;
        for (int64_t c = 0; c < k; ++c)
            df += e[c] * b[c] + a[c] * c2[c];
        p->w[t] = s->h[t] * df;
        add(k, p->w[t], b, sum);
        add(k, s->c[t], p->D[1] + j, out);
    }
    for (int64_t c = 0; c < k; ++c)
        out[c] += sum[c];
}

AK_CLONES static void second_right(const ak_rsl *p, int64_t j)
{
    const ak_rsl_pairs *q = &p->pairs;
    const ak_rsl_state *s = &p->now;
    const int64_t k = p->shape.k;
    double *out = p->P[1] + j * k;
    memset(out, 0, (size_t)k * sizeof *out);
    for (int64_t t = q->right_at[j]; t < q->right_at[j + 1]; ++t) {
        const int64_t pair = q->pair_of[t], i = (int64_t)q->left_of[t] * k;
        add(k, p->w[pair], s->A + i, out);
        add(k, s->c[pair], p->D[0] + i, out);
    }
}

static akin_status second_left_block(void *arg, int64_t begin, int64_t end,
                                     int64_t worker)
{
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        second_left(arg, i);
    return AKIN_OK;
}

static akin_status second_right_block(void *arg, int64_t begin, int64_t end,
                                      int64_t worker)
{
    (void)worker;
    for (int64_t j = begin; j < end; ++j)
        second_right(arg, j);
    return AKIN_OK;
}

akin_status ak_rsl_list_second(akin_ctx *ctx, ak_rsl *p)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_parallel_for(ctx, p->side[0].N, BLOCK, second_left_block, p));
    AK_TRY(ak_parallel_for(ctx, p->side[1].N, BLOCK, second_right_block, p));
done:
    return st;
}
