/* LDA: directions in which classes differ most, measured by their own spread.
 *   [1] Fisher. The use of multiple measurements in taxonomic problems. Annals
 *       of Eugenics 7:179-188, 1936.
 *   [2] Ledoit, Wolf. A well-conditioned estimator for large-dimensional
 *       covariance matrices. Journal of Multivariate Analysis 88:365-411, 2004.
 *
 * Of n labelled rows with mean m, class c with the mean m_c and the share p_c
 * of rows (a row of several labels is shared among them):
 *
 *   x_j <- x_j / sigma_j, sigma_j^2 the variance of column j within classes,
 *          or a tenth of its whole variance where that is more           (1)
 *   Sw = 1/n sum_i z_i z_i',  z_i = x_i - m_c of its class                (2)
 *   S  = (1 - a) Sw + a tr(Sw)/d I                                        (3)
 *   T'S T = I                                                             (4)
 *   T' sum_c p_c (m_c - m)(m_c - m)' T = R diag(f) R'                     (5)
 *   B  = T R diag(f / (1 + f))^(1/2),  the columns of the largest f,
 *        classes - 1 at most                                              (6)
 *
 * and by [2]
 *
 *   a = min(1, (1/n sum_i |z_i|^4 - |Sw|^2) / n / |Sw - tr(Sw)/d I|^2)    (7)
 *
 * So S lies between Sw and its diagonal, by (1). f is the variance between
 * classes of a direction, divided by that within; the weights of (6) are the
 * shares of it in the whole variance.
 *
 * Columns may keep their scale instead of (1). Then S is shrunk towards a
 * multiple of I in the span of the rows: r stands for d in (3) and (7).
 *
 * From (2) on everything happens in the span of the centred rows, of dimension
 * r <= n: the complement has no part in (5), and (3) is a multiple of I there.
 * So wide rows cost n^2 d, not d^3. */
#include "learn/metric/lda.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/shared.h"
#include "learn/metric/full_metric.h"
#include "learn/metric/principal.h"

/* Of the whole variance of a column. */
static const double LEAST_WITHIN = 0.1;

enum { SOME = 256 };  // rows of a product

typedef struct work {
    int64_t n, d, r, classes;
    double *mean;   // classes x d, of the columns
    double *mass;   // classes: rows in it
    double *sigma;  // d
    double *M;      // classes x r means: in the span
    double *S;      // r x r
    double fourth;  // mean of |z|^4
} work;

static akin_status make_room(work *w, akin_ctx *ctx, const ak_lda *p)
{
    *w = (work){.n = p->n, .d = p->d, .classes = p->rows->n_label_names};
    AK_CHECK(AK_SCRATCH(ctx, w->classes * w->d, &w->mean));
    AK_CHECK(AK_SCRATCH(ctx, w->classes, &w->mass));
    return AK_SCRATCH(ctx, w->d, &w->sigma);
}

static void class_means(const ak_lda *p, work *w)
{
    const int32_t *labels;
    for (int64_t i = 0; i < w->n; ++i) {
        const int64_t n = akin_rows_labels(&labels, p->rows, p->which[i]);
        for (int64_t l = 0; l < n; ++l) {
            w->mass[labels[l]] += 1.0 / (double)n;
            ak_axpy(w->d, 1.0 / (double)n, p->X + i * w->d,
                    w->mean + labels[l] * w->d);
        }
    }
    for (int64_t c = 0; c < w->classes; ++c)
        for (int64_t j = 0; j < w->d && w->mass[c] > 0.0; ++j)
            w->mean[c * w->d + j] /= w->mass[c];
}

/* z = the row i of `width` numbers at x minus the mean of its class, or of its
 * classes. */
static void deviate(const ak_lda *p, int64_t i, int64_t width, const double *x,
                    const double *mean, double *z)
{
    const int32_t *labels;
    const int64_t n = akin_rows_labels(&labels, p->rows, p->which[i]);
    memmove(z, x, (size_t)width * sizeof *z);
    for (int64_t l = 0; l < n; ++l)
        ak_axpy(width, -1.0 / (double)n, mean + labels[l] * width, z);
}

/* (1), of the rows and of the means. */
static akin_status scale_columns(const ak_lda *p, akin_ctx *ctx, work *w)
{
    double *z, *all;
    AK_CHECK(AK_SCRATCH_EACH(ctx, w->d, &z, &all));
    for (int64_t i = 0; i < w->n; ++i) {
        const double *x = p->X + i * w->d;
        deviate(p, i, w->d, x, w->mean, z);
        for (int64_t j = 0; j < w->d; ++j) {
            w->sigma[j] += z[j] * z[j] / (double)w->n;
            all[j] += x[j] * x[j] / (double)w->n;
        }
    }
    for (int64_t j = 0; j < w->d; ++j) {
        w->sigma[j] =
            all[j] > 0.0 ? sqrt(fmax(w->sigma[j], LEAST_WITHIN * all[j])) : 1.0;
        for (int64_t i = 0; i < w->n; ++i)
            p->X[i * w->d + j] /= w->sigma[j];
        for (int64_t c = 0; c < w->classes; ++c)
            w->mean[c * w->d + j] /= w->sigma[j];
    }
    return AKIN_OK;
}

