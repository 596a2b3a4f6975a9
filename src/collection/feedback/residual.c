/* With the weights w in use, S(x, y) = sum_j w_j x_j y_j. Rows
 *
 *   u_j = sign(w_j) sqrt|w_j| x_j  of queries,  v_j = sqrt|w_j| y_j  of items
 *
 * have the same products under weights 1, and N(v) = sum_j |w_j| y_j^2, by
 * which cosines are divided, is the same too. Weights s that are learned from
 * such rows, beginning with 1, are w s for x and y:
 *
 *   r = w s - w
 *
 * is 0 for every column that the user's triplets do not have. */
#include "collection/feedback/residual.h"

#include <math.h>

#include "data/rows.h"
#include "model/diagonal.h"
#include "model/model.h"

static double weight(const akin_model *m, int64_t j)
{
    const double *w = ak_diagonal_w(m);
    return w != NULL ? w[j] : 1.0;
}

static void scale_row(const akin_rows *rows, int64_t i, const akin_model *m,
                      bool is_query)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    float *to = rows->vals + (vals - rows->vals);
    for (int64_t k = 0; k < n; ++k) {
        const double w = weight(m, cols != NULL ? cols[k] : k);
        const double root = sqrt(fabs(w));
        to[k] = (float)(to[k] * (is_query && w < 0.0 ? -root : root));
    }
}

akin_status ak_residual_rows(akin_rows **out, akin_ctx *ctx,
                             const akin_rows *ready, const akin_model *m)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = ready->n;
    int64_t *twice;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 2 * n, &twice));
    for (int64_t i = 0; i < 2 * n; ++i)
        twice[i] = i % n;
    AK_TRY(akin_rows_select(out, ctx, ready, twice, 2 * n));
    for (int64_t i = 0; i < 2 * n; ++i)
        scale_row(*out, i, m, i >= n);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_residual_of(akin_model **out, akin_ctx *ctx, const akin_model *m,
                           const akin_model *learned)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = m->d[AKIN_LEFT];
    akin_model *residual = NULL;
    double *r;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d, &r));
    for (int64_t j = 0; j < d; ++j)
        r[j] = weight(m, j) * (weight(learned, j) - 1.0);
    AK_TRY(ak_diagonal_new(&residual, ctx, d, r, m->by));
    AK_TRY(ak_model_set_note(residual, ctx, "learner",
                             akin_model_learner(learned)));
    *out = residual;
    residual = NULL;
done:
    akin_model_free(residual);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_residual_add(akin_model **out, akin_ctx *ctx,
                            const akin_model *m, const akin_model *residual)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = m->d[AKIN_LEFT], known = residual->d[AKIN_LEFT];
    akin_model *sum = NULL;
    double *w;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d, &w));
    for (int64_t j = 0; j < d; ++j)
        w[j] = weight(m, j) + (j < known ? weight(residual, j) : 0.0);
    AK_TRY(ak_diagonal_new(&sum, ctx, d, w, m->by));
    AK_TRY(ak_model_set_recipe(sum, ctx, AKIN_LEFT,
                               akin_model_recipe(m, AKIN_LEFT)));
    *out = sum;
    sum = NULL;
done:
    akin_model_free(sum);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_user_version(const ak_catalog *c, akin_ctx *ctx,
                            const char *user, const ak_space *space,
                            int64_t *version)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *version = 0;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT version FROM versions JOIN users USING(version) "
                      "WHERE users.user = ? AND space = ?",
                      "ti", user, space->id));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (row)
        *version = sqlite3_column_int64(q, 0);
done:
    sqlite3_finalize(q);
    return st;
}
