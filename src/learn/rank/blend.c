/* Logistic regression blended with what else is known of classes, so that few
 * labelled rows do not have to decide between them.
 *   [1] Cox. Some procedures connected with the logistic qualitative response
 *       curve. Research Papers in Statistics, 1966.
 *   [2] Fisher. The use of multiple measurements in taxonomic problems. Annals
 *       of Eugenics 7:179-188, 1936.
 *
 * Let z(x) = W'x + b be the logits of [1], m and m_c the means of all rows and
 * of class c, p_c its share, S the shrunken covariance within classes of
 * learn/metric/lda.c, T'S T = I, and B the weighted directions of [2]. With the
 * share s of logistic regression, the model is one of
 *
 *   classes    s z_c(x) + (1 - s) g_c(x), the logits of labels,
 *              g_c(x) = (m_c - m)'S^-1 (x - (m + m_c) / 2) + log p_c      (1)
 *   whitened   s |W'x|^2 + (1 - s) |T'x|^2                                (2)
 *   lda        s |W'x|^2 + (1 - s) |B'x|^2                                (3)
 *   rows       s |W'x|^2 + (1 - s)/2 |B'x|^2 + (1 - s)/2 |x|^2            (4)
 *
 * (1) is the geometric mean of two probabilities, and its sharpness as in
 * learn/rank/logistic.c. (2) to (4) are squared lengths of differences x, each
 * divided by its mean over pairs of rows. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/learner.h"
#include "learn/metric/full_metric.h"
#include "learn/metric/lda.h"
#include "model/posterior.h"

/* Columns side by side, d x k: a learned space. */
typedef struct space {
    int64_t d, k;
    double *B;
} space;

static bool is_with(const akin_blend_options *o, const char *word)
{
    return strcmp(o->with, word) == 0;
}

/* ---- labels ---- */

/* (1); the labels of `logistic` are the classes that have rows, in order. */
static akin_status blend_labels(akin_model **out, akin_ctx *ctx,
                                const akin_blend_options *o, const ak_lda *p,
                                const akin_model *logistic)
{
    const ak_logits z = ak_posterior_logits(logistic, AKIN_LEFT);
    const ak_labels labels = ak_model_labels(logistic);
    const int64_t d = p->d, L = labels.n;
    double *W, *b, *m, *w;
    AK_CHECK(AK_SCRATCH(ctx, d * L, &W));
    AK_CHECK(AK_SCRATCH(ctx, L, &b));
    AK_CHECK(AK_SCRATCH(ctx, p->t, &m));
    AK_CHECK(AK_SCRATCH(ctx, d, &w));
    for (int64_t c = 0, l = 0; l < L; ++c) {
        if (!(p->mass[c] > 0.0))
            continue;
        memset(m, 0, (size_t)p->t * sizeof *m);
        for (int64_t j = 0; j < d; ++j)
            ak_axpy(p->t, p->means[c * d + j], p->T + j * p->t, m);
        for (int64_t j = 0; j < d; ++j) {
            w[j] = ak_dot(p->t, p->T + j * p->t, m);
            W[j * L + l] = o->share * z.W[j * L + l] + (1.0 - o->share) * w[j];
        }
        b[l] = o->share * z.b[l] +
               (1.0 - o->share) *
                   (log(p->mass[c] / (double)p->n) - 0.5 * ak_dot(p->t, m, m) -
                    ak_dot(d, w, p->mean));
        ++l;
    }
    return ak_posterior_new(out, ctx, labels, &(ak_logits){d, W, b}, NULL,
                            o->sharpness);
}

/* ---- spaces ---- */

/* Puts the columns of A (d x k) beside those there are, so that the squared
 * distances of the centred rows X have the mean `weight`. A NULL: I. */
static akin_status put_beside(space *s, akin_ctx *ctx, const ak_lda *p,
                              int64_t k, const double *A, double weight)
{
    double *E = NULL, square;
    if (A != NULL) {
        AK_CHECK(AK_SCRATCH(ctx, p->n * k, &E));
        AK_CHECK(ak_gemm(ctx, false, false, p->n, k, p->d, 1.0, p->X, p->d, A,
                         k, 0.0, E, k));
    }
    square = 2.0 / (double)p->n *
             (A ? ak_dot(p->n * k, E, E) : ak_dot(p->n * k, p->X, p->X));
    const double scale = square > 0.0 ? sqrt(weight / square) : 0.0;
    const int64_t all = s->k;
    for (int64_t j = 0; j < p->d; ++j)
        for (int64_t c = 0; c < k; ++c)
            s->B[j * s->d + all + c] = scale * (A ? A[j * k + c] : j == c);
    s->k += k;
    return AKIN_OK;
}

