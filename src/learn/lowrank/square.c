#include "learn/lowrank/square.h"

#include <string.h>

akin_status ak_square_begin(ak_square *s, akin_ctx *ctx,
                            const akin_options *options,
                            const akin_supervision *data)
{
    const double most = ak_options_f64(options, "memory");
    s->n = akin_rows_dim(data->rows);
    const double gib = (double)s->n * (double)s->n * 8.0 / 0x1p30;
    if (gib > most)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s keeps a matrix of %" PRId64 " x %" PRId64
                       " numbers, %.3g GiB (at most %.3g: take fewer columns, "
                       "as by akin text --features N, or a larger --memory)",
                       options->learner, s->n, s->n, gib, most);
    const akin_status st =
        ak_alloc(ctx, s->n, (size_t)s->n * sizeof *s->M, &s->M);
    for (int64_t i = 0; st == AKIN_OK && i < s->n; ++i)
        s->M[i * s->n + i] = 1.0;
    return st;
}

void ak_square_copy(ak_square *s, const double *M)
{
    memcpy(s->M, M, (size_t)(s->n * s->n) * sizeof *M);
}
