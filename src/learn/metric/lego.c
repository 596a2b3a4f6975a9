/* LEGO: exact LogDet steps towards target distances, online.
 *   [1] Jain, Kulis, Dhillon, Grauman. Online metric learning and fast
 *       similarity search. NIPS 2008.
 *
 *   d(x, y) = z' M z,  z = x - y,  M the identity at the start         (1)
 *   M <- argmin over N > 0 of LogDet(N, M) + eta/2 (z' N z - y)^2      (2)
 *
 * With units "absolute", z is as it is. With "relative", z is divided so that
 * dissimilar pairs so far, this one included, had a mean |z|^2 of 2, as that of
 * two documents of length 1 is: the targets, which are distances, then mean the
 * same for rows that all lie close together. And learn/trust.h says how far to
 * go from the identity.
 *
 * A triplet is two steps: (q, p) with the target y = y_sim, then (q, n) with
 * y_dis. `lego` has a full M, `lego-diag` a diagonal one.
 *
 * Full: with h = z' M z and b = 1 - eta y h, the distance after the step is the
 * positive root r of eta h r^2 + b r - h = 0, and with c = eta (r - y)
 *
 *   M <- M - c / (1 + c h) (Mz)(Mz)'                                   (3)
 *
 * Mz costs n times the non-zeros of z, (3) n times those of Mz.
 *
 * Diagonal: with M = diag(a) and e_j = a_j z_j^2 the solution of (2) is
 * a_j / (1 + c e_j), where c is the root of the increasing function
 *
 *   f(c) = c/eta + y - sum_j e_j / (1 + c e_j),  c > -1 / max e        (4)
 *
 * found by Newton steps inside a bracket. Only coordinates of z change. */
#include "learn/metric/lego.h"

#include <math.h>
#include <string.h>

#include "la/clones.h"
#include "learn/diagonal/weight_vector.h"
#include "learn/difference.h"
#include "learn/full_matrix.h"
#include "learn/symmetric.h"
#include "model/metric.h"

/* ---- a triplet ----------------------------------------------------------- */

static akin_status reserve(ak_lego_pair *l, akin_ctx *ctx, int64_t n)
{
    akin_status st = AKIN_OK;
    if (n <= l->capacity)
        return st;
    AK_TRY(ak_resize(ctx, n, sizeof *l->cols, &l->cols));
    AK_TRY(ak_resize(ctx, n, sizeof *l->z, &l->z));
    l->capacity = n;
done:
    return st;
}

/* z of a pair; in relative units in those. */
static void set_pair(ak_lego_pair *l, const akin_rows *rows, int64_t x,
                     int64_t y)
{
    l->n = ak_difference(rows, x, y, l->cols, l->z);
    const double scale = sqrt(2.0 * (double)l->seen / l->distances);
    for (int64_t k = 0; k < l->n && l->relative && l->distances > 0.0; ++k)
        l->z[k] *= scale;
}

/* Count a dissimilar pair into the unit. */
static void measure(ak_lego_pair *l, const akin_rows *rows, int64_t x,
                    int64_t y)
{
    l->n = ak_difference(rows, x, y, l->cols, l->z);
    ++l->seen;
    for (int64_t k = 0; k < l->n; ++k)
        l->distances += l->z[k] * l->z[k];
}

static akin_status lego_triplet(ak_lego_pair *l, akin_ctx *ctx,
                                const akin_rows *rows, const int64_t *t,
                                akin_learn_info *info)
{
    double *d = l->distance;
    bool moved = false;
    AK_CHECK(reserve(l, ctx,
                     ak_max_i64(ak_difference_room(rows, t[0], t[1]),
                                ak_difference_room(rows, t[0], t[2]))));
    if (l->relative)
        measure(l, rows, t[0], t[2]);
    set_pair(l, rows, t[0], t[1]);
    AK_CHECK(l->step(l, l->y_sim, l->inequality, &d[0], &moved));
    set_pair(l, rows, t[0], t[2]);
    AK_CHECK(l->step(l, l->y_dis, -l->inequality, &d[1], &moved));
    const double loss = 0.5 * ((d[0] - l->y_sim) * (d[0] - l->y_sim) +
                               (d[1] - l->y_dis) * (d[1] - l->y_dis));
    ak_learn_count(info, loss, moved);
    return AKIN_OK;
}

