/* Bags of words of known structure.
 *
 * A bag of class c draws its length, then its words. Each word repeats the
 * previous one with probability `burst`; otherwise, with probability `signal`,
 * it is one of the words of c, uniformly; otherwise a word by its frequency. So
 * `burst` changes how words clump, not how frequent they are.
 *
 * Each bag has its own generator, so the number of threads does not matter.
 * Bags are made in batches that bound the memory beyond the result. */
#include <akin/synth.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parallel.h"
#include "data/rows.h"
#include "synth/alias.h"
#include "synth/ranges.h"

/* ---- tables ------------------------------------------------------------ */

enum {
    MOST_WORDS = 1 << 20,  // in one bag
    FIRST_BAG = 8,         // earlier generators are for the tables
};

#define MOST_BURST 0.99

typedef struct bags_synth {
    akin_synth_bags_options o;
    ak_rng root;
    ak_alias words;
    int32_t *class_words;  // classes x class_words
    int64_t *sizes;        // of the bags of `like`, NULL: by `words`
    int64_t n_sizes;
    int64_t longest;  // most words in a bag
} bags_synth;

/* Bags like given ones: the same word frequencies, sizes and repeats.
 *
 * m words drawn by the frequencies p hold, on average,
 *   D(m) = sum_j 1 - (1 - p_j)^m                                        (1)
 * distinct ones. In a bag of s words about (1 - burst) s are new draws, so
 * burst follows from sum_i D((1 - burst) s_i) = distinct words, over all bags
 * (2) by bisection, with D from a table. */

enum { STEPS = 64, BISECTIONS = 30 };

/* D at longest (k / STEPS)^2: finer where D is most curved. */
static void fill_table(const bags_synth *w, const double *weights, double words,
                       double D[STEPS + 1])
{
    for (int k = 0; k <= STEPS; ++k)
        D[k] = 0.0;
    for (int64_t j = 0; j < w->o.dim; ++j) {
        const double p = weights[j] / words;
        const double miss = p < 1.0 ? log1p(-p) : -INFINITY;
        for (int k = 1; k <= STEPS && p > 0.0; ++k) {
            const double m = (double)w->longest * k * k / (STEPS * STEPS);
            D[k] -= expm1(m * miss);  // (1)
        }
    }
}

static double distinct_at(const double D[STEPS + 1], double share)
{
    const double at = STEPS * sqrt(share);
    const int k = at < STEPS ? (int)at : STEPS - 1;
    const double low = (double)k * k, high = (double)(k + 1) * (k + 1);
    return D[k] + (D[k + 1] - D[k]) * (at * at - low) / (high - low);
}

static double burst_of(const bags_synth *w, const double *weights, double words,
                       double distinct)
{
    double D[STEPS + 1], low = 0.0, high = MOST_BURST;
    fill_table(w, weights, words, D);
    for (int round = 0; round < BISECTIONS; ++round) {
        const double burst = (low + high) / 2.0;
        double sum = 0.0;
        for (int64_t i = 0; i < w->n_sizes; ++i)
            sum += distinct_at(D, (1.0 - burst) * (double)w->sizes[i] /
                                      (double)w->longest);
        if (sum > distinct)  // (2)
            low = burst;
        else
            high = burst;
    }
    return low;
}

/* Sizes, burst and weights (zeroed, one per column) as in `like`. */
static akin_status measure_like(bags_synth *w, akin_ctx *ctx,
                                const akin_rows *like, double *weights)
{
    double words = 0.0, distinct = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, like->n, &w->sizes));
    w->n_sizes = like->n;
    for (int64_t i = 0; i < like->n; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, like, i);
        double sum = 0.0;
        for (int64_t k = 0; k < n; ++k) {
            const double c = (double)vals[k];
            if (c < 0.0)
                AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                               "row %" PRId64 " has a negative count", i));
            weights[cols ? cols[k] : k] += c;
            sum += c;
            distinct += c > 0.0;
        }
        if (sum > MOST_WORDS)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "row %" PRId64
                           " has %g words (expected %d or fewer)",
                           i, sum, MOST_WORDS));
        w->sizes[i] = (int64_t)(sum + 0.5);
        words += sum;
        w->longest = ak_max_i64(w->longest, w->sizes[i]);
    }
    if (w->longest == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "the given rows have no words"));
    w->o.burst = burst_of(w, weights, words, distinct);
