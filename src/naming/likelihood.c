/* Likelihood ratios of votes.
 *
 *   z = w.x                                              a direction       (1)
 *   p(z | right) = p(z | wrong) exp(a z + b)             exponential tilt  (2)
 *   p(z | caption) = (1 - q) p(z | wrong) + q p(z | right)                 (3)
 *   p(z | wrong) = N(m0, s0), p(z | right) = N(m1, s1)   two Gaussians     (4)
 *
 * p(z | wrong) of (2) is that of the decoys; b makes (2) a density; a and the
 * share q of right names are those that tell captions from decoys best, which
 * is how a share of positives is found from positives and unlabelled ones. (4)
 * is fitted to captions and decoys together, where decoys are wrong: it is
 * better where right and wrong names lie far apart, (2) where they overlap. The
 * score is between the logarithms of both ratios, by how well each tells
 * captions from decoys. w is the logistic regression of names by the last round
 * against decoys. All are found anew for names with few, some and many other
 * faces. */
#include "naming/likelihood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "la/dense.h"

enum { TERMS = AK_VOTES + 1, NEWTON_MOST = 25, LEAST = 40 };
enum { SAMPLE_MOST = 2000, SECTIONS = 10, EM_STEPS = 60 };

static const double edges[AK_VOTE_CLASSES - 1] = {1.5, 4.0, 12.0};
static const double any_least = 0.02;  // below, there are no votes
static const double score_most = 15.0;
static const double tilt_step = 0.6;  // of the log of a
/* Of right faces, this share looks like nobody's, by how many are compared. */
static const double unlike[AK_VOTE_CLASSES] = {0.05, 0.03, 0.02, 0.01};
static const double alike = 1e-3;  // of wrong faces look right

/* Where there are too few decoys to fit anything. */
static const ak_vote_curve plain = {
    .w = {0.5, 0.5, 0.5, 0.5}, .slope = 1.0, .offset = -1.0};
static const double loss_step = 2.0;  // nats of loss that weigh (4) against (2)

static int class_of(const ak_vote *v)
{
    int k = 0;
    while (k < AK_VOTE_CLASSES - 1 && v->faces >= edges[k])
        ++k;
    return k;
}

/* ---- the direction ------------------------------------------------------- */

/* Votes of both kinds with weights; class -1: all. */
typedef struct regression {
    int64_t n[2];
    const ak_vote *votes[2];  // of wrong names, of captions
    int class;
    double ridge;
    double centre[TERMS];  // of the weights
} regression;

static bool takes(const regression *s, const ak_vote *v)
{
    return v->any > any_least && (s->class < 0 || class_of(v) == s->class);
}

static double product(const double *w, const ak_vote *v)
{
    return ak_dot(AK_VOTES, w, v->x);
}

static void add_vote(const double *w, const ak_vote *v, int right, double *g,
                     double *H)
{
    const double p = 1.0 / (1.0 + exp(-(product(w, v) + w[AK_VOTES])));
    const double weight = right ? v->weight : 1.0;
    double x[TERMS];
    memcpy(x, v->x, sizeof v->x);
    x[AK_VOTES] = 1.0;
    for (int t = 0; t < TERMS; ++t) {
        g[t] += weight * (right - p) * x[t];
        for (int u = 0; u < TERMS; ++u)
            H[t * TERMS + u] += weight * p * (1.0 - p) * x[t] * x[u];
    }
}

static akin_status regress(const regression *s, akin_ctx *ctx, double *w)
{
    akin_status st = AKIN_OK;
    memcpy(w, s->centre, sizeof s->centre);
    for (int step = 0; step < NEWTON_MOST; ++step) {
        double g[TERMS] = {0.0}, H[TERMS * TERMS] = {0.0}, most = 0.0;
        for (int right = 0; right < 2; ++right)
            for (int64_t k = 0; k < s->n[right]; ++k)
                if (takes(s, &s->votes[right][k]))
                    add_vote(w, &s->votes[right][k], right, g, H);
        for (int t = 0; t < TERMS; ++t) {
            const double ridge = t < AK_VOTES ? s->ridge : 1e-6;
            g[t] -= ridge * (w[t] - s->centre[t]);
            H[t * TERMS + t] += ridge;
        }
        AK_TRY(ak_spd_inverse(ctx, TERMS, H));
        for (int t = 0; t < TERMS; ++t) {
            const double by = ak_dot(TERMS, H + t * TERMS, g);
            w[t] += fmax(-5.0, fmin(5.0, by));
            most = fmax(most, fabs(by));
        }
        if (most < 1e-6)
            break;
    }
done:
    return st;
}

