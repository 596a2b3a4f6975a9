/* MildML: a metric from photos whose captions share a name.
 *   [1] Guillaumin, Verbeek, Schmid. Multiple instance metric learning from
 *       automatically labeled bags of faces. ECCV 2010.
 *
 *   d_ij = min over faces x of photo i and y of photo j of |L'(x - y)|^2   (1)
 *   p_ij = 1 / (1 + exp(d_ij - b))                                         (2)
 *   min over L, b of  -mean over i < j of t log p + (1 - t) log(1 - p)     (3)
 *
 * t_ij is 1 where the captions share a name, else 0. L is d x k; with the
 * pairs of the minimum in (1), the slope of (3) is the mean of (p - t) for b
 * and of 2 (t - p) (x - y)(x - y)'L for L. */
#include "learn/captions/mildml.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "learn/captions/faces.h"
#include "learn/metric/full_metric.h"

static const akin_option options[] = {
    AK_OPTION_GRID(akin_mildml_options, rank, 1, 1e6,
                   "dimensions of the learned space", 16, 32, 64, 128),
    AK_OPTION_USE(akin_mildml_options, tol, 0.0, 1.0, AKIN_TRAINING,
                  "stops when ten iterations improve the objective by less "
                  "than this fraction"),
    AK_OPTION(akin_mildml_options, iterations, 1, 1e9,
              "maximum number of iterations"),
    AK_OPTION_USE(akin_mildml_options, eps, 1e-15, 1.0, AKIN_NAMING,
                  "a hundredth of the stops when ten iterations improve the "
                  "objective by less than this fraction"),
    AK_VOTE_OPTIONS(akin_mildml_options),
};

enum { BLOCK = 16, PHOTOS = 256 };

static akin_status take_room(ak_mildml *s, akin_ctx *ctx)
{
    AK_CHECK(AK_SCRATCH_EACH(ctx, s->n * s->k, &s->Y, &s->moved));
    AK_CHECK(AK_SCRATCH_EACH(ctx, s->n, &s->size, &s->weight));
    AK_CHECK(AK_SCRATCH_EACH(ctx, s->bags->n_photos, &s->value, &s->slope));
    return AK_SCRATCH(ctx, ak_workers(ctx) * s->bags->n_names, &s->marks);
}

akin_status ak_mildml_begin(ak_mildml *s, akin_ctx *ctx,
                            const ak_shared_names *peers, int64_t d,
                            const double *X, int64_t k)
{
    const ak_bags *b = peers->bags;
    int64_t with_faces = 0;
    *s = (ak_mildml){.bags = b,
                     .n = b->item_offsets[b->n_photos],
                     .d = d,
                     .k = ak_min_i64(k, d)};
    AK_CHECK(AK_SCRATCH(ctx, s->n * d, &s->X));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        with_faces += b->item_offsets[i + 1] > b->item_offsets[i];
        for (int64_t f = b->item_offsets[i]; f < b->item_offsets[i + 1]; ++f)
            memcpy(s->X + f * d, X + b->items[f] * d, (size_t)d * sizeof *X);
    }
    if (with_faces < 2)
        return ak_fail(ctx, AKIN_EINVAL,
                       "mildml compares photos (at least two with faces)");
    s->pairs = with_faces * (with_faces - 1) / 2;
    return take_room(s, ctx);
}

/* The k directions in which faces differ most (then b, last): where learning
 * begins. */
static akin_status set_start(ak_mildml *s, akin_ctx *ctx, double *Lb)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->d, k = s->k;
    double *C, *values, spread = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d * d, &C));
    AK_TRY(AK_SCRATCH(ctx, d, &values));
    AK_TRY(ak_gram(ctx, true, d, s->n, s->X, d, C));
    AK_TRY(ak_eigh(ctx, d, C, values));
    for (int64_t c = 0; c < k; ++c)
        spread += values[d - 1 - c] / (double)s->n;
    const double by = spread > 0.0 ? 1.0 / sqrt(spread) : 1.0;
    for (int64_t a = 0; a < d; ++a)
        for (int64_t c = 0; c < k; ++c)
            Lb[a * k + c] = by * C[a * d + d - 1 - c];
    Lb[d * k] = 1.0;  // the mean of |L'(x - y)|^2 is 2 or less
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- one photo against all others ---------------------------------------- */

