/* Search in an inverted index.
 *
 * A score is a sum over the columns of the query,
 *
 *   a_i = sum_j g_j f(c_ij)                       (1)  in float
 *   s_i = a_i times_i + plus_i                    (2)  the factors of the row
 *   |s_i - S(q, x_i)| <= E                        (3)  rounding of (1), (2)
 *
 * The first pass sums (1) column by column, largest bounds first, until the
 * remaining columns cannot bring another row among the best: the rows with
 * s_i + rest + E no less than the top-th s_i - E are candidates. The second
 * pass looks the candidates up in every column and sums in double, in
 * increasing order of columns. Long queries have a first pass by bands of
 * columns, and where queries are fewer than workers, these share a query. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "data/recipe/recipe.h"
#include "index/candidates.h"
#include "index/inverted/measure.h"
#include "la/clones.h"
#include "model/compare.h"

/* A column of the query. */
typedef struct query_term {
    int64_t t;     // number of the term
    int64_t j;     // column
    double wq;     // its weight times the query's value
    float g;       // of (1)
    double bound;  // largest contribution to a score
    int band;      // of the term, where bands are used
} query_term;

enum {
    FILTER = 1 << 15,  // bits: 4 KiB fit the nearest cache
    SHAPE_BITS = 4,
    SHAPES = 1 << SHAPE_BITS,
};

/* The contribution of a posting to the sum of its row. */
typedef struct posting_part {
    uint32_t row;
    float part;
} posting_part;

/* Contributions to 2^16 rows: where the next one goes. */
typedef struct bucket {
    posting_part *at, *end;
} bucket;

/* The state of a worker. */
typedef struct pass {
    const akin_index *x;
    const ak_inverted *v;  // with norms, unless by dot product
    const ak_score_factors *factors;
    const ak_search *w;
    int64_t begin, end;    // rows that this worker sums
    struct split *split;   // the parts of a query
    float shapes[SHAPES];  // of counts from 1 on, where not linear
    query_term *terms;     // with a weight, by column
    query_term *order;     // the same, by bound or by band
    int64_t n_terms;
    double norm, self;    // of the query: q'|W|q, q'Wq
    int64_t postings;     // in its columns
    bool non_negative;    // no contribution is negative
    bool safe;            // (3) holds
    double error;         // E
    float *sums;          // n: a_i, 0 between queries
    bucket *buckets;      // by row, used where postings are few
    posting_part *parts;  // n: their chunks
    int64_t n_chunks;
    ak_candidates candidates;  // room for all rows
    ak_hit *best;              // top: exact scores
    int64_t n_best;
    int32_t *slots;  // n: number of a candidate from 1 on; 0 between
    uint32_t filter[FILTER / 32];  // by row: may be a candidate
    double *exact;                 // n: of the candidates; shares `parts`
    unsigned char *flags;          // n: 1 = excluded; 0 between queries
} pass;

/* Term k is next: prefetch the words of the terms that follow. */
static void fetch_ahead(const pass *p, const query_term *terms, int64_t k)
{
    enum { AHEAD = 8 };
    const int64_t end = p->begin > 0 ? -1
                                     : ak_min_i64(k + AHEAD, p->n_terms - 1);
    for (int64_t i = k == 0 ? 0 : k + AHEAD; i <= end; ++i)
        ak_postings_fetch_words(&p->v->p, terms[i].t);
}

/* ---- what a block of postings adds to its rows ---- */

/* Counts under weights that are not linear in them; g holds the factor of a
 * count of 1. */
static float shape(ak_weights weights, float c)
{
    switch (weights) {
    case AK_WEIGHTS_BINARY:
    case AK_WEIGHTS_BINARY_IDF:
        return 1.0F;
    case AK_WEIGHTS_SQRT:
    case AK_WEIGHTS_SQRT_IDF:
        return sqrtf(c);
    case AK_WEIGHTS_LOG:
        return (float)(log1p((double)c) / log1p(1.0));
    default:
        return c;
    }
}

static bool is_binary(ak_weights w)
{
    return w == AK_WEIGHTS_BINARY || w == AK_WEIGHTS_BINARY_IDF;
}

static bool is_linear(ak_weights w)
{
    return w == AK_WEIGHTS_NONE || w == AK_WEIGHTS_TF || w == AK_WEIGHTS_TFIDF;
}

static bool is_root(ak_weights w)
{
    return w == AK_WEIGHTS_SQRT || w == AK_WEIGHTS_SQRT_IDF;
}

/* These fill a whole block, also past its last posting. */
AK_CLONES static void set_alike(float g, float *v)
{
    for (int i = 0; i < AK_PACK_BLOCK; ++i)
        v[i] = g;
}

AK_CLONES static void set_linear(const uint32_t *less_one, float g, float *v)
{
    for (int i = 0; i < AK_PACK_BLOCK; ++i)
        v[i] = (float)(int32_t)(less_one[i] + 1) * g;
}

AK_CLONES static void set_roots(const uint32_t *less_one, float g, float *v)
{
    for (int i = 0; i < AK_PACK_BLOCK; ++i)
        v[i] = sqrtf((float)(int32_t)(less_one[i] + 1)) * g;
}

AK_CLONES static void set_shaped(const uint32_t *less_one, const float *shapes,
                                 float g, float *v)
{
    for (int i = 0; i < AK_PACK_BLOCK; ++i)
        v[i] = shapes[less_one[i] % SHAPES] * g;
}

