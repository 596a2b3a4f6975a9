#include "data/recipe/vocabulary.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

akin_status ak_vocabulary_new(ak_vocabulary **out, akin_ctx *ctx, int64_t d,
                              const int32_t *kept, int64_t n_kept)
{
    ak_vocabulary *v = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &v));
    v->d = d;
    v->n_kept = n_kept;
    AK_TRY(AK_NEW(ctx, n_kept, &v->kept));
    if (n_kept > 0)
        memcpy(v->kept, kept, (size_t)n_kept * sizeof *kept);
    *out = v;
    v = NULL;
done:
    ak_vocabulary_free(v);
    return st;
}

void ak_vocabulary_free(ak_vocabulary *v)
{
    if (v == NULL)
        return;
    ak_columns_free(&v->terms);
    ak_columns_free(&v->classes);
    akin_free(v->choices);
    akin_free(v->kept);
    akin_free(v);
}

akin_status ak_vocabulary_copy(ak_vocabulary **out, akin_ctx *ctx,
                               const ak_vocabulary *v)
{
    ak_vocabulary *c = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_vocabulary_new(&c, ctx, v->d, v->kept, v->n_kept));
    AK_TRY(ak_columns_copy(&c->terms, ctx, &v->terms));
    AK_TRY(ak_columns_copy(&c->classes, ctx, &v->classes));
    if (v->choices != NULL)
        AK_TRY(ak_strdup(ctx, v->choices, &c->choices));
    *out = c;
    c = NULL;
done:
    ak_vocabulary_free(c);
    return st;
}

static int64_t text_bytes(const ak_columns *c)
{
    return c->n > 0 ? c->begin[c->n] : 0;
}

bool ak_vocabulary_is(const ak_vocabulary *a, const ak_vocabulary *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    const int64_t bytes = text_bytes(&a->terms);
    return a->d == b->d && a->n_kept == b->n_kept &&
           memcmp(a->kept, b->kept, (size_t)a->n_kept * sizeof *a->kept) == 0 &&
           a->terms.n == b->terms.n && bytes == text_bytes(&b->terms) &&
           (bytes == 0 ||
            memcmp(a->terms.text, b->terms.text, (size_t)bytes) == 0);
}

akin_status ak_vocabulary_names(ak_columns *to, akin_ctx *ctx,
                                const ak_vocabulary *v, const ak_columns *names)
{
    for (int64_t j = 0; j < v->n_kept && v->kept[j] < names->n; ++j) {
        const char *name = ak_columns_name(names, v->kept[j]);
        AK_CHECK(
            ak_columns_add(to, ctx, name ? name : "", name ? strlen(name) : 0));
    }
    return AKIN_OK;
}

/* The new number of column `old`, at `*at` or behind, where `*at` then is; -1:
 * it goes. Nothing is allocated by d, which a file only claims. */
static int32_t new_number(const ak_vocabulary *v, int32_t old, int64_t *at)
{
    int64_t end = *at, step = 1;
    if (v->n_kept == v->d)
        return old;
    while (end < v->n_kept && v->kept[end] < old) {  // in growing steps
        *at = end + 1;
        end += step;
        step *= 2;
    }
    end = ak_min_i64(end, v->n_kept);
    while (*at < end) {
        const int64_t middle = *at + (end - *at) / 2;
        if (v->kept[middle] < old)
            *at = middle + 1;
        else
            end = middle;
    }
    return *at < v->n_kept && v->kept[*at] == old ? (int32_t)*at : -1;
}

static akin_status keep_sparse(akin_rows *to, akin_ctx *ctx,
                               const ak_vocabulary *v, const akin_rows *from)
{
    int64_t n = 0;
    AK_CHECK(AK_NEW(ctx, from->n + 1, &to->offsets));
    AK_CHECK(AK_NEW(ctx, from->offsets[from->n], &to->cols));
    AK_CHECK(AK_NEW(ctx, from->offsets[from->n], &to->vals));
    for (int64_t i = 0; i < from->n; ++i) {
        int64_t at = 0;
        for (int64_t k = from->offsets[i]; k < from->offsets[i + 1]; ++k) {
            const int32_t j = new_number(v, from->cols[k], &at);
            if (j < 0)
                continue;
            to->cols[n] = j;
            to->vals[n++] = from->vals[k];
        }
        to->offsets[i + 1] = n;
    }
    return AKIN_OK;
}

static akin_status keep_dense(akin_rows *to, akin_ctx *ctx,
                              const ak_vocabulary *v, const akin_rows *from)
{
    const akin_status st = AK_NEW(ctx, to->n * to->d, &to->vals);
    if (st != AKIN_OK)
        return st;
    for (int64_t i = 0; i < from->n; ++i)
        for (int64_t j = 0; j < v->n_kept; ++j)
            to->vals[i * to->d + j] = ak_rows_dense(from, i)[v->kept[j]];
    return AKIN_OK;
}

