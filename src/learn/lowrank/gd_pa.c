/* Steps on the factors themselves, W = A B' or Y Y': the methods that LORETA is
 * compared with; learn/lowrank/triplets.h has (1) to (4) and [1].
 *
 *   gd       gradient steps on A and B                    [1] section 7.1.4
 *   psd-gd   gradient steps on Y
 *   pa       passive-aggressive steps on A and B; also to rank labels
 *
 * A step changes only the rows in the supports of x and D, at the cost of their
 * non-zeros times k. */
#include <math.h>
#include <string.h>

#include "learn/average.h"
#include "learn/lowrank/start.h"
#include "learn/lowrank/triplets.h"
#include "learn/rank/rank.h"
#include "learn/symmetric.h"
#include "model/factored.h"
#include "model/sparse_rows.h"

/* The factors of a learner, and its options for steps. */
typedef struct factors {
    int64_t k;
    double *A, *B;    // n x k; B is A where there is one Y
    double *Ax, *BD;  // A'x and B'D of the example, k each
    double eta, C;    // one of the two
    bool simultaneous;
    bool psd;
} factors;

static akin_status factors_begin(factors *f, akin_ctx *ctx, int64_t k)
{
    const akin_status st = AK_NEW(ctx, 2 * k, &f->Ax);
    f->k = k;
    if (st == AKIN_OK)
        f->BD = f->Ax + k;
    return st;
}

static void factors_end(factors *f)
{
    if (!f->psd)
        akin_free(f->B);
    akin_free(f->A);
    akin_free(f->Ax);
}

/* A factor, n x k: a copy of `start` (NULL: the identity), or as `resume` has
 * it by name. */
static akin_status new_factor(double **A, akin_ctx *ctx, int64_t n, int64_t k,
                              const double *start, const char *name,
                              const ak_tensors *resume)
{
    const akin_status st = ak_alloc(ctx, n, (size_t)k * sizeof **A, A);
    if (st != AKIN_OK || resume != NULL)
        return st != AKIN_OK ? st
                             : ak_sparse_rows_take(resume, ctx, name, n, k, *A);
    if (start != NULL)
        memcpy(*A, start, (size_t)(n * k) * sizeof **A);
    for (int64_t i = 0; start == NULL && i < k; ++i)
        (*A)[i * k + i] = 1.0;
    return AKIN_OK;
}

/* ---- similarities ----------------------------------------------------- */

typedef struct similarity {
    ak_triplet_head head;
    int64_t n;
    factors f;
    akin_compare by;
} similarity;

static double margin(void *state, const ak_example *e)
{
    factors *f = &((similarity *)state)->f;
    ak_rows_project(f->k, f->A, e->x, f->Ax);
    ak_rows_project(f->k, f->B, e->D, f->BD);
    return ak_small_dot(f->k, f->Ax, f->BD);
}

static void similarity_free(void *state)
{
    similarity *s = state;
    if (s == NULL)
        return;
    factors_end(&s->f);
    ak_triplet_head_end(&s->head);
    akin_free(s);
}

/* A factor as the option `start` says, or as it was saved. */
static akin_status start_factor(double **A, akin_ctx *ctx, const similarity *s,
                                const char *start, akin_side side,
                                const ak_online_input *in)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *given = NULL;
    akin_status st = AKIN_OK;
    if (in->resume == NULL && s->f.psd)
        AK_TRY(ak_start_factor_psd(&given, ctx, start, in->data->rows, s->f.k));
    else if (in->resume == NULL)
        AK_TRY(ak_start_factor(&given, ctx, start, in->data->rows, side, s->n,
                               s->f.k));
    AK_TRY(new_factor(A, ctx, s->n, s->f.k, given,
                      side == AKIN_LEFT ? "A" : "B", in->resume));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* `f` has the options for steps. */
static akin_status similarity_begin(void **state, akin_ctx *ctx,
                                    const ak_online_input *in,
                                    const ak_triplet_rule *rule, factors f,
                                    const char *start, const char *score,
                                    const char *units)
{
    similarity *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(ak_triplet_head_begin(&s->head, ctx, rule, units, in->resume));
    s->n = akin_rows_dim(in->data->rows);
    s->by = ak_compare_by(score, AKIN_BY_COSINE);
    s->f = f;
    AK_TRY(factors_begin(&s->f, ctx, f.k));
    AK_TRY(start_factor(&s->f.A, ctx, s, start, AKIN_LEFT, in));
    if (s->f.psd)
        s->f.B = s->f.A;
    else
        AK_TRY(start_factor(&s->f.B, ctx, s, start, AKIN_RIGHT, in));
    *state = s;
    s = NULL;
done:
    similarity_free(s);
    return st;
}