static bool block_parts(const pass *p, const query_term *q, int64_t k,
                        ak_posting_block *b, float *parts)
{
    const ak_postings *all = &p->v->p;
    const ak_weights weights = p->v->recipe ? p->v->recipe->weights
                                            : AK_WEIGHTS_NONE;
    if (all->bits[2 * k + 1] == 0 || is_binary(weights)) {
        set_alike(q->g, parts);
        return ak_postings_rows(all, q->t, k, b);
    }
    if (!ak_postings_block(all, q->t, k, b))
        return false;
    if (is_linear(weights) && !b->floats)
        set_linear(b->less_one, q->g, parts);
    else if (is_root(weights) && !b->floats)
        set_roots(b->less_one, q->g, parts);
    else if (all->bits[2 * k + 1] <= SHAPE_BITS)
        set_shaped(b->less_one, p->shapes, q->g, parts);
    else
        for (int64_t i = 0; i < b->n; ++i)
            parts[i] = q->g * shape(weights, ak_posting_value(b, i));
    return true;
}

/* ---- first pass, few postings: buckets of rows ---------------------------
 *
 * Used where postings are fewer than rows: nothing costs time in proportion to
 * all rows. Postings are distributed to buckets of 65,536 rows. Each bucket is
 * then summed in an array that stays in the near cache. A bucket is a chain of
 * chunks that keeps the order in which its postings arrived. */

enum { CHUNK = 256 };  // parts; the first holds the number of the next chunk

static int64_t bucket_count(const pass *p)
{
    return (p->x->n >> AK_BUCKET_BITS) + 1;
}

static bool fits_buckets(const pass *p)
{
    return p->postings <= p->x->n / 2 &&
           p->postings / (CHUNK - 1) + bucket_count(p) < p->x->n / CHUNK;
}

static posting_part *chunk(const pass *p, int64_t number)
{
    return p->parts + number * CHUNK;
}

static void begin_chunk(pass *p, bucket *h, int64_t number)
{
    h->at = chunk(p, number) + 1;
    h->end = chunk(p, number + 1);
    p->n_chunks = number + 1;
}

static void next_chunk(pass *p, bucket *h)
{
    h->end[-CHUNK].row = (uint32_t)p->n_chunks;
    begin_chunk(p, h, p->n_chunks);
}

/* Distribute the postings of one column. */
static bool spread(pass *p, const query_term *q)
{
    const ak_postings *all = &p->v->p;
    ak_posting_block b;
    float parts[AK_PACK_BLOCK];
    for (int64_t k = all->blocks[q->t]; k < all->blocks[q->t + 1]; ++k) {
        if (!block_parts(p, q, k, &b, parts))
            return false;
        for (int64_t i = 0; i < b.n; ++i) {
            bucket *h = &p->buckets[b.rows[i] >> AK_BUCKET_BITS];
            *h->at++ = (posting_part){b.rows[i], parts[i]};
            if (h->at == h->end)
                next_chunk(p, h);
        }
    }
    return true;
}

/* Iterate over all parts of bucket h. */
#define EACH_PART(p, number, h, x)                                             \
    for (const posting_part *first_ = chunk(p, number), *end_; first_ != NULL; \
         first_ = end_ == (h)->at ? NULL : chunk(p, first_->row))              \
        for (const posting_part *x = (end_ = end_of(h, first_), first_ + 1);   \
             x < end_; ++x)

static const posting_part *end_of(const bucket *h, const posting_part *first)
{
    return h->end == first + CHUNK ? h->at : first + CHUNK;
}

static void sum_bucket(pass *p, int64_t number)
{
    const bucket *h = &p->buckets[number];
    float *restrict sums = p->sums;
    EACH_PART(p, number, h, x) sums[x->row % AK_BUCKET] += x->part;
}

/* Possible candidates whose factors are being prefetched. */
typedef struct maybe {
    int n;
    posting_part x[16];
} maybe;

static void offer(pass *p, maybe *m)
{
    ak_candidates *c = &p->candidates;
    for (int i = 0; i < m->n; ++i) {
        const uint32_t row = m->x[i].row;
        const float score = m->x[i].part * p->factors->times[row];
        if (score >= c->cut && !p->flags[row])
            ak_candidates_offer(c, row, score);
    }
    m->n = 0;
}

/* Visit rows in the order of their postings; a sum is reset to 0 once it has
 * been visited. Few exceed the cut even at the best rate of the bucket. */
static void select_bucket(pass *p, int64_t number)
{
    const bucket *h = &p->buckets[number];
    const float best = p->factors->best[number];
    float *restrict sums = p->sums;
    maybe m = {0};
    EACH_PART(p, number, h, x)
    {
        const float sum = sums[x->row % AK_BUCKET];
        sums[x->row % AK_BUCKET] = 0.0F;
        if (sum * best < p->candidates.cut)
            continue;
        __builtin_prefetch(&p->factors->times[x->row]);
        m.x[m.n++] = (posting_part){x->row, sum};
        if (m.n == sizeof m.x / sizeof *m.x)
            offer(p, &m);
    }
    offer(p, &m);
}

static bool first_pass_by_buckets(pass *p)
{
    const int64_t n = bucket_count(p);
    for (int64_t h = 0; h < n; ++h)
        begin_chunk(p, &p->buckets[h], h);
    for (int64_t k = 0; k < p->n_terms; ++k) {
        fetch_ahead(p, p->terms, k);
        if (!spread(p, &p->terms[k]))
            return false;
    }
    p->candidates.slack = 2.0 * p->error;
    ak_candidates_clear(&p->candidates);
    for (int64_t h = 0; h < n; ++h) {
        sum_bucket(p, h);
        select_bucket(p, h);
    }
    ak_candidates_filter(&p->candidates);
    return true;
}

/* ---- first pass ---- */

enum {
    TRIES = 4,    // attempts to end early
    SHARE = 256,  // end early with one candidate in 256 rows at most
};

/* The block of a column that would hold this row, at or after block k: from
 * where rows spread evenly would have it, in growing steps, then by halves. */
