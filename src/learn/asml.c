#include "learn/asml.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "la/dense.h"
#include "opt/assign.h"
#include "opt/infeasible.h"

enum { BLOCK = 32 };

/* ---- moments ----------------------------------------------------------------
 */

static akin_status take_room(ak_asml *s, akin_ctx *ctx)
{
    const ak_bags *b = s->peers->bags;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < s->m; ++i) {
        s->most_faces = ak_max_i64(s->most_faces,
                                   b->item_offsets[i + 1] - b->item_offsets[i]);
        s->most_names = ak_max_i64(s->most_names,
                                   b->name_offsets[i + 1] - b->name_offsets[i]);
    }
    s->room =
        s->most_faces * (s->most_names + s->p + 4) +
        ak_max_i64(ak_assign_room(s->most_faces, s->most_names),
                   ak_infeasible_room(s->most_faces, s->p, s->most_names));
    AK_TRY(AK_SCRATCH(ctx, (s->p + 1) * s->d, &s->mu));
    AK_TRY(AK_SCRATCH(ctx, (s->p + 1) * s->d * s->d, &s->R));
    AK_TRY(AK_SCRATCH(ctx, s->p + 1, &s->counts));
    AK_TRY(AK_SCRATCH(ctx, s->n, &s->right));
    AK_TRY(AK_SCRATCH(ctx, s->n, &s->wrong));
    AK_TRY(AK_SCRATCH(ctx, s->n * (s->p + 1), &s->D));
    AK_TRY(AK_SCRATCH(ctx, s->m, &s->hinge));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * s->room, &s->work));
done:
    return st;
}

/* The faces of name q, all faces for q = p, side by side; how many. */
static int64_t gather(const ak_asml *s, int64_t q, double *out)
{
    int64_t n = 0;
    for (int64_t j = 0; j < s->n; ++j) {
        bool taken = q == s->p;
        const int32_t *names;
        const int64_t r =
            !taken && s->peers->photo[j] >= 0
                ? ak_bags_names(s->peers->bags, s->peers->photo[j], &names)
                : 0;
        for (int64_t k = 0; k < r; ++k)
            taken = taken || names[k] == q;
        if (taken)
            memcpy(out + n++ * s->d, s->X + j * s->d,
                   (size_t)s->d * sizeof *out);
    }
    return n;
}

