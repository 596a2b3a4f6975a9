/* Rows of a representation, and what is made of them. */
#include "learn/captions/representation.h"

#include <string.h>

#include "la/dense.h"

/* The part without S: (end - begin) rows of L R', or of R L' with `columns`. */
static akin_status low_rank(const ak_representation *w, akin_ctx *ctx,
                            int64_t begin, int64_t end, bool columns,
                            double *out)
{
    const int64_t n = w->n, k = w->k;
    if (w->R != NULL) {
        const double *left = columns ? w->R : w->L;
        const double *right = columns ? w->L : w->R;
        return ak_gemm(ctx, false, true, end - begin, n, k, 1.0,
                       left + begin * k, k, right, k, 0.0, out, n);
    }
    for (int64_t i = begin; i < end; ++i)
        for (int64_t j = 0; j < n; ++j)
            out[(i - begin) * n + j] = columns ? w->L[j * n + i]
                                               : w->L[i * n + j];
    return AKIN_OK;
}

akin_status ak_representation_rows(const ak_representation *w, akin_ctx *ctx,
                                   int64_t begin, int64_t end, double *rows)
{
    const akin_status st = low_rank(w, ctx, begin, end, false, rows);
    for (int64_t i = begin; st == AKIN_OK && w->S && i < end; ++i) {
        const int32_t *peers, *theirs;
        const int64_t n = ak_peers_get(w->peers, i, &peers);
        for (int64_t k = 0; k < n; ++k) {
            const int64_t j = peers[k];
            const int64_t m = ak_peers_get(w->peers, j, &theirs);
            rows[(i - begin) * w->n + j] +=
                w->S[w->peers->start[j] + ak_peers_at(theirs, m, i)];
        }
    }
    return st;
}

akin_status ak_representation_columns(const ak_representation *w, akin_ctx *ctx,
                                      int64_t begin, int64_t end,
                                      double *columns)
{
    const akin_status st = low_rank(w, ctx, begin, end, true, columns);
    for (int64_t j = begin; st == AKIN_OK && w->S && j < end; ++j) {
        const int32_t *peers;
        const int64_t n = ak_peers_get(w->peers, j, &peers);
        for (int64_t k = 0; k < n; ++k)
            columns[(j - begin) * w->n + peers[k]] +=
                w->S[w->peers->start[j] + k];
    }
    return st;
}