static int64_t block_of(const ak_postings *p, int64_t end, int64_t k,
                        int32_t row)
{
    const int64_t left = p->n - p->first[k], ahead = row - p->first[k];
    int64_t high = end, step = 1;
    if (ahead <= 0 || end - k < 2)
        return k;
    const int64_t guess = k + (end - k) * ahead / left;
    if (p->first[guess] <= row) {
        k = guess;
        while (k + step < end && p->first[k + step] <= row) {
            k += step;
            step *= 2;
        }
        high = ak_min_i64(k + step, end);
    } else {
        high = guess;
        while (high - step > k && p->first[high - step] > row) {
            high -= step;
            step *= 2;
        }
        k = ak_max_i64(high - step, k);
    }
    while (high - k > 1) {  // first[k] <= row
        const int64_t mid = k + (high - k) / 2;
        if (p->first[mid] <= row)
            k = mid;
        else
            high = mid;
    }
    return k;
}

/* ---- a few rows in many columns ---------------------------------------- */

/* Rows that are looked up together. */
enum { AT_ONCE = 64 };

/* Where the rows would be in a column that had them spread evenly. */
static void fetch_guesses(const ak_postings *p, int64_t t, const int32_t *rows,
                          int64_t n)
{
    const int64_t begin = p->blocks[t], count = p->blocks[t + 1] - begin;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t k = begin + count * rows[i] / p->n;
        __builtin_prefetch(&p->first[k]);
        __builtin_prefetch(&p->at[k]);
    }
}

/* The blocks of a column that would hold these rows, with their words
 * prefetched. */
static void find_blocks(const ak_postings *p, int64_t t, const int32_t *rows,
                        int64_t n, int64_t *blocks)
{
    int64_t k = p->blocks[t];
    for (int64_t i = 0; i < n; ++i) {
        blocks[i] = k = block_of(p, p->blocks[t + 1], k, rows[i]);
        const char *words = (const char *)(p->words + p->at[k]);
        const char *end = (const char *)(p->words + ak_postings_end(p, k));
        for (; words < end; words += 64)
            __builtin_prefetch(words);
    }
}

/* The raw values of the rows in a column, 0 where there is none. */
static bool find_values(const ak_postings *p, int64_t t, const int64_t *blocks,
                        const int32_t *rows, int64_t n, float *values)
{
    int64_t unpacked = -1;
    ak_posting_block b;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t k = blocks[i];
        values[i] = 0.0F;
        if (p->first[k] > rows[i])
            continue;
        if (k != unpacked && !ak_postings_rows(p, t, k, &b))
            return false;
        unpacked = k;
        const int64_t at = rows[i] > (int32_t)b.last
                               ? -1
                               : ak_posting_find(&b, (uint32_t)rows[i]);
        if (at >= 0 && !ak_postings_value(p, k, &b, at, &values[i]))
            return false;
    }
    return true;
}

/* What to do with the values of rows in a column. */
typedef void (*take_fn)(const pass *p, const query_term *q, const int32_t *rows,
                        int64_t n, const float *values, double *to);

/* Look up n <= AT_ONCE increasing rows in the columns, in order. Each column is
 * prefetched while those before it are read. */
static bool look_up_rows(const pass *p, const query_term *terms,
                         int64_t n_terms, const int32_t *rows, int64_t n,
                         take_fn take, double *to)
{
    const ak_postings *all = &p->v->p;
    int64_t blocks[2][AT_ONCE];
    float values[AT_ONCE];
    for (int64_t k = -2; k < n_terms; ++k) {
        if (k + 2 < n_terms)
            fetch_guesses(all, terms[k + 2].t, rows, n);
        if (k + 1 >= 0 && k + 1 < n_terms)
            find_blocks(all, terms[k + 1].t, rows, n, blocks[(k + 1) % 2]);
        if (k < 0)
            continue;
        if (!find_values(all, terms[k].t, blocks[k % 2], rows, n, values))
            return false;
        take(p, &terms[k], rows, n, values, to);
    }
    return true;
}

/* Prefetch the words of a block further on, be it of another column. */
static void fetch_block(const ak_postings *p, int64_t k)
{
    if (k >= p->n_blocks)
        return;
    const char *words = (const char *)(p->words + p->at[k]);
    const char *end = (const char *)(p->words + ak_postings_end(p, k));
    for (; words < end; words += 64)
        __builtin_prefetch(words);
}

/* Add a block that also has rows of other workers. */
static void add_own(const pass *p, const ak_posting_block *b,
                    const float *parts)
{
    for (int64_t i = 0; i < b->n; ++i)
        if (b->rows[i] >= p->begin && b->rows[i] < p->end)
            p->sums[b->rows[i]] += parts[i];
}

/* (1) of one column. */
static bool add_term(pass *p, const query_term *q)
{
    const ak_postings *all = &p->v->p;
    const int64_t end = all->blocks[q->t + 1];
    float *restrict sums = p->sums;
    ak_posting_block b;
    float parts[AK_PACK_BLOCK];
    for (int64_t k = block_of(all, end, all->blocks[q->t], (int32_t)p->begin);
         k < end && all->first[k] < p->end; ++k) {
        fetch_block(all, k + 6);
        if (!block_parts(p, q, k, &b, parts))
            return false;
        if (all->first[k] < p->begin || b.last >= p->end)
            add_own(p, &b, parts);
        else
            for (int64_t i = 0; i < b.n; ++i)
                sums[b.rows[i]] += parts[i];
    }
    return true;
}

/* The candidates among all rows, when `rest` may still be added. */
static void select_all(pass *p, double rest)
{
    ak_candidates *c = &p->candidates;
    c->slack = rest + 2.0 * p->error;
    ak_candidates_clear(c);
    ak_candidates_rows(c, p->begin, p->end - p->begin, p->sums + p->begin,
                       p->factors->times + p->begin,
                       p->factors->plus + p->begin, p->flags + p->begin);
    ak_candidates_filter(c);
}

/* Fill up with the first rows that score 0 when too few score above 0. Flagged
 * rows and those already found are skipped. */
