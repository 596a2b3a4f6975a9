/* Methods that name by the faces as they are, without learning to compare them.
 *
 * By what the faces that have a name are like on average, re-estimated in every
 * round:
 *
 *   mean      x.m_q / |m_q|, m_q the mean of the faces of name q
 *   kmeans    -|x - m_q|^2
 *   cgmm      ln N(x; m_q, V_q) - ln N(x; m_0, V_0), variances of each number
 *             alone, drawn to those of all faces; 0: faces without a name
 *
 * By the nearest faces that have a name:
 *
 *   knn       the mean affinity, by plain distance, to the k nearest of them
 *
 * [1] Guillaumin, Mensink, Verbeek, Schmid. Face recognition from caption-based
 *     supervision. IJCV 96, 2012 (constrained Gaussian mixtures). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "naming/naming.h"

/* ---- means --------------------------------------------------------------- */

/* Weight of the variances of all faces in those of a class, in faces. */
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
static void add_face(const classes *c, int64_t q, int64_t f, double weight)
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
    const ak_shared_names *p = &c->s->peers;
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
            add_face(c, names[k], f, weight);
        if (n == 0 || (labels == NULL && (fixed == NULL || fixed[f] < 0)))
            add_face(c, p->n_names, f, 1.0);
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

/* ---- nearest faces ------------------------------------------------------- */

typedef struct neighbour {
    double near;
    int32_t face;
} neighbour;

/* The peers of every face, nearest first, laid out as values of peers. */
typedef struct neighbours {
    const akin_naming *s;
    int64_t k;
    neighbour *all;
} neighbours;

static int by_nearness(const void *left, const void *right)
{
    const neighbour *a = left, *b = right;
    if (a->near != b->near)
        return a->near > b->near ? -1 : 1;
    return (a->face > b->face) - (a->face < b->face);
}

static void sort_peers(const neighbours *t, const ak_affinity *a)
{
    const ak_shared_names *p = a->peers;
    for (int64_t f = 0; f < p->n; ++f) {
        const int32_t *peers;
        const int64_t m = ak_shared_names_get(p, f, &peers),
                      start = p->start[f];
        for (int64_t k = 0; k < m; ++k)
            t->all[start + k] = (neighbour){a->values[start + k], peers[k]};
        if (m > 0)
            qsort(t->all + start, (size_t)m, sizeof *t->all, by_nearness);
    }
}

typedef struct turn {
    const neighbours *t;
    const int32_t *labels;
    const ak_assign_options *o;
    ak_photos *photos;
    double *weights;  // workers x most_names
} turn;

/* Scores of one face for the r names that are marked: over the k nearest that
 * have the name, the face itself left out. */
static void score_face(const turn *w, int64_t face, int64_t r,
                       const int32_t *marks, double *weights, double *scores)
{
    const ak_shared_names *p = &w->t->s->peers;
    const double k = (double)w->t->k;
    int64_t open = r;
    memset(weights, 0, (size_t)r * sizeof *weights);
    memset(scores, 0, (size_t)r * sizeof *scores);
    for (int64_t at = p->start[face]; at < p->start[face + 1] && open > 0;
         ++at) {
        const neighbour *x = &w->t->all[at];
        const int32_t *names;
        double weight;
        const int64_t n =
            ak_votes_get(p, w->labels, w->o, x->face, &names, &weight);
        for (int64_t m = 0; x->face != face && m < n; ++m) {
            const int64_t q = marks[names[m]] - 1;
            if (q < 0 || weights[q] >= k)
                continue;
            scores[q] += x->near * weight;
            weights[q] += weight;
            open -= weights[q] >= k;
        }
    }
    for (int64_t q = 0; q < r; ++q)
        scores[q] = weights[q] > 0.0 ? scores[q] / weights[q] : 0.0;
}

static akin_status score_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const turn *w = arg;
    const ak_bags *b = w->photos->peers->bags;
    int32_t *marks = w->photos->marks + worker * b->n_names;
    double *weights = w->weights + worker * w->photos->most_names;
    for (int64_t i = begin; i < end; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        double *scores = w->photos->B + w->photos->slots[i];
        ak_photos_mark(marks, r, names);
        for (int64_t f = 0; f < n; ++f)
            score_face(w, faces[f], r, marks, weights, scores + f * r);
        ak_photos_unmark(marks, r, names);
    }
    return AKIN_OK;
}

static akin_status score_knn(const void *arg, akin_ctx *ctx,
                             const int32_t *labels, const ak_assign_options *o,
                             struct ak_photos *photos)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    turn w = {arg, labels, o, photos, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * photos->most_names, &w.weights));
    AK_TRY(ak_parallel_for(ctx, photos->peers->bags->n_photos, AK_PHOTO_BLOCK,
                           score_block, &w));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- methods ------------------------------------------------------------- */

#define ROUNDS(o)                                                          \
    (ak_rounds)                                                            \
    {                                                                      \
        .most = (o)->rounds, .uniform = strcmp((o)->start, "uniform") == 0 \
    }

static akin_status use(akin_naming *s, ak_score_fn score, const void *arg,
                       ak_rounds rounds)
{
    s->scorer = (ak_scorer){.peers = &s->peers, .score = score, .arg = arg};
    s->rounds = rounds;
    s->info.converged = 1;
    return AKIN_OK;
}

akin_status ak_name_by_mean(akin_naming *s, akin_ctx *ctx,
                            const akin_options *options)
{
    const akin_mean_options *o = (const akin_mean_options *)options;
    (void)ctx;
    s->means = true;
    return use(s, score_mean, s, ROUNDS(o));
}

akin_status ak_name_by_kmeans(akin_naming *s, akin_ctx *ctx,
                              const akin_options *options)
{
    const akin_kmeans_options *o = (const akin_kmeans_options *)options;
    (void)ctx;
    return use(s, score_kmeans, s, ROUNDS(o));
}

akin_status ak_name_by_cgmm(akin_naming *s, akin_ctx *ctx,
                            const akin_options *options)
{
    const akin_cgmm_options *o = (const akin_cgmm_options *)options;
    (void)ctx;
    return use(s, score_cgmm, s, ROUNDS(o));
}

akin_status ak_name_by_knn(akin_naming *s, akin_ctx *ctx,
                           const akin_options *options)
{
    const akin_knn_options *o = (const akin_knn_options *)options;
    const int64_t n = s->peers.n;
    neighbours *t;
    ak_affinity a;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 1, &t));
    *t = (neighbours){.s = s, .k = o->k};
    AK_TRY(AK_SCRATCH(ctx, s->peers.start[n], &t->all));
    AK_TRY(ak_affinity_new(&a, ctx, &s->peers));
    AK_TRY(ak_affinity_kernel(&a, ctx, s->d, s->X));
    sort_peers(t, &a);
    AK_TRY(use(s, score_knn, t, ROUNDS(o)));
done:
    return st;
}
