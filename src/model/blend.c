/* A learned space beside the rows' own. With e(x) the place of x under a
 * learned model, at length 1 or 0, and x/|x| the row itself,
 *
 *   u(x) = ( e(x) , sqrt(alpha) x/|x| ) / sqrt(1 + alpha)               (1)
 *
 *   dot        (cos(e(x), e(y)) + alpha cos(x, y)) / (1 + alpha)        (2)
 *   cosine     (2) / (|u(x)| |u(y)|); lengths are 1 unless a place is 0 (3)
 *   distance   - |u(x) - u(y)|^2                                        (4)
 *
 * The learned part knows what tells the kinds of rows apart that were learned
 * from; of other kinds the words that only they have would be lost in it. */
#include "model/blend.h"

#include <math.h>

#include "model/compare.h"
#include "model/prototypes.h"

typedef struct blend {
    akin_model *learned;
    double alpha;
} blend;

static const blend *params(const akin_model *m)
{
    return m->params;
}

double ak_blend_alpha(const akin_model *m)
{
    return params(m)->alpha;
}

static double length(ak_row x)
{
    double square = 0.0;
    for (int64_t i = 0; i < x.n; ++i)
        square += (double)x.vals[i] * (double)x.vals[i];
    return sqrt(square);
}

static void blend_embed(const akin_model *m, const akin_rows *rows, int64_t i,
                        akin_side side, double *out)
{
    const akin_model *learned = params(m)->learned;
    const int64_t k = learned->kind->embed_dim(learned);
    double square = 0.0;
    learned->kind->embed(learned, rows, i, side, out);
    for (int64_t c = 0; c < k; ++c)
        square += out[c] * out[c];
    const double size = sqrt(square * (1.0 + params(m)->alpha));
    for (int64_t c = 0; c < k && size > 0.0; ++c)
        out[c] /= size;
}

static int64_t blend_embed_dim(const akin_model *m)
{
    return params(m)->learned->kind->embed_dim(params(m)->learned);
}

static double blend_own(const akin_model *m, const akin_rows *rows, int64_t i)
{
    const double alpha = params(m)->alpha;
    const double size = length(ak_row_of(rows, i));
    return size > 0.0 ? sqrt(alpha / (1.0 + alpha)) / size : 0.0;
}

static double learned_cosine(const akin_model *m, const akin_rows *left,
                             int64_t i, const akin_rows *right, int64_t j)
{
    const akin_model *learned = params(m)->learned;
    return learned->kind->score(learned, left, i, right, j, AKIN_BY_COSINE);
}

/* Is the place of a row under the learned model any but 0? */
static bool is_somewhere(const akin_model *learned, const akin_rows *rows,
                         int64_t i, akin_side side)
{
    enum { AT_ONCE = AK_PROTOTYPES_MOST };
    double e[AT_ONCE];
    const int64_t k = learned->kind->embed_dim(learned);
    for (int64_t first = 0; first < k; first += AT_ONCE) {
        const int64_t n = ak_min_i64(AT_ONCE, k - first);
        if (learned->kind->place != NULL)
            learned->kind->place(learned, rows, i, side, first, n, e);
        else
            learned->kind->embed(learned, rows, i, side, e);
        for (int64_t c = 0; c < n; ++c)
            if (e[c] != 0.0)
                return true;
    }
    return false;
}

/* |u|^2 of a row of this length. */
static double square_of(const akin_model *m, const akin_rows *rows, int64_t i,
                        akin_side side, double size)
{
    const double alpha = params(m)->alpha;
    const double learned = is_somewhere(params(m)->learned, rows, i, side);
    return (learned + (size > 0.0 ? alpha : 0.0)) / (1.0 + alpha);
}

static double blend_score(const akin_model *m, const akin_rows *left, int64_t i,
                          const akin_rows *right, int64_t j, akin_compare by)
{
    const double alpha = params(m)->alpha;
    const ak_row x = ak_row_of(left, i), y = ak_row_of(right, j);
    const double xl = length(x), yl = length(y);
    double own = 0.0;
    for (ak_walk w = {.row = {x, y}}; ak_walk_next(&w);)
        own += w.x * w.y;
    own = xl > 0.0 && yl > 0.0 ? own / (xl * yl) : 0.0;
    ak_sums s = {.xy = (learned_cosine(m, left, i, right, j) + alpha * own) /
                       (1.0 + alpha)};
    if (by == AKIN_BY_DOT)
        return s.xy;
    s.xx = square_of(m, left, i, AKIN_LEFT, xl);
    s.yy = square_of(m, right, j, AKIN_RIGHT, yl);
    s.gap = fmax(0.0, s.xx + s.yy - 2.0 * s.xy);
    return ak_sums_compare(&s, by);
}

/* alpha x_j y_j / (|x| |y|) joins the n reasons of the learned part, which
 * rise by feature. */
static int64_t add_own(const akin_model *m, ak_row x, ak_row y,
                       akin_reason *reasons, int64_t n)
{
    const double size = length(x) * length(y);
    const double scale = size > 0.0 ? params(m)->alpha / size : 0.0;
    int64_t at = 0, end = n;
    for (ak_walk w = {.row = {x, y}}; ak_walk_next(&w);) {
        const double own = scale * w.x * w.y;
        while (at < n && reasons[at].feature < w.col)
            ++at;
        if (at < n && reasons[at].feature == w.col)
            reasons[at].contribution += own;
        else if (own != 0.0)
            reasons[end++] = (akin_reason){w.col, own};
    }
    return end;
}

