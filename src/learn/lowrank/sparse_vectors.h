/* learn/lowrank/sparse_vectors.h - sparse vectors in double, and lists of them.
 */
#ifndef AK_LEARN_LOWRANK_SPARSE_VECTORS_H
#define AK_LEARN_LOWRANK_SPARSE_VECTORS_H

#include "learn/learner.h"

typedef struct ak_spvec {
    int64_t n;
    const int32_t *cols;
    const double *vals;
} ak_spvec;

/* p.q; the columns of both increase. */
double ak_spvec_dot(ak_spvec p, ak_spvec q);
/* |p|^2 */
double ak_spvec_norm2(ak_spvec p);
/* H'p of an n x k matrix; and H[cols[i]] += y vals[i] r for each i. */
void ak_rows_project(int64_t k, const double *H, ak_spvec p, double *out);
void ak_rows_add(int64_t k, double *H, ak_spvec p, double y, const double *r);

/* x.y of k numbers, in a fixed order of summation. */
double ak_small_dot(int64_t k, const double *x, const double *y);

/* A vector in memory of its own, which grows with it. */
typedef struct ak_spvec_buffer {
    int64_t room;
    int32_t *cols;
    double *vals;
} ak_spvec_buffer;

akin_status ak_spvec_reserve(ak_spvec_buffer *b, akin_ctx *ctx, int64_t n);
/* Row i in double; valid until the buffer is used again. */
akin_status ak_spvec_take_row(ak_spvec *x, akin_ctx *ctx, ak_spvec_buffer *b,
                              const akin_rows *rows, int64_t i);
void ak_spvec_buffer_free(ak_spvec_buffer *b);

/* Vectors in one array. The owner knows how many there are: of two lists that
 * are filled together, one may be longer after a failure. */
typedef struct ak_splist {
    int64_t *start;  // one more than there are vectors
    int32_t *cols;
    double *vals;
    int64_t n_room, room;
} ak_splist;

void ak_splist_free(ak_splist *l);
/* eta v as vector number i, after those before it. */
akin_status ak_splist_put(ak_splist *l, akin_ctx *ctx, int64_t i, double eta,
                          ak_spvec v);
ak_spvec ak_splist_at(const ak_splist *l, int64_t i);

/* The first `count` in a file: NAME, NAME.cols, NAME.start. Save lists in the
 * order of their names: that is the order of empty tensors in a file. */
akin_status ak_splist_save(const ak_splist *l, akin_ctx *ctx, ak_tensors *t,
                           const char *name, int64_t count);
/* Into an empty list; EFORMAT when a column is n or more. */
akin_status ak_splist_load(ak_splist *l, akin_ctx *ctx, const ak_tensors *t,
                           const char *name, int64_t n, int64_t *count);

#endif
