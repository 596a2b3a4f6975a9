/* Scores of names from how alike faces are.
 *
 * Votes are the mean affinity to the faces of a name, (1) and (2) of
 * naming/assign.c. Those of the method fused are several votes at once,
 * weighted by what the last round found:
 *
 *   a = mean affinity to the faces of a name, b = the mean of the k largest
 *   s = w_0 + w_1 a + w_2 b         log-odds that a face has a name     (3)
 *
 * both without the faces of its own photo, so that the label a face has does
 * not confirm itself. w is the logistic regression of "has this name now" over
 * all faces and the names of their captions, and to (3) a photo adds how often
 * photos like it show so many names (naming/photos.h). The first round is that
 * of Algorithm 2; a trace of its scores settles ties, as between names that no
 * other face has. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "naming/naming.h"

/* ---- votes --------------------------------------------------------------- */

typedef struct scoring {
    ak_photos *photos;
    const ak_affinity *a;
    const ak_assign_options *o;
    const int32_t *labels;  // NULL: the first round
    double *size, *quad;    // n_names: 1'y_c and y_c'A y_c
} scoring;

int64_t ak_votes_get(const ak_shared_names *p, const int32_t *labels,
                     const ak_assign_options *o, int64_t g,
                     const int32_t **names, double *weight)
{
    const int32_t *caption;
    int64_t n = ak_bags_names(p->bags, p->photo[g], &caption);
    *weight = 1.0;
    *names = caption;
    if (labels == NULL) {
        if (o->start_names.counts != NULL) {
            n = o->start_names.counts[g];
            *names = o->start_names.names[g];
        }
        if (o->uniform && n > 0)
            *weight = 1.0 / (double)n;
        return n;
    }
    *names = labels + g;
    for (int64_t k = 0; k < n; ++k)
        if (caption[k] == **names)
            return 1;
    return 0;
}

/* A y_c of one face, for the names of its photo; marks[name] is its place. */
static void add_votes(const scoring *s, int64_t f, const int32_t *marks,
                      double *B)
{
    const int32_t *peers, *names;
    const int64_t n = ak_shared_names_get(s->a->peers, f, &peers);
    const double *A = s->a->values + s->a->peers->start[f];
    for (int64_t k = 0; k < n; ++k) {
        double weight;
        if (s->o->no_self && peers[k] == f)
            continue;
        const int64_t m = ak_votes_get(s->a->peers, s->labels, s->o, peers[k],
                                       &names, &weight);
        for (int64_t v = 0; v < m; ++v)
            if (marks[names[v]] > 0)
                B[marks[names[v]] - 1] += weight * A[k];
    }
}

static akin_status vote_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const scoring *s = arg;
    const ak_shared_names *p = s->a->peers;
    int32_t *marks = s->photos->marks + worker * p->n_names;
    for (int64_t i = begin; i < end; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(p->bags, i, &faces);
        const int64_t r = ak_bags_names(p->bags, i, &names);
        double *B = s->photos->B + s->photos->slots[i];
        memset(B, 0, (size_t)(n * r) * sizeof *B);
        ak_photos_mark(marks, r, names);
        for (int64_t f = 0; f < n; ++f)
            add_votes(s, faces[f], marks, B + f * r);
        ak_photos_unmark(marks, r, names);
    }
    return AKIN_OK;
}

/* 1'y_c, and for (2) y_c'A y_c of the votes. */
static void sum_classes(const scoring *s)
{
    const ak_shared_names *p = s->a->peers;
    memset(s->size, 0, (size_t)p->n_names * sizeof *s->size);
    memset(s->quad, 0, (size_t)p->n_names * sizeof *s->quad);
    for (int64_t i = 0; i < p->bags->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names, *votes;
        const int64_t n = ak_bags_faces(p->bags, i, &faces);
        const int64_t r = ak_bags_names(p->bags, i, &names);
        for (int64_t f = 0; f < n; ++f) {
            double weight;
            const int64_t m =
                ak_votes_get(p, s->labels, s->o, faces[f], &votes, &weight);
            const double *B = s->photos->B + s->photos->slots[i] + f * r;
            for (int64_t v = 0, q = 0; v < m; ++v) {
                while (names[q] != votes[v])
                    ++q;
                s->size[votes[v]] += weight;
                s->quad[votes[v]] += weight * B[q];
            }
        }
    }
}

