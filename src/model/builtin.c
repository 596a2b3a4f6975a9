/* Measures without learning. */
#include <string.h>

#include "model/diagonal.h"
#include "model/metric.h"

static akin_status euclidean(akin_model **out, akin_ctx *ctx,
                             const akin_rows *rows)
{
    return ak_diagonal_new(out, ctx, rows->d, NULL, AKIN_BY_DISTANCE);
}

static akin_status cosine(akin_model **out, akin_ctx *ctx,
                          const akin_rows *rows)
{
    return ak_diagonal_new(out, ctx, rows->d, NULL, AKIN_BY_COSINE);
}

static akin_status tfidf(akin_model **out, akin_ctx *ctx, const akin_rows *rows)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_recipe *recipe = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    o.weights = "tfidf";
    o.norm = "l2";
    AK_TRY(akin_recipe_fit(&recipe, ctx, rows, &o));
    AK_TRY(ak_diagonal_new(&m, ctx, rows->d, NULL, AKIN_BY_DOT));
    m->recipe[AKIN_LEFT] = recipe;
    recipe = NULL;
    *out = m;
done:
    akin_recipe_free(recipe);
    return st;
}

static akin_status mahalanobis(akin_model **out, akin_ctx *ctx,
                               const akin_rows *rows)
{
    const int64_t d = rows->d;
    const ak_mark mark = ak_scratch_begin(ctx);
    double *M;
    akin_status st = AKIN_OK;
    if (d > AK_METRIC_MOST)
        AK_TRY(ak_fail(
            ctx, AKIN_EINVAL,
            "mahalanobis allows at most %d columns (there are %" PRId64 ")",
            AK_METRIC_MOST, d));
    AK_TRY(AK_SCRATCH(ctx, d * d, &M));
    AK_TRY(ak_mahalanobis(ctx, rows->n, d, ak_fetch_row, rows, M));
    AK_TRY(ak_metric_new(out, ctx, d, M, AKIN_BY_DISTANCE));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const struct builtin {
    const char *name;
    akin_status (*make)(akin_model **out, akin_ctx *ctx, const akin_rows *rows);
} builtins[] = {
    {"euclidean", euclidean},
    {"cosine", cosine},
    {"tfidf", tfidf},
    {"mahalanobis", mahalanobis},
};

static const struct builtin *find(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; ++i)
        if (strcmp(builtins[i].name, name) == 0)
            return &builtins[i];
    return NULL;
}

int akin_model_is_builtin(const char *name)
{
    return find(name) != NULL;
}

akin_status akin_model_builtin(akin_model **out, akin_ctx *ctx,
                               const char *name, const akin_rows *rows)
{
    const struct builtin *b = find(name);
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (b == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "unknown measure '%s' (expected euclidean, cosine, "
                       "tfidf or mahalanobis)",
                       name);
    AK_TRY(b->make(&m, ctx, rows));
    AK_TRY(ak_model_set_note(m, ctx, "learner", name));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}