static akin_status take_moments(ak_asml *s, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->d;
    double *Y;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->n * d, &Y));
    for (int64_t q = 0; q <= s->p; ++q) {
        double *R = s->R + q * d * d, *mu = s->mu + q * d;
        const int64_t n = gather(s, q, Y);
        s->counts[q] = (double)n;
        if (n == 0)
            continue;
        AK_TRY(ak_gram(ctx, true, d, n, Y, d, R));
        for (int64_t k = 0; k < d * d; ++k)
            R[k] /= (double)n;
        for (int64_t k = 0; k < n * d; ++k)
            mu[k % d] += Y[k] / (double)n;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_asml_begin(ak_asml *s, akin_ctx *ctx, const ak_peers *peers,
                          int64_t d, const double *X, double sigma)
{
    akin_status st = AKIN_OK;
    *s = (ak_asml){.peers = peers,
                   .n = peers->n,
                   .d = d,
                   .p = peers->n_names,
                   .m = peers->bags->n_photos,
                   .X = X,
                   .sigma = sigma};
    AK_TRY(take_room(s, ctx));
    AK_TRY(take_moments(s, ctx));
done:
    return st;
}

/* ---- distances --------------------------------------------------------------
 */

/* D of some faces, `count` of them; Mmu = M mu' (d x (p + 1)) and trace =
 * <M, R_q> are those of M. */
static akin_status distances_of(ak_asml *s, akin_ctx *ctx, const double *M,
                                const int64_t *faces, int64_t count)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->d, p1 = s->p + 1;
    double *x, *Mx, *cross, *trace;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, count * d, &x));
    AK_TRY(AK_SCRATCH(ctx, count * d, &Mx));
    AK_TRY(AK_SCRATCH(ctx, count * p1, &cross));
    AK_TRY(AK_SCRATCH(ctx, p1, &trace));
    for (int64_t k = 0; k < count; ++k)
        memcpy(x + k * d, s->X + (faces ? faces[k] : k) * d,
               (size_t)d * sizeof *x);
    AK_TRY(
        ak_gemm(ctx, false, false, count, d, d, 1.0, x, d, M, d, 0.0, Mx, d));
    AK_TRY(ak_gemm(ctx, false, true, count, p1, d, 1.0, Mx, d, s->mu, d, 0.0,
                   cross, p1));
    for (int64_t q = 0; q < p1; ++q)
        trace[q] = s->counts[q] > 0.0 ? ak_dot(d * d, M, s->R + q * d * d)
                                      : INFINITY;
    for (int64_t k = 0; k < count; ++k) {
        const double own = ak_dot(d, x + k * d, Mx + k * d);
        double *D = s->D + (faces ? faces[k] : k) * p1;
        for (int64_t q = 0; q < p1; ++q)
            D[q] = own - 2.0 * cross[k * p1 + q] + trace[q];
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_asml_distances(ak_asml *s, akin_ctx *ctx, const double *M)
{
    return distances_of(s, ctx, M, NULL, s->n);
}

/* ---- one photo --------------------------------------------------------------
 */

typedef struct photo_work {
    ak_photo photo;
    double *D, *score, *none, *labels, *work;
} photo_work;

/* The distances of the faces of a photo, side by side. */
static photo_work open_photo(const ak_asml *s, int64_t i, int64_t worker)
{
    const ak_bags *b = s->peers->bags;
    const int64_t *faces, p1 = s->p + 1;
    photo_work w = {.D = s->work + worker * s->room};
    w.photo.n = ak_bags_faces(b, i, &faces);
    w.photo.n_caption = ak_bags_names(b, i, &w.photo.caption);
    w.photo.p = s->p;
    w.photo.stride = p1;
    w.photo.D = w.D;
    w.score = w.D + s->most_faces * p1;
    w.none = w.score + s->most_faces * s->most_names;
    w.labels = w.none + s->most_faces;
    w.work = w.labels + 2 * s->most_faces;
    for (int64_t f = 0; f < w.photo.n; ++f)
        memcpy(w.D + f * p1, s->D + faces[f] * p1, (size_t)p1 * sizeof *w.D);
    return w;
}

/* The labels that fit at the least distance, which is returned. */
static double fit_photo(const ak_asml *s, const photo_work *w, int64_t i)
{
    const int64_t n = w->photo.n, r = w->photo.n_caption, *faces;
    const ak_assignment a = {n, r, r, w->score, w->none};
    int32_t *labels = (int32_t *)w->labels;
    ak_bags_faces(s->peers->bags, i, &faces);
    for (int64_t f = 0; f < n; ++f) {
        const double *D = w->D + f * (s->p + 1);
        w->none[f] = -D[s->p];
        for (int64_t q = 0; q < r; ++q)
            w->score[f * r + q] = -D[w->photo.caption[q]];
    }
    const double total = ak_assign(&a, labels, w->work);
    for (int64_t f = 0; f < n; ++f)
        s->right[faces[f]] = labels[f] < 0 ? (int32_t)s->p
                                           : w->photo.caption[labels[f]];
    return -total;
}

/* The hinge of (2) with the labels in `right`; `wrong` is filled. */
static double hinge_of(const ak_asml *s, const photo_work *w, int64_t i)
{
    const int64_t n = w->photo.n, *faces;
    int32_t *labels = (int32_t *)w->labels;
    double sum = ak_infeasible_max(&w->photo, labels, w->work);
    ak_bags_faces(s->peers->bags, i, &faces);
    for (int64_t f = 0; f < n; ++f) {
        sum += w->D[f * (s->p + 1) + s->right[faces[f]]];
        s->wrong[faces[f]] = labels[f];
    }
    return sum > 0.0 ? sum : 0.0;
}

typedef struct sweep {
    ak_asml *s;
    const int64_t *which;  // photos; NULL: all
    bool fit, hinge;
} sweep;

static akin_status sweep_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const sweep *w = arg;
    for (int64_t k = begin; k < end; ++k) {
        const int64_t i = w->which ? w->which[k] : k;
        const photo_work x = open_photo(w->s, i, worker);
        if (w->fit)
            fit_photo(w->s, &x, i);
        if (w->hinge)
            w->s->hinge[i] = x.photo.n > 0 ? hinge_of(w->s, &x, i) : 0.0;
    }
    return AKIN_OK;
}