/* (1) or (2) from A y_c; a name that no face has scores 0. */
static void divide(const scoring *s)
{
    const ak_bags *b = s->a->peers->bags;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int32_t *names;
        const int64_t r = ak_bags_names(b, i, &names);
        for (int64_t k = s->photos->slots[i]; k < s->photos->slots[i + 1];
             ++k) {
            const int32_t c = names[(k - s->photos->slots[i]) % r];
            const double size = s->size[c];
            double *B = s->photos->B + k;
            if (size <= 0.0)
                *B = 0.0;
            else if (s->o->minorise)
                *B = 2.0 * *B / size - s->quad[c] / (size * size);
            else
                *B /= size;
        }
    }
}

static akin_status score_names(const void *arg, akin_ctx *ctx,
                               const int32_t *labels,
                               const ak_assign_options *o, ak_photos *photos)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    scoring s = {photos, arg, o, labels, NULL, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s.a->peers->n_names, &s.size));
    AK_TRY(AK_SCRATCH(ctx, s.a->peers->n_names, &s.quad));
    AK_TRY(ak_parallel_for(ctx, s.a->peers->bags->n_photos, AK_PHOTO_BLOCK,
                           vote_block, &s));
    sum_classes(&s);
    divide(&s);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

ak_scorer ak_votes_of(const ak_affinity *a)
{
    return (ak_scorer){.peers = a->peers, .score = score_names, .arg = a};
}

enum { VOTES = 2, TERMS = VOTES + 1, NEWTON_MOST = 50, HALVINGS = 30 };
static const double ridge = 1e-3, trace = 1e-6;

typedef struct fused_votes {
    const ak_affinity *a;
    int64_t k;
} fused_votes;

typedef struct fused_round {
    const fused_votes *s;
    const int32_t *labels;
    const ak_assign_options *o;
    ak_photos *photos;
    double *votes;  // VOTES a face and name of its caption, as photos->B; NAN:
                    // no other face has the name
    double *near;   // workers x most_names x k: the largest, falling
    double *sizes;  // workers x most_names
} fused_round;

/* ---- fused: votes -------------------------------------------------------- */

static void insert(double *largest, int64_t k, double x)
{
    if (x <= largest[k - 1])
        return;
    int64_t at = k - 1;
    for (; at > 0 && largest[at - 1] < x; --at)
        largest[at] = largest[at - 1];
    largest[at] = x;
}

/* The mean over all and over the k nearest, from sums and `near`. */
static void close_votes(int64_t k, double size, const double *near,
                        double *votes)
{
    double sum = 0.0;
    int64_t n = 0;
    for (; n < k && near[n] > -INFINITY; ++n)
        sum += near[n];
    votes[0] = size > 0.0 ? votes[0] / size : NAN;
    votes[1] = size > 0.0 ? sum / (double)n : NAN;
}

