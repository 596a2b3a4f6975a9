/* Cases about rows and rankings, without learning. */
#include <akin/eval.h>

#include "data/recipe/recipe.h"
#include "model/diagonal.h"
#include "run_case.h"

/* Row i of `rows` through the recipe, spread over `d` zeros. */
static akin_status weighted_row(double *x, akin_ctx *ctx,
                                const akin_recipe *recipe,
                                const akin_rows *rows, int64_t i, int64_t d)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int32_t *cols = NULL;
    double *vals = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d, &cols));
    AK_TRY(AK_SCRATCH(ctx, d, &vals));
    const int64_t n = ak_recipe_row(recipe, rows, i, cols, vals);
    for (int64_t k = 0; k < n; ++k)
        x[cols[k]] = vals[k];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status fit_tfidf(akin_recipe **out, akin_ctx *ctx, const json_t *in,
                             const akin_rows *rows)
{
    akin_recipe_options options = AKIN_RECIPE_DEFAULTS;
    const json_t *params = json_object_get(in, "params");
    options.weights = "tfidf";
    if (json_is_true(json_object_get(params, "l2")))
        options.norm = "l2";
    if (json_is_true(json_object_get(params, "smooth")))
        return ak_fail(ctx, AKIN_EABSENT, "no smoothed tf-idf");
    return akin_recipe_fit(out, ctx, rows, &options);
}

akin_status case_tfidf(akin_ctx *ctx, const json_t *in, json_t *out)
{
    akin_rows *rows = NULL;
    akin_recipe *recipe = NULL;
    double *X = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(case_sparse_rows(&rows, ctx, in));
    AK_TRY(fit_tfidf(&recipe, ctx, in, rows));
    AK_TRY(ak_recipe_check(recipe, ctx, rows));
    const int64_t n = akin_rows_count(rows), d = akin_rows_dim(rows);
    AK_TRY(AK_SCRATCH(ctx, n * d, &X));
    for (int64_t i = 0; i < n; ++i)
        AK_TRY(weighted_row(X + i * d, ctx, recipe, rows, i, d));
    AK_TRY(case_put_rows(ctx, out, "X", n, d, X));
    AK_TRY(case_put(ctx, out, "idf", d, recipe->idf));
done:
    akin_recipe_free(recipe);
    akin_rows_free(rows);
    return st;
}

/* Scores of all rows for one query, which is itself ranked too: it is given as
 * a query from outside. */
static akin_status rank(double *scores, double *ap, akin_ctx *ctx,
                        const akin_model *m, const akin_rows *rows,
                        int64_t query, const akin_lists *relevant)
{
    const int64_t n = akin_rows_count(rows);
    akin_retrieval_options options = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval found;
    akin_rows *queries = NULL;
    int64_t *ij = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_rows_select(&queries, ctx, rows, &query, 1));
    AK_TRY(AK_SCRATCH(ctx, 2 * n, &ij));
    for (int64_t i = 0; i < n; ++i) {
        ij[2 * i] = 0;
        ij[2 * i + 1] = i;
    }
    AK_TRY(akin_model_score(scores, ctx, m, queries, rows, ij, n,
                            AKIN_BY_DEFAULT));
    options.queries = queries;
    options.relevant = relevant;
    AK_TRY(akin_eval_retrieval(&found, ap, ctx, m, rows, &options));
done:
    akin_rows_free(queries);
    return st;
}

/* "relevant" has a 0 or 1 for each row. */
static akin_status relevant_lists(akin_lists **out, akin_ctx *ctx,
                                  const json_t *in)
{
    const json_t *flags = json_object_get(in, "relevant");
    const int64_t n = (int64_t)json_array_size(flags);
    int64_t *query_row = NULL, count = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 2 * n, &query_row));
    for (int64_t i = 0; i < n; ++i)
        if (json_integer_value(json_array_get(flags, (size_t)i)))
            query_row[2 * count++ + 1] = i;
    AK_TRY(akin_lists_new(out, ctx, 1, query_row, count));
done:
    return st;
}

akin_status case_ranking(akin_ctx *ctx, const json_t *in, json_t *out)
{
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_lists *relevant = NULL;
    double *w = NULL, *scores = NULL, ap = 0.0;
    int64_t d = 0;
    akin_status st = AKIN_OK;
    AK_TRY(case_sparse_rows(&rows, ctx, in));
    AK_TRY(case_numbers(&w, &d, ctx, json_object_get(in, "w")));
    AK_TRY(ak_diagonal_new(&m, ctx, d, w, AKIN_BY_DOT));
    AK_TRY(relevant_lists(&relevant, ctx, in));
    AK_TRY(AK_SCRATCH(ctx, akin_rows_count(rows), &scores));
    AK_TRY(rank(scores, &ap, ctx, m, rows,
                json_integer_value(json_object_get(in, "query")), relevant));
    AK_TRY(case_put(ctx, out, "scores", akin_rows_count(rows), scores));
    AK_TRY(case_put_number(ctx, out, "ap", ap));
done:
    akin_lists_free(relevant);
    akin_model_free(m);
    akin_rows_free(rows);
    return st;
}
