/* Sets inside of sets: names that begin alike. */
#include <stdio.h>
#include <string.h>

#include "tensors/set.h"

/* PREFIX and NAME, from scratch. */
static akin_status prefixed(akin_ctx *ctx, const char *prefix, const char *name,
                            char **out)
{
    const size_t size = strlen(prefix) + strlen(name) + 1;
    const akin_status st = ak_scratch(ctx, (int64_t)size, 1, out);
    if (st == AKIN_OK)
        snprintf(*out, size, "%s%s", prefix, name);
    return st;
}

akin_status ak_tensors_put_set(ak_tensors *t, akin_ctx *ctx, const char *prefix,
                               const ak_tensors *from)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    char *name;
    for (int64_t i = 0; i < from->n_items; ++i) {
        ak_tensor x = from->items[i].tensor;
        AK_TRY(prefixed(ctx, prefix, x.name, &name));
        x.name = name;
        AK_TRY(ak_tensors_put(t, ctx, x));
    }
    for (int64_t i = 0; i < from->n_notes; ++i) {
        AK_TRY(prefixed(ctx, prefix, from->notes[i].key, &name));
        AK_TRY(ak_tensors_note(t, ctx, name, from->notes[i].value));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status copy_set(ak_tensors *to, akin_ctx *ctx, const ak_tensors *t,
                            const char *prefix)
{
    const size_t n = strlen(prefix);
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_set_path(to, ctx, ak_tensors_path(t)));
    for (int64_t i = 0; i < t->n_items; ++i) {
        ak_tensor x = t->items[i].tensor;
        if (strncmp(x.name, prefix, n) != 0)
            continue;
        x.name += n;
        AK_TRY(ak_tensors_put_copy(to, ctx, x));
    }
    for (int64_t i = 0; i < t->n_notes; ++i)
        if (strncmp(t->notes[i].key, prefix, n) == 0)
            AK_TRY(ak_tensors_note(to, ctx, t->notes[i].key + n,
                                   t->notes[i].value));
done:
    return st;
}

akin_status ak_tensors_take_set(ak_tensors **out, akin_ctx *ctx,
                                const ak_tensors *t, const char *prefix)
{
    ak_tensors *set = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&set, ctx));
    AK_TRY(copy_set(set, ctx, t, prefix));
    *out = NULL;
    if (set->n_items + set->n_notes > 0) {
        *out = set;
        set = NULL;
    }
done:
    ak_tensors_free(set);
    return st;
}