static void add_zeros(pass *p)
{
    ak_candidates *c = &p->candidates;
    const int64_t found = c->n_rows;
    for (int64_t k = 0; k < found; ++k)
        p->flags[c->rows[k]] |= 2;
    for (int64_t i = 0; i < p->x->n && c->n_rows < c->top; ++i)
        if (!p->flags[i] && !p->x->gone[i])
            c->rows[c->n_rows++] = (int32_t)i;
    for (int64_t k = 0; k < found; ++k)
        p->flags[c->rows[k]] &= 1;
}

static void take_all(pass *p)
{
    ak_candidates *c = &p->candidates;
    ak_candidates_clear(c);
    for (int64_t i = 0; i < p->x->n; ++i)
        if (!p->flags[i] && !p->x->gone[i])
            c->rows[c->n_rows++] = (int32_t)i;
}

static int by_bound(const void *left, const void *right)
{
    const query_term *a = left, *b = right;
    if (a->bound != b->bound)
        return a->bound > b->bound ? -1 : 1;
    return (a->j > b->j) - (a->j < b->j);
}

/* Sum column by column; *early tells that the candidates are known before the
 * last column. */
static bool sum_columns(pass *p, bool *early)
{
    double rest = 0.0, next;
    int64_t left = p->postings, tries = 0;
    const ak_candidates *c = &p->candidates;
    for (int64_t k = 0; k < p->n_terms; ++k)
        rest += p->order[k].bound;
    next = rest / 2.0;
    for (int64_t k = 0; k < p->n_terms; ++k) {
        fetch_ahead(p, p->order, k);
        if (!add_term(p, &p->order[k]))
            return false;
        rest -= p->order[k].bound;
        left -= p->v->p.counts[p->order[k].t];
        if (!p->non_negative || rest > next || tries == TRIES ||
            left < p->x->n / 2)
            continue;
        ++tries;
        next = rest / 2.0;
        rest = rest < 0.0 ? 0.0 : rest;
        select_all(p, rest * (1.0 + 1e-9));
        *early = c->n_rows < (p->end - p->begin) / SHARE &&
                 (double)c->bar > rest * 1.001 + 2.0 * p->error;
        if (*early)
            return true;
    }
    return true;
}

