/* Recipes in files: words and sizes as notes, statistics as tensors. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/recipe/fingerprint.h"

enum { KEY_SIZE = 128 };

static const char alone[] = "recipe.";  // prefix in a separate file

/* prefix + name. */
static const char *key_of(char key[KEY_SIZE], const char *prefix,
                          const char *name)
{
    const int n = snprintf(key, KEY_SIZE, "%s%s", prefix, name);
    assert(n > 0 && n < KEY_SIZE);
    (void)n;
    return key;
}

static akin_status put_f64(ak_tensors *t, akin_ctx *ctx, const char *prefix,
                           const char *name, int64_t n, const double *data)
{
    char key[KEY_SIZE];
    if (data == NULL)
        return AKIN_OK;
    return ak_tensors_put_vector(t, ctx, key_of(key, prefix, name),
                                 AK_DTYPE_F64, n, data);
}

static akin_status put_rotation(const akin_recipe *r, akin_ctx *ctx,
                                ak_tensors *t, const char *prefix)
{
    char key[KEY_SIZE];
    if (r->rotation == NULL)
        return AKIN_OK;
    return ak_tensors_put(t, ctx,
                          (ak_tensor){key_of(key, prefix, "rotation"),
                                      AK_DTYPE_F64,
                                      2,
                                      {r->d, r->rank},
                                      r->rotation});
}

akin_status ak_recipe_put(const akin_recipe *r, akin_ctx *ctx, ak_tensors *t,
                          const char *prefix)
{
    char key[KEY_SIZE];

    AK_CHECK(ak_tensors_note(t, ctx, key_of(key, prefix, "weights"),
                             ak_weights_words[r->weights]));
    AK_CHECK(
        ak_tensors_note_i64(t, ctx, key_of(key, prefix, "center"), r->center));
    AK_CHECK(ak_tensors_note(t, ctx, key_of(key, prefix, "scale"),
                             ak_scale_words[r->scale]));
    AK_CHECK(ak_tensors_note(t, ctx, key_of(key, prefix, "norm"),
                             ak_norm_words[r->norm]));
    AK_CHECK(
        ak_tensors_note_f64(t, ctx, key_of(key, prefix, "global"), r->global));
    AK_CHECK(ak_tensors_note_i64(t, ctx, key_of(key, prefix, "dim"), r->d));
    AK_CHECK(ak_tensors_note_i64(t, ctx, key_of(key, prefix, "index_base"),
                                 r->index_base));
    if (r->after[0] != '\0')
        AK_CHECK(
            ak_tensors_note(t, ctx, key_of(key, prefix, "after"), r->after));
    AK_CHECK(put_f64(t, ctx, prefix, "idf", r->d, r->idf));
    AK_CHECK(put_f64(t, ctx, prefix, "shift", r->d, r->shift));
    AK_CHECK(put_f64(t, ctx, prefix, "factor", r->d, r->factor));
    AK_CHECK(put_rotation(r, ctx, t, prefix));
    AK_CHECK(
        ak_columns_put(&r->label, ctx, t, key_of(key, prefix, "label_column")));
    if (r->vocabulary != NULL)  // it has the names, of all columns
        AK_CHECK(ak_vocabulary_put(r->vocabulary, ctx, t, prefix));
    else
        AK_CHECK(ak_columns_put(&r->columns, ctx, t,
                                key_of(key, prefix, "column_names")));
    return AKIN_OK;
}

/* All that a file of it has. */
static akin_status put_file(const akin_recipe *recipe, akin_ctx *ctx,
                            ak_tensors *t)
{
    AK_CHECK(ak_tensors_note(t, ctx, "kind", "recipe"));
    return ak_recipe_put(recipe, ctx, t, alone);
}

akin_status akin_recipe_save(akin_ctx *ctx, const akin_recipe *recipe,
                             const char *path)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(put_file(recipe, ctx, t));
    AK_TRY(ak_tensors_write(t, ctx, path));
done:
    ak_tensors_free(t);
    return st;
}

akin_status akin_recipe_save_memory(uint8_t **bytes, size_t *size,
                                    akin_ctx *ctx, const akin_recipe *recipe)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(put_file(recipe, ctx, t));
    AK_TRY(ak_tensors_write_memory(t, ctx, bytes, size));
