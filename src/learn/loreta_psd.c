/* LORETA-PSD: W = Y Y' of rank k, one triplet at a time; learn/loreta.h has
 * (1) to (4) and [1].
 *
 * With p = eta x, q = D, and p q' symmetrised:
 *
 *   h1 = Y^+ p,  h2 = Y^+ q,  s = h1.h2,  n1 = |h1|^2,  n2 = |h2|^2    (5)
 *   e  = 3s/32 - 1/4,  f = 1/2 - s/8
 *   l1 = Y (e h1 + 3/32 n1 h2) + f p - n1/8 q                          (6)
 *   l2 = Y (e h2 + 3/32 n2 h1) + f q - n2/8 p                          (7)
 *   Y <- Y + l1 h2' + l2 h1'                                           (8)
 *
 * [1] Algorithm 5. With Y = H R (learn/factor.h), e1 and e2 the brackets of
 * (6) and (7): R <- R (I + e1 h2' + e2 h1'), and the rows of H in the supports
 * of p and q take the rest, through R^-1 after the step. */
#include "learn/loreta.h"

#include "model/factored.h"

typedef struct psd {
    ak_loreta_head head;
    ak_factor Y;
    double eta, max_s;
    akin_compare by;
    double *work;  // N_WORK vectors of k numbers
} psd;

enum { YP, YQ, H1, H2, E1, E2, G1, G2, U1, U2, N_WORK };

static double *vec(const psd *s, int i)
{
    return s->work + i * s->Y.k;
}

/* z = a x + b y */
static void mix(int64_t k, double a, const double *x, double b, const double *y,
                double *z)
{
    for (int64_t i = 0; i < k; ++i)
        z[i] = a * x[i] + b * y[i];
}

/* K and K^-1 after (8), as two steps of rank one; false when rank is lost. */
static bool update_gram(psd *s, double n1, double n2, double e, double f,
                        double pp, double pq, double qq)
{
    const int64_t k = s->Y.k;
    const double *yp = vec(s, YP), *yq = vec(s, YQ);
    const double *h1 = vec(s, H1), *h2 = vec(s, H2);
    const double *e1 = vec(s, E1), *e2 = vec(s, E2);
    double *g1 = vec(s, G1), *g2 = vec(s, G2);
    const double a = 3.0 / 32.0, m1 = n1 / 8.0, m2 = n2 / 8.0;
    mix(k, e, yp, a * n1, yq, g1);  // K e1 and K e2, as K h1 = Y'p
    mix(k, e, yq, a * n2, yp, g2);
    const double e11 = ak_small_dot(k, e1, g1), e12 = ak_small_dot(k, e1, g2);
    const double e22 = ak_small_dot(k, e2, g2);
    const double pe1 = ak_small_dot(k, yp, e1), pe2 = ak_small_dot(k, yp, e2);
    const double qe1 = ak_small_dot(k, yq, e1), qe2 = ak_small_dot(k, yq, e2);
    const double l11 = e11 + 2.0 * (f * pe1 - m1 * qe1) + f * f * pp -
                       2.0 * f * m1 * pq + m1 * m1 * qq;
    const double l22 = e22 + 2.0 * (f * qe2 - m2 * pe2) + f * f * qq -
                       2.0 * f * m2 * pq + m2 * m2 * pp;
    const double l12 = e12 + (f * pe2 - m1 * qe2) + (f * qe1 - m2 * pe1) -
                       f * m2 * pp + (f * f + m1 * m2) * pq - m1 * f * qq;
    for (int64_t i = 0; i < k; ++i) {  // Y'l1; Y'l2 after the first step
        g1[i] += f * yp[i] - m1 * yq[i];
        g2[i] += f * yq[i] - m2 * yp[i] + l12 * h2[i];
    }
    return ak_factor_gram_update(&s->Y, g1, l11, h2) &&
           ak_factor_gram_update(&s->Y, g2, l22, h1);
}

/* R <- R T and R^-1 <- T^-1 R^-1 with T = I + e1 h2' + e2 h1'. */
static void update_R(psd *s)
{
    const int64_t k = s->Y.k;
    const double *h1 = vec(s, H1), *h2 = vec(s, H2);
    const double *e1 = vec(s, E1), *e2 = vec(s, E2);
    double *u1 = vec(s, U1), *u2 = vec(s, U2);
    for (int64_t i = 0; i < k; ++i) {
        u1[i] = ak_small_dot(k, s->Y.R + i * k, e1);
        u2[i] = ak_small_dot(k, s->Y.R + i * k, e2);
    }
    ak_small_add_outer(k, u1, h2, s->Y.R);
    ak_small_add_outer(k, u2, h1, s->Y.R);
    /* T^-1 = I - [e1 e2] M^-1 [h2 h1]', M = I + [h2 h1]'[e1 e2] */
    const double a = 1.0 + ak_small_dot(k, h2, e1), b = ak_small_dot(k, h2, e2);
    const double c = ak_small_dot(k, h1, e1), d = 1.0 + ak_small_dot(k, h1, e2);
    const double det = a * d - b * c;
    double *r1 = vec(s, G1), *r2 = vec(s, G2);
    ak_small_times(k, s->Y.Rinv, h2, r1);  // h2'R^-1 and h1'R^-1
    ak_small_times(k, s->Y.Rinv, h1, r2);
    mix(k, -d / det, e1, c / det, e2, u1);
    mix(k, b / det, e1, -a / det, e2, u2);
    ak_small_add_outer(k, u1, r1, s->Y.Rinv);
    ak_small_add_outer(k, u2, r2, s->Y.Rinv);
}

