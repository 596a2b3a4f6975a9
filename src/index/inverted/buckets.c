/* The first pass where postings are few: buckets of rows.
 *
 * Used where postings are fewer than rows: nothing costs time in proportion to
 * all rows. Postings are distributed to buckets of 65,536 rows. Each bucket is
 * then summed in an array that stays in the near cache. A bucket is a chain of
 * chunks that keeps the order in which its postings arrived. */
#include "index/inverted/pass.h"

enum { CHUNK = 256 };  // parts; the first holds the number of the next chunk

static int64_t bucket_count(const ak_pass *p)
{
    return (p->x->n >> AK_BUCKET_BITS) + 1;
}

bool ak_pass_fits_buckets(const ak_pass *p)
{
    return p->postings <= p->x->n / 2 &&
           p->postings / (CHUNK - 1) + bucket_count(p) < p->x->n / CHUNK;
}

static ak_posting_part *chunk(const ak_pass *p, int64_t number)
{
    return p->parts + number * CHUNK;
}

static void begin_chunk(ak_pass *p, ak_bucket *h, int64_t number)
{
    h->at = chunk(p, number) + 1;
    h->end = chunk(p, number + 1);
    p->n_chunks = number + 1;
}

static void next_chunk(ak_pass *p, ak_bucket *h)
{
    h->end[-CHUNK].row = (uint32_t)p->n_chunks;
    begin_chunk(p, h, p->n_chunks);
}

/* Distribute the postings of one column. */
static bool spread(ak_pass *p, const ak_query_term *q)
{
    const ak_postings *all = &p->v->p;
    ak_posting_block b;
    float parts[AK_PACK_BLOCK];
    for (int64_t k = all->blocks[q->t]; k < all->blocks[q->t + 1]; ++k) {
        if (!ak_pass_block(p, q, k, &b, parts))
            return false;
        for (int64_t i = 0; i < b.n; ++i) {
            ak_bucket *h = &p->buckets[b.rows[i] >> AK_BUCKET_BITS];
            *h->at++ = (ak_posting_part){b.rows[i], parts[i]};
            if (h->at == h->end)
                next_chunk(p, h);
        }
    }
    return true;
}

/* Iterate over all parts of bucket h. */
#define EACH_PART(p, number, h, x)                                \
    for (const ak_posting_part *first_ = chunk(p, number), *end_; \
         first_ != NULL;                                          \
         first_ = end_ == (h)->at ? NULL : chunk(p, first_->row)) \
        for (const ak_posting_part *x =                           \
                 (end_ = end_of(h, first_), first_ + 1);          \
             x < end_; ++x)

static const ak_posting_part *end_of(const ak_bucket *h,
                                     const ak_posting_part *first)
{
    return h->end == first + CHUNK ? h->at : first + CHUNK;
}

static void sum_bucket(ak_pass *p, int64_t number)
{
    const ak_bucket *h = &p->buckets[number];
    float *restrict sums = p->sums;
    EACH_PART(p, number, h, x) sums[x->row % AK_BUCKET] += x->part;
}

/* Possible candidates whose factors are being prefetched. */
typedef struct maybe {
    int n;
    ak_posting_part x[16];
} maybe;

static void offer(ak_pass *p, maybe *m)
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
static void select_bucket(ak_pass *p, int64_t number)
{
    const ak_bucket *h = &p->buckets[number];
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
        m.x[m.n++] = (ak_posting_part){x->row, sum};
        if (m.n == sizeof m.x / sizeof *m.x)
            offer(p, &m);
    }
    offer(p, &m);
}

bool ak_pass_by_buckets(ak_pass *p)
{
    const int64_t n = bucket_count(p);
    for (int64_t h = 0; h < n; ++h)
        begin_chunk(p, &p->buckets[h], h);
    for (int64_t k = 0; k < p->n_terms; ++k) {
        ak_pass_fetch_ahead(p, p->terms, k);
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