static akin_status similarity_model(akin_model **out, akin_ctx *ctx,
                                    void *state)
{
    const similarity *s = state;
    const factors *f = &s->f;
    return ak_factored_new(out, ctx, s->n, s->n, f->k, f->A,
                           f->psd ? NULL : f->B, s->by);
}

static akin_status similarity_save(const void *state, akin_ctx *ctx,
                                   ak_tensors *t)
{
    const similarity *s = state;
    const factors *f = &s->f;
    AK_CHECK(ak_triplet_head_save(&s->head, ctx, t));
    AK_CHECK(ak_sparse_rows_put(t, ctx, "A", s->n, f->k, 0.0, f->A));
    if (!f->psd)
        return ak_sparse_rows_put(t, ctx, "B", s->n, f->k, 0.0, f->B);
    return AKIN_OK;
}

#define SIMILARITY_ONLINE(begin_)                                        \
    {                                                                    \
        .begin = (begin_), AK_TRIPLET_ONLINE, .model = similarity_model, \
        .save = similarity_save, .free = similarity_free                 \
    }
#define GD_OPTIONS(type)                                                 \
    AK_RANK_OPTION(type),                                                \
        AK_OPTION_GRID(type, eta, 0.0, 1e6,                              \
                       "step size; 0 = auto (0.3, and 0.05 in relative " \
                       "units)",                                         \
                       0.03, 0.1, 0.3, 1.0),                             \
        AK_START_OPTIONS(type, AK_STARTS "|gauss|FILE",                  \
                         "initial factors: " AK_STARTS_HELP              \
                         ", random, or a model"),                        \
        AK_AVERAGE_OPTION(type), AK_UNITS_OPTION(type),                  \
        AK_SYMMETRY_OPTION(type)

/* ---- gd: gradient steps, W = A B' -----------------------------------------
 *
 *   A <- A + eta x (B'D)'          (5)
 *   B <- B + eta D (A'x)'          (6)  with A as it was before (5)
 */

static const double ETA = 0.3, ETA_RELATIVE = 0.05;

static akin_status gd_step(void *state, akin_ctx *ctx, const ak_example *e)
{
    similarity *s = state;
    const factors *f = &s->f;
    const double eta = ak_triplet_step(&s->head, f->eta);
    (void)ctx;
    ak_rows_add(f->k, f->A, e->x, eta, f->BD);  // (5)
    ak_rows_add(f->k, f->B, e->D, eta, f->Ax);  // (6)
    return AKIN_OK;
}

static const ak_triplet_rule gd_rule = {.margin = margin, .step = gd_step};

static akin_status gd_begin(void **state, akin_ctx *ctx,
                            const ak_online_input *in)
{
    const akin_gd_options *o = (const akin_gd_options *)in->options;
    const factors f = {.k = o->rank, .eta = o->eta};
    return similarity_begin(state, ctx, in, &gd_rule, f, o->start, o->score,
                            o->units);
}

static double gd_eta(double eta, const char *units)
{
    if (eta > 0.0)
        return eta;
    return strcmp(units, "relative") == 0 ? ETA_RELATIVE : ETA;
}

static void gd_derive(akin_options *options)
{
    akin_gd_options *o = (akin_gd_options *)options;
    o->eta = gd_eta(o->eta, o->units);
}

static const akin_option gd_options[] = {GD_OPTIONS(akin_gd_options)};
static const ak_online gd_online = SIMILARITY_ONLINE(gd_begin);

const ak_learner ak_learner_gd = {
    .info =
        {
            .name = "gd",
            .summary = "low-rank similarity by gradient steps on its factors",
            .when = "a baseline for loreta-1",
            AK_TRIPLET_ENTRY("factored"),
            AK_OPTION_ROWS(akin_gd_options, AKIN_GD_DEFAULTS, gd_options),
        },
    .derive = gd_derive,
    .online = &gd_online,
};

/* ---- psd-gd: gradient steps, W = Y Y' -------------------------------------
 *
 *   Y <- Y + eta (x (Y'D)' + D (Y'x)')      (7)  both with the Y before it
 *
 * With A = B = Y this is the step of gd, (5) and (6): Y'D and Y'x are those of
 * the margin, from before the step. */

static akin_status psd_gd_begin(void **state, akin_ctx *ctx,
                                const ak_online_input *in)
{
    const akin_psd_gd_options *o = (const akin_psd_gd_options *)in->options;
    const factors f = {.k = o->rank, .eta = o->eta, .psd = true};
    return similarity_begin(state, ctx, in, &gd_rule, f, o->start, o->score,
                            o->units);
}

