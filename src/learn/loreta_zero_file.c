/* The pairs of a start from zero in a file, for a run that stopped before it
 * had enough of them. */
#include <math.h>
#include <string.h>

#include "learn/loreta_zero.h"

static akin_status list_save(const ak_splist *l, akin_ctx *ctx, ak_tensors *t,
                             int64_t count, const char *const names[3])
{
    static const int64_t none = 0;
    const int64_t size = count ? l->start[count] : 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_put_copy(
        t, ctx,
        (ak_tensor){
            names[0], AK_DTYPE_I64, 1, {count + 1}, count ? l->start : &none}));
    AK_TRY(ak_tensors_put_copy(
        t, ctx, (ak_tensor){names[1], AK_DTYPE_I32, 1, {size}, l->cols}));
    AK_TRY(ak_tensors_put_copy(
        t, ctx, (ak_tensor){names[2], AK_DTYPE_F64, 1, {size}, l->vals}));
done:
    return st;
}

static const char *const u_names[] = {"zero.u.start", "zero.u.cols", "zero.u"};
static const char *const p_names[] = {"zero.p.start", "zero.p.cols", "zero.p"};

akin_status ak_zero_save(const ak_zero *z, akin_ctx *ctx, ak_tensors *t)
{
    akin_status st = AKIN_OK;
    AK_TRY(list_save(&z->U, ctx, t, z->count, u_names));
    AK_TRY(list_save(&z->P, ctx, t, z->count, p_names));
    AK_TRY(ak_tensors_note_i64(t, ctx, "zero.need", z->need));
done:
    return st;
}

bool ak_zero_is_saved(const ak_tensors *t)
{
    return ak_tensors_get_note(t, "zero.need") != NULL;
}

/* Offsets rise from 0 to the end, columns are inside, values are finite. */
static bool is_sound(const ak_tensor *start, const ak_tensor *cols,
                     const ak_tensor *vals, int64_t n)
{
    const int64_t *s = start->data, count = start->shape[0] - 1;
    const int32_t *c = cols->data;
    const double *v = vals->data;
    if (count < 0 || s[0] != 0 || s[count] != cols->shape[0] ||
        cols->shape[0] != vals->shape[0])
        return false;
    for (int64_t i = 0; i < count; ++i)
        if (s[i] > s[i + 1])
            return false;
    for (int64_t i = 0; i < cols->shape[0]; ++i)
        if (c[i] < 0 || c[i] >= n || !isfinite(v[i]))
            return false;
    return true;
}

static akin_status list_load(ak_splist *l, akin_ctx *ctx, const ak_tensors *t,
                             int64_t n, const char *const names[3],
                             int64_t *count)
{
    const ak_tensor *start = NULL, *cols = NULL, *vals = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, names[0], AK_DTYPE_I64, 1, &start));
    AK_TRY(ak_tensors_need(t, ctx, names[1], AK_DTYPE_I32, 1, &cols));
    AK_TRY(ak_tensors_need(t, ctx, names[2], AK_DTYPE_F64, 1, &vals));
    if (!is_sound(start, cols, vals, n))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor '%s' does not fit the model",
                       ak_tensors_path(t), names[2]));
    *count = start->shape[0] - 1;
    l->n_room = *count + 1;
    l->room = cols->shape[0];
    AK_TRY(AK_NEW(ctx, l->n_room, &l->start));
    AK_TRY(AK_NEW(ctx, l->room, &l->cols));
    AK_TRY(AK_NEW(ctx, l->room, &l->vals));
    memcpy(l->start, start->data, (size_t)l->n_room * sizeof *l->start);
    memcpy(l->cols, cols->data, (size_t)l->room * sizeof *l->cols);
    memcpy(l->vals, vals->data, (size_t)l->room * sizeof *l->vals);
done:
    return st;
}

akin_status ak_zero_load(ak_zero *z, akin_ctx *ctx, const ak_tensors *t)
{
    int64_t n_p = 0;
    akin_status st = AKIN_OK;
    AK_TRY(list_load(&z->U, ctx, t, z->n, u_names, &z->count));
    AK_TRY(list_load(&z->P, ctx, t, z->m, p_names, &n_p));
    AK_TRY(ak_state_count(t, ctx, "zero.need", &z->need));
    if (n_p != z->count)
        st = ak_fail(ctx, AKIN_EFORMAT,
                     "%s: tensors '%s' and '%s' do not belong together",
                     ak_tensors_path(t), u_names[0], p_names[0]);
done:
    return st;
}