/* sigma/2 |M - I|^2 + mean of the hinges. */
static double value_of(const ak_asml *s, const double *M)
{
    double sum = 0.0, off = 0.0;
    for (int64_t i = 0; i < s->m; ++i)
        sum += s->hinge[i];
    for (int64_t k = 0; k < s->d * s->d; ++k) {
        const double gap = M[k] - (k / s->d == k % s->d ? 1.0 : 0.0);
        off += gap * gap;
    }
    return s->sigma / 2.0 * off + (s->m > 0 ? sum / (double)s->m : 0.0);
}

akin_status ak_asml_objective(double *out, ak_asml *s, akin_ctx *ctx,
                              const double *M)
{
    sweep w = {s, NULL, true, true};
    akin_status st = AKIN_OK;
    AK_TRY(ak_asml_distances(s, ctx, M));
    AK_TRY(ak_parallel_for(ctx, s->m, BLOCK, sweep_block, &w));
    *out = value_of(s, M);
done:
    return st;
}

/* ---- slopes -----------------------------------------------------------------
 */

/* G = sigma (M - I) + by sum over photos with a hinge of C(right) - C(wrong):
 * x x' cancels, what is left are -x mu' - mu x' and R_q times net counts. */
static akin_status slope_of(double *G, ak_asml *s, akin_ctx *ctx,
                            const double *M, const int64_t *which, int64_t n,
                            double by)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->d, p1 = s->p + 1;
    double *A, *net, *H;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p1 * d, &A));
    AK_TRY(AK_SCRATCH(ctx, p1, &net));
    AK_TRY(AK_SCRATCH(ctx, d * d, &H));
    for (int64_t k = 0; k < n; ++k) {
        const int64_t i = which ? which[k] : k, *faces;
        const int64_t m = ak_bags_faces(s->peers->bags, i, &faces);
        for (int64_t f = 0; s->hinge[i] > 0.0 && f < m; ++f) {
            const double *x = s->X + faces[f] * d;
            ak_axpy(d, 1.0, x, A + s->right[faces[f]] * d);
            ak_axpy(d, -1.0, x, A + s->wrong[faces[f]] * d);
            net[s->right[faces[f]]] += 1.0;
            net[s->wrong[faces[f]]] -= 1.0;
        }
    }
    AK_TRY(
        ak_gemm(ctx, true, false, d, d, p1, -1.0, A, d, s->mu, d, 0.0, H, d));
    for (int64_t a = 0; a < d; ++a)
        for (int64_t b = 0; b < d; ++b)
            G[a * d + b] = s->sigma * (M[a * d + b] - (a == b ? 1.0 : 0.0)) +
                           by * (H[a * d + b] + H[b * d + a]);
    for (int64_t q = 0; q < p1; ++q)
        if (net[q] != 0.0)
            ak_axpy(d * d, by * net[q], s->R + q * d * d, G);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_asml_slope(double *out, double *G, ak_asml *s, akin_ctx *ctx,
                          const double *M)
{
    sweep w = {s, NULL, false, true};
    akin_status st = AKIN_OK;
    AK_TRY(ak_asml_distances(s, ctx, M));
    AK_TRY(ak_parallel_for(ctx, s->m, BLOCK, sweep_block, &w));
    *out = value_of(s, M);
    AK_TRY(slope_of(G, s, ctx, M, NULL, s->m, 1.0 / (double)s->m));
done:
    return st;
}

/* ---- steps ------------------------------------------------------------------
 */

/* The nearest positive semi-definite matrix; M itself where it is definite. */
static akin_status project(akin_ctx *ctx, int64_t d, double *M)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *V, *B, *values;
    int64_t k = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d * d, &V));
    AK_TRY(AK_SCRATCH(ctx, d * d, &B));
    AK_TRY(AK_SCRATCH(ctx, d, &values));
    for (int64_t a = 0; a < d; ++a)
        for (int64_t b = 0; b < d; ++b)
            V[a * d + b] = 0.5 * (M[a * d + b] + M[b * d + a]);
    memcpy(M, V, (size_t)(d * d) * sizeof *M);
    memcpy(B, V, (size_t)(d * d) * sizeof *B);
    if (ak_cholesky(ctx, d, B) == AKIN_OK)
        goto done;
    AK_TRY(ak_eigh(ctx, d, V, values));
    while (k < d && values[k] <= 0.0)
        ++k;
    for (int64_t a = 0; a < d; ++a)
        for (int64_t c = k; c < d; ++c)
            B[a * (d - k) + c - k] = sqrt(values[c]) * V[a * d + c];
    AK_TRY(ak_gram(ctx, false, d, d - k, B, d - k, M));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* One step on some photos. */