/* Votes on face f of photo i for the r names marked; `votes` has r rows. */
static void vote_on(const fused_round *w, int64_t i, int64_t f, int64_t r,
                    int64_t worker, double *votes)
{
    const ak_shared_names *p = w->s->a->peers;
    const int64_t k = w->s->k;
    const int32_t *peers, *names,
        *marks = w->photos->marks + worker * p->n_names;
    const int64_t n = ak_shared_names_get(p, f, &peers);
    double *near = w->near + worker * w->photos->most_names * k;
    double *sizes = w->sizes + worker * w->photos->most_names, weight;
    for (int64_t q = 0; q < r * k; ++q)
        near[q] = -INFINITY;
    memset(sizes, 0, (size_t)r * sizeof *sizes);
    memset(votes, 0, (size_t)(r * VOTES) * sizeof *votes);
    for (int64_t g = 0; g < n; ++g) {
        if (p->photo[peers[g]] == i ||
            ak_votes_get(p, w->labels, w->o, peers[g], &names, &weight) == 0 ||
            marks[*names] == 0)
            continue;
        const int64_t q = marks[*names] - 1;
        const double A = w->s->a->values[p->start[f] + g];
        votes[q * VOTES] += A;
        sizes[q] += 1.0;
        insert(near + q * k, k, A);
    }
    for (int64_t q = 0; q < r; ++q)
        close_votes(k, sizes[q], near + q * k, votes + q * VOTES);
}

static akin_status fused_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const fused_round *w = arg;
    const ak_shared_names *p = w->s->a->peers;
    int32_t *marks = w->photos->marks + worker * p->n_names;
    for (int64_t i = begin; i < end; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(p->bags, i, &faces);
        const int64_t r = ak_bags_names(p->bags, i, &names);
        double *votes = w->votes + VOTES * w->photos->slots[i];
        ak_photos_mark(marks, r, names);
        for (int64_t f = 0; f < n; ++f)
            vote_on(w, i, faces[f], r, worker, votes + f * r * VOTES);
        ak_photos_unmark(marks, r, names);
    }
    return AKIN_OK;
}

/* Mean 0 and deviation 1; a vote that is not there becomes 0. */
static void standardise(double *votes, int64_t n)
{
    for (int64_t v = 0; v < VOTES; ++v) {
        double sum = 0.0, squares = 0.0, count = 0.0;
        for (int64_t k = v; k < n * VOTES; k += VOTES)
            if (!isnan(votes[k])) {
                sum += votes[k];
                count += 1.0;
            }
        const double mean = count > 0.0 ? sum / count : 0.0;
        for (int64_t k = v; k < n * VOTES; k += VOTES) {
            votes[k] = isnan(votes[k]) ? 0.0 : votes[k] - mean;
            squares += votes[k] * votes[k];
        }
        const double by = squares > 0.0 ? sqrt(count / squares) : 0.0;
        for (int64_t k = v; k < n * VOTES; k += VOTES)
            votes[k] *= by;
    }
}

/* ---- fused: weights ------------------------------------------------------ */

typedef struct pairs {
    int64_t n;
    const double *votes;
    const unsigned char *has;  // is this the name of the face now?
} pairs;

static double log_odds(const double *w, const double *votes)
{
    double s = w[VOTES];
    for (int v = 0; v < VOTES; ++v)
        s += w[v] * votes[v];
    return s;
}

static double loss(const pairs *x, const double *w)
{
    double sum = 0.5 * ridge * ak_dot(TERMS, w, w);
    for (int64_t k = 0; k < x->n; ++k) {
        const double s = log_odds(w, x->votes + k * VOTES);
        const double z = x->has[k] ? -s : s;
        sum += z > 0.0 ? z + log1p(exp(-z)) : log1p(exp(z));
    }
    return sum;
}

/* The Newton direction, into `step`. */
static akin_status direction(const pairs *x, akin_ctx *ctx, const double *w,
                             double *step)
{
    double H[TERMS * TERMS] = {0.0};
    for (int t = 0; t < TERMS; ++t) {
        step[t] = -ridge * w[t];
        H[t * TERMS + t] = ridge;
    }
    for (int64_t k = 0; k < x->n; ++k) {
        const double *votes = x->votes + k * VOTES;
        const double p = 1.0 / (1.0 + exp(-log_odds(w, votes)));
        double terms[TERMS];
        memcpy(terms, votes, VOTES * sizeof *votes);
        terms[VOTES] = 1.0;
        for (int t = 0; t < TERMS; ++t) {
            step[t] += (x->has[k] - p) * terms[t];
            for (int u = 0; u < TERMS; ++u)
                H[t * TERMS + u] += p * (1.0 - p) * terms[t] * terms[u];
        }
    }
    const akin_status st = ak_spd_inverse(ctx, TERMS, H);
    double g[TERMS];
    memcpy(g, step, sizeof g);
    for (int t = 0; st == AKIN_OK && t < TERMS; ++t)
        step[t] = ak_dot(TERMS, H + t * TERMS, g);
    return st;
}

