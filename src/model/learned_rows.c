/* Which rows a model learned from, recognised by checksums. */
#include <math.h>

#include "model/model.h"

/* Rows that nobody learned from may equal learned ones by chance, as often as
 * the rows of the data equal each other: a share p, estimated by (repeated + 1)
 * / (rows + 2), since none of few rows repeated proves little. Repeated rows
 * come in groups, so half as many more and three standard deviations are
 * allowed. Below 1 % no result depends on it. */
static bool is_substantial(const ak_checksums *c, const ak_checksum_matches *x)
{
    const double n = (double)x->sampled, found = (double)x->found;
    const double p = ((double)c->repeated + 1.0) / ((double)c->rows + 2.0);
    const double usual = 1.5 * n * p + 3.0 * sqrt(n * p * (1.0 - p));
    return found > usual && found >= 0.01 * n;
}

static akin_status flag(unsigned char **out, akin_ctx *ctx, int64_t n,
                        const int64_t *which, int64_t count)
{
    AK_CHECK(AK_SCRATCH(ctx, n, out));
    for (int64_t k = 0; k < count; ++k) {
        if (which[k] < 0 || which[k] >= n)
            return ak_fail(ctx, AKIN_EINVAL,
                           "there is no row %" PRId64 " (of %" PRId64 " rows)",
                           which[k], n);
        (*out)[which[k]] = 1;
    }
    return AKIN_OK;
}

akin_status akin_model_learned_rows(akin_learned_rows *out, akin_ctx *ctx,
                                    const akin_model *m, const akin_rows *rows,
                                    const int64_t *which, int64_t count,
                                    akin_side side)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_checksums *c =
        &m->learned[m->learned[side].known ? side : AKIN_LEFT];
    unsigned char *used = NULL;
    ak_checksum_matches x;
    akin_status st = AKIN_OK;
    *out = (akin_learned_rows){.rows = rows->n, .learned = -1};
    if (which != NULL) {
        AK_TRY(flag(&used, ctx, rows->n, which, count));
        out->rows = 0;
        for (int64_t i = 0; i < rows->n; ++i)
            out->rows += used[i];
    }
    if (!c->known)
        goto done;
    AK_TRY(ak_checksums_match(&x, ctx, c, rows, used));
    out->learned = x.found;
    if (c->level > 0 && x.sampled > 0)  // as many of the others
        out->learned =
            llround((double)x.found / (double)x.sampled * (double)out->rows);
    out->substantial = is_substantial(c, &x);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