static int by_row(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* ---- first pass by bands of columns --------------------------------------
 *
 * Frequent columns have most postings and small weights. By Cauchy and Schwarz
 * they add at most |wq| |x_i| to a dot product, both without the other columns,
 * and the index knows a bound of the latter for each row. Negative weights and
 * rare columns are summed first. Once few rows can still be among the best,
 * they are listed, and frequent columns are looked up for these rows alone. */

enum {
    LOOKUP = 48,     // one takes the time of so many postings
    LISTED = 32,     // list one row in 32 at most
    SAMPLE = 64,     // chunks that tell how many that would be
    LOOK_ROWS = 128  // rows of a chunk
};

static bool is_banded(const pass *p)
{
    return p->v->bands && p->v->p.plain && p->postings > p->x->n &&
           p->factors->by != AKIN_BY_COSINE;
}

static int by_band(const void *left, const void *right)
{
    const query_term *a = left, *b = right;
    if (a->band != b->band)
        return b->band - a->band;
    return (a->j > b->j) - (a->j < b->j);
}

/* Order the columns by band, the rarest first. The bound of each becomes what
 * it and those behind it add to a score, for a row's byte of 1. */
static void order_by_band(pass *p)
{
    const double times = p->factors->by == AKIN_BY_DISTANCE ? 2.0 : 1.0;
    double squares = 0.0;
    for (int64_t k = 0; k < p->n_terms; ++k) {
        query_term *q = &p->order[k];
        q->band = q->wq < 0.0 ? AK_BANDS : ak_inverted_band(&p->v->p, q->t);
    }
    qsort(p->order, (size_t)p->n_terms, sizeof *p->order, by_band);
    for (int64_t k = p->n_terms - 1; k >= 0; --k) {
        query_term *q = &p->order[k];
        squares += q->wq * q->wq;
        q->bound = times * sqrt(squares) * p->v->length / 255.0 * (1.0 + 1e-6);
    }
}

/* Flags the rows that may reach the cut. */
AK_CLONES static void may_reach(const float *sums, const float *times,
                                const float *plus, const uint8_t *bands,
                                const unsigned char *flags, int64_t n,
                                float rest, float cut, float *scores,
                                unsigned char *reach)
{
    for (int64_t i = 0; i < n; ++i) {
        scores[i] = sums[i] * times[i] + plus[i];
        reach[i] = (scores[i] + rest * (float)bands[i] >= cut) & !flags[i];
    }
}

/* Append the rows from `at` on that may be among the best, of one chunk, when
 * the columns from q on are left. */
static void list_rows(pass *p, const query_term *q, int64_t at)
{
    ak_candidates *c = &p->candidates;
    const int64_t n = ak_min_i64(LOOK_ROWS, p->end - at);
    float scores[LOOK_ROWS];
    unsigned char reach[LOOK_ROWS];
    may_reach(p->sums + at, p->factors->times + at, p->factors->plus + at,
              p->v->bands + q->band * p->x->n + at, p->flags + at, n,
              (float)q->bound, c->cut, scores, reach);
    for (int64_t i = 0; i < n; ++i) {
        c->rows[c->n_rows] = (int32_t)(at + i);
        c->scores[c->n_rows] = scores[i];
        c->n_rows += reach[i];
    }
}

/* List the rows that may be among the best when the columns from q on are
 * left; false: too many. The bar of the candidates is set. */
static bool list_all(pass *p, const query_term *q)
{
    ak_candidates *c = &p->candidates;
    const int64_t chunks = (p->end - p->begin) / LOOK_ROWS;
    const int64_t step = ak_max_i64(chunks / SAMPLE, 1);
    c->n_rows = 0;
    for (int64_t k = 0; k < chunks; k += step)
        list_rows(p, q, p->begin + k * LOOK_ROWS);
    const bool few = c->n_rows * step < (p->end - p->begin) / LISTED;
    c->n_rows = 0;
    for (int64_t at = p->begin; at < p->end && few; at += LOOK_ROWS)
        list_rows(p, q, at);
    return few;
}

/* (1) of the rows found in a column. */
static void add_parts(const pass *p, const query_term *q, const int32_t *rows,
                      int64_t n, const float *values, double *to)
{
    const ak_weights weights = p->v->recipe ? p->v->recipe->weights
                                            : AK_WEIGHTS_NONE;
    (void)to;
    for (int64_t i = 0; i < n; ++i)
        if (values[i] != 0.0F)
            p->sums[rows[i]] += q->g * shape(weights, values[i]);
}

/* (1) of columns, for the candidates alone. */
static bool add_found(pass *p, const query_term *terms, int64_t n_terms)
{
    const ak_candidates *c = &p->candidates;
    for (int64_t at = 0; at < c->n_rows; at += AT_ONCE)
        if (!look_up_rows(p, terms, n_terms, c->rows + at,
                          ak_min_i64(AT_ONCE, c->n_rows - at), add_parts, NULL))
            return false;
    return true;
}

/* Drop the candidates that the columns from q on (NULL: none) cannot bring
 * among the best. */
static void drop(pass *p, const query_term *q)
{
    ak_candidates *c = &p->candidates;
    const float rest = q ? (float)q->bound : 0.0F;
    const uint8_t *bands = p->v->bands + (q ? q->band : 0) * p->x->n;
    int64_t n = 0;
    for (int64_t k = 0; k < c->n_rows; ++k) {
        const int32_t i = c->rows[k];
        c->scores[k] = p->sums[i] * p->factors->times[i] + p->factors->plus[i];
    }
    ak_candidates_raise(c);
    for (int64_t k = 0; k < c->n_rows; ++k) {
        c->rows[n] = c->rows[k];
        c->scores[n] = c->scores[k];
        n += c->scores[k] + rest * (float)bands[c->rows[k]] >= c->cut;
    }
    c->n_rows = n;
}

/* Columns of one band, as many as pay before candidates are chosen again. */
typedef struct band_step {
    int64_t begin, end;  // in p->order
    int64_t postings;
} band_step;

static band_step next_step(const pass *p, int64_t begin, int64_t left)
{
    const int64_t enough = ak_max_i64(left / 8, p->x->n);
    band_step s = {begin, begin, 0};
    while (s.end < p->n_terms && s.postings < enough &&
           p->order[s.end].band == p->order[begin].band)
        s.postings += p->v->p.counts[p->order[s.end++].t];
    return s;
}

static bool add_step(pass *p, const band_step *s, bool listed)
{
    const double share = (double)(p->end - p->begin) / (double)p->x->n;
    const double lookups = (double)p->candidates.n_rows *
                           (double)(s->end - s->begin);
    const bool found = listed && LOOKUP * lookups < share * (double)s->postings;
    if (found)
        return add_found(p, p->order + s->begin, s->end - s->begin);
    for (int64_t k = s->begin; k < s->end; ++k)
        if (!add_term(p, &p->order[k]))
            return false;
    return true;
}

/* Sum the columns, or those that matter; *listed: the candidates are known. */
static bool sum_bands(pass *p, bool *listed)
{
    int64_t left = p->postings, since = INT64_MAX / 2;
    for (band_step s = {0}; s.end < p->n_terms;) {
        s = next_step(p, s.end, left);
        if (!add_step(p, &s, *listed))
            return false;
        left -= s.postings;
        since += s.postings;
        const query_term *q = s.end < p->n_terms ? &p->order[s.end] : NULL;
        if (*listed) {
            drop(p, q);
        } else if (q && q->band < AK_BANDS && left > p->x->n) {
            if (since > 4 * p->x->n) {
                select_all(p, 0.0);
                since = 0;
            }
            *listed = list_all(p, q);
        }
    }
    return true;
}

static bool first_pass_by_sums(pass *p)
{
    bool early = false;
    const bool ok = is_banded(p) ? sum_bands(p, &early)
                                 : sum_columns(p, &early);
    if (ok && !early)
        select_all(p, 0.0);
    memset(p->sums + p->begin, 0,
           (size_t)(p->end - p->begin) * sizeof *p->sums);
    return ok;
}

/* ---- one query by several workers ---------------------------------------
 *
 * Each sums a part of the rows and chooses candidates of it, then looks up a
 * part of all candidates. Which rows are candidates depends on the parts and on
 * their order; what is found among them does not. */

/* Postings that are worth it. */
enum { PARTS_LEAST = 1 << 16 };

typedef struct split {
    akin_ctx *ctx;  // NULL: this worker does all of a query
    pass *parts;
    int64_t n_parts;
    _Atomic float bar;  // the best of all parts so far
} split;

static void publish(split *s, float bar)
{
    float old = atomic_load(&s->bar);
    while (bar > old && !atomic_compare_exchange_weak(&s->bar, &old, bar)) {
    }
}

static akin_status sum_parts(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    split *s = arg;
    (void)worker;
    for (int64_t k = begin; k < end; ++k) {
        pass *p = &s->parts[k];
        p->candidates.known = atomic_load(&s->bar);
        if (!first_pass_by_sums(p))
            return AKIN_EFORMAT;
        publish(s, p->candidates.bar);
    }
    return AKIN_OK;
}

/* A part's own range of rows, and of the arrays for candidates. */
static void begin_part(const pass *p, int64_t k)
{
    const split *s = p->split;
    const int64_t n = p->x->n;
    pass *q = &s->parts[k];
    *q = *p;
    q->begin = n * k / s->n_parts;
    q->end = n * (k + 1) / s->n_parts;
    q->candidates.rows += q->begin;
    q->candidates.scores += q->begin;
    q->candidates.room = q->end - q->begin;
}

/* A part that ended early has lower scores than it will have: the slack of all
 * is the largest of any. */
static bool first_pass_by_parts(pass *p)
{
    split *s = p->split;
    ak_candidates *c = &p->candidates;
    atomic_store(&s->bar, -INFINITY);
    for (int64_t k = 0; k < s->n_parts; ++k)
        begin_part(p, k);
    if (ak_parallel_for(s->ctx, s->n_parts, 1, sum_parts, s) != AKIN_OK)
        return false;
    c->slack = 0.0;
    ak_candidates_clear(c);
    for (int64_t k = 0; k < s->n_parts; ++k) {
        const ak_candidates *from = &s->parts[k].candidates;
        const size_t n = (size_t)from->n_rows;
        memmove(c->rows + c->n_rows, from->rows, n * sizeof *c->rows);
        memmove(c->scores + c->n_rows, from->scores, n * sizeof *c->scores);
        c->n_rows += from->n_rows;
        c->slack = fmax(c->slack, from->slack);
    }
    ak_candidates_filter(c);
    return true;
}

static bool first_pass(pass *p)
{
    const bool zeros = p->non_negative && p->factors->by != AKIN_BY_DISTANCE;
    bool ok = true;
    p->candidates.least = zeros ? (double)FLT_MIN : -INFINITY;
    if (!p->safe)
        take_all(p);
    else if (zeros && fits_buckets(p))
        ok = first_pass_by_buckets(p);
    else if (p->split->ctx && p->postings >= PARTS_LEAST)
        ok = first_pass_by_parts(p);
    else
        ok = first_pass_by_sums(p);
    if (p->safe && zeros && p->candidates.n_rows < p->w->top)
        add_zeros(p);
    return ok;
}

/* ---- second pass: candidates, exactly ---- */

/* A column is short when it has fewer rows than this per candidate. */
enum { SHORT = 8 };

/* The contribution of a raw value to the exact score of a row. */
static double entry_of(const pass *p, const query_term *q, int64_t row,
                       float value)
{
    return (double)(float)ak_inverted_entry(p->v, (double)value, row, q->j) *
           q->wq;
}

static inline uint32_t in_filter(const uint32_t *filter, uint32_t row)
{
    return filter[row % FILTER / 32] >> row % 32 & 1;
}

AK_CLONES static uint32_t any_in_sieve(const uint32_t *filter, int64_t n,
                                       const uint32_t *rows)
{
    uint32_t any = 0;
    for (int64_t i = 0; i < n; ++i)
        any |= in_filter(filter, rows[i]);
    return any;
}

/* A short column: test every row. */
static bool scan_column(pass *p, const query_term *q)
{
    const ak_postings *all = &p->v->p;
    ak_posting_block b;
    for (int64_t k = all->blocks[q->t]; k < all->blocks[q->t + 1]; ++k) {
        if (!ak_postings_rows(all, q->t, k, &b))
            return false;
        if (!any_in_sieve(p->filter, b.n, b.rows))
            continue;
        if (!ak_postings_values(all, k, &b))
            return false;
        for (int64_t i = 0; i < b.n; ++i)
            if (in_filter(p->filter, b.rows[i]) && p->slots[b.rows[i]] > 0)
                p->exact[p->slots[b.rows[i]] - 1] +=
                    entry_of(p, q, b.rows[i], ak_posting_value(&b, i));
    }
    return true;
}

/* Exact entries of the rows found in a column. */
static void add_entries(const pass *p, const query_term *q, const int32_t *rows,
                        int64_t n, const float *values, double *to)
{
    for (int64_t i = 0; i < n; ++i)
        if (values[i] != 0.0F)
            to[i] += entry_of(p, q, rows[i], values[i]);
}

/* A long column: find each candidate; both increase. */
static bool look_up(pass *p, const query_term *terms, int64_t n_terms)
{
    const ak_candidates *c = &p->candidates;
    for (int64_t at = 0; at < c->n_rows; at += AT_ONCE)
        if (!look_up_rows(p, terms, n_terms, c->rows + at,
                          ak_min_i64(AT_ONCE, c->n_rows - at), add_entries,
                          p->exact + at))
            return false;
    return true;
}

/* Sum all columns over the candidates, which increase. */
static bool look_up_all(pass *p)
{
    const ak_candidates *c = &p->candidates;
    bool ok = true;
    if (c->n_rows <= AT_ONCE)
        return look_up(p, p->terms, p->n_terms);
    memset(p->filter, 0, sizeof p->filter);
    for (int64_t k = 0; k < c->n_rows; ++k) {
        const uint32_t row = (uint32_t)c->rows[k];
        p->slots[row] = (int32_t)(k + 1);
        p->filter[row % FILTER / 32] |= UINT32_C(1) << row % 32;
    }
    for (int64_t k = 0; k < p->n_terms && ok; ++k) {
        const query_term *q = &p->terms[k];
        const bool is_short = p->v->p.counts[q->t] < SHORT * c->n_rows;
        ok = is_short ? scan_column(p, q) : look_up(p, q, 1);
    }
    for (int64_t k = 0; k < c->n_rows; ++k)
        p->slots[c->rows[k]] = 0;
    return ok;
}

static akin_status look_up_parts(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    const split *s = arg;
    (void)worker;
    for (int64_t k = begin; k < end; ++k)
        if (!look_up_all(&s->parts[k]))
            return AKIN_EFORMAT;
    return AKIN_OK;
}

/* The candidates of the whole in parts, too. */
static bool look_up_by_parts(const pass *p)
{
    const split *s = p->split;
    const int64_t n = p->candidates.n_rows;
    for (int64_t k = 0; k < s->n_parts; ++k) {
        const int64_t begin = n * k / s->n_parts;
        pass *q = &s->parts[k];
        *q = *p;
        q->candidates.rows += begin;
        q->candidates.n_rows = n * (k + 1) / s->n_parts - begin;
        q->exact += begin;
    }
    return ak_parallel_for(s->ctx, s->n_parts, 1, look_up_parts, p->split) ==
           AKIN_OK;
}

/* The score from the dot product. */
static double score_of(const pass *p, int64_t i, double dot)
{
    const ak_inverted *v = p->v;
    if (p->factors->by == AKIN_BY_COSINE) {
        const double size = sqrt(p->norm) * sqrt(v->norm[i]);
        return size > 0.0 ? dot / size : 0.0;
    }
    if (p->factors->by == AKIN_BY_DOT)
        return dot;
    const double minus = (2.0 * dot - p->self) -
                         (v->self ? v->self[i] : v->norm[i]);
    return !v->self && minus > 0.0 ? 0.0 : minus;
}

static bool second_pass(pass *p)
{
    ak_candidates *c = &p->candidates;
    if (c->n_rows > 1)
        qsort(c->rows, (size_t)c->n_rows, sizeof *c->rows, by_row);
    memset(p->exact, 0, (size_t)c->n_rows * sizeof *p->exact);
    const bool many = p->split->ctx && p->postings >= PARTS_LEAST;
    if (!(many ? look_up_by_parts(p) : look_up_all(p)))
        return false;
    p->n_best = 0;
    for (int64_t k = 0; k < c->n_rows; ++k) {
        const int64_t i = c->rows[k];
        p->n_best = ak_hits_offer(p->best, p->n_best, c->top,
                                  (ak_hit){score_of(p, i, p->exact[k]), i});
    }
    ak_hits_sort(p->best, p->n_best);
    return true;
}

/* ---- the query ---- */

typedef struct search_job {
    const akin_index *x;
    const ak_search *w;
    ak_inverted v;           // with norms, unless by dot product
    bool shared;             // all workers work at each query
    ak_score_factors other;  // when the search uses another comparison
    pass *workers;
} search_job;

/* The factor g of (1): a count of 1 in a row of sum 1. */
static double unit(const ak_inverted *v, int64_t j)
{
    return v->recipe ? ak_recipe_entry(v->recipe, 1.0, 1.0, j) : 1.0;
}

static void add_query_term(pass *p, int64_t j, double wq)
{
    const ak_inverted *v = p->v;
    const int64_t t = wq == 0.0 ? -1 : ak_postings_term(&v->p, j);
    if (t < 0)
        return;
    const double g = wq * unit(v, j);
    p->non_negative = p->non_negative && wq > 0.0;
    p->safe = p->safe && (g == 0.0 || (fabs(g) > 1e-12 && fabs(g) < 1e12));
    p->terms[p->n_terms++] = (query_term){t, j, wq, (float)g, 0.0, 0};
}

/* Find the terms of the query. All lookups are prefetched together, because
 * each touches memory far from the others. */
static void find_terms(pass *p, ak_row row)
{
    const ak_inverted *v = p->v;
    for (int step = 0; step < 2; ++step)
        for (int64_t k = 0; k < row.n; ++k)
            ak_postings_fetch_column(&v->p, ak_row_col(&row, k), step);
    for (int64_t k = 0; k < row.n; ++k) {
        const int64_t j = ak_row_col(&row, k);
        add_query_term(p, j, ak_inverted_w(v, j) * (double)row.vals[k]);
    }
    for (int step = 0; step < 2; ++step)
        for (int64_t k = 0; k < p->n_terms; ++k)
            ak_postings_fetch_term(&v->p, p->terms[k].t, step);
    for (int64_t k = 0; k < p->n_terms; ++k)
        p->postings += v->p.counts[p->terms[k].t];
}

/* Bound the contribution of each column; pays where postings are many. */
static void bound_terms(pass *p)
{
    const bool cosine = p->factors->by == AKIN_BY_COSINE;
    const double times = p->factors->by == AKIN_BY_DISTANCE ? 2.0 : 1.0;
    for (int64_t k = 0; k < p->n_terms; ++k) {
        query_term *q = &p->terms[k];
        q->bound = times * fabs(q->wq) *
                   (double)p->v->most[2 * q->t + (cosine ? 1 : 0)];
    }
}

/* The same bound for dot products, from the length of rows alone. */
static double largest_by_length(const pass *p)
{
    double squares = 0.0;
    for (int64_t k = 0; k < p->n_terms; ++k)
        squares += p->terms[k].wq * p->terms[k].wq;
    return p->factors->by == AKIN_BY_DOT ? sqrt(squares) * p->v->length
                                         : INFINITY;
}

/* Is underflow, a part of a rounding for each number, small beside E? Needed
 * where norms, which tell that, are unknown. */
static bool is_error_safe(const pass *p)
{
    const double parts = (double)p->n_terms * (double)p->factors->fastest;
    return isfinite(p->factors->largest) || p->error > 1e-36 * (parts + 1.0);
}

/* Set up query t. */
static void load_query(pass *p, int64_t t)
{
    const akin_rows *rows = p->w->queries;
    const ak_inverted *v = p->v;
    const ak_row row = ak_row_of(rows, t);
    p->n_terms = p->postings = 0;
    p->non_negative = v->p.plain;
    p->safe = p->factors->safe;
    p->norm = ak_weighted_norm(v->w, rows, t, true);
    p->self = v->self ? ak_weighted_norm(v->w, rows, t, false) : p->norm;
    find_terms(p, row);
    if (p->postings > p->x->n / 2)
        bound_terms(p);
    if (!fits_buckets(p))
        memcpy(p->order, p->terms, (size_t)p->n_terms * sizeof *p->terms);
    if (is_banded(p))
        order_by_band(p);
    else if (p->postings > p->x->n / 2)
        qsort(p->order, (size_t)p->n_terms, sizeof *p->order, by_bound);
    /* By Cauchy-Schwarz the absolute contributions sum to at most the product
     * of the norms; ten roundings for each, plus those of the sum. */
    const double size =
        fmin(sqrt(p->norm) * p->factors->largest, largest_by_length(p));
    const double eps = (double)FLT_EPSILON * (double)(p->n_terms + 10);
    p->error = eps * size;
    if (p->factors->by == AKIN_BY_DISTANCE)
        p->error = 2.0 * eps *
                   (size + p->factors->largest * p->factors->largest);
    p->safe = p->safe && size < 1e12 && p->w->top > 0 && is_error_safe(p);
}

static akin_status search_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const search_job *a = arg;
    pass *p = &a->workers[worker];
    for (int64_t t = begin; t < end; ++t) {
        load_query(p, t);
        ak_search_flag_excluded(a->w, t, p->flags, 1);
        const bool ok = first_pass(p) && second_pass(p);
        ak_search_flag_excluded(a->w, t, p->flags, 0);
        if (!ok)
            return AKIN_EFORMAT;
        ak_search_store(a->w, t, p->best, p->n_best);
    }
    return AKIN_OK;
}

