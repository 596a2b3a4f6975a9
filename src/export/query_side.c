/* The query side of an index: (1) and (2) come from the recipe, (3) from the
 * model. A model that places rows by an affine map is asked where it puts
 * nothing and each unit vector. */
#include "export/query_side.h"

#include <math.h>
#include <string.h>

#include "index/index.h"
#include "model/compare.h"
#include "model/diagonal.h"

const char *const ak_length_words[AK_LENGTH_COUNT] = {"none", "vector",
                                                      "weighted"};

void ak_query_side_free(ak_query_side *q)
{
    akin_free(q->source);
    akin_free(q->idf);
    akin_free(q->shift);
    akin_free(q->factor);
    akin_free(q->weight);
    akin_free(q->axes);
    akin_free(q->offset);
    *q = (ak_query_side){0};
}

bool ak_query_side_fills(const ak_query_side *q)
{
    for (int64_t j = 0; j < q->d; ++j)
        if (q->shift[j] != 0.0)
            return true;
    return false;
}

akin_status ak_query_side_room(ak_query_side *q, akin_ctx *ctx, int64_t d,
                               int64_t dim)
{
    q->d = d;
    q->dim = dim;
    AK_CHECK(AK_NEW(ctx, d, &q->source));
    AK_CHECK(AK_NEW(ctx, d, &q->idf));
    AK_CHECK(AK_NEW(ctx, d, &q->shift));
    AK_CHECK(AK_NEW(ctx, d, &q->factor));
    return AK_NEW(ctx, d, &q->weight);
}

/* The idf is a factor of its own. */
static ak_weights without_idf(ak_weights w)
{
    switch (w) {
    case AK_WEIGHTS_TFIDF:
        return AK_WEIGHTS_TF;
    case AK_WEIGHTS_BINARY_IDF:
        return AK_WEIGHTS_BINARY;
    case AK_WEIGHTS_SQRT_IDF:
        return AK_WEIGHTS_SQRT;
    default:
        return w;
    }
}

static void take_recipe(ak_query_side *q, const akin_recipe *r)
{
    q->global = r ? r->global : 1.0;
    q->unit = r && r->norm == AK_NORM_L2;
    q->weights = r ? without_idf(r->weights) : AK_WEIGHTS_NONE;
    for (int64_t j = 0; j < q->d; ++j) {
        q->source[j] = r && r->vocabulary ? r->vocabulary->kept[j] : (int32_t)j;
        q->idf[j] = r && r->idf ? r->idf[j] : 1.0;
        q->shift[j] = r && r->shift ? r->shift[j] : 0.0;
        q->factor[j] = r && r->factor ? r->factor[j] : 1.0;
        q->weight[j] = 1.0;
    }
}

/* (3) of a diagonal model. */
static void take_weights(ak_query_side *q, const double *w, bool sparse,
                         akin_compare by)
{
    for (int64_t j = 0; w != NULL && j < q->d; ++j) {
        const double root = sqrt(fabs(w[j]));
        if (sparse && by != AKIN_BY_DISTANCE)
            q->weight[j] = w[j];
        else
            q->weight[j] = w[j] < 0.0 ? -root : root;
    }
}

static akin_status take_axes(ak_query_side *q, akin_ctx *ctx,
                             const akin_model *m)
{
    int64_t offsets[2] = {0, 0}, size = 0;
    int32_t column = 0;
    float one = 1.0F;
    akin_rows unit = {
        .n = 1, .d = q->d, .offsets = offsets, .cols = &column, .vals = &one};
    if (!ak_mul_i64(q->d, q->dim, &size))
        return ak_nomem(ctx, SIZE_MAX);
    AK_CHECK(AK_NEW(ctx, size, &q->axes));
    AK_CHECK(AK_NEW(ctx, q->dim, &q->offset));
    m->kind->embed(m, &unit, 0, AKIN_LEFT, q->offset);
    offsets[1] = 1;
    for (int64_t j = 0; j < q->d; ++j) {
        double *axes = q->axes + j * q->dim;
        column = (int32_t)j;
        m->kind->embed(m, &unit, 0, AKIN_LEFT, axes);
        for (int64_t c = 0; c < q->dim; ++c)
            axes[c] -= q->offset[c];
    }
    return ak_ctx_poll(ctx);
}

static bool is_affine(const akin_model *m)
{
    static const ak_model_kind *const kinds[] = {
        &ak_kind_diagonal, &ak_kind_metric, &ak_kind_factored, &ak_kind_psd,
        &ak_kind_full};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        if (m->kind == kinds[k])
            return true;
    return false;
}

