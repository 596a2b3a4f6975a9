/* Rows with several labels of known structure.
 *
 *   v_l = sqrt(1/2) v_parent(l) + sqrt(1/2) g_l    a label, R numbers     (1)
 *   z   = sum of v_l over the row's leaves, over the root of their number (2)
 *   x   = F z + noise e                            F dim x R              (3)
 *
 * with g, e and F sqrt(R) standard normal. Labels are the nodes of a forest:
 * the first `branching` are roots, and the children of node i are the next
 * `branching` that have none yet. A row has one leaf or more, and all labels
 * above them. So V F' puts its labels first but for the noise: a matrix of
 * rank R, labels x features. Of x the largest entries are kept.
 *
 * Each row has its own generator, so the number of threads does not matter. */
#include <akin/synth.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "data/rows.h"
#include "synth/ranges.h"

enum {
    BLOCK = 64,
    LEAVES_MOST = 64,
    DEPTH_MOST = 32,
    FIRST_ROW = 8,  // generators before it are for the tables
    DIGITS = 24,
};

typedef struct planted {
    akin_synth_labels_options o;
    ak_rng root;
    int64_t first_leaf;
    double *V;     // labels x rank
    double *F;     // dim x rank
    double *room;  // of each worker: rank + 2 dim numbers
    akin_rows *rows;
} planted;

static int64_t parent(const planted *p, int64_t l)
{
    return l < p->o.branching ? -1 : l / p->o.branching - 1;
}

static akin_status fill_tables(planted *p, akin_ctx *ctx)
{
    const int64_t R = p->o.rank;
    ak_rng v = ak_rng_split(p->root, 0), f = ak_rng_split(p->root, 1);
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->o.labels * R, &p->V));
    AK_TRY(AK_SCRATCH(ctx, p->o.dim * R, &p->F));
    for (int64_t l = 0; l < p->o.labels; ++l)
        for (int64_t c = 0; c < R; ++c) {
            const double g = ak_rng_normal(&v);
            const int64_t up = parent(p, l);
            p->V[l * R + c] =
                up < 0 ? g : sqrt(0.5) * (p->V[up * R + c] + g);  // (1)
        }
    for (int64_t i = 0; i < p->o.dim * R; ++i)
        p->F[i] = ak_rng_normal(&f) / sqrt((double)R);
    p->first_leaf =
        p->o.labels <= p->o.branching ? 0 : parent(p, p->o.labels - 1) + 1;
done:
    return st;
}

/* ---- one row ------------------------------------------------------------ */

/* The leaves of a row; `shown` are those its labels name, some of them wrong.
 */
static int64_t draw_leaves(const planted *p, ak_rng *r, int64_t *leaves,
                           int64_t *shown)
{
    const int64_t n = 1 + ak_rng_below(r, p->o.leaves);
    const int64_t span = p->o.labels - p->first_leaf;
    for (int64_t i = 0; i < n; ++i) {
        leaves[i] = shown[i] = p->first_leaf + ak_rng_below(r, span);
        if (ak_rng_unit(r) < p->o.wrong)
            shown[i] = p->first_leaf + ak_rng_below(r, span);
    }
    return n;
}

/* The leaves and all labels above them, increasing, without repeats; returns
 * how many. */
static int64_t all_labels(const planted *p, int64_t n, const int64_t *leaves,
                          int32_t *labels)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t l = leaves[i]; l >= 0; l = parent(p, l)) {
            int64_t at = count;
            while (at > 0 && labels[at - 1] > l)
                --at;
            if (at > 0 && labels[at - 1] == l)
                break;  // all labels above it are in the list
            memmove(labels + at + 1, labels + at,
                    (size_t)(count - at) * sizeof *labels);
            labels[at] = (int32_t)l;
            ++count;
        }
    return count;
}

static void make_values(const planted *p, ak_rng *r, int64_t n,
                        const int64_t *leaves, double *z, double *x)
{
    const int64_t R = p->o.rank;
    for (int64_t c = 0; c < R; ++c) {
        z[c] = 0.0;
        for (int64_t i = 0; i < n; ++i)
            z[c] += p->V[leaves[i] * R + c];  // (2)
        z[c] /= sqrt((double)n);
    }
    for (int64_t j = 0; j < p->o.dim; ++j) {
        x[j] = 0.0;
        for (int64_t c = 0; c < R; ++c)
            x[j] += p->F[j * R + c] * z[c];  // (3)
        if (p->o.noise > 0.0)
            x[j] += p->o.noise * ak_rng_normal(r);
    }
}

