/* k-means: words at the means of the points nearest to them.
 *   [1] Lloyd. Least squares quantization in PCM. IEEE IT 28:129-137, 1982.
 *   [2] Sculley. Web-scale k-means clustering. WWW 2010.
 *   [3] Philbin, Chum, Isard, Sivic, Zisserman. Object retrieval with large
 *       vocabularies and fast spatial matching. CVPR 2007.
 *
 *   word(x) = argmin_w |x - w|                                (1)
 *   w       = mean of {x : word(x) = w}                       (2)  [1]
 *   w      += sum of {x - w : word(x) = w} / n_w              (3)  [2]
 *
 * (3) instead of (2) for batches, n_w the points that w has had so far. With
 * many words (1) is approximate, as in [3], by the cells of codebook.h. A word
 * without points moves to the point farthest from its word. */
#include "cluster/kmeans.h"

#include <math.h>

#include "base/comm.h"
#include "base/rng.h"

/* ---- starting words: points drawn at random, or far from each other -------
 *
 *   Arthur, Vassilvitskii. k-means++: the advantages of careful seeding. SODA
 *   2007. */

enum { PLUS_POINTS = 16 };  // points a word, at most, that k-means++ sees

/* One row of each of `count` equal parts, drawn at random. */
static void draw_rows(ak_rng *rng, const ak_points *points, int64_t count,
                      int64_t *which)
{
    for (int64_t i = 0; i < count; ++i) {
        const int64_t begin =
            (int64_t)((ak_u128)i * (uint64_t)points->n / (uint64_t)count);
        const int64_t end =
            (int64_t)((ak_u128)(i + 1) * (uint64_t)points->n / (uint64_t)count);
        which[i] =
            ak_points_row(points, begin + ak_rng_below(rng, end - begin));
    }
}

static double distance2(int64_t d, const float *x, const float *y)
{
    double sum = 0.0;
    for (int64_t j = 0; j < d; ++j) {
        const double t = (double)x[j] - (double)y[j];
        sum += t * t;
    }
    return sum;
}

/* The first i with near[0] + .. + near[i] above `share` of the sum. */
static int64_t pick(int64_t n, const double *near, double share)
{
    double sum = 0.0, so_far = 0.0;
    int64_t last = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += near[i];
    for (int64_t i = 0; i < n; ++i) {
        if (near[i] <= 0.0)
            continue;
        last = i;
        so_far += near[i];
        if (so_far > share * sum)
            break;
    }
    return last;
}

/* k-means++: each next one with a chance that grows with the squared distance
 * to those before it. x: n points of the rows `from`. */
static void choose_plus(ak_rng *rng, int64_t n, int64_t d, const float *x,
                        const int64_t *from, double *near, int64_t k,
                        int64_t *which)
{
    int64_t at = ak_rng_below(rng, n);
    for (int64_t i = 0; i < n; ++i)
        near[i] = INFINITY;
    for (int64_t w = 0; w < k; ++w) {
        which[w] = from[at];
        for (int64_t i = 0; i < n; ++i)
            near[i] = fmin(near[i], distance2(d, x + i * d, x + at * d));
        at = pick(n, near, ak_rng_unit(rng));
    }
}

static akin_status start_plus(akin_ctx *ctx, ak_rng *rng,
                              const ak_points *points, int64_t k,
                              int64_t *which)
{
    const int64_t n = ak_min_i64(points->n, PLUS_POINTS * k), d = points->d;
    int64_t *from = NULL;
    double *near = NULL;
    float *x = NULL;
    AK_CHECK(AK_SCRATCH(ctx, n, &from));
    AK_CHECK(AK_SCRATCH(ctx, n, &near));
    AK_CHECK(AK_SCRATCH(ctx, n * d, &x));
    draw_rows(rng, points, n, from);
    const ak_points some = {n, d, points->f32, points->u8, from};
    for (int64_t i = 0; i < n; ++i)
        ak_points_load(&some, i, x + i * d);
    choose_plus(rng, n, d, x, from, near, k, which);
    return AKIN_OK;
}

/* Words at k points, chosen as the options say. */
static akin_status start(ak_codebook **out, akin_ctx *ctx,
                         const ak_points *points, const ak_kmeans_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_CLUSTER);
    int64_t *which = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, o->k, &which));
    if (o->start == AK_START_PLUS)
        AK_TRY(start_plus(ctx, &rng, points, o->k, which));
    else
        draw_rows(&rng, points, o->k, which);
    const ak_points at = {o->k, points->d, points->f32, points->u8, which};
    AK_TRY(ak_codebook_new(out, ctx, &at));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- one iteration ---- */

enum { MOVE_BLOCK = 64 };  // words

typedef struct kmeans {
    ak_codebook *c;
    const ak_kmeans_options *o;
    ak_points now;     // of this iteration
    int64_t *which;    // its rows, of a batch
    int32_t *word;     // of each point
    float *distance;   // to it
    int64_t *offsets;  // k + 1, by word, into:
    int64_t *order;    // the points
    double *had;       // k, n_w; batches only
    int64_t *old;      // k, numbers of words before cells were made
    int64_t slots;     // a power of two of at least 2 k; not of batches
    int32_t *table;    // slots, words by a hash of their numbers
    int32_t *first;    // k, the first word with the same numbers
    double *room;      // d a worker, and one more
    ak_rng rng;
} kmeans;

