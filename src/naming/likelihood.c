/* Likelihood ratios of votes.
 *
 *   z = w.x                                              a direction       (1)
 *   p(z | right) = p(z | wrong) exp(a z + b)             exponential tilt  (2)
 *   p(z | caption) = (1 - q) p(z | wrong) + q p(z | right)                 (3)
 *
 * p(z | wrong) is that of the decoys; b makes (2) a density; a and the share q
 * of right names are those that tell captions from decoys best, which is how a
 * share of positives is found from positives and unlabelled ones. w is the
 * logistic regression of names by the last round against decoys. All are found
 * anew for names with few, some and many other faces. */
#include "naming/likelihood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "la/dense.h"

enum { TERMS = AK_VOTES + 1, NEWTON_MOST = 25, CLASSES = 4, LEAST = 40 };
enum { SAMPLE_MOST = 2000, SECTIONS = 10 };

static const double edges[CLASSES - 1] = {1.5, 4.0, 12.0};
static const double any_least = 0.02;  // below, there are no votes
static const double score_most = 15.0;
static const double tilt_step = 0.6;  // of the log of a
/* Of right faces, this share looks like nobody's, by how many are compared. */
static const double unlike[CLASSES] = {0.05, 0.03, 0.02, 0.01};
static const double alike = 1e-3;   // of wrong faces look right
static const double stray = 0.004;  // of decoys are right: captions miss names

/* Where there are too few decoys to fit anything. */
static const double plain[TERMS] = {0.5, 0.5, 0.5, 0.5, -1.0};

static int class_of(const ak_vote *v)
{
    int k = 0;
    while (k < CLASSES - 1 && v->faces >= edges[k])
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

/* Those of `from` get mean 0 and deviation 1, all others by the same. */
static void standardise(int64_t n, ak_vote *votes, int64_t n_wrong,
                        ak_vote *wrong, int64_t n_from, const ak_vote *from)
{
    for (int t = 0; t < AK_VOTES; ++t) {
        double sum = 0.0, squares = 0.0, count = 0.0;
        for (int64_t k = 0; k < n_from; ++k)
            if (from[k].any > any_least) {
                sum += from[k].x[t];
                squares += from[k].x[t] * from[k].x[t];
                count += 1.0;
            }
        const double mean = count > 0.0 ? sum / count : 0.0;
        const double variance = count > 0.0 ? squares / count - mean * mean
                                            : 0.0;
        const double by = variance > 1e-18 ? 1.0 / sqrt(variance) : 0.0;
        for (int64_t k = 0; k < n; ++k)
            votes[k].x[t] = (votes[k].x[t] - mean) * by;
        for (int64_t k = 0; k < n_wrong; ++k)
            wrong[k].x[t] = (wrong[k].x[t] - mean) * by;
    }
}

/* ---- the tilt ------------------------------------------------------------ */

typedef struct tilt {
    int64_t n, n_wrong;
    double *z, *z_wrong;  // of captions and of decoys
    double *e, *e_wrong;  // exp(a z + b)
    double a, b;
} tilt;

/* The mean of exp(a z + b) over wrong names. */
static double mean_tilt(const tilt *s, double a, double b)
{
    double sum = 0.0;
    for (int64_t k = 0; k < s->n_wrong; ++k) {
        const double e = exp(fmin(a * s->z_wrong[k] + b, 200.0));
        sum += e / (1.0 - stray + stray * e);
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
    const double q = 1.0 / (1.0 + exp(-logit));
    const double odds = (double)s->n / (double)s->n_wrong;
    double sum = 0.5 * logit * logit + 2.0 * log(s->a) * log(s->a);
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
    return minimise(loss_at_share, arg, -5.0, 4.0, &logit);
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

/* At most SAMPLE_MOST products of votes, evenly spread. */
static int64_t sample(const regression *s, int right, const double *w,
                      double *z)
{
    int64_t all = 0, n = 0, seen = 0;
    for (int64_t k = 0; k < s->n[right]; ++k)
        all += takes(s, &s->votes[right][k]);
    const int64_t step = 1 + all / SAMPLE_MOST;
    for (int64_t k = 0; k < s->n[right]; ++k)
        if (takes(s, &s->votes[right][k]) && seen++ % step == 0)
            z[n++] = product(w, &s->votes[right][k]);
    return n;
}

static int64_t count_votes(const regression *s, int right)
{
    int64_t n = 0;
    for (int64_t k = 0; k < s->n[right]; ++k)
        n += takes(s, &s->votes[right][k]);
    return n;
}

/* ---- all ----------------------------------------------------------------- */

/* w, a and b of a class of names into one set of weights. */
static akin_status fit_class(const regression *s, akin_ctx *ctx, double *w)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    tilt t = {0};
    double log_a;
    akin_status st = AKIN_OK;
    AK_TRY(regress(s, ctx, w));
    AK_TRY(AK_SCRATCH_EACH(ctx, SAMPLE_MOST + 1, &t.z, &t.z_wrong, &t.e,
                           &t.e_wrong));
    t.n = sample(s, 1, w, t.z);
    t.n_wrong = sample(s, 0, w, t.z_wrong);
    log_a = best_tilt(&t);
    set_tilt(&t, exp(log_a));
    for (int k = 0; k < AK_VOTES; ++k)
        w[k] *= t.a;
    w[AK_VOTES] = t.b;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static void set_scores(int64_t n, ak_vote *votes, double (*weights)[TERMS])
{
    for (int64_t k = 0; k < n; ++k) {
        const double *w = weights[class_of(&votes[k])];
        const double score = product(w, &votes[k]) + w[AK_VOTES];
        votes[k].score = votes[k].any > any_least
                             ? fmax(-score_most, fmin(score_most, score))
                             : 0.0;
    }
}

akin_status ak_likelihood_fit(akin_ctx *ctx, int64_t n, ak_vote *votes,
                              int64_t n_wrong, ak_vote *wrong)
{
    regression all = {{n_wrong, n}, {wrong, votes}, -1, 2.0, {0.0}};
    double weights[CLASSES][TERMS], pooled[TERMS];
    const bool few = count_votes(&all, 0) < LEAST ||
                     count_votes(&all, 1) < LEAST;
    akin_status st = AKIN_OK;
    standardise(n, votes, n_wrong, wrong, few ? n : n_wrong,
                few ? votes : wrong);
    memcpy(pooled, plain, sizeof pooled);
    if (!few)
        AK_TRY(fit_class(&all, ctx, pooled));
    if (!few)
        AK_TRY(regress(&all, ctx, all.centre));
    all.ridge = 10.0;
    for (all.class = 0; all.class < CLASSES; ++all.class) {
        double *w = weights[all.class];
        memcpy(w, pooled, sizeof pooled);
        if (count_votes(&all, 0) >= LEAST && count_votes(&all, 1) >= LEAST)
            AK_TRY(fit_class(&all, ctx, w));
    }
    set_scores(n, votes, weights);
done:
    return st;
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