static int64_t widest(const akin_rows *rows)
{
    int64_t most = 0;
    for (int64_t t = 0; t < rows->n; ++t)
        most = ak_max_i64(most, ak_row_of(rows, t).n);
    return most;
}

/* Bytes of a worker's arrays: those that are zero between queries, and the
 * others. */
static int64_t zeroed_bytes(int64_t n)
{
    return (9 * n + 63) / 64 * 64;
}

static int64_t scratch_bytes(int64_t n)
{
    return (16 * n + 63) / 64 * 64;
}

static void divide_arrays(pass *p, char *zeros, char *scratch)
{
    const int64_t n = p->x->n;
    p->sums = (float *)zeros;
    p->slots = (int32_t *)(zeros + 4 * n);
    p->flags = (unsigned char *)(zeros + 8 * n);
    p->exact = (double *)scratch;
    p->parts = (posting_part *)scratch;
    p->candidates.rows = (int32_t *)(scratch + 8 * n);
    p->candidates.scores = (float *)(scratch + 12 * n);
    p->candidates.top = p->w->top;
    p->candidates.known = -INFINITY;
    p->candidates.room = n;
}

/* Flag the rows that no query finds, or clear all flags. */
static void set_excluded(pass *p, bool clear)
{
    const unsigned char *exclude = p->w->exclude;
    for (int64_t i = 0; exclude && i < p->x->n; ++i)
        p->flags[i] = !clear && exclude[i];
}

