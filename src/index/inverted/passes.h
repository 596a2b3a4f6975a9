/* index/inverted/passes.h - one query on its way through an inverted index.
 *
 * A score is a sum over the columns of the query,
 *
 *   a_i = sum_j g_j f(c_ij)                       (1)  in float
 *   s_i = a_i times_i + plus_i                    (2)  the rates of the row
 *   |s_i - S(q, x_i)| <= E                        (3)  the roundings of (1),
 * (2)
 *
 * The first pass adds up (1) a column at a time, those with the largest bounds
 * first, until what is left cannot bring another row among the best: the rows
 * with s_i + rest + E no less than the top-th s_i - E are candidates. The
 * second looks them up in every column and adds up in double, by rising column.
 */
#ifndef AK_INDEX_INVERTED_PASSES_H
#define AK_INDEX_INVERTED_PASSES_H

#include "index/inverted/inverted.h"
#include "index/select.h"

/* A column of the query. */
typedef struct ak_query_term {
    int64_t t;     // among the terms
    int64_t j;     // column
    double wq;     // its weight times the query's value
    float g;       // of (1)
    double bound;  // of its part of a score
} ak_query_term;

enum { AK_SIEVE = 1 << 15 };  // bits: 4 KiB stay in the nearest cache

/* What a posting adds to the sum of its row. */
typedef struct ak_posted {
    uint32_t row;
    float part;
} ak_posted;

/* Some of them, of 2^16 rows: where the next one goes. */
typedef struct ak_heap {
    ak_posted *at, *end;
} ak_heap;

/* What a worker has for itself. */
typedef struct ak_pass {
    const akin_index *x;
    const ak_inverted *v;
    const ak_rates *rates;
    const ak_wanted *w;
    ak_query_term *terms;  // those with a weight, by column
    ak_query_term *order;  // the same, by bound
    int64_t n_terms;
    double norm, self;  // of the query: q'|W|q, q'Wq
    int64_t postings;   // of its columns
    bool plain;         // no part of a score is negative
    bool safe;          // (3) holds
    double error;       // E
    float *sums;        // n, a_i, 0 between queries
    ak_heap *heaps;     // by row, where postings are few
    ak_posted *posted;  // n, pieces of them
    int64_t n_pieces;
    ak_select found;  // room for all rows
    ak_hit *best;     // top, exactly
    int64_t n_best;
    int32_t *slots;  // n, number of a candidate from 1 on; 0 between
    uint32_t sieve[AK_SIEVE / 32];  // by row: may it be a candidate?
    double *exact;                  // n, of those found; in place of `posted`
    unsigned char *flags;           // n, 1: not to be found; 0 between queries
} ak_pass;

/* Number k of some terms is next: words of those that follow are asked for. */
static inline void ak_pass_fetch(const ak_pass *p, const ak_query_term *terms,
                                 int64_t k)
{
    enum { AHEAD = 8 };
    const int64_t end = ak_min_i64(k + AHEAD, p->n_terms - 1);
    for (int64_t i = k == 0 ? 0 : k + AHEAD; i <= end; ++i)
        ak_postings_fetch_words(&p->v->p, terms[i].t);
}

/* All: false when the index is damaged. */
bool ak_pass_first(ak_pass *p);
bool ak_pass_second(ak_pass *p);
/* The rows of block k of a column and what each is given, in `parts`. */
bool ak_pass_parts(const ak_pass *p, const ak_query_term *q, int64_t k,
                   ak_posting_block *b, float *parts);
/* The first where postings are few: is it so? No part of a score is negative,
 * and those that are 0 do not matter. */
bool ak_pass_heaps(ak_pass *p);
bool ak_pass_fits(const ak_pass *p);

#endif