typedef struct sweep {
    ak_mildml *s;
    double b;
    int64_t first, from;  // photo and face of those at hand
    double *dots;         // their rows of Y Y'; then of the weights t - p
} sweep;

/* (1) of photos i and j, in place of whose products come zeros; *at is the
 * place of the minimum, *face its face of photo i. */
static double closest(const sweep *w, int64_t i, int64_t j, double **at,
                      int64_t *face)
{
    const ak_mildml *s = w->s;
    const int64_t *faces = s->bags->item_offsets;
    double least = INFINITY;
    for (int64_t x = faces[i]; x < faces[i + 1]; ++x)
        for (int64_t y = faces[j]; y < faces[j + 1]; ++y) {
            double *dot = w->dots + (x - w->from) * s->n + y;
            const double d = s->size[x] + s->size[y] - 2.0 * *dot;
            *dot = 0.0;
            if (d < least) {
                least = d;
                *at = dot;
                *face = x;
            }
        }
    return least;
}

static bool shares(const ak_bags *b, int64_t photo, const int32_t *marks)
{
    const int32_t *names;
    const int64_t n = ak_bags_names(b, photo, &names);
    for (int64_t k = 0; k < n; ++k)
        if (marks[names[k]])
            return true;
    return false;
}

/* Photo i and all others: its part of the value and of the slopes. */
static void add_photo(const sweep *w, int64_t i, int32_t *marks)
{
    ak_mildml *s = w->s;
    const int64_t *at = s->bags->item_offsets;
    s->value[i] = s->slope[i] = 0.0;
    for (int64_t x = at[i]; x < at[i + 1]; ++x) {
        s->weight[x] = 0.0;
        for (int64_t y = at[i]; y < at[i + 1]; ++y)
            w->dots[(x - w->from) * s->n + y] = 0.0;
    }
    for (int64_t j = 0; j < s->bags->n_photos; ++j) {
        double *place = NULL;
        int64_t x = 0;
        if (j == i || at[i] == at[i + 1] || at[j] == at[j + 1])
            continue;
        const double u = w->b - closest(w, i, j, &place, &x);
        const double t = shares(s->bags, j, marks) ? 1.0 : 0.0;
        const double e = exp(-fabs(u)), p = (u > 0.0 ? 1.0 : e) / (1.0 + e);
        s->value[i] += log1p(e) + fmax(t > 0.0 ? -u : u, 0.0);
        s->slope[i] += p - t;
        s->weight[x] += t - p;
        *place = t - p;
    }
}

static akin_status sweep_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const sweep *w = arg;
    const ak_bags *b = w->s->bags;
    int32_t *marks = w->s->marks + worker * b->n_names;
    for (int64_t i = w->first + begin; i < w->first + end; ++i) {
        const int32_t *names;
        const int64_t n = ak_bags_names(b, i, &names);
        for (int64_t k = 0; k < n; ++k)
            marks[names[k]] = 1;
        add_photo(w, i, marks);
        for (int64_t k = 0; k < n; ++k)
            marks[names[k]] = 0;
    }
    return AKIN_OK;
}

