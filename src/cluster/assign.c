/* The nearest word of a point x: the largest of
 *
 *   x.w - |w|^2 / 2    ( = (|x|^2 - |x - w|^2) / 2 )                    (1)
 *
 * as matrix products in float. Points are taken a block at a time. With cells,
 * (1) of the cells says which ones each point looks into; the points that look
 * into a cell are gathered and multiplied with its words at once. */
#include <math.h>

#include "base/comm.h"
#include "cluster/codebook.h"
#include "la/clones.h"
#include "la/dense.h"

enum {
    BLOCK = 8192,  // points of a block
    PART = 256,    // points of a product
    WORDS = 1024,  // words of a product
    LANES = 16,
};

/* What one worker has of a block. */
typedef struct room {
    float *x;          // BLOCK x d
    float *gathered;   // PART x d
    float *scores;     // PART x the widest product
    float *best;       // BLOCK, (1)
    int32_t *word;     // BLOCK
    int32_t *cells;    // BLOCK x probe: cells that a point looks into
    int64_t *offsets;  // by cell, into:
    int32_t *lookers;  // BLOCK x probe, points of the block
} room;

typedef struct assigning {
    const ak_codebook *c;
    const ak_points *points;
    akin_ctx *ctx;
    room *rooms;
    int32_t *word;
    float *distance;
} assigning;

static akin_status open_room(room *r, akin_ctx *ctx, const ak_codebook *c)
{
    const int64_t cells = c->cells ? c->cells->k : 0;
    const int64_t looks = BLOCK * c->probe;
    AK_CHECK(AK_SCRATCH(ctx, BLOCK * c->d, &r->x));
    AK_CHECK(AK_SCRATCH(ctx, PART * c->d, &r->gathered));
    AK_CHECK(AK_SCRATCH(ctx, PART * ak_max_i64(cells, WORDS), &r->scores));
    AK_CHECK(AK_SCRATCH(ctx, BLOCK, &r->best));
    AK_CHECK(AK_SCRATCH(ctx, BLOCK, &r->word));
    AK_CHECK(AK_SCRATCH(ctx, looks, &r->cells));
    AK_CHECK(AK_SCRATCH(ctx, cells + 2, &r->offsets));
    return AK_SCRATCH(ctx, looks, &r->lookers);
}

/* The largest of s - half. */
AK_CLONES static float find_best(int64_t n, const float *s, const float *half)
{
    float top[LANES];
    int64_t i = 0;
    for (int l = 0; l < LANES; ++l)
        top[l] = -INFINITY;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; ++l) {
            const float v = s[i + l] - half[i + l];
            top[l] = v > top[l] ? v : top[l];
        }
    for (; i < n; ++i) {
        const float v = s[i] - half[i];
        top[0] = v > top[0] ? v : top[0];
    }
    for (int l = 1; l < LANES; ++l)
        top[0] = top[l] > top[0] ? top[l] : top[0];
    return top[0];
}

/* The first place where s - half is `best`; n: nowhere. */
static int64_t find_place(int64_t n, const float *s, const float *half,
                          float best)
{
    int64_t i = 0;
    while (i < n && s[i] - half[i] != best)
        ++i;
    return i;
}

/* Words w, w + 1, ... have the scores s; is one of them nearer to point p of
 * the block? Most often not, and the place is not looked for. */
static void improve(const assigning *a, room *r, int64_t p, int64_t w,
                    int64_t n, const float *s)
{
    const float *half = a->c->half + w;
    const float best = find_best(n, s, half);
    if (!(best >= r->best[p]))
        return;
    const int64_t at = w + find_place(n, s, half, best);
    if (best > r->best[p] || at < r->word[p]) {
        r->best[p] = best;
        r->word[p] = (int32_t)at;
    }
}

/* Compare `n` points x (number id[i] of the block) with the words
 * [begin, end). */
static akin_status compare(const assigning *a, room *r, const float *x,
                           const int32_t *id, int64_t n, int64_t begin,
                           int64_t end)
{
    const ak_codebook *c = a->c;
    for (int64_t w = begin; w < end; w += WORDS) {
        const int64_t m = ak_min_i64(WORDS, end - w);
        AK_CHECK(ak_gemm_f32(a->ctx, n, m, c->d, x, c->d, c->at + w * c->d,
                             c->d, r->scores, m));
        for (int64_t i = 0; i < n; ++i)
            improve(a, r, id[i], w, m, r->scores + i * m);
    }
    return AKIN_OK;
}

/* The `probe` best of n cells by their scores, the best first. */
static void choose_cells(int64_t n, const float *s, const float *half,
                         int64_t probe, int32_t *chosen)
{
    float top[AK_PROBE_MOST];
    int64_t have = 0;
    for (int64_t i = 0; i < n; ++i) {
        const float v = s[i] - half[i];
        if (have == probe && !(v > top[probe - 1]))
            continue;
        int64_t at = have < probe ? have++ : probe - 1;
        for (; at > 0 && v > top[at - 1]; --at) {
            top[at] = top[at - 1];
            chosen[at] = chosen[at - 1];
        }
        top[at] = v;
        chosen[at] = (int32_t)i;
    }
}