done:
    return st;
}

/* 0 .. n-1 in an order drawn by generator number `which`. */
static akin_status permutation(const bags_synth *w, akin_ctx *ctx, int64_t n,
                               uint64_t which, int64_t **out)
{
    ak_rng r = ak_rng_split(w->root, which);
    const akin_status st = AK_SCRATCH(ctx, n, out);
    if (st != AKIN_OK)
        return st;
    for (int64_t i = 0; i < n; ++i)
        (*out)[i] = i;
    ak_rng_shuffle(&r, n, *out);
    return AKIN_OK;
}

/* f(rank) = (rank + shift)^-exponent, ranks from 1, words in any order. */
static akin_status power_law(bags_synth *w, akin_ctx *ctx, double *weights)
{
    int64_t *word;
    const akin_status st = permutation(w, ctx, w->o.dim, 0, &word);
    if (st != AKIN_OK)
        return st;
    /* Relative to the first, so that no power underflows all of them. */
    const double first = 1.0 + w->o.shift;
    for (int64_t i = 0; i < w->o.dim; ++i)
        weights[word[i]] = pow(((double)i + first) / first, -w->o.exponent);
    w->longest = w->o.words + w->o.words / 2;
    return AKIN_OK;
}

/* Each class takes the next words of a random order, cyclically. */
static akin_status assign_class_words(bags_synth *w, akin_ctx *ctx)
{
    const int64_t n = w->o.classes * w->o.class_words;
    int64_t *word;
    akin_status st = AKIN_OK;

    AK_TRY(permutation(w, ctx, w->o.dim, 1, &word));
    AK_TRY(AK_SCRATCH(ctx, n, &w->class_words));
    for (int64_t k = 0; k < n; ++k)
        w->class_words[k] = (int32_t)word[k % w->o.dim];
done:
    return st;
}

/* Tables from options and root, in scratch memory. `like` may be NULL. */
static akin_status prepare(bags_synth *w, akin_ctx *ctx, const akin_rows *like)
{
    double *weights;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, w->o.dim, &weights));
    AK_TRY(like ? measure_like(w, ctx, like, weights)
                : power_law(w, ctx, weights));
    AK_TRY(ak_alias_new(&w->words, ctx, w->o.dim, weights));
    if (w->o.classes > 0)
        AK_TRY(assign_class_words(w, ctx));
done:
    return st;
}

/* ---- bags -------------------------------------------------------------- */

enum { BATCH = 1 << 13, BAGS_PER_BLOCK = 64 };

/* One batch of bags, and the space allocated for the result. */
typedef struct batch {
    const bags_synth *synth;
    int64_t begin;      // its first bag
    int64_t *offsets;   // BATCH + 1: where the words of each bag go
    int64_t *distinct;  // BATCH: how many different ones it has
    int32_t *cols;
    float *vals;
    int32_t *buffers;  // 2 x longest bag for each worker
    int64_t room;
} batch;

/* ---- one bag ---------------------------------------------------------- */

/* The generator of bag i, after drawing its length. */
static ak_rng bag_begin(const bags_synth *w, int64_t i, int64_t *length)
{
    ak_rng r = ak_rng_split(w->root, (uint64_t)(FIRST_BAG + i));
    const int64_t half = w->o.words / 2;
    if (w->sizes != NULL)
        *length = w->sizes[ak_rng_below(&r, w->n_sizes)];
    else
        *length = w->o.words - half + ak_rng_below(&r, 2 * half + 1);
    return r;
}

static int32_t draw_word(const bags_synth *w, ak_rng *r, int64_t class)
{
    const akin_synth_bags_options *o = &w->o;
    if (class >= 0 && o->signal > 0.0 && ak_rng_unit(r) < o->signal)
        return w->class_words[class * o->class_words +
                              ak_rng_below(r, o->class_words)];
    return ak_alias_draw(&w->words, r);
}

