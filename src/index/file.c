/* Indexes in files: the model under "model.", the rows that are gone, and what
 * the kind has. */
#include <string.h>

#include "index/index.h"

static const char prefix[] = "model.";

static const ak_index_kind *const kinds[] = {&ak_index_inverted,
                                             &ak_index_dense, &ak_index_hnsw};

static akin_status put_notes(const akin_index *x, akin_ctx *ctx, ak_tensors *t)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_note(t, ctx, "kind", "index"));
    AK_TRY(ak_tensors_note(t, ctx, "index", x->kind->name));
    AK_TRY(ak_tensors_note(t, ctx, "compare", ak_compare_word(x->by)));
    AK_TRY(ak_tensors_note_i64(t, ctx, "rows", x->n));
    AK_TRY(ak_tensors_note_i64(t, ctx, "gone", x->n_gone));
    AK_TRY(ak_tensors_note_i64(t, ctx, "prune", x->prune));
    AK_TRY(ak_tensors_note_i64(t, ctx, "index_base", x->index_base));
done:
    return st;
}

akin_status akin_index_save(akin_ctx *ctx, const akin_index *x,
                            const char *path)
{
    ak_tensors *t = NULL, *model = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(ak_tensors_new(&model, ctx));
    AK_TRY(put_notes(x, ctx, t));
    AK_TRY(ak_model_put(x->model, ctx, model));
    AK_TRY(ak_tensors_put_set(t, ctx, prefix, model));
    if (x->n_gone > 0)
        AK_TRY(ak_tensors_put_vector(t, ctx, "row.gone", AK_DTYPE_U8, x->n,
                                     x->gone));
    AK_TRY(x->kind->put(x, ctx, t));
    AK_TRY(ak_tensors_write(t, ctx, path));
done:
    ak_tensors_free(t);
    ak_tensors_free(model);
    return st;
}

static akin_status take_kind(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    const char *path = ak_tensors_path(t);
    const char *kind = ak_tensors_get_note(t, "kind");
    const char *name = ak_tensors_get_note(t, "index");
    const akin_status st = ak_tensors_need_ours(t, ctx);
    if (st != AKIN_OK)
        return st;
    if (kind == NULL || name == NULL || strcmp(kind, "index") != 0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: not an index (kind '%s')", path,
                       kind ? kind : "");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(kinds[i]->name, name) == 0) {
            x->kind = kinds[i];
            return AKIN_OK;
        }
    return ak_fail(ctx, AKIN_EFORMAT, "%s: an index of the unknown kind '%s'",
                   path, name);
}

static akin_status take_model(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    ak_tensors *set = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_take_set(&set, ctx, t, prefix));
    if (set == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: an index without a model",
                       ak_tensors_path(t)));
    AK_TRY(ak_model_take(&x->model, ctx, set));
    AK_TRY(ak_model_check_compares(x->model, ctx));
done:
    ak_tensors_free(set);
    return st;
}

static akin_status take_compare(akin_index *x, akin_ctx *ctx,
                                const ak_tensors *t)
{
    const char *word = ak_tensors_get_note(t, "compare");
    for (int by = AKIN_BY_DOT; word && by <= AKIN_BY_DISTANCE; ++by)
        if (strcmp(word, ak_compare_word((akin_compare)by)) == 0) {
            x->by = (akin_compare)by;
            return AKIN_OK;
        }
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: compares by '%s' (expected dot, cosine or distance)",
                   ak_tensors_path(t), word ? word : "");
}

/* A file of few bytes cannot have many rows: each has some of its own. */
static akin_status take_count(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    int64_t prune = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need_i64(t, ctx, "rows", &x->n));
    AK_TRY(ak_tensors_need_i64(t, ctx, "prune", &prune));
    x->prune = prune != 0;
    AK_TRY(ak_tensors_need_i64(t, ctx, "index_base", &x->index_base));
    if (x->index_base < AKIN_BASE_AUTO || x->index_base > AKIN_BASE_1)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: note 'index_base' is %" PRId64 " (expected 0 to 2)",
                       ak_tensors_path(t), x->index_base));
    const ak_tensor *rows = ak_tensors_find(
        t, x->kind == &ak_index_inverted ? "row.scale" : "vectors");
    if (x->n < 0 || x->n > INT32_MAX || rows == NULL || rows->n_dims < 1 ||
        rows->shape[0] != x->n)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: note 'rows' is %" PRId64
                       " (expected as many as have been written)",
                       ak_tensors_path(t), x->n));
done:
    return st;
}

static akin_status take_gone(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    const ak_tensor *gone = ak_tensors_find(t, "row.gone");
    int64_t count = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, x->n, &x->gone));
    AK_TRY(ak_tensors_need_i64(t, ctx, "gone", &count));
    if (gone != NULL)
        AK_TRY(ak_tensors_need(t, ctx, "row.gone", AK_DTYPE_U8, 1, &gone));
    if (gone != NULL && gone->shape[0] == x->n)
        for (int64_t i = 0; i < x->n; ++i) {
            x->gone[i] = ((const unsigned char *)gone->data)[i] != 0;
            x->n_gone += x->gone[i];
        }
    if (x->n_gone != count)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " rows are gone (expected %" PRId64 ")",
                       ak_tensors_path(t), x->n_gone, count));
done:
    return st;
}

akin_status ak_index_take(akin_index **out, akin_ctx *ctx, ak_tensors *t)
{
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &x));
    x->allocator = ak_ctx_allocator(ctx);
    x->kind = &ak_index_inverted;
    x->file = t;
    t = NULL;
    AK_TRY(take_kind(x, ctx, x->file));
    AK_TRY(take_model(x, ctx, x->file));
    AK_TRY(take_compare(x, ctx, x->file));
    AK_TRY(take_count(x, ctx, x->file));
    AK_TRY(take_gone(x, ctx, x->file));
    AK_TRY(x->kind->take(x, ctx, x->file));
    *out = x;
    x = NULL;
done:
    akin_index_free(x);
    ak_tensors_free(t);
    return st;
}

akin_status akin_index_load(akin_index **out, akin_ctx *ctx, const char *path)
{
    ak_tensors *t = NULL;
    const akin_status st = ak_tensors_read_lazily(&t, ctx, path, "postings");
    return st == AKIN_OK ? ak_index_take(out, ctx, t) : st;
}