/* Which points of the block look into each cell. */
static akin_status find_lookers(const assigning *a, room *r, int64_t n)
{
    const ak_codebook *b = a->c->cells;
    const int64_t probe = a->c->probe;
    for (int64_t i = 0; i < n; i += PART) {
        const int64_t m = ak_min_i64(PART, n - i);
        AK_CHECK(ak_gemm_f32(a->ctx, m, b->k, b->d, r->x + i * b->d, b->d,
                             b->at, b->d, r->scores, b->k));
        for (int64_t t = 0; t < m; ++t)
            choose_cells(b->k, r->scores + t * b->k, b->half, probe,
                         r->cells + (i + t) * probe);
    }
    memset(r->offsets, 0, (size_t)(b->k + 2) * sizeof *r->offsets);
    for (int64_t i = 0; i < n * probe; ++i)
        ++r->offsets[r->cells[i] + 2];
    for (int64_t i = 0; i < b->k; ++i)
        r->offsets[i + 2] += r->offsets[i + 1];
    for (int64_t i = 0; i < n * probe; ++i)
        r->lookers[r->offsets[r->cells[i] + 1]++] = (int32_t)(i / probe);
    return AKIN_OK;
}

static akin_status look_into(const assigning *a, room *r, int64_t cell)
{
    const ak_codebook *c = a->c;
    const int64_t begin = c->cell_offsets[cell],
                  end = c->cell_offsets[cell + 1];
    for (int64_t i = r->offsets[cell]; i < r->offsets[cell + 1]; i += PART) {
        const int64_t m = ak_min_i64(PART, r->offsets[cell + 1] - i);
        if (begin == end)
            break;
        for (int64_t t = 0; t < m; ++t)
            memcpy(r->gathered + t * c->d, r->x + r->lookers[i + t] * c->d,
                   (size_t)c->d * sizeof *r->x);
        AK_CHECK(compare(a, r, r->gathered, r->lookers + i, m, begin, end));
    }
    return AKIN_OK;
}

static akin_status look_everywhere(const assigning *a, room *r, int64_t n)
{
    const ak_codebook *c = a->c;
    int32_t id[PART];
    for (int64_t i = 0; i < n; i += PART) {
        const int64_t m = ak_min_i64(PART, n - i);
        for (int64_t t = 0; t < m; ++t)
            id[t] = (int32_t)(i + t);
        AK_CHECK(compare(a, r, r->x + i * c->d, id, m, 0, c->k));
    }
    return AKIN_OK;
}

static void store(const assigning *a, const room *r, int64_t begin, int64_t n)
{
    const int64_t d = a->c->d;
    memcpy(a->word + begin, r->word, (size_t)n * sizeof *r->word);
    for (int64_t i = 0; a->distance && i < n; ++i) {
        const float *x = r->x + i * d, *w = a->c->at + r->word[i] * d;
        double sum = 0.0;
        for (int64_t j = 0; j < d; ++j) {
            const double t = (double)x[j] - (double)w[j];
            sum += t * t;
        }
        a->distance[begin + i] = (float)sum;
    }
}

static akin_status assign_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const assigning *a = arg;
    room *r = a->rooms + worker;
    const int64_t n = end - begin;
    for (int64_t i = 0; i < n; ++i) {
        ak_points_load(a->points, begin + i, r->x + i * a->c->d);
        r->best[i] = -INFINITY;
        r->word[i] = 0;
    }
    if (a->c->cells) {
        AK_CHECK(find_lookers(a, r, n));
        for (int64_t i = 0; i < a->c->cells->k; ++i)
            AK_CHECK(look_into(a, r, i));
    } else {
        AK_CHECK(look_everywhere(a, r, n));
    }
    store(a, r, begin, n);
    return AKIN_OK;
}

akin_status ak_codebook_assign(const ak_codebook *c, akin_ctx *ctx,
                               const ak_points *points, int32_t *word,
                               float *distance)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t workers = ak_workers(ctx);
    assigning a = {c, points, ctx, NULL, word, distance};
    akin_status st = AKIN_OK;
    if (points->d != c->d)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "the points have %" PRId64
                       " columns (the codebook has %" PRId64 ")",
                       points->d, c->d));
    AK_TRY(AK_SCRATCH(ctx, workers, &a.rooms));
    for (int64_t i = 0; i < workers; ++i)
        AK_TRY(open_room(a.rooms + i, ctx, c));
    const ak_comm_array found[] = {{word, sizeof *word},
                                   {distance, sizeof *distance}};
    AK_TRY(ak_comm_map(ctx, points->n, BLOCK, assign_block, &a, found,
                       distance != NULL ? 2 : 1));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