/* Radix sort by bytes; returns `a` or `b`, whichever has the sorted words. */
static int32_t *sort_words(int32_t *a, int32_t *b, int64_t n, int64_t dim)
{
    for (int shift = 0; shift < 32 && (dim - 1) >> shift > 0; shift += 8) {
        int64_t at[257] = {0};
        for (int64_t k = 0; k < n; ++k)
            ++at[((a[k] >> shift) & 255) + 1];
        for (int k = 0; k < 256; ++k)
            at[k + 1] += at[k];
        for (int64_t k = 0; k < n; ++k)
            b[at[(a[k] >> shift) & 255]++] = a[k];
        int32_t *sorted = b;
        b = a;
        a = sorted;
    }
    return a;
}

/* Bag i as a sparse row; returns how many different words it has. */
static int64_t make_bag(const bags_synth *w, int64_t i, int32_t *buffer,
                        int32_t *cols, float *vals)
{
    int64_t length, n = 0;
    ak_rng r = bag_begin(w, i, &length);
    const int64_t class = w->o.classes > 0 ? i % w->o.classes : -1;
    for (int64_t k = 0; k < length; ++k) {
        const bool again = k > 0 && w->o.burst > 0.0 &&
                           ak_rng_unit(&r) < w->o.burst;
        buffer[k] = again ? buffer[k - 1] : draw_word(w, &r, class);
    }
    const int32_t *sorted =
        sort_words(buffer, buffer + w->longest, length, w->words.n);
    for (int64_t k = 0; k < length; ++k) {
        if (n == 0 || cols[n - 1] != sorted[k]) {
            cols[n] = sorted[k];
            vals[n++] = 0.0f;
        }
        vals[n - 1] += 1.0f;
    }
    return n;
}

static akin_status make_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    batch *w = arg;
    int32_t *buffer = w->buffers + 2 * w->synth->longest * worker;
    for (int64_t i = begin; i < end; ++i)
        w->distinct[i] = make_bag(w->synth, w->begin + i, buffer,
                                  w->cols + w->offsets[i],
                                  w->vals + w->offsets[i]);
    return AKIN_OK;
}

/* ---- all bags --------------------------------------------------------- */

/* Room for `more` entries in the result; it doubles. */
static akin_status grow(batch *w, akin_ctx *ctx, akin_rows *rows, int64_t more)
{
    const int64_t need = rows->offsets[w->begin] + more;
    akin_status st = AKIN_OK;
    if (need <= w->room)
        return AKIN_OK;
    const int64_t room = ak_max_i64(need, 2 * w->room);
    AK_TRY(ak_resize(ctx, room, sizeof *rows->cols, &rows->cols));
    AK_TRY(ak_resize(ctx, room, sizeof *rows->vals, &rows->vals));
    w->room = room;
done:
    return st;
}

/* Bags [begin, begin + n) into the batch's memory, then behind the others. */
static akin_status make_batch(batch *w, akin_ctx *ctx, akin_rows *rows,
                              int64_t n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t total = 0;
    akin_status st = AKIN_OK;

    for (int64_t i = 0; i < n; ++i) {
        int64_t length;
        bag_begin(w->synth, w->begin + i, &length);
        w->offsets[i + 1] = w->offsets[i] + length;
    }
    AK_TRY(AK_SCRATCH(ctx, w->offsets[n], &w->cols));
    AK_TRY(AK_SCRATCH(ctx, w->offsets[n], &w->vals));
    AK_TRY(ak_parallel_for(ctx, n, BAGS_PER_BLOCK, make_block, w));
    for (int64_t i = 0; i < n; ++i)
        total += w->distinct[i];
    AK_TRY(grow(w, ctx, rows, total));
    for (int64_t i = 0; i < n; ++i) {
        const int64_t to = rows->offsets[w->begin + i];
        const size_t k = (size_t)w->distinct[i];
        memcpy(rows->cols + to, w->cols + w->offsets[i], k * sizeof *w->cols);
        memcpy(rows->vals + to, w->vals + w->offsets[i], k * sizeof *w->vals);
        rows->offsets[w->begin + i + 1] = to + w->distinct[i];
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status make_all(batch *w, akin_ctx *ctx, akin_rows *rows)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, BATCH + 1, &w->offsets));
    AK_TRY(AK_SCRATCH(ctx, BATCH, &w->distinct));
    AK_TRY(
        AK_SCRATCH(ctx, 2 * w->synth->longest * ak_workers(ctx), &w->buffers));
    AK_TRY(AK_NEW(ctx, rows->n + 1, &rows->offsets));
    for (; w->begin < rows->n; w->begin += BATCH) {
        AK_TRY(make_batch(w, ctx, rows, ak_min_i64(BATCH, rows->n - w->begin)));
        AK_TRY(ak_ctx_tick(ctx, "bags", w->begin, rows->n, NAN));
    }
    const int64_t n = rows->offsets[rows->n];
    AK_TRY(ak_resize(ctx, n, sizeof *rows->cols, &rows->cols));
    AK_TRY(ak_resize(ctx, n, sizeof *rows->vals, &rows->vals));
