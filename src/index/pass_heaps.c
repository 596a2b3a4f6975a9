/* Candidates where postings are fewer than rows: nothing takes time in
 * proportion to all rows, and little of it is spent waiting for memory.
 *
 * Postings are thrown on heaps, one for every 65,536 rows. Then the parts of
 * one heap after the other are added up in an array that stays in the near
 * cache. A heap is a chain of pieces, in the order in which its postings came.
 */
#include "index/passes.h"

enum { PIECE = 256 };  // postings, the first of which says where the next is

static int64_t heaps_of(const ak_pass *p)
{
    return (p->x->n >> AK_HEAP_BITS) + 1;
}

static int64_t room_of(const ak_pass *p)
{
    return p->x->n / PIECE;
}

bool ak_pass_fits(const ak_pass *p)
{
    return p->postings <= p->x->n / 2 &&
           p->postings / (PIECE - 1) + heaps_of(p) < room_of(p);
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
static bool throw(ak_pass * p, const ak_query_term *q)
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

/* Calls what follows for all postings of heap number h. */
#define EACH_POSTED(p, number, h, x)                                        \
    for (const ak_posted *first_ = piece(p, number), *end_; first_ != NULL; \
         first_ = end_ == (h)->at ? NULL : piece(p, first_->row))           \
        for (const ak_posted *x = (end_ = end_of(h, first_), first_ + 1);   \
             x < end_; ++x)

static const ak_posted *end_of(const ak_heap *h, const ak_posted *first)
{
    return h->end == first + PIECE ? h->at : first + PIECE;
}

/* A row comes once for each of its postings: its sum is taken back to 0 when it
 * has been seen. Few rows are above the cut even with the best rate of all. */
static void select_heap(ak_pass *p, int64_t number)
{
    const ak_heap *h = &p->heaps[number];
    const float best = p->rates->best[number];
    float *restrict sums = p->sums;
    ak_select *c = &p->found;
    EACH_POSTED(p, number, h, x)
    sums[x->row % AK_HEAP] += x->part;
    EACH_POSTED(p, number, h, x)
    {
        const float sum = sums[x->row % AK_HEAP];
        sums[x->row % AK_HEAP] = 0.0F;
        if (sum * best >= c->cut && !p->flags[x->row])
            ak_select_offer(c, x->row, sum * p->rates->times[x->row]);
    }
}

bool ak_pass_heaps(ak_pass *p)
{
    const int64_t n = heaps_of(p);
    for (int64_t h = 0; h < n; ++h)
        begin_piece(p, &p->heaps[h], h);
    for (int64_t k = 0; k < p->n_terms; ++k)
        if (!throw(p, &p->terms[k]))
            return false;
    p->found.slack = 2.0 * p->error;
    ak_select_clear(&p->found);
    for (int64_t h = 0; h < n; ++h)
        select_heap(p, h);
    ak_select_filter(&p->found);
    return true;
}