static akin_status lego_observe(void *state, akin_ctx *ctx,
                                const akin_rows *rows, const int64_t *triplets,
                                int64_t count, akin_learn_info *info)
{
    for (int64_t i = 0; i < count; ++i) {
        AK_CHECK(ak_ctx_poll(ctx));
        AK_CHECK(lego_triplet(state, ctx, rows, triplets + 3 * i, info));
    }
    return AKIN_OK;
}

/* `units` is the option, or, with a state to resume, what that has. */
static akin_status pair_begin(ak_lego_pair *l, akin_ctx *ctx, const char *units,
                              const ak_tensors *resume)
{
    l->relative = resume ? ak_tensors_get_note(resume, "distances") != NULL
                         : strcmp(units, "relative") == 0;
    if (resume == NULL || !l->relative)
        return AKIN_OK;
    AK_CHECK(ak_tensors_need_f64(resume, ctx, "distances", &l->distances));
    return ak_state_count(resume, ctx, "triplets", &l->seen);
}

static akin_status pair_save(const ak_lego_pair *l, akin_ctx *ctx,
                             ak_tensors *t)
{
    if (!l->relative)
        return AKIN_OK;
    AK_CHECK(ak_tensors_note_f64(t, ctx, "distances", l->distances));
    return ak_tensors_note_i64(t, ctx, "triplets", l->seen);
}

static void pair_free(ak_lego_pair *l)
{
    akin_free(l->cols);
    akin_free(l->z);
}

/* Is the distance of a pair on the right side of its target y: below it (side
 * 1) or above it (-1)? Never where the target is an equality (0). */
static bool is_satisfied(double distance, double y, int side)
{
    return (side > 0 && distance <= y) || (side < 0 && distance >= y);
}

/* The state of options `o` that has the fields eta, y_sim, y_dis, targets. */
#define PAIR_OF(o, step_)                                                      \
    {                                                                          \
        .eta = (o)->eta, .y_sim = (o)->y_sim, .y_dis = (o)->y_dis,             \
        .inequality = strcmp((o)->targets, "inequality") == 0, .step = (step_) \
    }

#define PAIR_OPTIONS(type)                                                    \
    AK_OPTION_GRID(type, eta, 1e-12, 1e12,                                    \
                   "weight of the target distance against staying", 1e-3,     \
                   1e-2, 1e-1, 1.0),                                          \
        AK_OPTION_GRID(type, y_sim, 0.0, 1e12,                                \
                       "target squared distance of a similar pair", 0.5, 1.0, \
                       1.5),                                                  \
        AK_OPTION_GRID(type, y_dis, 0.0, 1e12,                                \
                       "target squared distance of a dissimilar pair", 1.8,   \
                       1.9, 2.0),                                             \
        AK_OPTION_WORD(type, targets, "equality|inequality",                  \
                       "reach the targets, or only the right side of them"),  \
        AK_UNITS_OPTION(type)

/* What the entries of both have. */
#define LEGO_INFO            \
    .paper = "jain2008lego", \
    .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS, .is_online = 1

/* ---- a full metric ------------------------------------------------------- */

typedef struct full {
    ak_lego_pair pair;
    int64_t n;
    double *M;   // n x n
    double *Mz;  // n
    const akin_supervision *data;
} full;

AK_CLONES
static void add_scaled(int64_t n, double a, const double *x, double *y)
{
    for (int64_t j = 0; j < n; ++j)
        y[j] += a * x[j];
}