done:
    return st;
}

/* Bag i has class i modulo `classes`; a class is named by its number. */
static akin_status label(akin_rows *rows, akin_ctx *ctx, int64_t classes)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    enum { DIGITS = 24 };
    int32_t *labels;
    char *texts;
    const char **names;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, rows->n, &labels));
    AK_TRY(AK_SCRATCH(ctx, classes * DIGITS, &texts));
    AK_TRY(AK_SCRATCH(ctx, classes, &names));
    for (int64_t i = 0; i < rows->n; ++i)
        labels[i] = (int32_t)(i % classes);
    for (int64_t k = 0; k < classes; ++k) {
        snprintf(texts + k * DIGITS, DIGITS, "%" PRId64, k);
        names[k] = texts + k * DIGITS;
    }
    AK_TRY(akin_rows_set_labels(ctx, rows, labels, names, classes));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status check(akin_ctx *ctx, const akin_synth_bags_options *o)
{
    const double most = INT32_MAX;
    const bool classes = o->classes > 0;
    const ak_range ranges[] = {
        {"rows", (double)o->rows, 1, 1e12},
        {"dim", (double)o->dim, 1, most},
        {"words", (double)o->words, 1, MOST_WORDS / 2},
        {"classes", (double)o->classes, 0, most},
        {"class_words", classes ? (double)o->class_words : 1.0, 1,
         classes ? (double)o->dim : most},
        {"signal", o->signal, 0, 1},
        {"exponent", o->exponent, 0, 100},
        {"shift", o->shift, 0, 1e9},
        {"burst", o->burst, 0, MOST_BURST},
    };
    const akin_status st =
        ak_ranges_check(ctx, ranges, sizeof ranges / sizeof *ranges);
    const double all = (double)o->classes * (double)o->class_words;
    if (st == AKIN_OK && !(all >= 0.0 && all <= most))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`classes` times `class_words` is %.15g (expected at "
                       "most %.15g)",
                       all, most);
    return st;
}

akin_status akin_synth_bags(akin_rows **out, akin_ctx *ctx,
                            const akin_rows *like,
                            const akin_synth_bags_options *options)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    bags_synth synth = {.o = AKIN_SYNTH_BAGS_DEFAULTS};
    batch w = {.synth = &synth};
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;

    ak_options_take(&synth.o, sizeof synth.o, options);
    if (like != NULL)
        synth.o.dim = like->d;
    AK_TRY(check(ctx, &synth.o));
    synth.root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_SYNTH);
    AK_TRY(prepare(&synth, ctx, like));
    AK_TRY(ak_rows_new(&rows, ctx, synth.o.rows, synth.o.dim));
    AK_TRY(make_all(&w, ctx, rows));
    if (synth.o.classes > 0)
        AK_TRY(label(rows, ctx, synth.o.classes));
    *out = rows;
    rows = NULL;
done:
    akin_rows_free(rows);
    ak_scratch_end(ctx, mark);
    return st;
}