static uint64_t hash(int64_t d, const float *x)
{
    uint64_t h = UINT64_C(14695981039346656037);  // FNV-1a, by numbers
    for (int64_t j = 0; j < d; ++j) {
        uint32_t bits;
        memcpy(&bits, x + j, sizeof bits);
        h = (h ^ bits) * UINT64_C(1099511628211);
    }
    return h ^ h >> 32;
}

/* The first word with the numbers of word w; w joins the table if none has. */
static int32_t find_equal(kmeans *m, int64_t w)
{
    const int64_t d = m->c->d;
    const float *at = m->c->at + w * d;
    for (uint64_t i = hash(d, at);; ++i) {
        int32_t *slot = m->table + (i & (uint64_t)(m->slots - 1));
        if (*slot < 0)
            *slot = (int32_t)w;
        if (memcmp(m->c->at + *slot * d, at, (size_t)d * sizeof *at) == 0)
            return *slot;
    }
}

/* Points of equal words go to the first of these, and the others are repaired.
 * The products in float do not see to that: a score rounds in another way at
 * the edge of a product than inside, so either word may come out ahead. */
static void merge_equal(kmeans *m)
{
    for (int64_t i = 0; i < m->slots; ++i)
        m->table[i] = -1;
    for (int64_t w = 0; w < m->c->k; ++w)
        m->first[w] = find_equal(m, w);
    for (int64_t i = 0; i < m->now.n; ++i)
        m->word[i] = m->first[m->word[i]];
}

/* The points by their words. */
static void sort_points(kmeans *m)
{
    const int64_t k = m->c->k;
    memset(m->offsets, 0, (size_t)(k + 2) * sizeof *m->offsets);
    for (int64_t i = 0; i < m->now.n; ++i)
        ++m->offsets[m->word[i] + 2];
    for (int64_t w = 0; w < k; ++w)
        m->offsets[w + 2] += m->offsets[w + 1];
    for (int64_t i = 0; i < m->now.n; ++i)
        m->order[m->offsets[m->word[i] + 1]++] = i;
}

/* (2) or (3) for the words [begin, end). */
static akin_status move_words(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    kmeans *m = arg;
    const int64_t d = m->c->d;
    double *sum = m->room + worker * d;
    for (int64_t w = begin; w < end; ++w) {
        const double count = (double)(m->offsets[w + 1] - m->offsets[w]);
        float *at = m->c->at + w * d;
        if (count == 0.0)
            continue;
        memset(sum, 0, (size_t)d * sizeof *sum);
        for (int64_t i = m->offsets[w]; i < m->offsets[w + 1]; ++i)
            ak_points_add(&m->now, m->order[i], sum);
        const double before = m->had ? m->had[w] : 0.0;
        for (int64_t j = 0; j < d; ++j)
            at[j] =
                (float)((before * (double)at[j] + sum[j]) / (before + count));
        if (m->had)
            m->had[w] += count;
        ak_codebook_measure(m->c, w);
    }
    return AKIN_OK;
}

/* Is point i the better choice for a word without points? */
static bool is_farther(const kmeans *m, int64_t i, int64_t j)
{
    const float a = m->distance[i], b = m->distance[j];
    return a > b || (a == b && i < j);
}