/* row_j -= f (u_i u_j), the same bits for (i, j) and (j, i). */
AK_CLONES
static void shrink_row(int64_t n, double f, double u_i, const double *u,
                       double *row)
{
    for (int64_t j = 0; j < n; ++j)
        row[j] -= f * (u_i * u[j]);
}

/* The positive root r of (3), without cancellation. */
static double distance_after(double eta, double y, double h)
{
    const double b = 1.0 - eta * y * h, r = sqrt(b * b + 4.0 * eta * h * h);
    return b > 0.0 ? 2.0 * h / (b + r) : (r - b) / (2.0 * eta * h);
}

/* One step (2) on the pair; the distance before it in *distance. */
static akin_status full_step(void *state, double y, int side, double *distance,
                             bool *moved)
{
    full *s = state;
    const ak_lego_pair *p = &s->pair;
    const int64_t n = s->n;
    double h = 0.0;
    for (int64_t j = 0; j < n; ++j)
        s->Mz[j] = 0.0;
    for (int64_t k = 0; k < p->n; ++k)  // symmetric: rows for columns
        add_scaled(n, p->z[k], s->M + p->cols[k] * n, s->Mz);
    for (int64_t k = 0; k < p->n; ++k)
        h += p->z[k] * s->Mz[p->cols[k]];
    *distance = h;
    if (!isfinite(h))
        return AKIN_ENUMERIC;
    if (h <= 0.0 || is_satisfied(h, y, side))
        return AKIN_OK;
    const double c = p->eta * (distance_after(p->eta, y, h) - y);
    const double f = c / (1.0 + c * h);
    if (!isfinite(f))
        return AKIN_ENUMERIC;
    for (int64_t i = 0; i < n; ++i)
        if (s->Mz[i] != 0.0)
            shrink_row(n, f, s->Mz[i], s->Mz, s->M + i * n);  // (3)
    *moved = true;
    return AKIN_OK;
}

static void full_free(void *state)
{
    full *s = state;
    if (s == NULL)
        return;
    pair_free(&s->pair);
    akin_free(s->M);
    akin_free(s->Mz);
    akin_free(s);
}

static akin_status full_begin(void **state, akin_ctx *ctx,
                              const ak_online_input *in)
{
    const akin_lego_options *o = (const akin_lego_options *)in->options;
    full *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->pair = (ak_lego_pair)PAIR_OF(o, full_step);
    s->data = in->data;
    s->n = akin_rows_dim(in->data->rows);
    AK_TRY(pair_begin(&s->pair, ctx, o->units, in->resume));
    AK_TRY(ak_full_matrix_new(&s->M, ctx, "lego", s->n, o->memory));
    AK_TRY(AK_NEW(ctx, s->n, &s->Mz));
    if (in->resume != NULL && s->pair.relative)
        AK_TRY(ak_full_matrix_load(s->M, ctx, in->resume, "M", s->n));
    *state = s;
    s = NULL;
done:
    full_free(s);
    return st;
}

static akin_status full_resume(void *state, akin_ctx *ctx,
                               const akin_model *resume)
{
    full *s = state;
    if (s->pair.relative)
        return AKIN_OK;  // it was in the state
    const double *M = ak_metric_M(resume);
    if (M == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "lego cannot resume a metric of low rank");
    memcpy(s->M, M, (size_t)(s->n * s->n) * sizeof *M);
    return AKIN_OK;
}

static akin_status full_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const full *s = state;
    akin_model *m = NULL;
    akin_status st = ak_metric_new(&m, ctx, s->n, s->M, AKIN_BY_DISTANCE);
    if (st == AKIN_OK && s->pair.relative)
        st =
            ak_symmetric_model(&m, ctx, s->data, NULL, false, AKIN_BY_DISTANCE);
    if (st == AKIN_OK)
        *out = m;
    else
        akin_model_free(m);
    return st;
}

