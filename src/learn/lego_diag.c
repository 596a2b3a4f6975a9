/* LEGO with a diagonal metric: exact LogDet steps towards wanted distances.
 *   [1] Jain, Kulis, Dhillon, Grauman. Online metric learning and fast
 *       similarity search. NIPS 2008.
 *
 *   d(x, y) = sum_j a_j z_j^2,  z = x - y,  a = 1 at the start          (1)
 *   a <- argmin over b > 0 of
 *        sum_j (b_j/a_j - ln b_j/a_j) + eta/2 (sum_j b_j z_j^2 - y)^2   (2)
 *
 * With e_j = a_j z_j^2 the solution is b_j = a_j / (1 + c e_j), where c is the
 * root of the increasing function
 *
 *   f(c) = c/eta + y - sum_j e_j / (1 + c e_j),  c > -1 / max e         (3)
 *
 * found by Newton steps kept inside a bracket. A triplet is two steps: (q, p)
 * with the target y_sim, then (q, n) with y_dis. Only coordinates of z move. */
#include <math.h>
#include <string.h>

#include "learn/difference.h"
#include "learn/reweighting.h"

typedef struct lego {
    ak_reweighting weights;
    double eta, y_sim, y_dis;
    bool inequality;  // a pair that is on the right side already is left alone
    int32_t *cols;    // scratch of a step, `room` entries each
    double *e;
    int64_t room;
} lego;

static double f_of(const lego *s, int64_t n, double y, double c, double *slope)
{
    double f = c / s->eta + y;
    *slope = 1.0 / s->eta;
    for (int64_t k = 0; k < n; ++k) {
        const double r = s->e[k] / (1.0 + c * s->e[k]);
        f -= r;
        *slope += r * r;
    }
    return f;
}

/* The root of (3). */
static double solve(const lego *s, int64_t n, double y, double largest)
{
    double slope, lo = -1.0 / largest, hi = 1.0, c = 0.0;
    while (f_of(s, n, y, hi, &slope) < 0.0)
        hi *= 2.0;
    for (int i = 0; i < 200; ++i) {
        const double f = f_of(s, n, y, c, &slope);
        if (f > 0.0)
            hi = c;
        else
            lo = c;
        double next = c - f / slope;
        if (!(next > lo && next < hi))
            next = 0.5 * (lo + hi);
        const bool close = fabs(next - c) <= 1e-15 * fmax(1.0, fabs(c));
        c = next;
        if (close)
            break;
    }
    return c;
}

static akin_status make_room(lego *s, akin_ctx *ctx, int64_t n)
{
    akin_status st = AKIN_OK;
    if (n <= s->room)
        return st;
    AK_TRY(ak_resize(ctx, n, sizeof *s->cols, &s->cols));
    AK_TRY(ak_resize(ctx, n, sizeof *s->e, &s->e));
    s->room = n;
done:
    return st;
}

/* One step (2) on the pair; the distance before it in *distance. */
static akin_status lego_step(lego *s, const akin_rows *rows, int64_t x,
                             int64_t y_row, double y, int side,
                             double *distance, bool *moved)
{
    double *a = s->weights.w;
    const int64_t n = ak_difference(rows, x, y_row, s->cols, s->e);
    double sum = 0.0, largest = 0.0;
    for (int64_t k = 0; k < n; ++k) {
        s->e[k] = a[s->cols[k]] * s->e[k] * s->e[k];
        sum += s->e[k];
        largest = fmax(largest, s->e[k]);
    }
    *distance = sum;
    if (!isfinite(sum))
        return AKIN_ENUMERIC;
    if (largest <= 0.0 || (side > 0 && sum <= y) || (side < 0 && sum >= y))
        return AKIN_OK;
    const double c = solve(s, n, y, largest);
    for (int64_t k = 0; k < n; ++k)
        if (!isfinite(a[s->cols[k]] / (1.0 + c * s->e[k])))
            return AKIN_ENUMERIC;
    for (int64_t k = 0; k < n; ++k)
        a[s->cols[k]] /= 1.0 + c * s->e[k];
    *moved = true;
    return AKIN_OK;
}