typedef struct deviations {
    const ak_lda *p;
    const work *w;
    const double *V;  // d x r, the span
    double *Z;        // SOME x r, of each worker
} deviations;

/* The lower triangle of the sum in (2), and the sum of |z|^4. */
static akin_status add_deviations(void *arg, int64_t begin, int64_t end,
                                  int64_t worker, double *sum)
{
    const deviations *x = arg;
    const work *w = x->w;
    const int64_t d = w->d, r = w->r;
    double *Z = x->Z + worker * SOME * r;
    for (int64_t to; begin < end; begin = to) {
        to = ak_min_i64(begin + SOME, end);
        AK_CHECK(ak_gemm(NULL, false, false, to - begin, r, d, 1.0,
                         x->p->X + begin * d, d, x->V, r, 0.0, Z, r));
        for (int64_t i = begin; i < to; ++i) {
            double *z = Z + (i - begin) * r;
            deviate(x->p, i, r, z, w->M, z);
            sum[r * r] += pow(ak_dot(r, z, z), 2.0);
        }
        AK_CHECK(ak_gram_add(NULL, true, r, to - begin, 1.0, Z, r, sum));
    }
    return AKIN_OK;
}

/* M, (2) and the mean of |z|^4. */
static akin_status enter_span(const ak_lda *p, akin_ctx *ctx, work *w,
                              const ak_axes *span)
{
    deviations x = {p, w, span->V, NULL};
    const int64_t r = w->r = span->k, size = r * r + 1;
    AK_CHECK(AK_SCRATCH(ctx, w->classes * r, &w->M));
    AK_CHECK(AK_SCRATCH(ctx, size, &w->S));
    AK_CHECK(AK_SCRATCH(ctx, ak_workers(ctx) * SOME * r, &x.Z));
    AK_CHECK(ak_gemm(ctx, false, false, w->classes, r, w->d, 1.0, w->mean, w->d,
                     span->V, r, 0.0, w->M, r));
    AK_CHECK(ak_shared_sum(ctx, w->n, AK_SHARED_ROWS, size, add_deviations, &x,
                           w->S));
    ak_mirror(r, w->S);
    for (int64_t j = 0; j < size; ++j)
        w->S[j] /= (double)w->n;
    w->fourth = w->S[size - 1];
    return AKIN_OK;
}

/* (7) */
static double ledoit_wolf(const work *w, double trace, double d)
{
    const double square = ak_dot(w->r * w->r, w->S, w->S);
    const double apart = square - trace * trace / d;
    const double noise = (w->fourth - square) / (double)w->n;
    return noise < apart ? fmax(noise, 0.0) / apart : 1.0;
}

/* What stands for the variance within classes of a single row each: of scaled
 * columns 1, else the whole variance, as a direction's own is not known. */
static double unknown_within(const ak_lda *p, const work *w)
{
    const double all = ak_dot(w->n * w->d, p->X, p->X) / (double)w->n;
    return p->is_in_span && all > 0.0 ? all : 1.0;
}

/* (3) */
static void within(ak_lda *p, work *w)
{
    const double d = (double)(p->is_in_span ? w->r : w->d);
    const double all = unknown_within(p, w);
    double trace = 0.0;
    for (int64_t j = 0; j < w->r; ++j)
        trace += w->S[j * w->r + j];
    const bool none = !(trace > 1e-12 * d * all);
    p->used = none                 ? 1.0
              : p->shrinkage < 0.0 ? ledoit_wolf(w, trace, d)
                                   : p->shrinkage;
    for (int64_t j = 0; j < w->r * w->r; ++j)
        w->S[j] *= 1.0 - p->used;
    for (int64_t j = 0; j < w->r; ++j)
        w->S[j * w->r + j] += p->used * (none ? all : trace / d);
}

/* (4): S becomes T, r x *t; directions without variance are left out. */
static akin_status whiten(akin_ctx *ctx, work *w, int64_t *t)
{
    double *T;
    AK_CHECK(AK_SCRATCH(ctx, w->r * w->r, &T));
    AK_CHECK(ak_psd_root(ctx, w->r, w->S, true, T, t));
    w->S = T;
    return AKIN_OK;
}

/* (5): R with the weights of (6), t x k, from the class means through T. */
static akin_status between(ak_lda *p, akin_ctx *ctx, const work *w, int64_t t,
                           double **R)
{
    const int64_t C = w->classes, most = ak_min_i64(C, t);
    double *MT, *s, *U, *Vt;
    AK_CHECK(AK_SCRATCH(ctx, C * t, &MT));
    AK_CHECK(AK_SCRATCH(ctx, most, &s));
    AK_CHECK(AK_SCRATCH(ctx, C * most, &U));
    AK_CHECK(AK_SCRATCH(ctx, most * t, &Vt));
    AK_CHECK(ak_gemm(ctx, false, false, C, t, w->r, 1.0, w->M, w->r, w->S, w->r,
                     0.0, MT, t));
    for (int64_t c = 0; c < C; ++c)
        for (int64_t j = 0; j < t; ++j)
            MT[c * t + j] *= sqrt(w->mass[c] / (double)w->n);
    AK_CHECK(ak_svd(ctx, C, t, MT, s, U, Vt));
    for (p->k = 0; p->k < most && s[p->k] > 1e-6 * s[0];)
        ++p->k;
    if (p->k == 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "all classes have the same mean: no direction "
                       "separates them");
    if (p->rank > 0)
        p->k = ak_min_i64(p->k, p->rank);
    AK_CHECK(AK_SCRATCH(ctx, t * p->k, R));
    for (int64_t c = 0; c < p->k; ++c) {
        const double f = s[c] * s[c];
        for (int64_t j = 0; j < t; ++j)
            (*R)[j * p->k + c] = Vt[c * t + j] *
                                 (p->is_weighted ? sqrt(f / (1.0 + f)) : 1.0);
    }
    return AKIN_OK;
}