/* Those of `from` get mean 0 and deviation 1. */
static void find_standard(ak_likelihood *l, int64_t n, const ak_vote *from)
{
    for (int t = 0; t < AK_VOTES; ++t) {
        double sum = 0.0, squares = 0.0, count = 0.0;
        for (int64_t k = 0; k < n; ++k)
            if (from[k].any > any_least) {
                sum += from[k].x[t];
                squares += from[k].x[t] * from[k].x[t];
                count += 1.0;
            }
        const double mean = count > 0.0 ? sum / count : 0.0;
        const double variance = count > 0.0 ? squares / count - mean * mean
                                            : 0.0;
        l->mean[t] = mean;
        l->by[t] = variance > 1e-18 ? 1.0 / sqrt(variance) : 0.0;
    }
}

static void standardise(const ak_likelihood *l, int64_t n, ak_vote *votes)
{
    for (int64_t k = 0; k < n; ++k)
        for (int t = 0; t < AK_VOTES; ++t)
            votes[k].x[t] = (votes[k].x[t] - l->mean[t]) * l->by[t];
}

/* ---- the tilt ------------------------------------------------------------ */

typedef struct tilt {
    int64_t n, n_wrong;
    double *z, *z_wrong;  // of captions and of decoys
    double *e, *e_wrong;  // the ratio: exp(a z + b), or by (4)
    double a, b;
    double stray;  // share of decoys that are right: captions miss names
} tilt;

/* The mean of exp(a z + b) over wrong names. */
static double mean_tilt(const tilt *s, double a, double b)
{
    double sum = 0.0;
    for (int64_t k = 0; k < s->n_wrong; ++k) {
        const double e = exp(fmin(a * s->z_wrong[k] + b, 200.0));
        sum += e / (1.0 - s->stray + s->stray * e);
    }
    return sum / (double)s->n_wrong;
}

/* b of (2), by bisection, and both exponentials. */
static void set_tilt(tilt *s, double a)
{
    double low = -100.0, high = 100.0;
    for (int k = 0; k < 30; ++k) {
        const double b = 0.5 * (low + high);
        *(mean_tilt(s, a, b) > 1.0 ? &high : &low) = b;
    }
    s->a = a;
    s->b = low;
    for (int64_t k = 0; k < s->n; ++k)
        s->e[k] = exp(fmin(a * s->z[k] + s->b, 200.0));
    for (int64_t k = 0; k < s->n_wrong; ++k)
        s->e_wrong[k] = exp(fmin(a * s->z_wrong[k] + s->b, 200.0));
}

/* Minus the log-likelihood of which are captions and which decoys, by (3). */
static double loss_of(const tilt *s, double logit)
{
    const double q = 1.0 / (1.0 + exp(-logit)), stray = s->stray;
    const double odds = (double)s->n / (double)s->n_wrong;
    double sum = 0.5 * logit * logit;
    for (int64_t k = 0; k < s->n; ++k)
        sum += log1p((1.0 - stray + stray * s->e[k]) /
                     (odds * (1.0 - q + q * s->e[k])));
    for (int64_t k = 0; k < s->n_wrong; ++k)
        sum += log1p(odds * (1.0 - q + q * s->e_wrong[k]) /
                     (1.0 - stray + stray * s->e_wrong[k]));
    return sum;
}

typedef double (*curve)(void *arg, double x);

/* The smallest value of a function with one minimum, by golden sections. */
static double minimise(curve f, void *arg, double low, double high, double *at)
{
    const double golden = 0.6180339887498949;
    double x = high - golden * (high - low), y = low + golden * (high - low);
    double fx = f(arg, x), fy = f(arg, y);
    for (int k = 0; k < SECTIONS; ++k) {
        if (fx <= fy) {
            high = y;
            y = x;
            fy = fx;
            x = high - golden * (high - low);
            fx = f(arg, x);
        } else {
            low = x;
            x = y;
            fx = fy;
            y = low + golden * (high - low);
            fy = f(arg, y);
        }
    }
    *at = fx <= fy ? x : y;
    return fmin(fx, fy);
}

static double loss_at_share(void *arg, double logit)
{
    return loss_of(arg, logit);
}

static double loss_at_tilt(void *arg, double log_a)
{
    double logit;
    set_tilt(arg, exp(log_a));
    return minimise(loss_at_share, arg, -5.0, 4.0, &logit) +
           2.0 * log_a * log_a;
}