/* The k-th largest of n numbers, k from 1; their order is lost. */
static double select_largest(double *a, int64_t n, int64_t k)
{
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const double pivot = a[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (a[i] > pivot)
                ++i;
            while (a[j] < pivot)
                --j;
            if (i <= j) {
                const double t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (k - 1 <= j)
            high = j;
        else if (k - 1 >= i)
            low = i;
        else
            break;
    }
    return a[k - 1];
}

static float as_value(double x)
{
    return (float)x != 0.0F ? (float)x : FLT_MIN;  // no explicit zeros
}

static void put_row(const planted *p, int64_t i, const double *x, double *size)
{
    const int64_t d = p->o.dim, keep = p->o.nonzeros;
    akin_rows *rows = p->rows;
    if (rows->offsets == NULL) {
        for (int64_t j = 0; j < d; ++j)
            rows->vals[i * d + j] = (float)x[j];
        return;
    }
    for (int64_t j = 0; j < d; ++j)
        size[j] = fabs(x[j]);
    const double least = select_largest(size, d, keep);
    int64_t at = i * keep, end = at + keep;
    int64_t ties = keep;  // entries of exactly that size to keep, first ones
    for (int64_t j = 0; j < d; ++j)
        ties -= fabs(x[j]) > least;
    for (int64_t j = 0; j < d && at < end; ++j) {
        const bool tie = fabs(x[j]) == least && ties > 0;
        if (fabs(x[j]) > least || tie) {
            ties -= tie;
            rows->cols[at] = (int32_t)j;
            rows->vals[at++] = as_value(x[j]);
        }
    }
}

static akin_status make_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const planted *p = arg;
    const int64_t d = p->o.dim;
    double *z = p->room + worker * (p->o.rank + 2 * d), *x = z + p->o.rank;
    for (int64_t i = begin; i < end; ++i) {
        ak_rng r = ak_rng_split(p->root, (uint64_t)(FIRST_ROW + i));
        int64_t leaves[LEAVES_MOST], shown[LEAVES_MOST];
        const int64_t n = draw_leaves(p, &r, leaves, shown);
        make_values(p, &r, n, leaves, z, x);
        put_row(p, i, x, x + d);
    }
    return AKIN_OK;
}

/* ---- all rows ----------------------------------------------------------- */

static akin_status make_values_of_all(planted *p, akin_ctx *ctx)
{
    const int64_t n = p->o.rows, d = p->o.dim, keep = p->o.nonzeros;
    akin_rows *rows = p->rows;
    akin_status st = AKIN_OK;
    if (keep > 0 && keep < d) {
        AK_TRY(AK_NEW(ctx, n + 1, &rows->offsets));
        AK_TRY(
            ak_alloc(ctx, n, (size_t)keep * sizeof *rows->cols, &rows->cols));
        AK_TRY(
            ak_alloc(ctx, n, (size_t)keep * sizeof *rows->vals, &rows->vals));
        for (int64_t i = 0; i <= n; ++i)
            rows->offsets[i] = i * keep;
    } else {
        AK_TRY(ak_alloc(ctx, n, (size_t)d * sizeof *rows->vals, &rows->vals));
    }
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * (p->o.rank + 2 * d), &p->room));
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, make_block, p));
done:
    return st;
}

/* The labels of row i; returns how many. */
static int64_t labels_of(const planted *p, int64_t i, int32_t *labels)
{
    ak_rng r = ak_rng_split(p->root, (uint64_t)(FIRST_ROW + i));
    int64_t leaves[LEAVES_MOST], shown[LEAVES_MOST];
    const int64_t n = draw_leaves(p, &r, leaves, shown);
    return all_labels(p, n, shown, labels);
}

static akin_status make_labels(planted *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = p->o.rows, L = p->o.labels;
    int32_t own[LEAVES_MOST * DEPTH_MOST], *labels = NULL;
    int64_t *offsets = NULL;
    char *texts = NULL;
    const char **names = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n + 1, &offsets));
    AK_TRY(AK_SCRATCH(ctx, L * DIGITS, &texts));
    AK_TRY(AK_SCRATCH(ctx, L, &names));
    for (int64_t i = 0; i < n; ++i)
        offsets[i + 1] = offsets[i] + labels_of(p, i, own);
    AK_TRY(AK_SCRATCH(ctx, offsets[n], &labels));
    for (int64_t i = 0; i < n; ++i) {
        const int64_t count = labels_of(p, i, own);
        memcpy(labels + offsets[i], own, (size_t)count * sizeof *own);
    }
    for (int64_t l = 0; l < L; ++l) {
        snprintf(texts + l * DIGITS, DIGITS, "%" PRId64, l);
        names[l] = texts + l * DIGITS;
    }
    AK_TRY(akin_rows_set_label_lists(ctx, p->rows, offsets, labels, names, L));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status check(akin_ctx *ctx, const akin_synth_labels_options *o)
{
    const ak_range ranges[] = {
        {"rows", (double)o->rows, 1, 1e12},
        {"dim", (double)o->dim, 1, INT32_MAX},
        {"labels", (double)o->labels, 1, INT32_MAX},
        {"rank", (double)o->rank, 1, 1e6},
        {"branching", (double)o->branching, 2, INT32_MAX},
        {"leaves", (double)o->leaves, 1, LEAVES_MOST},
        {"nonzeros", (double)o->nonzeros, 0, INT32_MAX},
        {"noise", o->noise, 0, 1e6},
        {"wrong", o->wrong, 0, 1},
    };
    return ak_ranges_check(ctx, ranges, sizeof ranges / sizeof *ranges);
}

akin_status akin_synth_labels(akin_rows **out, akin_ctx *ctx,
                              const akin_synth_labels_options *options)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    planted p = {.o = AKIN_SYNTH_LABELS_DEFAULTS};
    akin_status st = AKIN_OK;
    ak_options_take(&p.o, sizeof p.o, options);
    AK_TRY(check(ctx, &p.o));
    p.root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_SYNTH);
    AK_TRY(ak_rows_new(&p.rows, ctx, p.o.rows, p.o.dim));
    AK_TRY(fill_tables(&p, ctx));
    AK_TRY(make_values_of_all(&p, ctx));
    AK_TRY(make_labels(&p, ctx));
    *out = p.rows;
    p.rows = NULL;
done:
    akin_rows_free(p.rows);
    ak_scratch_end(ctx, mark);
    return st;
}