/* Sift heap[at] down; the nearest point of the heap is on top. */
static void sift_down(const kmeans *m, int64_t n, int64_t *heap, int64_t at)
{
    const int64_t i = heap[at];
    for (int64_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_farther(m, heap[child], heap[child + 1]))
            ++child;
        if (!is_farther(m, i, heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = i;
}

/* The n points farthest from their words, the nearest of them first. The order
 * of points is no longer needed; its array is reused. */
static int64_t *find_farthest(kmeans *m, int64_t n)
{
    int64_t *heap = m->order;
    for (int64_t i = 0; i < n; ++i)
        heap[i] = i;
    for (int64_t i = n / 2; i-- > 0;)
        sift_down(m, n, heap, i);
    for (int64_t i = n; i < m->now.n; ++i)
        if (is_farther(m, i, heap[0])) {
            heap[0] = i;
            sift_down(m, n, heap, 0);
        }
    return heap;
}

/* Move words without points to the points farthest from their words; points at
 * distance 0 attract none. Returns how many moved. */
static int64_t repair(kmeans *m)
{
    const int64_t k = m->c->k, d = m->c->d;
    int64_t empty = 0, moved = 0;
    for (int64_t w = 0; w < k; ++w)
        empty += m->offsets[w + 1] == m->offsets[w];
    if (empty == 0)
        return 0;
    const int64_t *far = find_farthest(m, empty);
    for (int64_t w = 0; w < k; ++w) {
        if (m->offsets[w + 1] > m->offsets[w])
            continue;
        const int64_t i = *far++;
        if (!(m->distance[i] > 0.0F))
            continue;
        ak_points_load(&m->now, i, m->c->at + w * d);
        ak_codebook_measure(m->c, w);
        ++moved;
    }
    return moved;
}

/* Rebuild the cells after words have moved; counts move with their words. */
static akin_status divide(kmeans *m, akin_ctx *ctx)
{
    const int64_t k = m->c->k;
    AK_CHECK(ak_codebook_divide(m->c, ctx, m->o->probe, m->old));
    if (m->had == NULL)
        return AKIN_OK;
    double *moved = m->room;
    for (int64_t w = 0; w < k; ++w)
        moved[w] = m->had[m->old[w]];
    memcpy(m->had, moved, (size_t)k * sizeof *moved);
    return AKIN_OK;
}

static double mean(int64_t n, const float *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; ++i)
        sum += (double)x[i];
    return n > 0 ? sum / (double)n : 0.0;
}

static akin_status iterate(kmeans *m, akin_ctx *ctx, const ak_points *points,
                           ak_kmeans_info *info)
{
    const double before = info->inertia;
    if (m->o->probe > 0)
        AK_CHECK(divide(m, ctx));
    if (m->which)
        draw_rows(&m->rng, points, m->now.n, m->which);
    AK_CHECK(ak_codebook_assign(m->c, ctx, &m->now, m->word, m->distance));
    info->inertia = mean(m->now.n, m->distance);
    info->converged = m->which == NULL && info->iterations > 0 &&
                      before - info->inertia <= m->o->tolerance * before;
    ++info->iterations;
    if (info->converged)
        return AKIN_OK;
    if (m->table)
        merge_equal(m);
    sort_points(m);
    const ak_comm_array moved[] = {
        {m->c->at, (size_t)m->c->d * sizeof *m->c->at},
        {m->c->half, sizeof *m->c->half},
        {m->had, sizeof *m->had}};
    AK_CHECK(ak_comm_map(ctx, m->c->k, MOVE_BLOCK, move_words, m, moved,
                         m->had != NULL ? 3 : 2));
    if (m->which == NULL)
        info->repaired += repair(m);
    return AKIN_OK;
}

/* ---- the run ---- */

static akin_status open(kmeans *m, akin_ctx *ctx, const ak_points *points)
{
    const int64_t k = m->c->k, d = m->c->d;
    const bool batch = m->o->batch > 0 && m->o->batch < points->n;
    m->now = *points;
    if (batch) {
        m->now.n = m->o->batch;
        AK_CHECK(AK_SCRATCH(ctx, m->now.n, &m->which));
        AK_CHECK(AK_SCRATCH(ctx, k, &m->had));
        AK_CHECK(AK_SCRATCH(ctx, k, &m->old));
        m->now.which = m->which;
    } else {
        for (m->slots = 2; m->slots < 2 * k;)
            m->slots *= 2;
        AK_CHECK(AK_SCRATCH(ctx, m->slots, &m->table));
        AK_CHECK(AK_SCRATCH(ctx, k, &m->first));
    }
    AK_CHECK(AK_SCRATCH(ctx, m->now.n, &m->word));
    AK_CHECK(AK_SCRATCH(ctx, m->now.n, &m->distance));
    AK_CHECK(AK_SCRATCH(ctx, k + 2, &m->offsets));
    AK_CHECK(AK_SCRATCH(ctx, m->now.n, &m->order));
    return AK_SCRATCH(ctx, ak_max_i64(d * ak_workers(ctx), batch ? k : 0),
                      &m->room);
}

akin_status ak_kmeans_improve(ak_codebook *c, akin_ctx *ctx,
                              const ak_points *points,
                              const ak_kmeans_options *o, ak_kmeans_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    kmeans m = {.c = c, .o = o};
    akin_status st = AKIN_OK;
    *info = (ak_kmeans_info){0};
    m.rng = ak_rng_split(ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_CLUSTER), 1);
    AK_TRY(open(&m, ctx, points));
    while (info->iterations < o->iterations && !info->converged) {
        AK_TRY(iterate(&m, ctx, points, info));
        AK_TRY(ak_ctx_tick(ctx, "iterations", info->iterations, o->iterations,
                           info->inertia));
    }
    if (o->probe > 0 && !info->converged)
        AK_TRY(divide(&m, ctx));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_kmeans(ak_codebook **out, akin_ctx *ctx, const ak_points *points,
                      const ak_kmeans_options *o, ak_kmeans_info *info)
{
    ak_codebook *c = NULL;
    akin_status st = AKIN_OK;
    if (o->k < 1 || o->k > points->n)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " words for %" PRId64
                       " points (expected 1 to the number of points)",
                       o->k, points->n));
    if (o->probe > AK_PROBE_MOST)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "`probe` is %" PRId64 " (at most %d)",
                       o->probe, AK_PROBE_MOST));
    AK_TRY(start(&c, ctx, points, o));
    AK_TRY(ak_kmeans_improve(c, ctx, points, o, info));
    *out = c;
    c = NULL;
done:
    ak_codebook_free(c);
    return st;
}
