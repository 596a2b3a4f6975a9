/* A factor in a file: NAME, NAME.R and so on, rows of zeros left out. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn/lowrank/factor_parts.h"
#include "learn/lowrank/loreta.h"
#include "model/sparse_rows.h"

enum { NAME_SIZE = 48, N_SQUARES = 4 };

static const char *const endings[N_SQUARES] = {".R", ".Rinv", ".K", ".Kinv"};

/* Rows of ld numbers to rows of k, or back. */
static void pack(const ak_factor *f, int64_t n, const double *from, double *to)
{
    for (int64_t i = 0; i < n; ++i)
        memcpy(to + i * f->k, from + i * f->ld, (size_t)f->k * sizeof *to);
}

static void unpack(const ak_factor *f, int64_t n, const double *from,
                   double *to)
{
    for (int64_t i = 0; i < n; ++i)
        memcpy(to + i * f->ld, from + i * f->k, (size_t)f->k * sizeof *to);
}

static akin_status save_rows(const ak_factor *f, akin_ctx *ctx, ak_tensors *t,
                             const char *name, const double *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_scratch(ctx, f->n, (size_t)f->k * sizeof *A, &A));
    pack(f, f->n, rows, A);
    AK_TRY(ak_sparse_rows_put(t, ctx, name, f->n, f->k, 0.0, A));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status load_rows(const ak_factor *f, akin_ctx *ctx,
                             const ak_tensors *t, const char *name,
                             double *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_scratch(ctx, f->n, (size_t)f->k * sizeof *A, &A));
    AK_TRY(ak_sparse_rows_take(t, ctx, name, f->n, f->k, A));
    unpack(f, f->n, A, rows);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status save_squares(const ak_factor *f, akin_ctx *ctx,
                                ak_tensors *t, const char *name)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    char text[NAME_SIZE];
    double *M = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, f->k * f->k, &M));
    for (int i = 0; i < N_SQUARES; ++i) {
        snprintf(text, sizeof text, "%s%s", name, endings[i]);
        pack(f, f->k, f->R + i * f->k * f->ld, M);
        AK_TRY(ak_tensors_put_copy(
            t, ctx, (ak_tensor){text, AK_DTYPE_F64, 2, {f->k, f->k}, M}));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status load_squares(const ak_factor *f, akin_ctx *ctx,
                                const ak_tensors *t, const char *name)
{
    char text[NAME_SIZE];
    const ak_tensor *x = NULL;
    akin_status st = AKIN_OK;
    for (int i = 0; i < N_SQUARES; ++i) {
        snprintf(text, sizeof text, "%s%s", name, endings[i]);
        AK_TRY(ak_tensors_need(t, ctx, text, AK_DTYPE_F64, 2, &x));
        if (x->shape[0] != f->k || x->shape[1] != f->k)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s: tensor '%s' does not fit rank %" PRId64,
                           ak_tensors_path(t), text, f->k));
        unpack(f, f->k, x->data, f->R + i * f->k * f->ld);
    }
done:
    return st;
}

akin_status ak_factor_save(const ak_factor *f, akin_ctx *ctx, ak_tensors *t,
                           const char *name)
{
    char text[NAME_SIZE];
    akin_status st = AKIN_OK;
    AK_TRY(save_rows(f, ctx, t, name, f->H));
    snprintf(text, sizeof text, "%s.pinv", name);
    AK_TRY(f->form == AK_FACTOR_DENSE ? save_rows(f, ctx, t, text, f->P)
                                      : save_squares(f, ctx, t, name));
    snprintf(text, sizeof text, "%s.updates", name);
    AK_TRY(ak_tensors_note_i64(t, ctx, text, f->updates));
    snprintf(text, sizeof text, "%s.shrunk", name);
    AK_TRY(ak_tensors_note_f64(t, ctx, text, f->shrunk));
    snprintf(text, sizeof text, "%s.cond", name);
    AK_TRY(ak_tensors_note_f64(t, ctx, text, f->cond));
done:
    return st;
}

ak_factor_form ak_factor_saved_form(const ak_tensors *t, const char *name)
{
    char text[NAME_SIZE];
    snprintf(text, sizeof text, "%s.pinv", name);
    return ak_tensors_find(t, text) ? AK_FACTOR_DENSE : AK_FACTOR_SPARSE;
}

akin_status ak_factor_load(ak_factor *f, akin_ctx *ctx, const ak_tensors *t,
                           const char *name)
{
    char text[NAME_SIZE];
    akin_status st = AKIN_OK;
    AK_TRY(load_rows(f, ctx, t, name, f->H));
    snprintf(text, sizeof text, "%s.pinv", name);
    AK_TRY(f->form == AK_FACTOR_DENSE ? load_rows(f, ctx, t, text, f->P)
                                      : load_squares(f, ctx, t, name));
    snprintf(text, sizeof text, "%s.updates", name);
    AK_TRY(ak_state_count(t, ctx, text, &f->updates));
    snprintf(text, sizeof text, "%s.shrunk", name);
    AK_TRY(ak_tensors_need_f64(t, ctx, text, &f->shrunk));
    snprintf(text, sizeof text, "%s.cond", name);
    AK_TRY(ak_tensors_need_f64(t, ctx, text, &f->cond));
    f->looks = ak_max_i64(f->updates - 1, 0) / AK_FACTOR_LOOK;
done:
    return st;
}