/* Names tell whether the columns are those of the vocabulary. */
static akin_status check_names(akin_ctx *ctx, const ak_vocabulary *v,
                               const akin_rows *rows)
{
    const ak_columns *names = &rows->columns;
    int64_t j = 0;
    if (names->n == 0 || v->terms.n == 0)
        return AKIN_OK;
    while (j < names->n && j < v->terms.n &&
           strcmp(ak_columns_name(names, j), ak_columns_name(&v->terms, j)) ==
               0)
        ++j;
    if (j == names->n && j == v->terms.n)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_ESHAPE,
                   "the rows have %" PRId64
                   " columns of other terms (the vocabulary has %" PRId64
                   ", the first difference is column %" PRId64 ")",
                   names->n, v->terms.n, j);
}

static akin_status check(akin_ctx *ctx, const ak_vocabulary *v,
                         const akin_rows *rows)
{
    if (rows->offsets ? rows->d <= v->d : rows->d == v->d)
        return check_names(ctx, v, rows);
    return ak_fail(ctx, AKIN_ESHAPE,
                   "the rows have %" PRId64
                   " columns (the vocabulary has %" PRId64 ")",
                   rows->d, v->d);
}

akin_status ak_vocabulary_keep(akin_rows **out, akin_ctx *ctx,
                               const ak_vocabulary *v, const akin_rows *rows)
{
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(check(ctx, v, rows));
    AK_TRY(ak_rows_new(&r, ctx, rows->n, v->n_kept));
    r->index_base = rows->index_base;
    memcpy(r->prepared, rows->prepared, sizeof r->prepared);
    AK_TRY(rows->offsets ? keep_sparse(r, ctx, v, rows)
                         : keep_dense(r, ctx, v, rows));
    AK_TRY(ak_rows_copy_labels(r, ctx, rows, NULL));
    AK_TRY(ak_rows_copy_groups(r, ctx, rows, NULL));
    AK_TRY(ak_vocabulary_names(&r->columns, ctx, v, &rows->columns));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

/* ---- in files: "vocabulary.kept" (I32), "vocabulary.terms" and
 * "vocabulary.classes" (U8, each name closed by a zero byte), and notes ---- */

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
    ak_tensors_demand(t, FIRST_VERSION);
    AK_CHECK(ak_tensors_note_i64(t, ctx, key_of(key, prefix, "dim"), v->d));
    AK_CHECK(ak_tensors_note(t, ctx, key_of(key, prefix, "choices"),
                             v->choices ? v->choices : ""));
    if (v->terms.n > 0)
        AK_CHECK(ak_tensors_note(t, ctx, key_of(key, prefix, "words"),
                                 AK_WORDS_NAME));
    AK_CHECK(ak_tensors_put_vector(t, ctx, key_of(key, prefix, "kept"),
                                   AK_DTYPE_I32, v->n_kept, v->kept));
    AK_CHECK(ak_columns_put(&v->terms, ctx, t, key_of(key, prefix, "terms")));
    return ak_columns_put(&v->classes, ctx, t, key_of(key, prefix, "classes"));
}

static akin_status check_kept(const ak_tensors *t, akin_ctx *ctx,
                              const int32_t *kept, int64_t n, int64_t d)
{
    for (int64_t j = 0; j < n; ++j)
        if (kept[j] >= d || kept[j] <= (j > 0 ? kept[j - 1] : -1))
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: the columns that the vocabulary keeps must "
                           "increase within its %" PRId64,
                           ak_tensors_path(t), d);
    return AKIN_OK;
}

/* Terms name all columns or none, and are told from words in a known way. */
static akin_status take_terms(ak_vocabulary *v, akin_ctx *ctx,
                              const ak_tensors *t, const char *prefix)
{
    char key[KEY_SIZE];
    AK_CHECK(
        ak_columns_take(&v->terms, ctx, t, key_of(key, prefix, "terms"), v->d));
    if (v->terms.n != 0 && v->terms.n != v->d)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " terms (expected %" PRId64 ")",
                       ak_tensors_path(t), v->terms.n, v->d);
    const char *words = ak_tensors_get_note(t, key_of(key, prefix, "words"));
    if (v->terms.n > 0 && (words == NULL || strcmp(words, AK_WORDS_NAME) != 0))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: words are '%s' (expected " AK_WORDS_NAME ")",
                       ak_tensors_path(t), words ? words : "");
    return AKIN_OK;
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
