/* Rows in the learned space of the model in use, u of queries and v of items,
 * have its score as their product. Weights s that are learned there, beginning
 * with 1, give
 *
 *   sum_k s_k u_k v_k                                        (1)
 *
 * For a diagonal model with weights w, u_j v_j = w_j x_j y_j: (1) has the
 * weights w s, and r = w s - w does not depend on how the rows were scaled. It
 * is 0 for every column that the user's triplets do not have. For a psd model,
 * u = A'x and v = A'y: (1) has the columns of A times sqrt s, and r = s - 1. A
 * negative s is the sign of the left side. */
#include "collection/feedback/residual.h"

#include <math.h>
#include <string.h>

#include "data/rows.h"
#include "model/diagonal.h"
#include "model/factored.h"
#include "model/model.h"

static const char added_to[] = "added_to";  // a note: which kind of model

bool ak_residual_fits(const akin_model *m)
{
    return ak_model_is_diagonal(m) || m->kind == &ak_kind_psd;
}

akin_status ak_residual_is_for(bool *out, akin_ctx *ctx, const ak_catalog *c,
                               const akin_model *residual, const ak_version *v,
                               const char *kind, const ak_version *in_use)
{
    const char *fit = akin_model_note(residual, added_to);
    *out = fit != NULL && strcmp(fit, kind) == 0 &&
           v->left.id == in_use->left.id && v->left.id == in_use->right.id;
    return *out && strcmp(kind, ak_kind_psd.name) == 0
               ? ak_version_is_same(out, ctx, c, v->against, in_use->version)
               : AKIN_OK;
}

akin_status ak_residual_refuse(akin_ctx *ctx, const ak_catalog *c,
                               const ak_version *v)
{
    return ak_fail(ctx, AKIN_EINVAL,
                   "%s: version %" PRId64
                   " has weights of a user, which cannot be added to the "
                   "model in use (they were learned for version %" PRId64 ")",
                   c->folder, v->version, v->against);
}

akin_status ak_residual_rows(akin_rows **out, akin_ctx *ctx,
                             const akin_rows *ready, const akin_model *m)
{
    akin_rows *items = NULL, *queries = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_embed(&items, ctx, m, ready, AKIN_RIGHT));
    AK_TRY(ak_model_embed(&queries, ctx, m, ready, AKIN_LEFT));
    AK_TRY(
        ak_rows_join(out, ctx, (const akin_rows *const[]){items, queries}, 2));
done:
    akin_rows_free(items);
    akin_rows_free(queries);
    return st;
}

/* ---- r ---- */

static double weight(const akin_model *m, int64_t j)
{
    const double *w = ak_model_is_diagonal(m) ? ak_diagonal_w(m) : NULL;
    return w != NULL ? w[j] : 1.0;
}

/* Columns of the space where weights are added. */
static int64_t width(const akin_model *m)
{
    return ak_model_is_diagonal(m) ? m->d[AKIN_LEFT] : ak_factored_rank(m);
}

akin_status ak_residual_of(akin_model **out, akin_ctx *ctx, const akin_model *m,
                           const akin_model *learned)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = width(m);
    akin_model *residual = NULL;
    double *r;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d, &r));
    for (int64_t j = 0; j < d; ++j)
        r[j] = weight(m, j) * (weight(learned, j) - 1.0);
    AK_TRY(ak_diagonal_new(&residual, ctx, d, r, m->by));
    AK_TRY(ak_model_set_note(residual, ctx, "learner",
                             akin_model_learner(learned)));
    AK_TRY(ak_model_set_note(residual, ctx, added_to, akin_model_kind(m)));
    *out = residual;
    residual = NULL;
done:
    akin_model_free(residual);
    ak_scratch_end(ctx, mark);
    return st;
}

/* Columns may have been added since. */
static double added(const akin_model *residual, int64_t j)
{
    return j < residual->d[AKIN_LEFT] ? weight(residual, j) : 0.0;
}

bool ak_residual_is_same(const akin_model *one, const akin_model *other)
{
    const int64_t d = ak_max_i64(one->d[AKIN_LEFT], other->d[AKIN_LEFT]);
    for (int64_t j = 0; j < d; ++j)
        if (added(one, j) != added(other, j))
            return false;
    return true;
}

/* ---- the sum ---- */

static akin_status psd_sum(akin_model **out, akin_ctx *ctx, const akin_model *m,
                           const double *w)
{
    const int64_t d = m->d[AKIN_LEFT], k = ak_factored_rank(m);
    const double *A = ak_factored_A(m);
    bool is_signed = false;
    double *left, *right;
    AK_CHECK(AK_SCRATCH_EACH(ctx, d * k, &left, &right));
    for (int64_t i = 0; i < d * k; ++i) {
        const double root = sqrt(fabs(w[i % k]));
        is_signed = is_signed || w[i % k] < 0.0;
        right[i] = root * A[i];
        left[i] = w[i % k] < 0.0 ? -right[i] : right[i];
    }
    return ak_factored_new(out, ctx, d, d, k, left, is_signed ? right : NULL,
                           m->by);
}

akin_status ak_residual_add(akin_model **out, akin_ctx *ctx,
                            const akin_model *m, const akin_model *residual)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = width(m);
    akin_model *sum = NULL;
    double *w;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d, &w));
    for (int64_t j = 0; j < d; ++j)
        w[j] = weight(m, j) + added(residual, j);
    AK_TRY(ak_model_is_diagonal(m) ? ak_diagonal_new(&sum, ctx, d, w, m->by)
                                   : psd_sum(&sum, ctx, m, w));
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
                            const char *user, int64_t *version)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    *version = 0;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q,
                      "SELECT version FROM users WHERE user = ?", "t", user));
    AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
    if (row)
        *version = sqlite3_column_int64(q, 0);
done:
    sqlite3_finalize(q);
    return st;
}
