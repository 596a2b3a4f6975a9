/* Names by what the faces that have them are like on average, re-estimated in
 * every round:
 *
 *   mean      x.m_q / |m_q|, m_q the mean of the faces of name q
 *   kmeans    -|x - m_q|^2
 *   cgmm      ln N(x; m_q, V_q) - ln N(x; m_0, V_0), variances of each number
 *             alone, drawn to those of all faces; 0: faces without a name
 *
 * [1] Guillaumin, Mensink, Verbeek, Schmid. Face recognition from caption-based
 *     supervision. IJCV 96, 2012 (constrained Gaussian mixtures). */
#include <math.h>
#include <string.h>

#include "naming/scores.h"

/* Faces' worth of the variances of all that a class begins with. */
static const double prior = 10.0;

typedef struct classes {
    const akin_naming *s;
    double *mean;  // (p + 1) x d
    double *var;   // (p + 1) x d
    double *size;  // p + 1
    double *norm;  // p + 1: |m_q|, or the constant of ln N
    double *all;   // d: variance of all faces
} classes;

static akin_status take_room(classes *c, akin_ctx *ctx, const akin_naming *s)
{
    const int64_t p1 = s->peers.n_names + 1, d = s->d;
    akin_status st = AKIN_OK;
    c->s = s;
    AK_TRY(AK_SCRATCH(ctx, p1 * d, &c->mean));
    AK_TRY(AK_SCRATCH(ctx, p1 * d, &c->var));
    AK_TRY(AK_SCRATCH(ctx, p1, &c->size));
    AK_TRY(AK_SCRATCH(ctx, p1, &c->norm));
    AK_TRY(AK_SCRATCH(ctx, d, &c->all));
done:
    return st;
}

/* Add a face to class q. */
static void add(const classes *c, int64_t q, int64_t f, double weight)
{
    const int64_t d = c->s->d;
    const double *x = c->s->X + f * d;
    c->size[q] += weight;
    for (int64_t k = 0; k < d; ++k) {
        c->mean[q * d + k] += weight * x[k];
        c->var[q * d + k] += weight * x[k] * x[k];
    }
}

/* Sums over the faces of each name, and over those without one: in the first
 * round over all that nobody has named. */
static void sum_faces(const classes *c, const int32_t *labels,
                      const ak_assign_options *o)
{
    const ak_peers *p = &c->s->peers;
    const int64_t p1 = p->n_names + 1, d = c->s->d;
    const int32_t *fixed = o->confirmed.fixed;
    memset(c->size, 0, (size_t)p1 * sizeof *c->size);
    memset(c->mean, 0, (size_t)(p1 * d) * sizeof *c->mean);
    memset(c->var, 0, (size_t)(p1 * d) * sizeof *c->var);
    for (int64_t f = 0; f < p->n; ++f) {
        const int32_t *names;
        double weight;
        const int64_t n = p->photo[f] < 0
                              ? 0
                              : ak_votes_get(p, labels, o, f, &names, &weight);
        for (int64_t k = 0; k < n; ++k)
            add(c, names[k], f, weight);
        if (n == 0 || (labels == NULL && (fixed == NULL || fixed[f] < 0)))
            add(c, p->n_names, f, 1.0);
    }
}

/* Means, and variances with the prior. */
static void divide(const classes *c)
{
    const int64_t p = c->s->peers.n_names, d = c->s->d;
    for (int64_t q = 0; q <= p; ++q) {
        double *mean = c->mean + q * d, *var = c->var + q * d, norm = 0.0;
        for (int64_t k = 0; c->size[q] > 0.0 && k < d; ++k) {
            mean[k] /= c->size[q];
            norm += mean[k] * mean[k];
            var[k] =
                (var[k] - c->size[q] * mean[k] * mean[k] + prior * c->all[k]) /
                (c->size[q] + prior);
        }
        c->norm[q] = sqrt(norm);
    }
}

static double cosine_score(const void *arg, int64_t face, int32_t q)
{
    const classes *c = arg;
    const int64_t d = c->s->d;
    const double *x = c->s->X + face * d, *m = c->mean + q * d;
    double sum = 0.0;
    for (int64_t k = 0; k < d; ++k)
        sum += x[k] * m[k];
    return c->norm[q] > 0.0 ? sum / c->norm[q] : 0.0;
}

static double distance_score(const void *arg, int64_t face, int32_t q)
{
    const classes *c = arg;
    const int64_t d = c->s->d;
    const double *x = c->s->X + face * d, *m = c->mean + q * d;
    double sum = 0.0;
    for (int64_t k = 0; k < d; ++k)
        sum += (x[k] - m[k]) * (x[k] - m[k]);
    return -sum;
}

static double log_density(const classes *c, int64_t face, int64_t q)
{
    const int64_t d = c->s->d;
    const double *x = c->s->X + face * d;
    const double *m = c->mean + q * d, *v = c->var + q * d;
    double sum = 0.0;
    for (int64_t k = 0; k < d; ++k)
        if (v[k] > 0.0)
            sum -= 0.5 * (log(v[k]) + (x[k] - m[k]) * (x[k] - m[k]) / v[k]);
    return sum;
}

static double gauss_score(const void *arg, int64_t face, int32_t q)
{
    const classes *c = arg;
    if (c->size[q] <= 0.0)
        return -INFINITY;  // no face tells what it is like
    return log_density(c, face, q) -
           (c->size[c->s->peers.n_names] > 0.0
                ? log_density(c, face, c->s->peers.n_names)
                : 0.0);
}

static akin_status score_by(const void *arg, akin_ctx *ctx,
                            const int32_t *labels, const ak_assign_options *o,
                            struct ak_photos *photos, ak_pair_score score)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const akin_naming *s = arg;
    classes c;
    akin_status st = AKIN_OK;
    AK_TRY(take_room(&c, ctx, s));
    for (int64_t k = 0; k < s->d; ++k) {
        double sum = 0.0, squares = 0.0;
        for (int64_t f = 0; f < s->peers.n; ++f) {
            sum += s->X[f * s->d + k];
            squares += s->X[f * s->d + k] * s->X[f * s->d + k];
        }
        sum /= (double)s->peers.n;
        c.all[k] = squares / (double)s->peers.n - sum * sum;
    }
    sum_faces(&c, labels, o);
    divide(&c);
    ak_photos_fill(photos, score, &c);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

#define SCORER(name, function)                                                 \
    static akin_status name(const void *arg, akin_ctx *ctx,                    \
                            const int32_t *labels, const ak_assign_options *o, \
                            struct ak_photos *photos)                          \
    {                                                                          \
        return score_by(arg, ctx, labels, o, photos, function);                \
    }
SCORER(score_mean, cosine_score)
SCORER(score_kmeans, distance_score)
SCORER(score_cgmm, gauss_score)

static akin_status use(akin_naming *s, ak_score_fn score)
{
    s->scorer = (ak_scorer){.peers = &s->peers, .score = score, .arg = s};
    s->info.converged = 1;
    return AKIN_OK;
}

akin_status ak_learn_mean(akin_naming *s, akin_ctx *ctx)
{
    (void)ctx;
    s->means = true;
    return use(s, score_mean);
}

akin_status ak_learn_kmeans(akin_naming *s, akin_ctx *ctx)
{
    (void)ctx;
    return use(s, score_kmeans);
}

akin_status ak_learn_cgmm(akin_naming *s, akin_ctx *ctx)
{
    (void)ctx;
    return use(s, score_cgmm);
}