static akin_status take_memory(search_job *a, akin_ctx *ctx, int64_t workers,
                               char **zeros, char **scratch)
{
    const ak_inverted *v = &a->v;
    const int64_t n = a->x->n, n_terms = widest(a->w->queries);
    AK_CHECK(AK_SCRATCH(ctx, workers, &a->workers));
    AK_CHECK(
        ak_kept_take(ctx, AK_KEPT_ZEROS, workers * zeroed_bytes(n), zeros));
    AK_CHECK(
        ak_kept_take(ctx, AK_KEPT_ROUGH, workers * scratch_bytes(n), scratch));
    for (int64_t k = 0; k < workers; ++k) {
        pass *p = &a->workers[k];
        *p = (pass){.x = a->x, .v = v, .w = a->w, .end = n};
        for (int c = 0; c < SHAPES && v->recipe; ++c)
            p->shapes[c] = shape(v->recipe->weights, (float)(c + 1));
        p->factors = a->other.times ? &a->other : &v->factors;
        AK_CHECK(AK_SCRATCH(ctx, 1, &p->split));
        p->split->n_parts = a->shared ? ak_workers(ctx) : 1;
        AK_CHECK(AK_SCRATCH(ctx, p->split->n_parts, &p->split->parts));
        p->split->ctx = a->shared ? ctx : NULL;
        divide_arrays(p, *zeros + k * zeroed_bytes(n),
                      *scratch + k * scratch_bytes(n));
        set_excluded(p, false);
        AK_CHECK(AK_SCRATCH(ctx, n_terms, &p->terms));
        AK_CHECK(AK_SCRATCH(ctx, n_terms, &p->order));
        AK_CHECK(AK_SCRATCH(ctx, (n >> AK_BUCKET_BITS) + 1, &p->buckets));
        AK_CHECK(AK_SCRATCH(ctx, a->w->top, &p->best));
    }
    return AKIN_OK;
}