/* M is in the model already where units are absolute. */
static akin_status full_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const full *s = state;
    AK_CHECK(pair_save(&s->pair, ctx, t));
    return s->pair.relative ? ak_full_matrix_save(s->M, ctx, t, "M", s->n)
                            : AKIN_OK;
}

static const akin_option full_options[] = {
    PAIR_OPTIONS(akin_lego_options),
    AK_MEMORY_OPTION(akin_lego_options),
};

static const ak_online full_online = {
    .begin = full_begin,
    .observe = lego_observe,
    .model = full_model,
    .save = full_save,
    .resume = full_resume,
    .free = full_free,
};

const ak_learner ak_learner_lego = {
    .info =
        {
            .name = "lego",
            .summary = "full metric by LogDet steps to target distances",
            .when = "up to some thousand columns, distances with targets",
            .makes = "metric",
            .recipe = &ak_recipe_text,
            LEGO_INFO,
            AK_OPTION_ROWS(akin_lego_options, AKIN_LEGO_DEFAULTS, full_options),
        },
    .online = &full_online,
};

/* ---- a diagonal one ------------------------------------------------------ */

typedef struct diagonal {
    ak_lego_pair pair;  // z becomes e in place
    ak_weight_vector weights;
} diagonal;

static double f_of(const ak_lego_pair *p, double y, double c, double *slope)
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

/* The root of (4). */
static double solve(const ak_lego_pair *p, double y, double largest)
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
static akin_status diagonal_step(void *state, double y, int side,
                                 double *distance, bool *moved)
{
    diagonal *s = state;
    const ak_lego_pair *p = &s->pair;
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
    if (largest <= 0.0 || is_satisfied(sum, y, side))
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

static void diagonal_free(void *state)
{
    diagonal *s = state;
    if (s == NULL)
        return;
    pair_free(&s->pair);
    akin_free(s->weights.w);
    akin_free(s);
}

static akin_status diagonal_begin(void **state, akin_ctx *ctx,
                                  const ak_online_input *in)
{
    const akin_lego_diag_options *o =
        (const akin_lego_diag_options *)in->options;
    diagonal *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->pair = (ak_lego_pair)PAIR_OF(o, diagonal_step);
    AK_TRY(pair_begin(&s->pair, ctx, o->units, in->resume));
    AK_TRY(ak_weight_vector_begin(&s->weights, ctx, in->data, in->resume,
                                  AKIN_BY_DISTANCE));
    s->weights.is_trusted = !s->pair.relative;
    *state = s;
    s = NULL;
done:
    diagonal_free(s);
    return st;
}

static akin_status diagonal_model(akin_model **out, akin_ctx *ctx, void *state)
{
    return ak_weight_vector_model(out, ctx, &((diagonal *)state)->weights);
}

static akin_status diagonal_save(const void *state, akin_ctx *ctx,
                                 ak_tensors *t)
{
    const diagonal *s = state;
    AK_CHECK(pair_save(&s->pair, ctx, t));
    return ak_weight_vector_save(&s->weights, ctx, t);
}

static const akin_option diagonal_options[] = {
    PAIR_OPTIONS(akin_lego_diag_options),
};

static const ak_online diagonal_online = {
    .begin = diagonal_begin,
    .observe = lego_observe,
    .model = diagonal_model,
    .save = diagonal_save,
    .free = diagonal_free,
};

const ak_learner ak_learner_lego_diag = {
    .info =
        {
            .name = "lego-diag",
            .summary = "diagonal metric by LogDet steps to target distances",
            .when = "distances with known targets; a baseline",
            .makes = "diagonal",
            .recipe = &ak_recipe_counts,
            LEGO_INFO,
            AK_OPTION_ROWS(akin_lego_diag_options, AKIN_LEGO_DIAG_DEFAULTS,
                           diagonal_options),
        },
    .online = &diagonal_online,
};
