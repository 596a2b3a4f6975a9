#include "data/recipe/fingerprint.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum { HEX = 16 };

static uint64_t add(uint64_t h, const void *data, size_t bytes)
{
    return data ? XXH3_64bits_withSeed(data, bytes, h) : h + 1;
}

static uint64_t add_f64(uint64_t h, int64_t n, const double *x)
{
    return add(h, x, (size_t)n * sizeof *x);
}

uint64_t ak_recipe_fingerprint(const akin_recipe *r)
{
    const ak_vocabulary *v = r->vocabulary;
    uint64_t h = add(0, r->text, strlen(r->text));
    h = add(h, r->after, strlen(r->after));
    h = add(h, &r->d, sizeof r->d);
    h = add_f64(h, 1, &r->global);
    h = add_f64(h, r->d, r->idf);
    h = add_f64(h, r->d, r->shift);
    h = add_f64(h, r->d, r->factor);
    h = add_f64(h, r->d * r->rank, r->rotation);
    if (v == NULL)
        return h;
    h = add(h, v->kept, (size_t)v->n_kept * sizeof *v->kept);
    return v->terms.n > 0
               ? add(h, v->terms.text, (size_t)v->terms.begin[v->terms.n])
               : h;
}

bool ak_prepared_has(const char *prepared, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = prepared; (at = strchr(at, ' ')) != NULL;)
        if (strncmp(++at, word, n) == 0)
            return true;
    return false;
}

bool ak_prepared_take(const char *text, size_t n, char to[AK_PREPARED_SIZE])
{
    if (n < HEX || n >= AK_PREPARED_SIZE || (n > HEX && text[HEX] != ' '))
        return false;
    for (size_t k = 0; k < n; ++k)
        if (k < HEX ? strchr("0123456789abcdef", text[k]) == NULL || !text[k]
                    : text[k] < ' ' || text[k] > '~')
            return false;
    memcpy(to, text, n);
    to[n] = '\0';
    return true;
}

/* The words of `old` whose kind `to` does not have. */
static void add_words(char to[AK_PREPARED_SIZE], const char *old)
{
    while ((old = strchr(old, ' ')) != NULL) {
        const size_t n = 1 + strcspn(old + 1, " "), at = strlen(to);
        char kind[AK_PREPARED_SIZE];
        snprintf(kind, sizeof kind, "%.*s", (int)strcspn(old + 1, "= "),
                 old + 1);
        if (!ak_prepared_has(to, kind) && at + n < AK_PREPARED_SIZE) {
            memcpy(to + at, old, n);
            to[at + n] = '\0';
        }
        old += n;
    }
}

void ak_recipe_mark(const akin_recipe *r, const akin_rows *in, akin_rows *out)
{
    if (strcmp(r->text, "none") == 0) {
        memcpy(out->prepared, in->prepared, sizeof out->prepared);
        return;
    }
    snprintf(out->prepared, sizeof out->prepared, "%016" PRIx64 " %s",
             ak_recipe_fingerprint(r), r->text);
    add_words(out->prepared, in->prepared);
}

static const char embedded[] = "embedded";

void ak_embedding_mark(akin_rows *rows, uint64_t fingerprint)
{
    snprintf(rows->prepared, sizeof rows->prepared, "%016" PRIx64 " %s",
             fingerprint, embedded);
}

static const char *words_of(const char *prepared)
{
    return prepared + strnlen(prepared, HEX + 1);
}

static bool is_scaled(const char *prepared)
{
    return ak_prepared_has(prepared, "scale=") ||
           ak_prepared_has(prepared, "center");
}

static bool same_fingerprint(const char *a, const char *b)
{
    return strncmp(a, b, HEX) == 0;
}

akin_status ak_recipe_check_once(const akin_recipe *r, akin_ctx *ctx,
                                 const akin_rows *rows)
{
    const char *was = rows->prepared;
    char hex[HEX + 1];
    if (was[0] == '\0')
        return AKIN_OK;
    snprintf(hex, sizeof hex, "%016" PRIx64, ak_recipe_fingerprint(r));
    const bool as_fitted = same_fingerprint(was, r->after);
    if (ak_prepared_has(was, embedded) && !as_fitted)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the rows are vectors of a learned space already (take "
                       "the raw rows, or compare these by a plain measure such "
                       "as cosine)");
    const bool weighted = r->weights != AK_WEIGHTS_NONE &&
                          ak_prepared_has(was, "weights=");
    const bool scaled = (r->center || r->scale != AK_SCALE_NONE) &&
                        !as_fitted && is_scaled(was);
    const bool shrunk = r->norm == AK_NORM_GLOBAL && same_fingerprint(was, hex);
    if (!weighted && !scaled && !shrunk)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "the rows went through a recipe already (%s), and %s would "
                   "be applied on top (take the raw rows, or `as_is` in "
                   "commands that have it)",
                   words_of(was), r->text);
}

void ak_recipe_warn_other(const akin_recipe *r, akin_ctx *ctx,
                          const akin_rows *rows)
{
    const char *was = rows->prepared;
    if (r->after[0] == '\0' || same_fingerprint(was, r->after))
        return;
    if (was[0] != '\0')
        ak_log(ctx, AKIN_LOG_WARNING,
               "the rows went through another recipe (%s) than the rows that "
               "were learned from (%s)",
               words_of(was), words_of(r->after));
    else if (ak_prepared_has(r->after, "weights=") && ak_rows_are_counts(rows))
        ak_log(ctx, AKIN_LOG_WARNING,
               "the rows are counts, and those that were learned from went "
               "through a recipe (%s): apply that one to these rows first",
               words_of(r->after));
}
