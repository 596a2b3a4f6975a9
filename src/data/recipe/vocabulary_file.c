/* Vocabularies in files: "vocabulary.kept" (I32), "vocabulary.terms" and
 * "vocabulary.classes" (U8, each name closed by a zero byte), and notes. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "data/recipe/vocabulary.h"

enum { KEY_SIZE = 128, FIRST_VERSION = 2 };

/* prefix + "vocabulary." + name. */
static const char *key_of(char key[KEY_SIZE], const char *prefix,
                          const char *name)
{
    const int n = snprintf(key, KEY_SIZE, "%svocabulary.%s", prefix, name);
    assert(n > 0 && n < KEY_SIZE);
    (void)n;
    return key;
}

akin_status ak_vocabulary_put(const ak_vocabulary *v, akin_ctx *ctx,
                              ak_tensors *t, const char *prefix)
{
    char key[KEY_SIZE];
    akin_status st = AKIN_OK;
    ak_tensors_demand(t, FIRST_VERSION);
    AK_TRY(ak_tensors_note_i64(t, ctx, key_of(key, prefix, "dim"), v->d));
    AK_TRY(ak_tensors_note(t, ctx, key_of(key, prefix, "choices"),
                           v->choices ? v->choices : ""));
    if (v->terms.n > 0)
        AK_TRY(ak_tensors_note(t, ctx, key_of(key, prefix, "words"),
                               AK_WORDS_NAME));
    AK_TRY(ak_tensors_put_vector(t, ctx, key_of(key, prefix, "kept"),
                                 AK_DTYPE_I32, v->n_kept, v->kept));
    AK_TRY(ak_columns_put(&v->terms, ctx, t, key_of(key, prefix, "terms")));
    AK_TRY(ak_columns_put(&v->classes, ctx, t, key_of(key, prefix, "classes")));
done:
    return st;
}

static akin_status check_kept(const ak_tensors *t, akin_ctx *ctx,
                              const int32_t *kept, int64_t n, int64_t d)
{
    for (int64_t j = 0; j < n; ++j)
        if (kept[j] >= d || kept[j] <= (j > 0 ? kept[j - 1] : -1))
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: the columns that the vocabulary keeps do not "
                           "rise within its %" PRId64,
                           ak_tensors_path(t), d);
    return AKIN_OK;
}

/* Terms name all columns or none, and are told from words in a known way. */
static akin_status take_terms(ak_vocabulary *v, akin_ctx *ctx,
                              const ak_tensors *t, const char *prefix)
{
    char key[KEY_SIZE];
    akin_status st = AKIN_OK;
    AK_TRY(
        ak_columns_take(&v->terms, ctx, t, key_of(key, prefix, "terms"), v->d));
    if (v->terms.n != 0 && v->terms.n != v->d)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " terms (expected %" PRId64 ")",
                       ak_tensors_path(t), v->terms.n, v->d));
    const char *words = ak_tensors_get_note(t, key_of(key, prefix, "words"));
    if (v->terms.n > 0 && (words == NULL || strcmp(words, AK_WORDS_NAME) != 0))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: words are '%s' (expected " AK_WORDS_NAME ")",
                       ak_tensors_path(t), words ? words : ""));
done:
    return st;
}

akin_status ak_vocabulary_take(ak_vocabulary **out, akin_ctx *ctx,
                               const ak_tensors *t, const char *prefix)
{
    char key[KEY_SIZE];
    const ak_tensor *kept;
    const char *choices;
    ak_vocabulary *v = NULL;
    int64_t d;
    akin_status st = AKIN_OK;
    if (ak_tensors_find(t, key_of(key, prefix, "kept")) == NULL)
        return AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, key, AK_DTYPE_I32, 1, &kept));
    AK_TRY(ak_tensors_need_i64(t, ctx, key_of(key, prefix, "dim"), &d));
    if (d < 0 || d > INT32_MAX)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: note \"%s\" is %" PRId64 " (expected 0 to %d)",
                       ak_tensors_path(t), key, d, INT32_MAX));
    AK_TRY(ak_vocabulary_new(&v, ctx, d, kept->data, kept->shape[0]));
    AK_TRY(check_kept(t, ctx, v->kept, v->n_kept, d));
    AK_TRY(take_terms(v, ctx, t, prefix));
    AK_TRY(ak_columns_take(&v->classes, ctx, t, key_of(key, prefix, "classes"),
                           INT32_MAX));
    choices = ak_tensors_get_note(t, key_of(key, prefix, "choices"));
    AK_TRY(ak_strdup(ctx, choices ? choices : "", &v->choices));
    *out = v;
    v = NULL;
done:
    ak_vocabulary_free(v);
    return st;
}
