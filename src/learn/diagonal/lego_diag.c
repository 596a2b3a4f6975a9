/* LEGO with a diagonal metric: exact LogDet steps towards target distances.
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
 * found by Newton steps inside a bracket. A triplet is two steps: (q, p) with
 * the target y_sim, then (q, n) with y_dis. Only coordinates of z change. */
#include <math.h>

#include "learn/diagonal/weight_vector.h"
#include "learn/metric/logdet.h"

typedef struct lego {
    ak_logdet pair;  // z becomes e in place
    ak_weight_vector weights;
} lego;

static double f_of(const ak_logdet *p, double y, double c, double *slope)
{
    double f = c / p->eta + y;
    *slope = 1.0 / p->eta;
    for (int64_t k = 0; k < p->n; ++k) {
        const double r = p->z[k] / (1.0 + c * p->z[k]);
        f -= r;
        *slope += r * r;
    }
    return f;
}

/* The root of (3). */
static double solve(const ak_logdet *p, double y, double largest)
{
    double slope, lo = -1.0 / largest, hi = 1.0, c = 0.0;
    while (f_of(p, y, hi, &slope) < 0.0)
        hi *= 2.0;
    for (int i = 0; i < 200; ++i) {
        const double f = f_of(p, y, c, &slope);
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

/* One step (2) on the pair; the distance before it in *distance. */
static akin_status lego_step(void *state, double y, int side, double *distance,
                             bool *moved)
{
    lego *s = state;
    const ak_logdet *p = &s->pair;
    double *a = s->weights.w, *e = p->z;
    double sum = 0.0, largest = 0.0;
    for (int64_t k = 0; k < p->n; ++k) {
        e[k] = a[p->cols[k]] * e[k] * e[k];
        sum += e[k];
        largest = fmax(largest, e[k]);
    }
    *distance = sum;
    if (!isfinite(sum))
        return AKIN_ENUMERIC;
    if (largest <= 0.0 || ak_logdet_satisfied(sum, y, side))
        return AKIN_OK;
    const double c = solve(p, y, largest);
    for (int64_t k = 0; k < p->n; ++k)
        if (!isfinite(a[p->cols[k]] / (1.0 + c * e[k])))
            return AKIN_ENUMERIC;
    for (int64_t k = 0; k < p->n; ++k)
        a[p->cols[k]] /= 1.0 + c * e[k];
    *moved = true;
    return AKIN_OK;
}

static void lego_free(void *state)
{
    lego *s = state;
    if (s == NULL)
        return;
    ak_logdet_free(&s->pair);
    akin_free(s->weights.w);
    akin_free(s);
}

static akin_status lego_begin(void **state, akin_ctx *ctx,
                              const ak_online_input *in)
{
    const akin_lego_diag_options *o =
        (const akin_lego_diag_options *)in->options;
    lego *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->pair = (ak_logdet)AK_LOGDET_OF(o, lego_step);
    AK_TRY(ak_weight_vector_begin(&s->weights, ctx, in->data, in->resume,
                                  AKIN_BY_DISTANCE));
    *state = s;
    s = NULL;
done:
    lego_free(s);
    return st;
}

static akin_status lego_model(akin_model **out, akin_ctx *ctx, void *state)
{
    return ak_weight_vector_model(out, ctx, &((lego *)state)->weights);
}

static akin_status lego_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    return ak_weight_vector_save(&((const lego *)state)->weights, ctx, t);
}

static const akin_option options[] = {
    AK_LOGDET_OPTIONS(akin_lego_diag_options),
};
AK_OPTIONS_COVER(akin_lego_diag_options, options);

static const akin_lego_diag_options defaults = AKIN_LEGO_DIAG_DEFAULTS;

static const ak_online online = {
    .begin = lego_begin,
    .observe = ak_logdet_observe,
    .model = lego_model,
    .save = lego_save,
    .free = lego_free,
};

const ak_learner ak_learner_lego_diag = {
    .info =
        {
            .name = "lego-diag",
            .summary = "diagonal metric by LogDet steps to target distances",
            .when = "distances with known targets; a baseline",
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
