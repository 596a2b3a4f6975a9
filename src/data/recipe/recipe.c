#include "data/recipe/recipe.h"

#include <stdio.h>
#include <string.h>

#include "data/recipe/recipe_body.h"

const char *const ak_weights_words[AK_WEIGHTS_COUNT] = {
    "none", "binary", "tf", "sqrt", "log", "tfidf", "binary-idf", "sqrt-idf"};
const char *const ak_scale_words[AK_SCALE_COUNT] = {"none", "minmax", "zscore",
                                                    "su"};
const char *const ak_norm_words[AK_NORM_COUNT] = {"none", "l2", "global"};

akin_status ak_recipe_new(akin_recipe **out, akin_ctx *ctx, int64_t d)
{
    akin_recipe *r;
    const akin_status st = AK_NEW(ctx, 1, &r);
    if (st != AKIN_OK)
        return st;
    r->d = d;
    r->global = 1.0;
    *out = r;
    return AKIN_OK;
}

void akin_recipe_free(akin_recipe *r)
{
    if (r == NULL)
        return;
    akin_free(r->idf);
    akin_free(r->shift);
    akin_free(r->factor);
    akin_free(r->rotation);
    ak_columns_free(&r->columns);
    ak_vocabulary_free(r->vocabulary);
    akin_free(r);
}

void ak_recipe_name(akin_recipe *r)
{
    char *p = r->text;
    const char *end = r->text + sizeof r->text;
    *p = '\0';
    if (r->vocabulary != NULL)
        p += snprintf(p, (size_t)(end - p), " columns=%" PRId64 "/%" PRId64,
                      r->d, r->vocabulary->d);
    if (r->weights != AK_WEIGHTS_NONE)
        p += snprintf(p, (size_t)(end - p), " weights=%s",
                      ak_weights_words[r->weights]);
    if (r->center)
        p += snprintf(p, (size_t)(end - p), " center");
    if (r->scale != AK_SCALE_NONE)
        p += snprintf(p, (size_t)(end - p), " scale=%s",
                      ak_scale_words[r->scale]);
    if (r->norm != AK_NORM_NONE)
        p += snprintf(p, (size_t)(end - p), " norm=%s", ak_norm_words[r->norm]);
    if (p == r->text)
        strcpy(r->text, "none");
    else
        memmove(r->text, r->text + 1, strlen(r->text));
}

static akin_status copy_f64(akin_ctx *ctx, int64_t n, const double *from,
                            double **to)
{
    if (from == NULL)
        return AKIN_OK;
    const akin_status st = AK_NEW(ctx, n, to);
    if (st == AKIN_OK && n > 0)
        memcpy(*to, from, (size_t)n * sizeof *from);
    return st;
}

akin_status ak_recipe_copy(akin_recipe **out, akin_ctx *ctx,
                           const akin_recipe *r)
{
    akin_recipe *c = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(ak_recipe_new(&c, ctx, r->d));
    *c = *r;
    c->idf = c->shift = c->factor = c->rotation = NULL;
    c->columns = (ak_columns){0};
    c->vocabulary = NULL;
    AK_TRY(copy_f64(ctx, r->d, r->idf, &c->idf));
    AK_TRY(copy_f64(ctx, r->d, r->shift, &c->shift));
    AK_TRY(copy_f64(ctx, r->d, r->factor, &c->factor));
    AK_TRY(copy_f64(ctx, r->d * r->rank, r->rotation, &c->rotation));
    AK_TRY(ak_columns_copy(&c->columns, ctx, &r->columns));
    if (r->vocabulary != NULL)
        AK_TRY(ak_vocabulary_copy(&c->vocabulary, ctx, r->vocabulary));
    *out = c;
    c = NULL;
done:
    akin_recipe_free(c);
    return st;
}

const char *akin_recipe_text(const akin_recipe *r)
{
    return r->text;
}

int64_t akin_recipe_dim(const akin_recipe *r)
{
    return r->vocabulary ? r->vocabulary->d : r->d;
}

int64_t akin_recipe_column(const akin_recipe *r, int64_t j)
{
    return r->vocabulary ? r->vocabulary->kept[j] : j;
}

int64_t akin_recipe_index_base(const akin_recipe *r)
{
    return r->index_base;
}

/* Principal components have no names. */
const char *akin_recipe_column_name(const akin_recipe *r, int64_t j)
{
    return r->rotation ? NULL : ak_columns_name(&r->columns, j);
}

const double *ak_recipe_idf(const akin_recipe *r)
{
    return r->idf;
}

bool ak_weights_has_idf(ak_weights w)
{
    return w >= AK_WEIGHTS_TFIDF;
}

bool ak_recipe_makes_dense(const akin_recipe *r, const akin_rows *rows)
{
    return rows->offsets == NULL || r->shift != NULL || r->rotation != NULL;
}