/* The best log of a: there may be several minima. */
static double best_tilt(tilt *s)
{
    double least = INFINITY, at = 0.0;
    for (int k = -4; k <= 4; ++k) {
        const double loss = loss_at_tilt(s, tilt_step * k);
        if (loss < least) {
            least = loss;
            at = tilt_step * k;
        }
    }
    minimise(loss_at_tilt, s, at - tilt_step, at + tilt_step, &at);
    return at;
}

static int by_size(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Products of votes, rising: at most SAMPLE_MOST of them, evenly spread. */
static int64_t sample(const regression *s, int right, const double *w,
                      double *z)
{
    int64_t all = 0, n = 0;
    for (int64_t k = 0; k < s->n[right]; ++k)
        if (takes(s, &s->votes[right][k]))
            z[all++] = product(w, &s->votes[right][k]);
    if (all > 0)
        qsort(z, (size_t)all, sizeof *z, by_size);
    const int64_t step = 1 + all / SAMPLE_MOST;
    for (int64_t k = step / 2; k < all; k += step)
        z[n++] = z[k];
    return n;
}

static int64_t count_votes(const regression *s, int right)
{
    int64_t n = 0;
    for (int64_t k = 0; k < s->n[right]; ++k)
        n += takes(s, &s->votes[right][k]);
    return n;
}

/* ---- two Gaussians ------------------------------------------------------- */

static double density(const ak_vote_curve *g, int right, double z)
{
    const double gap = (z - g->mean[right]) / g->spread[right];
    return exp(-0.5 * gap * gap) / g->spread[right];
}

/* How likely z is of a right name; q: the share of them. */
static double right_share(const ak_vote_curve *g, double q, double z)
{
    const double right = q * density(g, 1, z);
    if (z > g->mean[1])
        return 1.0;
    if (z < g->mean[0])
        return 0.0;
    return right / (right + (1.0 - q) * density(g, 0, z) + 1e-300);
}

/* (4) by expectation maximisation; few captions change little. */
static void fit_gaussians(const tilt *t, ak_vote_curve *g)
{
    const double decoys = (double)t->n_wrong;
    double mean = 0.0, variance = 0.0, q = 0.3;
    for (int64_t k = 0; k < t->n_wrong; ++k)
        mean += t->z_wrong[k] / decoys;
    for (int64_t k = 0; k < t->n_wrong; ++k)
        variance += pow(t->z_wrong[k] - mean, 2.0) / decoys;
    variance = fmax(variance, 1e-12);
    g->mean[0] = mean;
    g->spread[0] = g->spread[1] = sqrt(variance);
    g->mean[1] = mean + 3.0 * g->spread[0];
    for (int step = 0; step < EM_STEPS; ++step) {
        double n0 = decoys, n1 = 2.0, sum0 = decoys * mean, sum1,
               squares0 = 0.0, squares1 = 10.0 * g->spread[0] * g->spread[0];
        sum1 = n1 * g->mean[1];
        for (int64_t k = 0; k < t->n; ++k) {
            const double r = right_share(g, q, t->z[k]);
            n0 += 1.0 - r;
            n1 += r;
            sum0 += (1.0 - r) * t->z[k];
            sum1 += r * t->z[k];
        }
        const double m0 = sum0 / n0, m1 = sum1 / n1;
        for (int64_t k = 0; k < t->n; ++k) {
            const double r = right_share(g, q, t->z[k]);
            squares0 += (1.0 - r) * (t->z[k] - m0) * (t->z[k] - m0);
            squares1 += r * (t->z[k] - m1) * (t->z[k] - m1);
        }
        squares0 += decoys * (variance + (mean - m0) * (mean - m0));
        g->mean[0] = m0;
        g->mean[1] = fmax(m1, m0 + 0.3 * g->spread[0]);
        g->spread[0] = sqrt(squares0 / n0);
        g->spread[1] = sqrt(squares1 / (n1 + 8.0));
        q = (n1 - 1.4) / ((double)t->n + 2.0);
    }
}

/* The log of the ratio of (4), straight below the mean of wrong names and above
 * that of right ones, so that it never falls. */
static double gaussian_score(const ak_vote_curve *g, double z)
{
    const double p0 = 1.0 / (g->spread[0] * g->spread[0]);
    const double p1 = 1.0 / (g->spread[1] * g->spread[1]);
    const double in = fmax(g->mean[0], fmin(g->mean[1], z));
    const double gap0 = in - g->mean[0], gap1 = in - g->mean[1];
    return 0.5 * (gap0 * gap0 * p0 - gap1 * gap1 * p1) +
           log(g->spread[0] / g->spread[1]) +
           (g->mean[1] - g->mean[0]) * (z < in ? p1 : p0) * (z - in);
}

/* ---- all ----------------------------------------------------------------- */

static double curve_score(const ak_vote_curve *g, const ak_vote *v)
{
    const double z = product(g->w, v), straight = g->slope * z + g->offset;
    return g->share > 0.0
               ? g->share * gaussian_score(g, z) + (1.0 - g->share) * straight
               : straight;
}

/* The loss of (4) in place of (2). */
static double gaussian_loss(tilt *t, const ak_vote_curve *g)
{
    double logit;
    for (int64_t k = 0; k < t->n; ++k)
        t->e[k] = exp(fmin(gaussian_score(g, t->z[k]), 30.0));
    for (int64_t k = 0; k < t->n_wrong; ++k)
        t->e_wrong[k] = exp(fmin(gaussian_score(g, t->z_wrong[k]), 30.0));
    return minimise(loss_at_share, t, -5.0, 4.0, &logit);
}

static akin_status fit_class(const regression *s, akin_ctx *ctx, double stray,
                             ak_vote_curve *g)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    tilt t = {.stray = stray};
    double w[TERMS], logit, loss;
    akin_status st = AKIN_OK;
    AK_TRY(regress(s, ctx, w));
    AK_TRY(AK_SCRATCH_EACH(ctx, ak_max_i64(s->n[1], 1), &t.z, &t.e));
    AK_TRY(
        AK_SCRATCH_EACH(ctx, ak_max_i64(s->n[0], 1), &t.z_wrong, &t.e_wrong));
    t.n = sample(s, 1, w, t.z);
    t.n_wrong = sample(s, 0, w, t.z_wrong);
    memcpy(g->w, w, sizeof g->w);
    set_tilt(&t, exp(best_tilt(&t)));
    g->slope = t.a;
    g->offset = t.b;
    loss = minimise(loss_at_share, &t, -5.0, 4.0, &logit);
    fit_gaussians(&t, g);
    g->share = 1.0 / (1.0 + exp((gaussian_loss(&t, g) - loss) / loss_step));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Of standardised votes. */
static void set_scores(const ak_likelihood *l, int64_t n, ak_vote *votes)
{
    for (int64_t k = 0; k < n; ++k) {
        const double score =
            curve_score(&l->curves[class_of(&votes[k])], &votes[k]);
        votes[k].score = votes[k].any > any_least
                             ? fmax(-score_most, fmin(score_most, score))
                             : 0.0;
    }
}

akin_status ak_likelihood_fit(ak_likelihood *out, akin_ctx *ctx, int64_t n,
                              ak_vote *votes, int64_t n_wrong, ak_vote *wrong,
                              double stray)
{
    regression all = {{n_wrong, n}, {wrong, votes}, -1, 2.0, {0.0}};
    ak_vote_curve pooled = plain;
    const bool few = count_votes(&all, 0) < LEAST ||
                     count_votes(&all, 1) < LEAST;
    akin_status st = AKIN_OK;
    out->fitted = !few;
    find_standard(out, few ? n : n_wrong, few ? votes : wrong);
    standardise(out, n, votes);
    standardise(out, n_wrong, wrong);
    if (!few) {
        AK_TRY(fit_class(&all, ctx, stray, &pooled));
        AK_TRY(regress(&all, ctx, all.centre));
    }
    all.ridge = 10.0;
    for (all.class = 0; all.class < AK_VOTE_CLASSES; ++all.class) {
        ak_vote_curve *g = &out->curves[all.class];
        *g = pooled;
        if (count_votes(&all, 0) >= LEAST && count_votes(&all, 1) >= LEAST)
            AK_TRY(fit_class(&all, ctx, stray, g));
    }
    set_scores(out, n, votes);
done:
    return st;
}

void ak_likelihood_score(const ak_likelihood *l, int64_t n, ak_vote *votes)
{
    standardise(l, n, votes);
    set_scores(l, n, votes);
}

double ak_likelihood_evidence(const ak_vote *v, double heed)
{
    const double e = exp(heed * v->score), u = unlike[class_of(v)];
    if (v->any <= any_least)
        return 0.0;
    return log(1.0 - v->any +
               v->any * (u + (1.0 - u) * e) / (alike * e + 1.0 - alike));
}

double ak_likelihood_share(const ak_vote *v)
{
    const double e = v->any * exp(v->score), u = unlike[class_of(v)];
    if (v->any <= any_least)
        return 0.0;
    return (1.0 - u) * e / (1.0 - v->any + v->any * u + (1.0 - u) * e);
}
