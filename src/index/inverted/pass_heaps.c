/* Candidates where postings are fewer than rows: nothing takes time in
 * proportion to all rows, and little of it is spent waiting for memory.
 *
 * Postings are thrown on heaps, one for every 65,536 rows. Then the parts of
 * one heap after the other are added up in an array that stays in the near
 * cache. A heap is a chain of pieces, in the order in which its postings came.
 */
#include "index/inverted/passes.h"

enum { PIECE = 256 };  // postings, the first of which says where the next is

static int64_t heaps_of(const ak_pass *p)
{
    return (p->x->n >> AK_HEAP_BITS) + 1;
}

bool ak_pass_fits(const ak_pass *p)
{
    return p->postings <= p->x->n / 2 &&
           p->postings / (PIECE - 1) + heaps_of(p) < p->x->n / PIECE;
}

static ak_posted *piece(const ak_pass *p, int64_t number)
{
    return p->posted + number * PIECE;
}

static void begin_piece(ak_pass *p, ak_heap *h, int64_t number)
{
    h->at = piece(p, number) + 1;
    h->end = piece(p, number + 1);
    p->n_pieces = number + 1;
}

static void next_piece(ak_pass *p, ak_heap *h)
{
    h->end[-PIECE].row = (uint32_t)p->n_pieces;
    begin_piece(p, h, p->n_pieces);
}

/* The postings of one column. */
static bool spread(ak_pass *p, const ak_query_term *q)
{
    const ak_postings *all = &p->v->p;
    ak_posting_block b;
    float parts[AK_PACK_BLOCK];
    for (int64_t k = all->blocks[q->t]; k < all->blocks[q->t + 1]; ++k) {
        if (!ak_pass_parts(p, q, k, &b, parts))
            return false;
        for (int64_t i = 0; i < b.n; ++i) {
            ak_heap *h = &p->heaps[b.rows[i] >> AK_HEAP_BITS];
            *h->at++ = (ak_posted){b.rows[i], parts[i]};
            if (h->at == h->end)
                next_piece(p, h);
        }
    }
    return true;
}

/* Goes through all postings of heap number h. */
#define EACH_POSTED(p, number, h, x)                                        \
    for (const ak_posted *first_ = piece(p, number), *end_; first_ != NULL; \
         first_ = end_ == (h)->at ? NULL : piece(p, first_->row))           \
        for (const ak_posted *x = (end_ = end_of(h, first_), first_ + 1);   \
             x < end_; ++x)

static const ak_posted *end_of(const ak_heap *h, const ak_posted *first)
{
    return h->end == first + PIECE ? h->at : first + PIECE;
}

static void add_up(ak_pass *p, int64_t number)
{
    const ak_heap *h = &p->heaps[number];
    float *restrict sums = p->sums;
    EACH_POSTED(p, number, h, x) sums[x->row % AK_HEAP] += x->part;
}

/* Rows that may be candidates, whose rates have been asked for. */
typedef struct maybe {
    int n;
    ak_posted x[16];
} maybe;

static void offer(ak_pass *p, maybe *m)
{
    ak_select *c = &p->found;
    for (int i = 0; i < m->n; ++i) {
        const uint32_t row = m->x[i].row;
        const float score = m->x[i].part * p->rates->times[row];
        if (score >= c->cut && !p->flags[row])
            ak_select_offer(c, row, score);
    }
    m->n = 0;
}

/* Row by row as they came, once for each posting: a sum is taken back to 0 when
 * it has been seen. Few are above the cut even with the best rate of all. */
static void select_heap(ak_pass *p, int64_t number)
{
    const ak_heap *h = &p->heaps[number];
    const float best = p->rates->best[number];
    float *restrict sums = p->sums;
    maybe m = {0};
    EACH_POSTED(p, number, h, x)
    {
        const float sum = sums[x->row % AK_HEAP];
        sums[x->row % AK_HEAP] = 0.0F;
        if (sum * best < p->found.cut)
            continue;
        __builtin_prefetch(&p->rates->times[x->row]);
        m.x[m.n++] = (ak_posted){x->row, sum};
        if (m.n == sizeof m.x / sizeof *m.x)
            offer(p, &m);
    }
    offer(p, &m);
}

bool ak_pass_heaps(ak_pass *p)
{
    const int64_t n = heaps_of(p);
    for (int64_t h = 0; h < n; ++h)
        begin_piece(p, &p->heaps[h], h);
    for (int64_t k = 0; k < p->n_terms; ++k) {
        ak_pass_fetch(p, p->terms, k);
        if (!spread(p, &p->terms[k]))
            return false;
    }
    p->found.slack = 2.0 * p->error;
    ak_select_clear(&p->found);
    for (int64_t h = 0; h < n; ++h) {
        add_up(p, h);
        select_heap(p, h);
    }
    ak_select_filter(&p->found);
    return true;
}
