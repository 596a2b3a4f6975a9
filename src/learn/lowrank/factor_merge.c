#include <string.h>

#include "learn/lowrank/factor.h"
#include "learn/lowrank/padded_rows.h"

static akin_status begin(ak_factor *f, akin_ctx *ctx)
{
    f->merge = (ak_merge_rows){f->n, f->ld, f->H, f->merge.before};
    return ak_merge_begin(&f->merge, ctx);
}

akin_status ak_factor_divide(ak_factor *f, akin_ctx *ctx)
{
    ak_factor_fold(f);
    AK_CHECK(ak_factor_refresh(f, ctx));
    return begin(f, ctx);
}

/* What the change of a row is multiplied by. */
typedef struct product {
    const ak_factor *f;
    double *out;  // ld numbers
} product;

/* x <- x R */
static void times_R(const void *arg, int64_t i, double *x)
{
    const product *p = arg;
    const ak_factor *f = p->f;
    (void)i;
    ak_sum_rows(f->k, f->ld, f->R, NULL, x, p->out);
    memcpy(x, p->out, (size_t)f->ld * sizeof *x);
}

/* With R the identity before, A_r - A = A (R_r - I) + (H_r - A) R_r. */
akin_status ak_factor_merge(ak_factor *f, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool sparse = f->form == AK_FACTOR_SPARSE;
    product p = {.f = f};
    ak_changes c;
    double *I = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, f->ld, &p.out));
    AK_TRY(AK_SCRATCH(ctx, f->k * f->ld, &I));
    for (int64_t i = 0; i < f->k; ++i)
        I[i * f->ld + i] = 1.0;
    AK_TRY(ak_merge_collect(&c, ctx, &f->merge, NULL, sparse ? times_R : NULL,
                            &p));
    ak_merge_undo(&c, &f->merge);
    if (sparse)
        AK_TRY(ak_merge_sums(ctx, f->k * f->ld, I, f->R));
    ak_factor_fold(f);
    ak_merge_add(&c, &f->merge, NULL, NULL, NULL);
    AK_TRY(ak_factor_refresh(f, ctx));
    AK_TRY(begin(f, ctx));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
