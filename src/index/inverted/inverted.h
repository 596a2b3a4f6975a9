/* index/inverted/inverted.h - the inverted index.
 *
 *   x_ij = float(e(c_ij, s_i, j) b_i)      (1)  entry of a prepared row
 *
 * for the raw value c_ij, the recipe's weighting e, the row's sum s_i (1 unless
 * the weights are tf) and its scale b_i, which comes from the norm. */
#ifndef AK_INDEX_INVERTED_INVERTED_H
#define AK_INDEX_INVERTED_INVERTED_H

#include "index/index.h"
#include "index/inverted/forward.h"
#include "index/score_factors.h"

/* From so many rows on the index keeps what makes long queries quick: bounds of
 * bands, and the rows themselves. */
enum { AK_MANY_ROWS = 1 << 16 };

/* Bands of columns: band b has those that more than one row in 2^(b + 1) has,
 * without those of the bands before. Other columns are in no band. */
enum { AK_BANDS = 8 };

typedef struct ak_entries_once ak_entries_once;

typedef struct ak_inverted {
    ak_postings p;
    ak_forward rows;            // the same; none of few rows or an old file
    const double *w;            // weights of the model; NULL: ones
    const akin_recipe *recipe;  // NULL: none
    double *sum;                // n: s_i; NULL: ones
    double *scale;              // n: b_i
    double *norm;               // n: x'|W|x; NULL: not of these weights, which
                                // only dot products do without
    double *self;               // n: x'Wx; NULL: the norm
    float *most;                // n_terms x 2: bounds of |x_ij| and of cosines
    double length;              // largest |x_i|; INFINITY: unknown
    uint8_t *bands;             // AK_BANDS x n: bounds of |x_i| in frequent
                                // columns, in length / 255; NULL: unknown
    ak_entries_once *entries;   // the same entries, once it is searched
    ak_score_factors factors;   // for the index's own comparison
} ak_inverted;

static inline ak_inverted *ak_inverted_of(const akin_index *x)
{
    return x->state;
}

static inline double ak_inverted_w(const ak_inverted *v, int64_t j)
{
    return v->w ? v->w[j] : 1.0;
}

/* The band of term t, AK_BANDS: none. */
static inline int ak_inverted_band(const ak_postings *p, int64_t t)
{
    int b = 0;
    while (b < AK_BANDS && p->counts[t] <= p->n >> (b + 1))
        ++b;
    return b;
}

/* (1) before rounding. */
double ak_inverted_entry(const ak_inverted *v, double c, int64_t i, int64_t j);

/* For the factors. */
static inline ak_sizes ak_inverted_sizes(const ak_inverted *v)
{
    return (ak_sizes){v->sum, v->scale, v->norm, v->self};
}

/* The error after a damaged block or row: EFORMAT, with file and place. */
akin_status ak_inverted_fail(const ak_inverted *v, akin_ctx *ctx);

/* Many prepared rows, or rows in the learned space, as the index keeps them. */
akin_status ak_inverted_all_rows(const akin_index *x, akin_ctx *ctx,
                                 const int64_t *which, int64_t count,
                                 akin_rows **out);

akin_status ak_inverted_search(const akin_index *x, akin_ctx *ctx,
                               const ak_search *w);

#endif