/* Features take what they take of (2), scaled to add up to the score. */
static int64_t blend_explain(const akin_model *m, const akin_rows *left,
                             int64_t i, const akin_rows *right, int64_t j,
                             akin_compare by, akin_reason *reasons)
{
    const akin_model *learned = params(m)->learned;
    const ak_row x = ak_row_of(left, i), y = ak_row_of(right, j);
    double sum = 0.0;
    int64_t n = learned->kind->explain(learned, left, i, right, j,
                                       AKIN_BY_COSINE, reasons);
    if (reasons == NULL)
        return n + ak_min_i64(x.n, y.n);
    n = add_own(m, x, y, reasons, n);
    for (int64_t f = 0; f < n; ++f)
        sum += reasons[f].contribution;
    const double scale =
        sum != 0.0 ? blend_score(m, left, i, right, j, by) / sum : 0.0;
    for (int64_t f = 0; f < n; ++f)
        reasons[f].contribution *= scale;
    return n;
}

static int64_t blend_parameters(const akin_model *m)
{
    return params(m)->learned->kind->parameters(params(m)->learned);
}

static int64_t blend_nonzeros(const akin_model *m)
{
    return params(m)->learned->kind->nonzeros(params(m)->learned);
}

static int64_t blend_rank(const akin_model *m)
{
    return params(m)->learned->kind->rank(params(m)->learned);
}

static const akin_model *blend_learned(const akin_model *m)
{
    return params(m)->learned;
}

static void blend_turn(akin_model *m)
{
    const blend *b = m->params;
    ak_model_turn_parts(b->learned);
}

static void blend_free(akin_model *m)
{
    blend *b = m->params;
    if (b == NULL)
        return;
    akin_model_free(b->learned);
    akin_free(b);
}

akin_status ak_blend_with_rows(akin_model **m, akin_ctx *ctx, double alpha)
{
    akin_model *learned = *m, *made = NULL;
    blend *b = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&made, ctx, &ak_kind_blend, learned->d[0],
                        learned->d[1], AKIN_BY_COSINE));
    AK_TRY(AK_NEW(ctx, 1, &b));
    made->params = b;
    *b = (blend){learned, alpha};
    ak_model_swap_notes(made, learned);
    *m = made;
    made = NULL;
done:
    akin_model_free(made);
    return st;
}

bool ak_blend_suits(const akin_model *m)
{
    static const ak_model_kind *const kinds[] = {
        &ak_kind_psd, &ak_kind_factored, &ak_kind_kernel, &ak_kind_prototypes};
    for (int i = 0; i < 4; ++i)
        if (m->kind == kinds[i])
            return m->d[0] == m->d[1];
    return false;
}

akin_status ak_blend_in_place(akin_model *m, akin_ctx *ctx, double alpha)
{
    akin_model *learned = NULL;
    blend *b = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&learned, ctx, m->kind, m->d[0], m->d[1], m->by));
    AK_TRY(AK_NEW(ctx, 1, &b));
    learned->params = m->params;
    *b = (blend){learned, alpha};
    learned = NULL;
    m->kind = &ak_kind_blend;
    m->params = b;
    m->by = AKIN_BY_COSINE;
done:
    akin_model_free(learned);
    return st;
}

/* What is learned as it would stand alone, and alpha. */
static akin_status blend_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    const blend *b = params(m);
    AK_CHECK(b->learned->kind->put(b->learned, ctx, t));
    return ak_tensors_put(
        t, ctx, (ak_tensor){"blend", AK_DTYPE_F64, 1, {1}, &b->alpha});
}

static akin_status blend_take(akin_model *m, akin_ctx *ctx, const ak_tensors *t)
{
    const ak_tensor *alpha;
    blend *b = NULL;
    AK_CHECK(ak_tensors_need(t, ctx, "blend", AK_DTYPE_F64, 1, &alpha));
    const double *value = alpha->data;
    if (m->d[0] != m->d[1])
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: left and right have %" PRId64 " and %" PRId64
                       " columns (must be equal)",
                       ak_tensors_path(t), m->d[0], m->d[1]);
    if (alpha->shape[0] != 1 || !(*value > 0.0) || !isfinite(*value))
        return ak_fail(ctx, AKIN_EFORMAT, "%s: 'blend' is not a number above 0",
                       ak_tensors_path(t));
    AK_CHECK(AK_NEW(ctx, 1, &b));
    m->params = b;
    b->alpha = *value;
    AK_CHECK(ak_model_new(&b->learned, ctx,
                          ak_tensors_find(t, "prototypes")
                              ? &ak_kind_prototypes
                              : ak_model_kind_below(t),
                          m->d[0], m->d[1], AKIN_BY_COSINE));
    return b->learned->kind->take(b->learned, ctx, t);
}

const ak_model_kind ak_kind_blend = {
    .name = "blend",
    .score = blend_score,
    .embed = blend_embed,
    .embed_dim = blend_embed_dim,
    .own = blend_own,
    .learned = blend_learned,
    .explain = blend_explain,
    .turn = blend_turn,
    .nonzeros = blend_nonzeros,
    .parameters = blend_parameters,
    .rank = blend_rank,
    .put = blend_put,
    .take = blend_take,
    .free = blend_free,
};
