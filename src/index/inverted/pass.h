/* index/inverted/pass.h - one query of an inverted index.
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
#ifndef AK_INDEX_INVERTED_PASS_H
#define AK_INDEX_INVERTED_PASS_H

#include "base/parallel.h"
#include "data/recipe/recipe.h"
#include "index/candidates.h"
#include "index/inverted/entries.h"

/* A column of the query. */
typedef struct ak_query_term {
    int64_t t;     // number of the term
    int64_t j;     // column
    double wq;     // its weight times the query's value
    float g;       // of (1)
    double bound;  // largest contribution to a score
    int band;      // of the term, where bands are used
} ak_query_term;

enum {
    AK_FILTER = 1 << 15,  // bits: 4 KiB fit the nearest cache
    AK_SHAPE_BITS = 4,
    AK_SHAPES = 1 << AK_SHAPE_BITS,
};

/* The contribution of a posting to the sum of its row. */
typedef struct ak_posting_part {
    uint32_t row;
    float part;
} ak_posting_part;

/* Contributions to 2^16 rows: where the next one goes. */
typedef struct ak_bucket {
    ak_posting_part *at, *end;
} ak_bucket;

/* Which of 64 columns a query has, and how many terms it has before them. */
typedef struct ak_column_marks {
    uint64_t columns;
    int32_t before;
} ak_column_marks;

/* The state of a worker. */
typedef struct ak_pass {
    const akin_index *x;
    const ak_inverted *v;  // with norms, unless by dot product
    const ak_score_factors *factors;
    const ak_search *w;
    const ak_entries *entries;  // NULL: none
    int64_t begin, end;         // rows that this worker sums
    struct ak_split *split;     // the parts of a query
    float shapes[AK_SHAPES];    // of counts from 1 on, where not linear
    ak_query_term *terms;       // with a weight, by column
    ak_query_term *order;       // the same, by bound, by band or by impact
    ak_column_marks *marks;     // of all columns, where the index has rows
    float *gains;               // g of the terms, likewise
    int64_t n_terms;
    double norm, self;       // of the query: q'|W|q, q'Wq
    int64_t postings;        // in its columns
    bool non_negative;       // no contribution is negative
    bool safe;               // (3) holds
    double error;            // E
    float *sums;             // n: a_i, 0 between queries
    ak_bucket *buckets;      // by row, used where postings are few
    ak_posting_part *parts;  // n: their chunks
    int64_t n_chunks;
    ak_candidates candidates;  // room for all rows
    ak_hit *best;              // top: exact scores
    int64_t n_best;
    int32_t *slots;  // n: number of a candidate from 1 on; 0 between
    uint32_t filter[AK_FILTER / 32];  // by row: may be a candidate
    double *exact;                    // n: of the candidates; shares `parts`
    unsigned char *flags;             // n: 1 = excluded; 0 between queries
} ak_pass;

typedef struct ak_split {
    akin_ctx *ctx;  // NULL: this worker does all of a query
    ak_pass *parts;
    int64_t n_parts;
    _Atomic float bar;  // the best of all parts so far
} ak_split;

/* Postings that are worth it. */
enum { AK_PARTS_LEAST = 1 << 16 };

/* block_parts.c: what postings add to their rows. */

/* A count under weights that are not linear in it; g of (1) holds the factor
 * of a count of 1. */
float ak_shape(ak_weights weights, float c);
/* Block k of a column, and the parts of (1) of its postings; false: damaged. */
bool ak_pass_block(const ak_pass *p, const ak_query_term *q, int64_t k,
                   ak_posting_block *b, float *parts);
/* Term k is next: prefetch the words of the terms that follow. */
void ak_pass_fetch_ahead(const ak_pass *p, const ak_query_term *terms,
                         int64_t k);

/* lookup.c: a few rows in many columns. */

/* The block of a column that would hold this row, at or after block k. */
int64_t ak_block_of(const ak_postings *p, int64_t end, int64_t k, int32_t row);
/* Rows that are looked up together. */
enum { AK_LOOK_UP = 64 };
/* What to do with the values of rows in a column. */
typedef void (*ak_take_fn)(const ak_pass *p, const ak_query_term *q,
                           const int32_t *rows, int64_t n, const float *values,
                           double *to);

/* Look up n <= AK_LOOK_UP increasing rows in the columns, in order. */
bool ak_pass_look_up(const ak_pass *p, const ak_query_term *terms,
                     int64_t n_terms, const int32_t *rows, int64_t n,
                     ak_take_fn take, double *to);

/* buckets.c: the first pass where postings are fewer than rows. */
bool ak_pass_fits_buckets(const ak_pass *p);
bool ak_pass_by_buckets(ak_pass *p);

/* sums.c: the first pass by sums, of the rows of this worker. */
bool ak_pass_is_banded(const ak_pass *p);
void ak_pass_order_by_band(ak_pass *p);
void ak_pass_order_by_bound(ak_pass *p);
bool ak_pass_by_sums(ak_pass *p);
/* (1) of n columns. */
bool ak_pass_add_terms(const ak_pass *p, const ak_query_term *terms, int64_t n);
/* The candidates among all rows, when `rest` may still be added. */
void ak_pass_select(ak_pass *p, double rest);

/* first_pass.c: all of the first pass; false: the index is damaged. */
bool ak_pass_first(ak_pass *p);
/* All rows are candidates. */
void ak_pass_take_all(ak_pass *p);
/* A part for each worker: its own range of rows, and of the arrays for
 * candidates. */
void ak_pass_begin_parts(const ak_pass *p);

/* row_scores.c: rows themselves, where the index has them. */
bool ak_pass_has_rows(const ak_pass *p);
/* Set `marks`, which scoring rows requires. */
void ak_pass_mark_columns(ak_pass *p);
/* The contribution of a raw value to the exact dot product of a row. */
double ak_pass_entry(const ak_pass *p, const ak_query_term *q, int64_t row,
                     float value);
/* Exact dot products of n rows, by all workers that share the query. */
bool ak_pass_score_rows(const ak_pass *p, const int32_t *rows, int64_t n,
                        double *dots);
/* Their scores (2). */
bool ak_pass_estimate_rows(const ak_pass *p, const int32_t *rows, int64_t n,
                           float *scores);

/* second_pass.c: exact scores of the candidates, and the best of them. */
bool ak_pass_second(ak_pass *p);
/* Both passes at once, by prepared entries: where there are some, and no fewer
 * postings than rows. */
bool ak_pass_suits_entries(const ak_pass *p);
void ak_pass_by_entries(ak_pass *p);

/* impact.c: both passes of a long query, if not quite all of the best rows
 * will do. *done: they were found. */
bool ak_pass_suits_impact(const ak_pass *p);
bool ak_pass_by_impact(ak_pass *p, bool *done);

#endif