static akin_status psd_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    psd *s = state;
    const int64_t k = s->Y.k;
    double *yp = vec(s, YP), *yq = vec(s, YQ), *h1 = vec(s, H1);
    double *h2 = vec(s, H2), *r1 = vec(s, G1), *r2 = vec(s, G2);
    akin_status st = AKIN_OK;
    AK_TRY(ak_factor_begin(&s->Y, ctx, l->q, yp, h1));
    ak_factor_project(&s->Y, l->D, yq);
    ak_factor_solve(&s->Y, yq, h2);
    const double guard =
        ak_loreta_guard(s->eta * ak_small_dot(k, h1, h2), s->max_s);
    const double eta = s->eta * guard;
    mix(k, eta, yp, 0.0, yp, yp);
    mix(k, eta, h1, 0.0, h1, h1);
    const double ab = ak_small_dot(k, h1, h2), n1 = ak_small_dot(k, h1, h1);
    const double n2 = ak_small_dot(k, h2, h2);
    const double e = 3.0 / 32.0 * ab - 0.25, f = 0.5 - ab / 8.0;
    mix(k, e, h1, 3.0 / 32.0 * n1, h2, vec(s, E1));
    mix(k, e, h2, 3.0 / 32.0 * n2, h1, vec(s, E2));
    if (!update_gram(s, n1, n2, e, f, eta * eta * l->q2,
                     eta * ak_spvec_dot(l->q, l->D), l->D2))
        return ak_factor_rebase(&s->Y, ctx);  // the step is left out
    update_R(s);
    ak_small_times(k, s->Y.Rinv, h2, r1);
    ak_small_times(k, s->Y.Rinv, h1, r2);
    double *row = vec(s, U1);
    mix(k, f, r1, -n2 / 8.0, r2, row);
    ak_factor_add_rows(&s->Y, l->q, eta, row);
    mix(k, -n1 / 8.0, r1, f, r2, row);
    ak_factor_add_rows(&s->Y, l->D, 1.0, row);
    ++s->Y.updates;
done:
    return st;
}

static double psd_margin(void *state, const ak_lesson *l)
{
    psd *s = state;
    ak_factor_project(&s->Y, l->q, vec(s, YP));
    ak_factor_project(&s->Y, l->D, vec(s, YQ));
    return ak_small_dot(s->Y.k, vec(s, YP), vec(s, YQ));
}

static const ak_loreta_rule rule = {psd_margin, psd_step};

static void psd_free(void *state, akin_ctx *ctx)
{
    psd *s = state;
    if (s == NULL)
        return;
    ak_factor_free(&s->Y, ctx);
    ak_lesson_free(&s->head.lesson, ctx);
    ak_release(ctx, s->work);
    ak_release(ctx, s);
}

static akin_status psd_begin(void **state, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             const ak_sampler *sampler,
                             const ak_tensors *resume)
{
    const akin_loreta_psd_options *o = (const akin_loreta_psd_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = akin_rows_dim(data->rows), k = o->rank;
    psd *s = NULL;
    double *Y = NULL;
    akin_status st = AKIN_OK;
    (void)sampler;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->head.rule = &rule;
    s->eta = o->eta;
    s->max_s = o->max_s;
    s->by = ak_loreta_compare(o->score);
    AK_TRY(AK_NEW(ctx, N_WORK * k, &s->work));
    AK_TRY(ak_loreta_start(&Y, ctx, resume ? "identity" : o->start, AKIN_LEFT,
                           n, k));
    AK_TRY(ak_factor_new(&s->Y, ctx, n, k, Y));
    if (resume != NULL)
        AK_TRY(ak_factor_load(&s->Y, ctx, resume, "Y"));
    *state = s;
    s = NULL;
done:
    psd_free(s, ctx);
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status psd_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const psd *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = s->Y.n, k = s->Y.k;
    double *Y = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * k, &Y));
    for (int64_t i = 0; i < n; ++i)
        ak_factor_row(&s->Y, i, Y + i * k);
    AK_TRY(ak_factored_new(out, ctx, n, n, k, Y, NULL, s->by));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status psd_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    return ak_factor_save(&((const psd *)state)->Y, ctx, t, "Y");
}

static const akin_option options[] = {
    AK_LORETA_OPTIONS(akin_loreta_psd_options),
};
AK_OPTIONS_COVER(akin_loreta_psd_options, options);

static const akin_loreta_psd_options defaults = AKIN_LORETA_PSD_DEFAULTS;

static const ak_online online = {
    .begin = psd_begin,
    .observe = ak_loreta_observe,
    .model = psd_model,
    .save = psd_save,
    .free = psd_free,
};

const ak_learner ak_learner_loreta_psd = {
    .info =
        {
            .name = "loreta-psd",
            .summary = "low-rank symmetric similarity, online on the manifold",
            .when = "text of known classes; learns fast, compares by cosine",
            .paper = "shalit2012loreta",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "psd",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