done:
    ak_tensors_free(t);
    return st;
}

/* The number of the word that the note holds. */
static akin_status take_word(const ak_tensors *t, akin_ctx *ctx,
                             const char *prefix, const char *name,
                             const char *const *words, int n, int *out)
{
    char key[KEY_SIZE];
    const char *note = ak_tensors_get_note(t, key_of(key, prefix, name));
    for (int k = 0; note != NULL && k < n; ++k)
        if (strcmp(note, words[k]) == 0) {
            *out = k;
            return AKIN_OK;
        }
    return ak_fail(ctx, AKIN_EFORMAT, "%s: note \"%s\" is %s",
                   ak_tensors_path(t), key, note ? "not known" : "missing");
}

/* A whole number in [0, most]. */
static akin_status take_i64(const ak_tensors *t, akin_ctx *ctx,
                            const char *prefix, const char *name, int64_t most,
                            int64_t *out)
{
    char key[KEY_SIZE];
    AK_CHECK(ak_tensors_need_i64(t, ctx, key_of(key, prefix, name), out));
    if (*out < 0 || *out > most)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: note \"%s\" is %" PRId64 " (expected 0 to %" PRId64
                       ")",
                       ak_tensors_path(t), key, *out, most);
    return AKIN_OK;
}

static akin_status take_words(akin_recipe *r, akin_ctx *ctx,
                              const ak_tensors *t, const char *prefix)
{
    char key[KEY_SIZE];
    int weights = 0, scale = 0, norm = 0;
    int64_t center = 0;

    AK_CHECK(take_word(t, ctx, prefix, "weights", ak_weights_words,
                       AK_WEIGHTS_COUNT, &weights));
    AK_CHECK(take_word(t, ctx, prefix, "scale", ak_scale_words, AK_SCALE_COUNT,
                       &scale));
    AK_CHECK(
        take_word(t, ctx, prefix, "norm", ak_norm_words, AK_NORM_COUNT, &norm));
    AK_CHECK(take_i64(t, ctx, prefix, "center", 1, &center));
    AK_CHECK(take_i64(t, ctx, prefix, "dim", INT32_MAX, &r->d));
    AK_CHECK(
        take_i64(t, ctx, prefix, "index_base", AKIN_BASE_1, &r->index_base));
    AK_CHECK(
        ak_tensors_need_f64(t, ctx, key_of(key, prefix, "global"), &r->global));
    if (!isfinite(r->global) || r->global <= 0.0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: note \"%s\" is not positive",
                       ak_tensors_path(t), key);
    const char *after = ak_tensors_get_note(t, key_of(key, prefix, "after"));
    if (after != NULL && !ak_prepared_take(after, strlen(after), r->after))
        return ak_fail(ctx, AKIN_EFORMAT, "%s: note \"%s\" is not a recipe",
                       ak_tensors_path(t), key);
    r->weights = (ak_weights)weights;
    r->scale = (ak_scale)scale;
    r->norm = (ak_norm)norm;
    r->center = center != 0;
    return AKIN_OK;
}

/* A copy of a tensor of d rows whose numbers are all finite. */
static akin_status take_f64(const ak_tensors *t, akin_ctx *ctx,
                            const char *prefix, const char *name, int64_t d,
                            int64_t *rank, double **out)
{
    char key[KEY_SIZE];
    const ak_tensor *x;

    AK_CHECK(ak_tensors_need(t, ctx, key_of(key, prefix, name), AK_DTYPE_F64,
                             rank ? 2 : 1, &x));
    if (x->shape[0] != d || (rank && x->shape[1] > d))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor \"%s\" has %" PRId64
                       " rows (expected %" PRId64 ")",
                       ak_tensors_path(t), key, x->shape[0], d);
    const int64_t n = rank ? d * x->shape[1] : d;
    AK_CHECK(AK_NEW(ctx, n, out));
    if (n > 0)
        memcpy(*out, x->data, (size_t)n * sizeof **out);
    for (int64_t k = 0; k < n; ++k)
        if (!isfinite((*out)[k]))
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: tensor \"%s\" has a value that is not finite",
                           ak_tensors_path(t), key);
    if (rank != NULL)
        *rank = x->shape[1];
    return AKIN_OK;
}