/* All photos, some of them at a time: no matrix of all faces by all faces. */
static akin_status sweep_all(ak_mildml *s, akin_ctx *ctx, double b)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t *at = s->bags->item_offsets, m = s->bags->n_photos;
    int64_t most = 0;
    double *dots;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < m; i += PHOTOS)
        most = ak_max_i64(most, at[ak_min_i64(m, i + PHOTOS)] - at[i]);
    AK_TRY(AK_SCRATCH(ctx, most * s->n, &dots));
    for (int64_t i = 0; i < m; i += PHOTOS) {
        const int64_t end = ak_min_i64(m, i + PHOTOS), n = at[end] - at[i];
        if (n == 0)
            continue;
        sweep w = {s, b, i, at[i], dots};
        AK_TRY(ak_gemm(ctx, false, true, n, s->n, s->k, 1.0,
                       s->Y + at[i] * s->k, s->k, s->Y, s->k, 0.0, dots, s->n));
        AK_TRY(ak_parallel_for(ctx, end - i, BLOCK, sweep_block, &w));
        AK_TRY(ak_gemm(ctx, false, false, n, s->k, s->n, -1.0, dots, s->n, s->Y,
                       s->k, 0.0, s->moved + at[i] * s->k, s->k));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_mildml_value(void *arg, akin_ctx *ctx, const double *Lb,
                            double *value, double *slope)
{
    ak_mildml *s = arg;
    const int64_t n = s->n, d = s->d, k = s->k;
    const double by = 1.0 / (2.0 * (double)s->pairs);
    AK_CHECK(
        ak_gemm(ctx, false, false, n, k, d, 1.0, s->X, d, Lb, k, 0.0, s->Y, k));
    for (int64_t f = 0; f < n; ++f)
        s->size[f] = ak_dot(k, s->Y + f * k, s->Y + f * k);
    AK_CHECK(sweep_all(s, ctx, Lb[d * k]));
    for (int64_t f = 0; f < n; ++f)
        ak_axpy(k, s->weight[f], s->Y + f * k, s->moved + f * k);
    /* Each pair was met from both sides, and each has half of (3). */
    AK_CHECK(ak_gemm(ctx, true, false, d, k, n, 4.0 * by, s->X, d, s->moved, k,
                     0.0, slope, k));
    *value = slope[d * k] = 0.0;
    for (int64_t i = 0; i < s->bags->n_photos; ++i) {
        *value += by * s->value[i];
        slope[d * k] += by * s->slope[i];
    }
    return AKIN_OK;
}

akin_status ak_mildml_run(ak_lbfgs *p, ak_mildml *s, akin_ctx *ctx,
                          const ak_shared_names *peers, int64_t d,
                          const double *X, int64_t k, double tol,
                          int64_t iterations)
{
    AK_CHECK(ak_mildml_begin(s, ctx, peers, d, X, k));
    *p =
        (ak_lbfgs){.n = d * s->k + 1, .tol = tol, .max_iterations = iterations};
    AK_CHECK(AK_SCRATCH(ctx, p->n, &p->x));
    AK_CHECK(set_start(s, ctx, p->x));
    return ak_lbfgs_run(p, ctx, ak_mildml_value, s);
}

/* ---- the learner --------------------------------------------------------- */

static akin_status mildml_learn(akin_model **out, akin_ctx *ctx,
                                const akin_options *head,
                                const akin_supervision *data,
                                akin_learn_info *info)
{
    const akin_mildml_options *o = (const akin_mildml_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_faces x;
    ak_mildml s;
    ak_lbfgs p;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_check_rows(ctx, head, data->rows));
    AK_TRY(ak_faces_of(&x, ctx, data));
    AK_TRY(ak_mildml_run(&p, &s, ctx, &x.peers, x.d, x.X, o->rank, o->tol,
                         o->iterations));
    AK_TRY(ak_metric_of_transform(out, ctx, x.d, s.k, p.x));
    ak_faces_ended(info, p.converged, p.iterations, s.pairs, p.value);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

const ak_learner ak_learner_mildml = {
    .info =
        {
            .name = "mildml",
            .summary = "a metric from photos that share a name",
            .when = "captioned photos with few faces and reliable captions",
            .paper = "guillaumin2010mildml",
            .takes = AKIN_BAGS,
            .makes = "metric",
            .names_faces = 1,
            .has_affinities = 1,
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_faces,
            AK_OPTION_ROWS(akin_mildml_options, AKIN_MILDML_DEFAULTS, options),
        },
    .learn = mildml_learn,
};