/* T of (4) for rows with all of their columns. */
static akin_status leave_span(ak_lda *p, akin_ctx *ctx, const work *w,
                              const ak_axes *span, int64_t t)
{
    p->t = t;
    AK_CHECK(AK_SCRATCH(ctx, p->d * t, &p->T));
    return ak_gemm(ctx, false, false, p->d, t, w->r, 1.0, span->V, w->r, w->S,
                   w->r, 0.0, p->T, t);
}

akin_status ak_lda_directions(ak_lda *p, akin_ctx *ctx)
{
    ak_axes span = {0};
    work w;
    double *R = NULL, *TR;
    int64_t t;
    AK_CHECK(make_room(&w, ctx, p));
    AK_CHECK(AK_SCRATCH(ctx, p->d, &p->mean));
    ak_center_rows(p->n, p->d, p->X, p->mean);
    class_means(p, &w);
    p->means = w.mean;
    p->mass = w.mass;
    if (!p->is_in_span)
        AK_CHECK(scale_columns(p, ctx, &w));
    AK_CHECK(ak_axes_of(&span, ctx, p->n, p->d, p->X));
    AK_CHECK(enter_span(p, ctx, &w, &span));
    within(p, &w);
    AK_CHECK(whiten(ctx, &w, &t));
    AK_CHECK(between(p, ctx, &w, t, &R));
    AK_CHECK(AK_SCRATCH(ctx, w.r * p->k, &TR));
    AK_CHECK(AK_SCRATCH(ctx, p->d * p->k, &p->B));
    AK_CHECK(ak_gemm(ctx, false, false, w.r, p->k, t, 1.0, w.S, w.r, R, p->k,
                     0.0, TR, p->k));
    AK_CHECK(ak_gemm(ctx, false, false, p->d, p->k, w.r, 1.0, span.V, w.r, TR,
                     p->k, 0.0, p->B, p->k));
    for (int64_t j = 0; j < p->d && !p->is_in_span; ++j)
        for (int64_t c = 0; c < p->k; ++c)
            p->B[j * p->k + c] /= w.sigma[j];
    return p->is_in_span ? leave_span(p, ctx, &w, &span, t) : AKIN_OK;
}

static akin_status lda_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    const akin_lda_options *o = (const akin_lda_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_lda p = {.d = data->rows->d,
                .rows = data->rows,
                .shrinkage = o->shrinkage,
                .is_weighted = strcmp(o->directions, "weighted") == 0,
                .rank = o->rank};
    int64_t *which;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_check_rows(ctx, head, data->rows));
    AK_TRY(ak_labelled_rows(&which, &p.n, ctx, data));
    AK_TRY(ak_metric_check_size(ctx, head, data->rows, p.n));
    AK_TRY(ak_rows_matrix(&p.X, ctx, data->rows, which, p.n));
    p.which = which;
    AK_TRY(ak_lda_directions(&p, ctx));
    AK_TRY(ak_metric_new_factor(out, ctx, p.d, p.k, p.B, AKIN_BY_DISTANCE));
    AK_TRY(ak_metric_note(*out, ctx, "shrinkage", p.used));
    info->outcome = AKIN_CONVERGED;
    info->examples = p.n;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_ZERO(akin_lda_options, rank, "auto", 1e6,
                   "directions kept; auto: classes - 1"),
    AK_OPTION_GRID(akin_lda_options, shrinkage, -1.0, 1.0,
                   "share of the diagonal in the covariance within classes; "
                   "-1: by the rule of Ledoit and Wolf",
                   -1.0, 1e-2, 0.1, 0.5),
    AK_OPTION_WORD(akin_lda_options, directions, "weighted|equal",
                   "weighted: by the share that classes have in their "
                   "variance"),
};

const ak_learner ak_learner_lda = {
    .info =
        {
            .name = "lda",
            .shares = "rows",
            .summary = "directions that separate classes best, linearly",
            .when = "labels and dense rows; fast, and hard to beat",
            .paper = "fisher1936lda",
            .takes = AKIN_LABELS,
            .makes = "metric",
            .recipe = &ak_recipe_standard,
            AK_OPTION_ROWS(akin_lda_options, AKIN_LDA_DEFAULTS, options),
        },
    .learn = lda_learn,
    .is_closed_form = true,
};