/* w of (3): Newton steps, halved until the loss falls. */
static akin_status weigh(const pairs *x, akin_ctx *ctx, double *w)
{
    double before = loss(x, w), change = INFINITY;
    akin_status st = AKIN_OK;
    for (int t = 0; t < NEWTON_MOST && change > 1e-10 * before; ++t) {
        double step[TERMS], next[TERMS], after = INFINITY, by = 1.0;
        AK_TRY(direction(x, ctx, w, step));
        for (int h = 0; h < HALVINGS && !(after < before); ++h, by /= 2.0) {
            for (int v = 0; v < TERMS; ++v)
                next[v] = w[v] + by * step[v];
            after = loss(x, next);
        }
        if (!(after < before))
            break;
        memcpy(w, next, sizeof next);
        change = before - after;
        before = after;
    }
done:
    return st;
}

/* ---- fused: a round ------------------------------------------------------ */

static akin_status mark_names(const fused_round *w, akin_ctx *ctx,
                              unsigned char **out)
{
    const ak_bags *b = w->s->a->peers->bags;
    unsigned char *has;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, w->photos->slots[b->n_photos], &has));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        for (int64_t k = 0; k < n * r; ++k)
            has[w->photos->slots[i] + k] = w->labels[faces[k / r]] ==
                                           names[k % r];
    }
    *out = has;
done:
    return st;
}

static akin_status score_fused(const void *arg, akin_ctx *ctx,
                               const int32_t *labels,
                               const ak_assign_options *o, ak_photos *photos)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const fused_votes *s = arg;
    const int64_t n_photos = s->a->peers->bags->n_photos;
    const int64_t n = photos->slots[n_photos];
    const int64_t names = ak_workers(ctx) * photos->most_names;
    fused_round w = {.s = s, .labels = labels, .o = o, .photos = photos};
    double weights[TERMS] = {0.0};
    unsigned char *has;
    akin_status st = AKIN_OK;
    if (labels == NULL) {
        const ak_scorer votes = ak_votes_of(s->a);
        AK_TRY(votes.score(votes.arg, ctx, NULL, o, photos));
        memcpy(photos->first_scores, photos->B, (size_t)n * sizeof *photos->B);
        goto done;
    }
    AK_TRY(AK_SCRATCH(ctx, VOTES * n, &w.votes));
    AK_TRY(AK_SCRATCH(ctx, names * s->k, &w.near));
    AK_TRY(AK_SCRATCH(ctx, names, &w.sizes));
    AK_TRY(ak_parallel_for(ctx, n_photos, AK_PHOTO_BLOCK, fused_block, &w));
    standardise(w.votes, n);
    AK_TRY(mark_names(&w, ctx, &has));
    const pairs all = {n, w.votes, has};
    AK_TRY(weigh(&all, ctx, weights));
    for (int64_t k = 0; k < n; ++k)
        photos->B[k] = log_odds(weights, w.votes + k * VOTES) +
                       trace * photos->first_scores[k];
    ak_count_prior_learn(photos->prior, s->a->peers, labels);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_use_fused(akin_naming *s, akin_ctx *ctx)
{
    fused_votes *f;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 1, &f));
    *f = (fused_votes){&s->affinity, s->k};
    s->scorer = (ak_scorer){
        .peers = &s->peers, .score = score_fused, .arg = f, .blends = true};
done:
    return st;
}
