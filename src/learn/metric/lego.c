/* LEGO with a full metric: exact LogDet steps towards wanted distances.
 *   [1] Jain, Kulis, Dhillon, Grauman. Online metric learning and fast
 *       similarity search. NIPS 2008.
 *
 *   d(x, y) = z' M z,  z = x - y,  M the identity at the start         (1)
 *   M <- argmin over N > 0 of LogDet(N, M) + eta/2 (z' N z - y)^2      (2)
 *
 * With h = z' M z and b = 1 - eta y h, the distance after the step is the
 * positive root r of eta h r^2 + b r - h = 0, and with c = eta (r - y)
 *
 *   M <- M - c / (1 + c h) (Mz)(Mz)'                                   (3)
 *
 * Mz costs n times the non-zeros of z, (3) n times those of Mz. */
#include <math.h>
#include <string.h>

#include "la/clones.h"
#include "learn/full_matrix.h"
#include "learn/metric/logdet.h"
#include "model/metric.h"

typedef struct lego {
    ak_logdet pair;
    int64_t n;
    double *M;   // n x n
    double *Mz;  // n
} lego;

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

/* The positive root r, without cancellation. */
static double wanted(double eta, double y, double h)
{
    const double b = 1.0 - eta * y * h, r = sqrt(b * b + 4.0 * eta * h * h);
    return b > 0.0 ? 2.0 * h / (b + r) : (r - b) / (2.0 * eta * h);
}

/* One step (2) on the pair; the distance before it in *distance. */
static akin_status lego_step(void *state, double y, int side, double *distance,
                             bool *moved)
{
    lego *s = state;
    const ak_logdet *p = &s->pair;
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
    if (h <= 0.0 || ak_logdet_satisfied(h, y, side))
        return AKIN_OK;
    const double c = p->eta * (wanted(p->eta, y, h) - y);
    const double f = c / (1.0 + c * h);
    if (!isfinite(f))
        return AKIN_ENUMERIC;
    for (int64_t i = 0; i < n; ++i)
        if (s->Mz[i] != 0.0)
            shrink_row(n, f, s->Mz[i], s->Mz, s->M + i * n);  // (3)
    *moved = true;
    return AKIN_OK;
}

static void lego_free(void *state)
{
    lego *s = state;
    if (s == NULL)
        return;
    ak_logdet_free(&s->pair);
    akin_free(s->M);
    akin_free(s->Mz);
    akin_free(s);
}

static akin_status lego_begin(void **state, akin_ctx *ctx,
                              const ak_online_input *in)
{
    const akin_lego_options *o = (const akin_lego_options *)in->options;
    lego *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->pair = (ak_logdet)AK_LOGDET_OF(o, lego_step);
    s->n = akin_rows_dim(in->data->rows);
    AK_TRY(ak_full_matrix_new(&s->M, ctx, "lego", s->n, o->memory));
    AK_TRY(AK_NEW(ctx, s->n, &s->Mz));
    *state = s;
    s = NULL;
done:
    lego_free(s);
    return st;
}

static akin_status lego_resume(void *state, akin_ctx *ctx,
                               const akin_model *resume)
{
    lego *s = state;
    const double *M = ak_metric_M(resume);
    if (M == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "lego cannot go on with a metric of low rank");
    memcpy(s->M, M, (size_t)(s->n * s->n) * sizeof *M);
    return AKIN_OK;
}

static akin_status lego_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const lego *s = state;
    return ak_metric_new(out, ctx, s->n, s->M, AKIN_BY_DISTANCE);
}

static const akin_option options[] = {
    AK_LOGDET_OPTIONS(akin_lego_options),
    AK_MEMORY_OPTION(akin_lego_options),
};
AK_OPTIONS_COVER(akin_lego_options, options);

static const akin_lego_options defaults = AKIN_LEGO_DEFAULTS;

static const ak_online online = {
    .begin = lego_begin,
    .observe = ak_logdet_observe,
    .model = lego_model,
    .resume = lego_resume,
    .free = lego_free,
};

const ak_learner ak_learner_lego = {
    .info =
        {
            .name = "lego",
            .summary = "full metric by LogDet steps to wanted distances",
            .when = "up to some thousand columns, distances with targets",
            .paper = "jain2008lego",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "metric",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