static void psd_gd_derive(akin_options *options)
{
    akin_psd_gd_options *o = (akin_psd_gd_options *)options;
    o->eta = gd_eta(o->eta, o->units);
}

static const akin_option psd_gd_options[] = {GD_OPTIONS(akin_psd_gd_options)};
static const ak_online psd_gd_online = SIMILARITY_ONLINE(psd_gd_begin);

const ak_learner ak_learner_psd_gd = {
    .info =
        {
            .name = "psd-gd",
            .summary = "low-rank symmetric similarity by gradient steps",
            .when = "a baseline for loreta-psd",
            AK_TRIPLET_ENTRY("psd"),
            AK_OPTION_ROWS(akin_psd_gd_options, AKIN_PSD_GD_DEFAULTS,
                           psd_gd_options),
        },
    .derive = psd_gd_derive,
    .online = &psd_gd_online,
};

/* ---- pa: passive-aggressive steps, W = A B' -------------------------------
 *
 *   A <- A + min(C, loss / (|x|^2 |B'D|^2)) x (B'D)'      (8)
 *   B <- B + min(C, loss / (|D|^2 |A'x|^2)) D (A'x)'      (9)
 *
 * Each is the smallest change of one factor, the other fixed, that takes the
 * loss to 0. Order "sequential": (9) has the A of (8) and the loss that is
 * left; "simultaneous": both have the old A and B. */

/* The length of a step that lowers the loss by `slope` per unit; 0 where there
 * is no loss or no slope. */
static double pa_length(double C, double loss, double slope)
{
    return loss > 0.0 && slope > 0.0 ? fmin(C, loss / slope) : 0.0;
}

/* (8) and (9), where the loss is `most` - x'W D. */
static void pa_pair(const factors *f, double C, ak_spvec x, double x2,
                    ak_spvec D, double D2, double loss, double most)
{
    const double slope_A = x2 * ak_small_dot(f->k, f->BD, f->BD);
    const double eta_A = pa_length(C, loss, slope_A);
    ak_rows_add(f->k, f->A, x, eta_A, f->BD);  // (8)
    if (!f->simultaneous) {
        for (int64_t c = 0; c < f->k; ++c)
            f->Ax[c] += eta_A * x2 * f->BD[c];
        loss = most - ak_small_dot(f->k, f->Ax, f->BD);
    }
    const double slope_B = D2 * ak_small_dot(f->k, f->Ax, f->Ax);
    ak_rows_add(f->k, f->B, D, pa_length(C, loss, slope_B), f->Ax);  // (9)
}

static akin_status pa_step(void *state, akin_ctx *ctx, const ak_example *e)
{
    const similarity *s = state;
    (void)ctx;
    pa_pair(&s->f, ak_triplet_step(&s->head, s->f.C), e->x, e->x2, e->D, e->D2,
            e->loss, s->head.margin);
    return AKIN_OK;
}

static factors pa_factors(const akin_pa_options *o)
{
    return (factors){.k = o->rank,
                     .C = o->C,
                     .simultaneous = strcmp(o->order, "simultaneous") == 0};
}

static akin_status pa_begin(void **state, akin_ctx *ctx,
                            const ak_online_input *in)
{
    static const ak_triplet_rule rule = {.margin = margin, .step = pa_step};
    const akin_pa_options *o = (const akin_pa_options *)in->options;
    return similarity_begin(state, ctx, in, &rule, pa_factors(o), o->start,
                            o->score, o->units);
}

/* To rank labels, u stands for x and x for D; learn/rank/rank.h. */
typedef struct ranker {
    ak_rank_factors base;
    factors f;  // A has a row for each label
} ranker;

static void rank_prepare(void *state, ak_spvec x)
{
    factors *f = &((ranker *)state)->f;
    ak_rows_project(f->k, f->B, x, f->BD);
}

static double rank_score(const void *state, int64_t label)
{
    const factors *f = &((const ranker *)state)->f;
    return ak_small_dot(f->k, f->A + label * f->k, f->BD);
}

/* The loss is linear in W while the same labels add to it: their weight less
 * u'W x. */
static akin_status rank_step(void *state, akin_ctx *ctx)
{
    ranker *s = state;
    factors *f = &s->f;
    const ak_rank *r = &s->base.rank;
    (void)ctx;
    ak_rows_project(f->k, f->A, r->u, f->Ax);
    const double loss = r->weight - ak_small_dot(f->k, f->Ax, f->BD);
    pa_pair(f, f->C, r->u, r->u2, r->x, r->x2, loss, r->weight);
    return AKIN_OK;
}

