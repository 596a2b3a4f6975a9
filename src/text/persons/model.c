/* Taggers in memory and in files. */
#include <math.h>
#include <string.h>

#include "text/persons/default_model.h"
#include "text/persons/tagger.h"

enum { TAG_SIZE = 1 << AK_TAG_BITS, PRESENCE_SIZE = 1 << AK_PRESENCE_BITS };

akin_status ak_tagger_new(akin_tagger **out, akin_ctx *ctx)
{
    akin_tagger *g = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &g));
    AK_TRY(AK_NEW(ctx, TAG_SIZE * AK_TAGS, &g->tag));
    AK_TRY(AK_NEW(ctx, PRESENCE_SIZE * AKIN_PRESENCES, &g->presence));
    g->slope = 1.0;
    *out = g;
    g = NULL;
done:
    akin_tagger_free(g);
    return st;
}

void akin_tagger_free(akin_tagger *g)
{
    if (g == NULL)
        return;
    ak_lists_free(&g->lists);
    for (int64_t k = 0; k < g->aliases.n && k < g->room_aliases; ++k)
        akin_free(g->alias_names[k]);
    ak_names_free(&g->aliases);
    akin_free(g->alias_names);
    akin_free(g->tag);
    akin_free(g->presence);
    akin_free(g);
}

/* ---- files ---- */

akin_status ak_tagger_put(const akin_tagger *g, akin_ctx *ctx, ak_tensors *t)
{
    const ak_tensor tag = {"tag", AK_DTYPE_F32, 2, {TAG_SIZE, AK_TAGS}, g->tag};
    const ak_tensor transition = {
        "transition", AK_DTYPE_F32, 2, {AK_TAGS, AK_TAGS}, g->transition};
    const ak_tensor presence = {"presence",
                                AK_DTYPE_F32,
                                2,
                                {PRESENCE_SIZE, AKIN_PRESENCES},
                                g->presence};
    AK_CHECK(ak_tensors_note(t, ctx, "kind", "tagger"));
    AK_CHECK(ak_tensors_note_f64(t, ctx, "slope", g->slope));
    AK_CHECK(ak_tensors_note_f64(t, ctx, "offset", g->offset));
    AK_CHECK(ak_tensors_put(t, ctx, tag));
    AK_CHECK(ak_tensors_put(t, ctx, transition));
    AK_CHECK(ak_tensors_put(t, ctx, presence));
    return ak_lists_put(&g->lists, ctx, t);
}

/* A matrix of this shape and of finite numbers. */
static akin_status take_matrix(float *to, akin_ctx *ctx, const ak_tensors *t,
                               const char *name, int64_t rows, int64_t columns)
{
    const ak_tensor *x = NULL;
    AK_CHECK(ak_tensors_need(t, ctx, name, AK_DTYPE_F32, 2, &x));
    if (x->shape[0] != rows || x->shape[1] != columns)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: '%s' has the wrong shape (expected %" PRId64
                       " x %" PRId64 ")",
                       ak_tensors_path(t), name, rows, columns);
    memcpy(to, x->data, (size_t)(rows * columns) * sizeof *to);
    for (int64_t k = 0; k < rows * columns; ++k)
        if (!(fabsf(to[k]) < 1e9F))
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: '%s' has a value that is not finite",
                           ak_tensors_path(t), name);
    return AKIN_OK;
}

static akin_status take_all(akin_tagger *g, akin_ctx *ctx, const ak_tensors *t)
{
    const char *kind = ak_tensors_get_note(t, "kind");
    if (kind == NULL || strcmp(kind, "tagger") != 0)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: not a tagger (akin persons `learn` makes one)",
                       ak_tensors_path(t));
    AK_CHECK(take_matrix(g->tag, ctx, t, "tag", TAG_SIZE, AK_TAGS));
    AK_CHECK(
        take_matrix(g->transition, ctx, t, "transition", AK_TAGS, AK_TAGS));
    AK_CHECK(take_matrix(g->presence, ctx, t, "presence", PRESENCE_SIZE,
                         AKIN_PRESENCES));
    AK_CHECK(ak_tensors_need_f64(t, ctx, "slope", &g->slope));
    AK_CHECK(ak_tensors_need_f64(t, ctx, "offset", &g->offset));
    return ak_lists_take(&g->lists, ctx, t);
}

akin_status ak_tagger_take(akin_tagger **out, akin_ctx *ctx,
                           const ak_tensors *t)
{
    akin_tagger *g = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tagger_new(&g, ctx));
    AK_TRY(take_all(g, ctx, t));
    *out = g;
    g = NULL;
done:
    akin_tagger_free(g);
    return st;
}

akin_status akin_tagger_default(akin_tagger **out, akin_ctx *ctx)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_parse(&t, ctx, "the default tagger", default_model,
                            default_model_size));
    AK_TRY(ak_tagger_take(out, ctx, t));
done:
    ak_tensors_free(t);
    return st;
}

akin_status akin_tagger_load(akin_tagger **out, akin_ctx *ctx, const char *path)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_read(&t, ctx, path));
    AK_TRY(ak_tensors_need_ours(t, ctx));
    AK_TRY(ak_tagger_take(out, ctx, t));
done:
    ak_tensors_free(t);
    return st;
}

akin_status akin_tagger_save(akin_ctx *ctx, const akin_tagger *tagger,
                             const char *path)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(ak_tagger_put(tagger, ctx, t));
    AK_TRY(ak_tensors_write(t, ctx, path));
done:
    ak_tensors_free(t);
    return st;
}