/* (2) to (4). */
static akin_status blend_space(akin_model **out, akin_ctx *ctx,
                               const akin_blend_options *o, const ak_lda *p,
                               const akin_model *logistic)
{
    const ak_logits z = ak_posterior_logits(logistic, AKIN_LEFT);
    const int64_t L = ak_model_labels(logistic).n, d = p->d;
    const bool rows = is_with(o, "rows"), whitened = is_with(o, "whitened");
    const double rest = 1.0 - o->share;
    const int64_t k = L + (whitened ? p->t : p->k) + (rows ? d : 0);
    space s = {.d = k};
    double *M;
    AK_CHECK(AK_SCRATCH(ctx, d * k, &s.B));
    AK_CHECK(put_beside(&s, ctx, p, L, z.W, o->share));
    if (whitened)
        AK_CHECK(put_beside(&s, ctx, p, p->t, p->T, rest));
    else
        AK_CHECK(put_beside(&s, ctx, p, p->k, p->B, rows ? 0.5 * rest : rest));
    if (rows)
        AK_CHECK(put_beside(&s, ctx, p, d, NULL, 0.5 * rest));
    if (k < d)
        return ak_metric_new_factor(out, ctx, d, k, s.B, AKIN_BY_DISTANCE);
    AK_CHECK(AK_SCRATCH(ctx, d * d, &M));
    AK_CHECK(ak_gram(ctx, false, d, k, s.B, k, M));
    return ak_metric_new(out, ctx, d, M, AKIN_BY_DISTANCE);
}

/* ---- the run ---- */

static akin_status learn_logistic(akin_model **out, akin_ctx *ctx,
                                  const akin_blend_options *o,
                                  const akin_supervision *data,
                                  akin_learn_info *info)
{
    akin_logistic_options l = AKIN_LOGISTIC_DEFAULTS;
    l.lambda = o->lambda;
    return ak_learner_find("logistic")->learn(out, ctx, &l.head, data, info);
}

static akin_status blend_learn(akin_model **out, akin_ctx *ctx,
                               const akin_options *head,
                               const akin_supervision *data,
                               akin_learn_info *info)
{
    const akin_blend_options *o = (const akin_blend_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_lda p = {.d = data->rows->d,
                .rows = data->rows,
                .shrinkage = o->shrinkage,
                .is_weighted = true,
                .is_in_span = true};
    akin_model *logistic = NULL;
    int64_t *which;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_check_rows(ctx, head, data->rows));
    AK_TRY(ak_supervision_labelled(&which, &p.n, ctx, data));
    p.which = which;
    AK_TRY(ak_metric_check_size(ctx, head, data->rows, p.n));
    AK_TRY(learn_logistic(&logistic, ctx, o, data, info));
    AK_TRY(ak_rows_matrix(&p.X, ctx, data->rows, p.which, p.n));
    AK_TRY(ak_lda_directions(&p, ctx));
    AK_TRY(is_with(o, "classes") ? blend_labels(out, ctx, o, &p, logistic)
                                 : blend_space(out, ctx, o, &p, logistic));
    AK_TRY(ak_metric_note(*out, ctx, "shrinkage", p.used));
done:
    akin_model_free(logistic);
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_WORD(akin_blend_options, with, "classes|whitened|lda|rows",
                   "classes: labels by Gaussian classes; else a distance: of "
                   "whitened rows, of lda, or of lda and the rows"),
    AK_OPTION_GRID(akin_blend_options, share, 0.0, 1.0,
                   "of logistic regression in the blend", 0.0, 0.5, 0.8),
    AK_OPTION_GRID(akin_blend_options, lambda, 0.0, 1e12,
                   "strength of its penalty, as that of logistic", 0.01, 0.1),
    AK_OPTION_GRID(akin_blend_options, shrinkage, -1.0, 1.0,
                   "of the covariance within classes towards a multiple of "
                   "the identity; -1: by the rule of Ledoit and Wolf",
                   -1.0, 1e-3, 0.1, 0.5),
    AK_OPTION_IF(akin_blend_options, sharpness, 1e-3, 1e3, "with=classes",
                 "rows are compared by this power of their probabilities"),
};

const ak_learner ak_learner_blend = {
    .info =
        {
            .name = "blend",
            .summary = "logistic regression and lda in one, by labels or as a "
                       "distance",
            .when = "few labels, dense rows: steadier than either of the two",
            .paper = "fisher1936lda",
            .takes = AKIN_LABELS,
            .makes = "posterior",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_standard,
            AK_OPTION_ROWS(akin_blend_options, AKIN_BLEND_DEFAULTS, options),
        },
    .learn = blend_learn,
};