/* The same on a full matrix, where the slope is |u|^2 |x|^2. */
static double rank_eta(const void *state)
{
    const ranker *s = state;
    const ak_rank *r = &s->base.rank;
    double uWx = 0.0;
    for (int64_t i = 0; i < r->u.n; ++i)
        uWx += r->u.vals[i] * r->scores[r->u.cols[i]];
    return pa_length(s->f.C, r->weight - uWx, r->u2 * r->x2);
}

static akin_status rank_new_factors(ranker *s, akin_ctx *ctx, const double *A,
                                    const double *B, const ak_tensors *resume)
{
    const ak_rank *r = &s->base.rank;
    factors *f = &s->f;
    AK_CHECK(new_factor(&f->A, ctx, r->n, f->k, A, "A", resume));
    return new_factor(&f->B, ctx, r->d, f->k, B, "B", resume);
}

static akin_status rank_set(void *state, akin_ctx *ctx, const double *A,
                            const double *B)
{
    return rank_new_factors(state, ctx, A, B, NULL);
}

static akin_status rank_load(void *state, akin_ctx *ctx, const ak_tensors *t)
{
    return rank_new_factors(state, ctx, NULL, NULL, t);
}

static akin_status rank_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const ranker *s = state;
    const ak_rank *r = &s->base.rank;
    AK_CHECK(ak_sparse_rows_put(t, ctx, "A", r->n, s->f.k, 0.0, s->f.A));
    return ak_sparse_rows_put(t, ctx, "B", r->d, s->f.k, 0.0, s->f.B);
}

static void rank_copy(const void *state, double *A, double *B)
{
    const ranker *s = state;
    const ak_rank *r = &s->base.rank;
    const size_t row = (size_t)s->f.k * sizeof *A;
    memcpy(A, s->f.A, (size_t)r->n * row);
    memcpy(B, s->f.B, (size_t)r->d * row);
}

static void rank_free(void *state)
{
    ranker *s = state;
    if (s == NULL)
        return;
    ak_rank_factors_end(&s->base);
    factors_end(&s->f);
    akin_free(s);
}

static akin_status rank_begin(void **state, akin_ctx *ctx,
                              const ak_online_input *in)
{
    static const ak_rank_factors_rule rule = {
        .set = rank_set,
        .load = rank_load,
        .save = rank_save,
        .copy = rank_copy,
        .prepare = rank_prepare,
        .score = rank_score,
        .step = rank_step,
        .eta = rank_eta,
    };
    const akin_pa_options *o = (const akin_pa_options *)in->options;
    ranker *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->f = pa_factors(o);
    AK_TRY(factors_begin(&s->f, ctx, o->rank));
    AK_TRY(ak_rank_factors_begin(&s->base, ctx, in, &rule, o->rank, o->ybar,
                                 o->start));
    *state = s;
    s = NULL;
done:
    rank_free(s);
    return st;
}

static const akin_option pa_options[] = {
    AK_RANK_OPTION(akin_pa_options),
    AK_OPTION_GRID(akin_pa_options, C, 1e-12, 1e12,
                   "largest step for one example", 0.03, 0.1, 0.3, 1.0),
    AK_OPTION_WORD(akin_pa_options, order, "sequential|simultaneous",
                   "whether the second factor sees the step of the first"),
    AK_START_OPTIONS(akin_pa_options, AK_STARTS "|zero|gauss|FILE",
                     "initial factors: " AK_STARTS_HELP
                     ", those of a full matrix learned from 2 RANK mistakes "
                     "(to rank labels only), random, or a model"),
    AK_AVERAGE_OPTION(akin_pa_options),
    AK_UNITS_OPTION(akin_pa_options),
    AK_SYMMETRY_OPTION(akin_pa_options),
    AK_RANK_TASK(akin_pa_options),
    AK_RANK_YBAR(akin_pa_options),
};
static const ak_online pa_online = SIMILARITY_ONLINE(pa_begin);

static const ak_online pa_rank = {
    .begin = rank_begin, AK_RANK_FACTORS_ONLINE, .free = rank_free};

const ak_learner ak_learner_pa = {
    .info =
        {
            .name = "pa",
            .summary = "low-rank similarity by passive-aggressive steps",
            .when = "a baseline for loreta-1; the step needs no tuning",
            AK_TRIPLET_ENTRY("factored"),
            AK_OPTION_ROWS(akin_pa_options, AKIN_PA_DEFAULTS, pa_options),
        },
    .online = &pa_online,
    .rank = &pa_rank,
};