static akin_status lego_triplet(lego *s, akin_ctx *ctx, const akin_rows *rows,
                                const int64_t *t, akin_learn_info *info)
{
    double near_d = 0.0, far_d = 0.0;
    bool moved = false;
    akin_status st = AKIN_OK;
    AK_TRY(make_room(s, ctx,
                     ak_max_i64(ak_difference_room(rows, t[0], t[1]),
                                ak_difference_room(rows, t[0], t[2]))));
    AK_TRY(lego_step(s, rows, t[0], t[1], s->y_sim, s->inequality, &near_d,
                     &moved));
    AK_TRY(lego_step(s, rows, t[0], t[2], s->y_dis, -s->inequality, &far_d,
                     &moved));
    const double loss = 0.5 * ((near_d - s->y_sim) * (near_d - s->y_sim) +
                               (far_d - s->y_dis) * (far_d - s->y_dis));
    ak_learn_count(info, loss, moved);
done:
    return st;
}

static akin_status lego_observe(void *state, akin_ctx *ctx,
                                const akin_rows *rows, const int64_t *triplets,
                                int64_t count, akin_learn_info *info)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < count && st == AKIN_OK; ++i)
        st = lego_triplet(state, ctx, rows, triplets + 3 * i, info);
    return st;
}

static void lego_free(void *state, akin_ctx *ctx)
{
    lego *s = state;
    if (s == NULL)
        return;
    ak_release(ctx, s->weights.w);
    ak_release(ctx, s->cols);
    ak_release(ctx, s->e);
    ak_release(ctx, s);
}

static akin_status lego_begin(void **state, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              const ak_sampler *sampler,
                              const ak_tensors *resume)
{
    const akin_lego_diag_options *o = (const akin_lego_diag_options *)head;
    lego *s = NULL;
    akin_status st = AKIN_OK;
    (void)sampler;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->eta = o->eta;
    s->y_sim = o->y_sim;
    s->y_dis = o->y_dis;
    s->inequality = strcmp(o->targets, "inequality") == 0;
    AK_TRY(
        ak_reweighting_begin(&s->weights, ctx, data, resume, AKIN_BY_DISTANCE));
    *state = s;
    s = NULL;
done:
    lego_free(s, ctx);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_lego_diag_options, eta, 1e-12, 1e12,
                   "weight of the wanted distance against staying", 1e-3, 1e-2,
                   1e-1, 1.0),
    AK_OPTION_GRID(akin_lego_diag_options, y_sim, 0.0, 1e12,
                   "wanted squared distance of a similar pair", 0.5, 1.0, 1.5),
    AK_OPTION_GRID(akin_lego_diag_options, y_dis, 0.0, 1e12,
                   "wanted squared distance of a dissimilar pair", 1.8, 1.9,
                   2.0),
    AK_OPTION_WORD(akin_lego_diag_options, targets, "equality|inequality",
                   "reach the targets, or only the right side of them"),
};
AK_OPTIONS_COVER(akin_lego_diag_options, options);

static const akin_lego_diag_options defaults = AKIN_LEGO_DIAG_DEFAULTS;

static const ak_online online = {
    .begin = lego_begin,
    .observe = lego_observe,
    .model = ak_reweighting_model,
    .save = ak_reweighting_save,
    .free = lego_free,
};

const ak_learner ak_learner_lego_diag = {
    .info =
        {
            .name = "lego-diag",
            .summary = "diagonal metric by LogDet steps to wanted distances",
            .when = "when distances have known targets; to compare with",
            .paper = "jain2008lego",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "diagonal",
            .is_online = 1,
            .recipe = &ak_recipe_counts,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