akin_status ak_query_side_make(ak_query_side *q, akin_ctx *ctx,
                               const akin_index *x, bool sparse,
                               akin_compare by)
{
    const akin_model *m = x->model;
    const akin_recipe *r = akin_model_recipe(m, AKIN_LEFT);
    q->dim = ak_index_dim(x);
    if (by == AKIN_BY_COSINE)
        q->length = sparse && m->kind->embed == NULL ? AK_LENGTH_WEIGHTED
                                                     : AK_LENGTH_VECTOR;
    q->known = is_affine(m) && !(r && r->rotation);
    if (!q->known)
        return AKIN_OK;
    AK_CHECK(ak_query_side_room(q, ctx, m->d[AKIN_LEFT], q->dim));
    take_recipe(q, r);
    if (m->kind->embed == NULL)
        take_weights(q, ak_diagonal_w(m), sparse, by);
    else
        AK_CHECK(take_axes(q, ctx, m));
    return AKIN_OK;
}

/* ---- the vector of a query ---- */

static double weigh(ak_weights weights, double c, double sum)
{
    switch (weights) {
    case AK_WEIGHTS_BINARY:
        return c != 0.0 ? 1.0 : 0.0;
    case AK_WEIGHTS_TF:
        return c != 0.0 ? c / sum : 0.0;
    case AK_WEIGHTS_SQRT:
        return sqrt(c);
    case AK_WEIGHTS_LOG:
        return log1p(c);
    default:
        return c;
    }
}

/* (1) and (2); sources and columns both increase. False: it is not finite. */
static bool prepare(const ak_query_side *q, ak_row x, double *z)
{
    double sum = 0.0, square = 0.0;
    int64_t at = 0;
    for (int64_t j = 0; j < q->d; ++j) {
        while (at < x.n && ak_row_col(&x, at) < q->source[j])
            ++at;
        const bool there = at < x.n && ak_row_col(&x, at) == q->source[j];
        z[j] = there ? (double)x.vals[at] : 0.0;
        sum += z[j];
    }
    for (int64_t j = 0; j < q->d; ++j) {
        const double g = weigh(q->weights, z[j], sum) * q->idf[j];
        z[j] = (g - q->shift[j]) * q->factor[j];
        square += z[j] * z[j];
    }
    if (!isfinite(square))
        return false;
    const double by = q->unit && square > 0.0 ? q->global / sqrt(square)
                                              : q->global;
    for (int64_t j = 0; j < q->d; ++j)
        z[j] *= by;
    return true;
}

/* The feature with the largest part in the vector. */
static int64_t find_largest(const ak_query_side *q, const double *z,
                            bool prepared)
{
    double most = -1.0;
    int64_t at = 0;
    for (int64_t j = 0; j < q->d; ++j) {
        double part = fabs(z[j]);
        if (prepared && q->axes == NULL)
            part *= fabs(q->weight[j]);
        for (int64_t c = 0; prepared && q->axes && c < q->dim; ++c)
            part = fmax(part, fabs(z[j] * q->axes[j * q->dim + c]));
        if (isnan(part))
            return j;
        if (part > most) {
            most = part;
            at = j;
        }
    }
    return at;
}

int64_t ak_query_side_apply(const ak_query_side *q, const akin_rows *rows,
                            int64_t i, double *z, double *v)
{
    double square = 0.0, weighted = 0.0;
    if (!prepare(q, ak_row_of(rows, i), z))
        return find_largest(q, z, false);
    for (int64_t c = 0; c < q->dim; ++c)
        v[c] = q->offset ? q->offset[c] : 0.0;
    for (int64_t j = 0; j < q->d; ++j)
        if (q->axes == NULL)
            v[j] = q->weight[j] * z[j];
        else if (z[j] != 0.0)
            for (int64_t c = 0; c < q->dim; ++c)
                v[c] += z[j] * q->axes[j * q->dim + c];
    for (int64_t c = 0; c < q->dim; ++c) {
        square += v[c] * v[c];
        weighted += q->axes ? 0.0 : fabs(v[c] * z[c]);
    }
    if (!isfinite(square) || !isfinite(weighted))
        return find_largest(q, z, true);
    const double size = q->length == AK_LENGTH_VECTOR ? square : weighted;
    for (int64_t c = 0; c < q->dim && q->length != AK_LENGTH_NONE; ++c)
        v[c] = size > 0.0 ? v[c] / sqrt(size) : 0.0;
    return -1;
}
