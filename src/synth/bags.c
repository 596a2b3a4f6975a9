/* Bags of words of known structure.
 *
 * A bag of class c has a length of its own. Each word of it is, with
 * probability `burst`, the word before once more; otherwise, with probability
 * `signal`, one of the words of c, all alike; otherwise a word by its
 * frequency. So `burst` changes how words clump, not how frequent they are.
 *
 * Each bag has its own generator, so neither threads nor their number matter.
 * Bags are made in waves that bound the memory beyond the result. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parallel.h"
#include "synth/bags.h"

enum { WAVE = 1 << 13, BAGS_PER_BLOCK = 64 };

/* The bags of one wave, and how much room the result has. */
typedef struct wave {
    const ak_synth *synth;
    int64_t begin;      // its first bag
    int64_t *offsets;   // WAVE + 1: where the words of each bag go
    int64_t *distinct;  // WAVE: how many different ones it has
    int32_t *cols;
    float *vals;
    int32_t *buffers;  // 2 x longest bag for each worker
    int64_t room;
} wave;

/* ---- one bag ---------------------------------------------------------- */

/* The generator of bag i, after its length was drawn. */
static ak_rng bag_begin(const ak_synth *w, int64_t i, int64_t *length)
{
    ak_rng r = ak_rng_split(w->root, (uint64_t)(AK_SYNTH_FIRST_BAG + i));
    const int64_t half = w->o.words / 2;
    if (w->sizes != NULL)
        *length = w->sizes[ak_rng_below(&r, w->n_sizes)];
    else
        *length = w->o.words - half + ak_rng_below(&r, 2 * half + 1);
    return r;
}

static int32_t draw_word(const ak_synth *w, ak_rng *r, int64_t class)
{
    const akin_synth_bags_options *o = &w->o;
    if (class >= 0 && o->signal > 0.0 && ak_rng_unit(r) < o->signal)
        return w->class_words[class * o->class_words +
                              ak_rng_below(r, o->class_words)];
    return ak_alias_draw(&w->words, r);
}

/* By one byte after the other; the sorted words are in `a` or `b`. */
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
static int64_t make_bag(const ak_synth *w, int64_t i, int32_t *buffer,
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
    wave *w = arg;
    int32_t *buffer = w->buffers + 2 * w->synth->longest * worker;
    for (int64_t i = begin; i < end; ++i)
        w->distinct[i] = make_bag(w->synth, w->begin + i, buffer,
                                  w->cols + w->offsets[i],
                                  w->vals + w->offsets[i]);
    return AKIN_OK;
}

/* ---- all bags --------------------------------------------------------- */

/* Room for `more` entries in the result; it doubles. */
static akin_status grow(wave *w, akin_ctx *ctx, akin_rows *rows, int64_t more)
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

/* Bags [begin, begin + n) into the wave's memory, then behind the others. */
static akin_status make_wave(wave *w, akin_ctx *ctx, akin_rows *rows, int64_t n)
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

static akin_status make_all(wave *w, akin_ctx *ctx, akin_rows *rows)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, WAVE + 1, &w->offsets));
    AK_TRY(AK_SCRATCH(ctx, WAVE, &w->distinct));
    AK_TRY(
        AK_SCRATCH(ctx, 2 * w->synth->longest * ak_workers(ctx), &w->buffers));
    AK_TRY(AK_NEW(ctx, rows->n + 1, &rows->offsets));
    for (; w->begin < rows->n; w->begin += WAVE) {
        AK_TRY(make_wave(w, ctx, rows, ak_min_i64(WAVE, rows->n - w->begin)));
        AK_TRY(ak_ctx_tick(ctx, "bags", w->begin, rows->n, NAN));
    }
    const int64_t n = rows->offsets[rows->n];
    AK_TRY(ak_resize(ctx, n, sizeof *rows->cols, &rows->cols));
    AK_TRY(ak_resize(ctx, n, sizeof *rows->vals, &rows->vals));
done:
    return st;
}

/* Class i modulo their number, named by its digits. */
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
    AK_TRY(akin_rows_set_labels(rows, ctx, labels, names, classes));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status check_range(akin_ctx *ctx, const char *name, double x,
                               double low, double high)
{
    if (x >= low && x <= high)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL, "%s is %.15g (expected %.15g to %.15g)",
                   name, x, low, high);
}

static akin_status check(akin_ctx *ctx, const akin_synth_bags_options *o)
{
    const double most = INT32_MAX;
    akin_status st = AKIN_OK;
    AK_TRY(check_range(ctx, "rows", (double)o->rows, 1, 1e12));
    AK_TRY(check_range(ctx, "dim", (double)o->dim, 1, most));
    AK_TRY(check_range(ctx, "words", (double)o->words, 1,
                       AK_SYNTH_MOST_WORDS / 2));
    AK_TRY(check_range(ctx, "classes", (double)o->classes, 0, most));
    if (o->classes > 0)
        AK_TRY(check_range(ctx, "class_words", (double)o->class_words, 1,
                           (double)o->dim));
    AK_TRY(check_range(ctx, "classes times class_words",
                       (double)o->classes * (double)o->class_words, 0, most));
    AK_TRY(check_range(ctx, "signal", o->signal, 0, 1));
    AK_TRY(check_range(ctx, "exponent", o->exponent, 0, 100));
    AK_TRY(check_range(ctx, "shift", o->shift, 0, 1e9));
    AK_TRY(check_range(ctx, "burst", o->burst, 0, AK_SYNTH_MOST_BURST));
done:
    return st;
}

akin_status akin_synth_bags(akin_rows **out, akin_ctx *ctx,
                            const akin_synth_bags_options *options,
                            const akin_rows *like)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_synth synth = {.o = AKIN_SYNTH_BAGS_DEFAULTS};
    wave w = {.synth = &synth};
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;

    if (options != NULL)  // a caller of an older version has fewer members
        memcpy(&synth.o, options,
               options->size < sizeof synth.o ? options->size : sizeof synth.o);
    if (like != NULL)
        synth.o.dim = like->d;
    AK_TRY(check(ctx, &synth.o));
    synth.root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_SYNTH);
    AK_TRY(ak_synth_prepare(&synth, ctx, like));
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