/* Which tensors there must be follows from the words; only minmax may go
 * without a shift. */
static akin_status take_tensors(akin_recipe *r, akin_ctx *ctx,
                                const ak_tensors *t, const char *prefix)
{
    char key[KEY_SIZE];
    const bool minmax = r->scale == AK_SCALE_MINMAX;
    const bool scaled = minmax || r->scale == AK_SCALE_ZSCORE;
    bool shift = r->center || r->scale != AK_SCALE_NONE;

    if (minmax)
        shift = ak_tensors_find(t, key_of(key, prefix, "shift")) != NULL;
    if (ak_weights_has_idf(r->weights))
        AK_CHECK(take_f64(t, ctx, prefix, "idf", r->d, NULL, &r->idf));
    if (shift)
        AK_CHECK(take_f64(t, ctx, prefix, "shift", r->d, NULL, &r->shift));
    if (scaled)
        AK_CHECK(take_f64(t, ctx, prefix, "factor", r->d, NULL, &r->factor));
    if (r->scale == AK_SCALE_SU)
        AK_CHECK(
            take_f64(t, ctx, prefix, "rotation", r->d, &r->rank, &r->rotation));
    AK_CHECK(ak_columns_take(&r->label, ctx, t,
                             key_of(key, prefix, "label_column"), 1));
    return ak_columns_take(&r->columns, ctx, t,
                           key_of(key, prefix, "column_names"), r->d);
}

static akin_status take_vocabulary(akin_recipe *r, akin_ctx *ctx,
                                   const ak_tensors *t, const char *prefix)
{
    AK_CHECK(ak_vocabulary_take(&r->vocabulary, ctx, t, prefix));
    const ak_vocabulary *v = r->vocabulary;
    if (v == NULL)
        return AKIN_OK;
    if (v->n_kept != r->d)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: the vocabulary keeps %" PRId64
                       " columns (the recipe has %" PRId64 ")",
                       ak_tensors_path(t), v->n_kept, r->d);
    if (r->columns.n == 0)
        AK_CHECK(ak_vocabulary_names(&r->columns, ctx, v, &v->terms));
    return AKIN_OK;
}

akin_status ak_recipe_take(akin_recipe **out, akin_ctx *ctx,
                           const ak_tensors *t, const char *prefix)
{
    char key[KEY_SIZE];
    akin_recipe *r = NULL;
    akin_status st = AKIN_OK;

    *out = NULL;
    if (ak_tensors_get_note(t, key_of(key, prefix, "weights")) == NULL)
        return AKIN_OK;
    AK_TRY(ak_recipe_new(&r, ctx, 0));
    AK_TRY(take_words(r, ctx, t, prefix));
    AK_TRY(take_tensors(r, ctx, t, prefix));
    AK_TRY(take_vocabulary(r, ctx, t, prefix));
    ak_recipe_name(r);
    *out = r;
    r = NULL;
done:
    akin_recipe_free(r);
    return st;
}

static akin_status take_file(akin_recipe **out, akin_ctx *ctx,
                             const ak_tensors *t)
{
    const char *path = ak_tensors_path(t);
    const char *kind = ak_tensors_get_note(t, "kind");
    akin_recipe *r = NULL;
    AK_CHECK(ak_tensors_need_ours(t, ctx));
    if (kind == NULL || strcmp(kind, "recipe") != 0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: not a recipe (it is %s)", path,
                       kind ? kind : "of no kind");
    AK_CHECK(ak_recipe_take(&r, ctx, t, alone));
    if (r == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: the recipe is missing", path);
    *out = r;
    return AKIN_OK;
}

akin_status akin_recipe_load(akin_recipe **out, akin_ctx *ctx, const char *path)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(ak_tensors_read(&t, ctx, path));
    AK_TRY(take_file(out, ctx, t));
done:
    ak_tensors_free(t);
    return st;
}

akin_status akin_recipe_load_memory(akin_recipe **out, akin_ctx *ctx,
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
