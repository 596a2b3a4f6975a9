/* learn/captions/representation.h - faces as combinations of faces: X = X W +
 * E.
 *
 * W, n x n, is held as S + L R': L and R have k columns, S has values for
 * peers alone. */
#ifndef AK_LEARN_CAPTIONS_REPRESENTATION_H
#define AK_LEARN_CAPTIONS_REPRESENTATION_H

#include "data/captions/peers.h"

typedef struct ak_representation {
    int64_t n, k;
    const double *L;  // n x k
    const double *R;  // n x k; NULL: W = L, k = n
    const ak_peers *peers;
    const double *S;  // S[peers->start[j] + number of i] = S_ij; NULL: none
} ak_representation;

/* W_ij for i a peer of j, `at` its number among the peers. */
static inline double ak_representation_peer(const ak_representation *w,
                                            int64_t i, int64_t j, int64_t at)
{
    if (w->R == NULL)
        return w->L[i * w->n + j];
    const double *L = w->L + i * w->k, *R = w->R + j * w->k;
    double sum = w->S ? w->S[w->peers->start[j] + at] : 0.0;
    for (int64_t c = 0; c < w->k; ++c)
        sum += L[c] * R[c];
    return sum;
}

/* Rows [begin, end) of W, each n long. S is symmetric in where it has values,
 * so row i is found in the columns of its peers. Any thread. */
akin_status ak_representation_rows(const ak_representation *w, akin_ctx *ctx,
                                   int64_t begin, int64_t end, double *rows);
/* The same of W'. */
akin_status ak_representation_columns(const ak_representation *w, akin_ctx *ctx,
                                      int64_t begin, int64_t end,
                                      double *columns);

#endif