akin_status ak_inverted_search(const akin_index *x, akin_ctx *ctx,
                               const ak_search *w)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_inverted *v = ak_inverted_of(x);
    const bool shared = w->queries->n < ak_workers(ctx);
    const int64_t workers = shared ? 1 : ak_workers(ctx);
    const bool unmeasured = v->norm == NULL && w->by != AKIN_BY_DOT;
    search_job a = {.x = x, .w = w, .v = *v, .shared = shared};
    char *zeros = NULL, *scratch = NULL;
    ak_sizes sizes;
    akin_status st = AKIN_OK;
    if (unmeasured)
        AK_TRY(ak_inverted_measure(&a.v, ctx, ak_index_dim(x), false));
    sizes = ak_inverted_sizes(&a.v);
    if (w->by != v->factors.by)
        AK_TRY(ak_score_factors_make(&a.other, ctx, x, &sizes, w->by));
    AK_TRY(take_memory(&a, ctx, workers, &zeros, &scratch));
    st = shared ? search_block(&a, 0, w->queries->n, 0)
                : ak_parallel_for(ctx, w->queries->n, 1, search_block, &a);
    if (st == AKIN_EFORMAT)
        st = ak_postings_fail(&v->p, ctx);
    AK_TRY(st);
    for (int64_t k = 0; k < workers; ++k)
        set_excluded(&a.workers[k], true);
    ak_kept_give(ctx, AK_KEPT_ZEROS, workers * zeroed_bytes(x->n), zeros);
    ak_kept_give(ctx, AK_KEPT_ROUGH, workers * scratch_bytes(x->n), scratch);
    zeros = scratch = NULL;
done:
    if (unmeasured)
        ak_inverted_unmeasure(&a.v, false);
    akin_free(zeros);
    akin_free(scratch);
    ak_score_factors_free(&a.other);
    ak_scratch_end(ctx, mark);
    return st;
}