static akin_status step(double *M, double *G, ak_asml *s, akin_ctx *ctx,
                        const int64_t *which, int64_t n, double eta)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    sweep w = {s, which, false, true};
    int64_t count = 0, *faces;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * s->most_faces, &faces));
    for (int64_t k = 0; k < n; ++k) {
        const int64_t *mine;
        const int64_t m = ak_bags_faces(s->peers->bags, which[k], &mine);
        for (int64_t f = 0; f < m; ++f)
            faces[count++] = mine[f];
    }
    AK_TRY(distances_of(s, ctx, M, faces, count));
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, sweep_block, &w));
    AK_TRY(slope_of(G, s, ctx, M, which, n, 1.0 / (double)n));
    ak_axpy(s->d * s->d, -eta, G, M);
    AK_TRY(project(ctx, s->d, M));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_asml_steps(double *M, ak_asml *s, akin_ctx *ctx,
                          const int64_t *order, int64_t n_order, int64_t batch,
                          double t0)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *G, t = t0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->d * s->d, &G));
    for (int64_t k = 0; k < n_order; k += batch) {
        t += 1.0;
        AK_TRY(step(M, G, s, ctx, order + k, ak_min_i64(batch, n_order - k),
                    1.0 / (s->sigma * t)));
        AK_TRY(ak_ctx_tick(ctx, "photos", k, n_order, NAN));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the run ----------------------------------------------------------------
 */

/* `epochs` shuffled passes over all photos. */
static akin_status draw_order(int64_t **out, akin_ctx *ctx, int64_t m,
                              int64_t epochs, uint64_t round)
{
    ak_rng rng =
        ak_rng_split(ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_SHUFFLE), round);
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m * epochs, out));
    for (int64_t e = 0; e < epochs; ++e) {
        for (int64_t i = 0; i < m; ++i)
            (*out)[e * m + i] = i;
        ak_rng_shuffle(&rng, m, *out + e * m);
    }
done:
    return st;
}

/* One linearisation, solved from M on; *change is how far M went. */
static akin_status solve_round(double *M, ak_asml *s, akin_ctx *ctx,
                               const ak_asml_params *p, int64_t round,
                               double *change)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t batch = p->batch > 0 ? p->batch : s->m, size = s->d * s->d;
    const int64_t steps = (s->m + batch - 1) / batch;
    double *before;
    int64_t *order;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, size, &before));
    memcpy(before, M, (size_t)size * sizeof *M);
    AK_TRY(draw_order(&order, ctx, s->m, p->epochs, (uint64_t)round));
    /* t = 1 would forget where this round began. */
    const double t0 = round == 0 ? 1.0 : 10.0 * (double)steps;
    AK_TRY(ak_asml_steps(M, s, ctx, order, s->m * p->epochs, batch, t0));
    *change = 0.0;
    for (int64_t k = 0; k < size; ++k)
        *change += (M[k] - before[k]) * (M[k] - before[k]);
    *change = sqrt(*change);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_asml_fit(ak_asml_result *out, double *M, ak_asml *s,
                        akin_ctx *ctx, const ak_asml_params *p)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const size_t bytes = (size_t)(s->d * s->d) * sizeof *M;
    double *best, value = 0.0, change = INFINITY;
    akin_status st = AKIN_OK;
    *out = (ak_asml_result){0};
    AK_TRY(AK_SCRATCH(ctx, s->d * s->d, &best));
    AK_TRY(ak_asml_objective(&out->objective, s, ctx, M));  // fills `right`
    memcpy(best, M, bytes);
    while (out->outer < p->outer && !out->converged) {
        AK_TRY(solve_round(M, s, ctx, p, out->outer++, &change));
        AK_TRY(ak_asml_objective(&value, s, ctx, M));
        out->converged = change <= p->eps;
        if (!(value < out->objective))
            continue;
        out->objective = value;
        memcpy(best, M, bytes);
    }
    memcpy(M, best, bytes);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
