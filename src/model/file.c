/* Models in files: the kind's own tensors, the recipes under "recipe." and
 * "recipe_right.", checksums of the rows it learned from under "learned_rows."
 * and "learned_rows_right.", a learner's state under "state.", and notes. */
#include <string.h>

#include "model/model.h"

static const char *const compares[] = {
    [AKIN_BY_DOT] = "dot",
    [AKIN_BY_COSINE] = "cosine",
    [AKIN_BY_DISTANCE] = "distance",
};
static const char *const recipes[] = {
    [AKIN_LEFT] = "recipe.",
    [AKIN_RIGHT] = "recipe_right.",
};
static const char *const learned[] = {
    [AKIN_LEFT] = "learned_rows.",
    [AKIN_RIGHT] = "learned_rows_right.",
};
static const char state[] = "state.";

/* Notes that the file has from here, and the model not among its own. */
static const char *const own_notes[] = {
    "format", "format_version", "akin_version", "kind", "compare",
    "dim",    "dim_right",      "label_names",  "rank",
};

const char *ak_compare_word(akin_compare by)
{
    return compares[by];
}

static bool starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_own(const char *key)
{
    for (size_t i = 0; i < sizeof own_notes / sizeof *own_notes; ++i)
        if (strcmp(key, own_notes[i]) == 0)
            return true;
    return starts(key, recipes[AKIN_LEFT]) ||
           starts(key, recipes[AKIN_RIGHT]) ||
           starts(key, learned[AKIN_LEFT]) ||
           starts(key, learned[AKIN_RIGHT]) || starts(key, state);
}

static akin_status put_notes(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    const char *key, *value;
    AK_CHECK(ak_tensors_note(t, ctx, "kind", m->kind->name));
    AK_CHECK(ak_tensors_note(t, ctx, "compare", compares[m->by]));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "dim", m->d[AKIN_LEFT]));
    if (m->d[AKIN_RIGHT] != m->d[AKIN_LEFT])
        AK_CHECK(ak_tensors_note_i64(t, ctx, "dim_right", m->d[AKIN_RIGHT]));
    for (int64_t i = 0; akin_model_note_at(&key, &value, m, i); ++i)
        if (!is_own(key))
            AK_CHECK(ak_tensors_note(t, ctx, key, value));
    return AKIN_OK;
}

akin_status ak_model_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    AK_CHECK(put_notes(m, ctx, t));
    AK_CHECK(m->kind->put(m, ctx, t));
    for (int side = AKIN_LEFT; side <= AKIN_RIGHT; ++side) {
        if (m->recipe[side] != NULL)
            AK_CHECK(ak_recipe_put(m->recipe[side], ctx, t, recipes[side]));
        AK_CHECK(ak_checksums_put(&m->learned[side], ctx, t, learned[side]));
    }
    return AKIN_OK;
}

/* All that a file of it has. */
static akin_status put_file(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    AK_CHECK(ak_model_put(m, ctx, t));
    return m->state != NULL ? ak_tensors_put_set(t, ctx, state, m->state)
                            : AKIN_OK;
}

akin_status akin_model_save(akin_ctx *ctx, const akin_model *m,
                            const char *path)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(put_file(m, ctx, t));
    AK_TRY(ak_tensors_write(t, ctx, path));
done:
    ak_tensors_free(t);
    return st;
}

akin_status akin_model_save_memory(uint8_t **bytes, size_t *size, akin_ctx *ctx,
                                   const akin_model *m)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(put_file(m, ctx, t));
    AK_TRY(ak_tensors_write_memory(t, ctx, bytes, size));
done:
    ak_tensors_free(t);
    return st;
}

static akin_status take_dim(const ak_tensors *t, akin_ctx *ctx, const char *key,
                            int64_t *d)
{
    AK_CHECK(ak_tensors_need_i64(t, ctx, key, d));
    if ((*d < 0 || *d > INT32_MAX))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: note '%s' is %" PRId64 " (expected 0 to %d)",
                       ak_tensors_path(t), key, *d, INT32_MAX);
    return AKIN_OK;
}

/* An empty model of the file's kind, comparison and dimensions. */
static akin_status take_head(akin_model **out, akin_ctx *ctx,
                             const ak_tensors *t)
{
    const char *path = ak_tensors_path(t);
    const char *name = ak_tensors_get_note(t, "kind");
    const char *compare = ak_tensors_get_note(t, "compare");
    const ak_model_kind *kind = name ? ak_model_kind_find(name) : NULL;
    int by = AKIN_BY_DISTANCE;
    int64_t d[2];
    if (kind == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: not a model (kind '%s')", path,
                       name ? name : "");
    while (compare && by > 0 && strcmp(compare, compares[by]) != 0)
        --by;
    if (compare == NULL || by == 0)
        return ak_fail(
            ctx, AKIN_EFORMAT,
            "%s: unknown comparison '%s' (expected dot, cosine or distance)",
            path, compare ? compare : "");
    AK_CHECK(take_dim(t, ctx, "dim", &d[0]));
    d[1] = d[0];
    if (ak_tensors_get_note(t, "dim_right") != NULL)
        AK_CHECK(take_dim(t, ctx, "dim_right", &d[1]));
    return ak_model_new(out, ctx, kind, d[0], d[1], (akin_compare)by);
}

akin_status ak_model_take(akin_model **out, akin_ctx *ctx, const ak_tensors *t)
{
    akin_model *m = NULL;
    const char *key, *value;
    akin_status st = AKIN_OK;
    AK_TRY(take_head(&m, ctx, t));
    AK_TRY(m->kind->take(m, ctx, t));
    for (int side = AKIN_LEFT; side <= AKIN_RIGHT; ++side) {
        AK_TRY(ak_recipe_take(&m->recipe[side], ctx, t, recipes[side]));
        AK_TRY(ak_checksums_take(&m->learned[side], ctx, t, learned[side]));
    }
    AK_TRY(ak_tensors_take_set(&m->state, ctx, t, state));
    for (int64_t i = 0; i < ak_tensors_note_count(t); ++i) {
        ak_tensors_note_at(t, i, &key, &value);
        if (!is_own(key))
            AK_TRY(ak_model_set_note(m, ctx, key, value));
    }
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

static akin_status take_file(akin_model **out, akin_ctx *ctx,
                             const ak_tensors *t)
{
    AK_CHECK(ak_tensors_need_ours(t, ctx));
    return ak_model_take(out, ctx, t);
}

akin_status akin_model_load(akin_model **out, akin_ctx *ctx, const char *path)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_read(&t, ctx, path));
    AK_TRY(take_file(out, ctx, t));
done:
    ak_tensors_free(t);
    return st;
}

akin_status akin_model_load_memory(akin_model **out, akin_ctx *ctx,
                                   const void *bytes, size_t size)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_parse(&t, ctx, "memory", bytes, size));
    AK_TRY(take_file(out, ctx, t));
done:
    ak_tensors_free(t);
    return st;
}
