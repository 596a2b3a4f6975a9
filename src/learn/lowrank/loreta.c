/* LORETA: a similarity of low rank, learned online on the manifold of matrices
 * of rank k; learn/lowrank/triplets.h has (1) to (4) and [1].
 *
 *   loreta-1     W = A B', one triplet per step           [1] Algorithm 4
 *                or one row per step, to rank labels
 *   loreta-psd   W = Y Y', one triplet per step           [1] Algorithm 5
 *   loreta       W = A B', several triplets per step      [1] Algorithm 3
 *   loreta-mi    W = A B', and steps inside its space     [1] Algorithm 6
 *
 * The steps are retractions, learn/lowrank/retract.h, with p = x and q = D, so
 * that p q' is minus the gradient; learn/lowrank/factor.h makes them at the
 * cost of the non-zeros and k^2, whatever the dimension. With a start from zero
 * the first mistakes go to a full matrix, learn/lowrank/start.h. */
#include <math.h>
#include <string.h>

#include "base/comm.h"
#include "la/dense.h"
#include "learn/average.h"
#include "learn/lowrank/retract.h"
#include "learn/lowrank/start.h"
#include "learn/lowrank/triplets.h"
#include "learn/rank/rank.h"
#include "learn/symmetric.h"
#include "model/factored.h"

/* The options that all four have. */
typedef struct loreta_options {
    int64_t rank;
    double eta, max_s;
    const char *start, *score, *form, *units;
} loreta_options;

#define LORETA_OPTIONS_OF(o)                                                \
    (loreta_options)                                                        \
    {                                                                       \
        (o)->rank, (o)->eta, (o)->max_s, (o)->start, (o)->score, (o)->form, \
            (o)->units                                                      \
    }

/* First member of every state. */
typedef struct loreta {
    ak_triplet_head head;
    int64_t n, k;
    double eta, max_s;
    akin_compare by;
    bool psd;  // Y, kept as A, alone
    ak_factor_form form;
    bool is_ready;  // false: still on the full matrix of a start from zero
    bool is_new;    // ready since this triplet, which was one of the start
    ak_zero zero;
    ak_factor A, B;
    double *Ax, *BD;  // A'x and B'D of the triplet, k each; then 4 k of scratch
} loreta;

/* ---- the start ----------------------------------------------------------- */

static akin_status new_factor(ak_factor *f, akin_ctx *ctx, const loreta *s,
                              const double *A, const char *start)
{
    const akin_status st = ak_factor_new(f, ctx, s->form, s->n, s->k, A);
    return st == AKIN_ENUMERIC
               ? ak_fail(ctx, AKIN_EINVAL,
                         "`start` %s: the columns of a factor are not "
                         "independent, its rank is below %" PRId64,
                         start, s->k)
               : st;
}

static akin_status start_factors(loreta *s, akin_ctx *ctx, const char *start,
                                 const akin_rows *rows)
{
    double *A = NULL, *B = NULL;
    s->is_ready = strcmp(start, "zero") != 0;
    if (!s->is_ready) {
        ak_zero_init(&s->zero, s->n, s->n, s->k, s->psd);
        start = "identity";  // for its checks
    }
    if (s->psd) {
        AK_CHECK(ak_start_factor_psd(&A, ctx, start, rows, s->k));
    } else {
        AK_CHECK(ak_start_factor(&A, ctx, start, rows, AKIN_LEFT, s->n, s->k));
        AK_CHECK(ak_start_factor(&B, ctx, start, rows, AKIN_RIGHT, s->n, s->k));
    }
    if (s->is_ready)
        AK_CHECK(new_factor(&s->A, ctx, s, A, start));
    if (s->is_ready && !s->psd)
        AK_CHECK(new_factor(&s->B, ctx, s, B, start));
    return AKIN_OK;
}

static const char *name_of(const loreta *s)
{
    return s->psd ? "Y" : "A";
}

static akin_status load_factors(loreta *s, akin_ctx *ctx, const ak_tensors *t)
{
    s->is_ready = !ak_zero_is_saved(t);
    if (!s->is_ready) {
        ak_zero_init(&s->zero, s->n, s->n, s->k, s->psd);
        AK_CHECK(ak_zero_load(&s->zero, ctx, t));
        return AKIN_OK;
    }
    s->form = ak_factor_saved_form(t, name_of(s));
    AK_CHECK(ak_factor_new(&s->A, ctx, s->form, s->n, s->k, NULL));
    AK_CHECK(ak_factor_load(&s->A, ctx, t, name_of(s)));
    if (!s->psd) {
        AK_CHECK(ak_factor_new(&s->B, ctx, s->form, s->n, s->k, NULL));
        AK_CHECK(ak_factor_load(&s->B, ctx, t, "B"));
    }
    return AKIN_OK;
}

/* Into zeroed memory. */
static akin_status loreta_begin(loreta *s, akin_ctx *ctx,
                                const ak_online_input *in,
                                const ak_triplet_rule *rule, loreta_options o,
                                bool psd)
{
    enum { N_VECS = 6 };
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    AK_TRY(ak_triplet_head_begin(&s->head, ctx, rule, o.units, in->resume));
    s->n = akin_rows_dim(in->data->rows);
    s->k = o.rank;
    s->eta = o.eta;
    s->max_s = o.max_s;
    s->by = ak_compare_by(o.score, psd ? AKIN_BY_COSINE : AKIN_BY_DOT);
    s->psd = psd;
    s->form = ak_factor_choose_form(o.form, in->data->rows, s->k);
    AK_TRY(AK_NEW(ctx, N_VECS * s->k, &s->Ax));
    s->BD = s->Ax + s->k;
    AK_TRY(in->resume ? load_factors(s, ctx, in->resume)
                      : start_factors(s, ctx, o.start, in->data->rows));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Frees the members, not the state. */
static void loreta_end(loreta *s)
{
    ak_zero_free(&s->zero);
    ak_factor_free(&s->A);
    ak_factor_free(&s->B);
    ak_triplet_head_end(&s->head);
    akin_free(s->Ax);
}

/* For loreta-1 and loreta-psd, whose state has no more. */
static void loreta_free(void *state)
{
    if (state != NULL)
        loreta_end(state);
    akin_free(state);
}

static akin_status loreta_new(void **state, akin_ctx *ctx,
                              const ak_online_input *in,
                              const ak_triplet_rule *rule, loreta_options o,
                              bool psd)
{
    loreta *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(loreta_begin(s, ctx, in, rule, o, psd));
    *state = s;
    s = NULL;
done:
    loreta_free(s);
    return st;
}

/* ---- a triplet ----------------------------------------------------------- */

static void loreta_fetch(const void *state, const akin_rows *rows,
                         const int64_t *triplet)
{
    const loreta *s = state;
    const ak_factor *factors[] = {&s->A, s->psd ? &s->A : &s->B};
    for (int i = 0; s->is_ready && rows->offsets && i < 3; ++i) {
        const ak_sparse x = ak_rows_sparse(rows, triplet[i]);
        ak_factor_fetch(factors[i > 0], x.n, x.cols);
    }
}

/* x'W D; leaves Ax and BD. */
static double loreta_margin(void *state, const ak_example *e)
{
    loreta *s = state;
    if (!s->is_ready)
        return ak_zero_score(&s->zero, e->x, e->D);
    ak_factor_project(&s->A, e->x, s->Ax);
    ak_factor_project(s->psd ? &s->A : &s->B, e->D, s->BD);
    return ak_small_dot(s->k, s->Ax, s->BD);
}

/* The step of a start from zero. */
static akin_status zero_step(loreta *s, akin_ctx *ctx, const ak_example *e)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A = NULL, *B = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_zero_step(&s->zero, ctx, ak_triplet_step(&s->head, s->eta), e->x,
                        e->D, &A, &B));
    if (A == NULL)
        goto done;
    AK_TRY(new_factor(&s->A, ctx, s, A, "zero"));
    if (!s->psd)
        AK_TRY(new_factor(&s->B, ctx, s, B, "zero"));
    s->is_ready = s->is_new = true;
    ak_zero_free(&s->zero);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Whether the triplet was one on the manifold, not of a start from zero. */
static bool is_on_manifold(loreta *s)
{
    const bool is = s->is_ready && !s->is_new;
    s->is_new = false;
    return is;
}

/* After loreta_margin. */
static ak_retract_input retract_input(const loreta *s, const ak_example *e)
{
    return (ak_retract_input){ak_triplet_step(&s->head, s->eta), s->max_s,
                              e->x2, e->D2, s->Ax};
}

/* ---- the model ----------------------------------------------------------- */

/* A model of the factors FA and FB. */
static akin_status model_of(akin_model **out, akin_ctx *ctx, const loreta *s,
                            const ak_factor *FA, const ak_factor *FB)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = s->n, k = s->k;
    double *A = NULL, *B = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * k, &A));
    if (!s->psd)
        AK_TRY(AK_SCRATCH(ctx, n * k, &B));
    for (int64_t i = 0; s->is_ready && i < n; ++i) {
        ak_factor_row(FA, i, A + i * k);
        if (!s->psd)
            ak_factor_row(FB, i, B + i * k);
    }
    if (!s->is_ready) {
        int64_t rank = 0;
        AK_TRY(ak_zero_factors(&s->zero, ctx, A, B, &rank));
    }
    AK_TRY(ak_factored_new(out, ctx, n, n, k, A, B, s->by));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status loreta_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const loreta *s = state;
    return model_of(out, ctx, s, &s->A, &s->B);
}

/* The same after `finish` has made a pending step, on copies: the state stays
 * as it is. */
typedef akin_status (*finish_fn)(const void *state, akin_ctx *ctx, ak_factor *A,
                                 ak_factor *B);

static akin_status model_after(akin_model **out, akin_ctx *ctx,
                               const void *state, finish_fn finish)
{
    const loreta *s = state;
    ak_factor A = {0}, B = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_factor_clone(&A, ctx, &s->A));
    AK_TRY(ak_factor_clone(&B, ctx, &s->B));
    AK_TRY(finish(state, ctx, &A, &B));
    AK_TRY(model_of(out, ctx, s, &A, &B));
done:
    ak_factor_free(&A);
    ak_factor_free(&B);
    return st;
}

static akin_status loreta_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const loreta *s = state;
    AK_CHECK(ak_triplet_head_save(&s->head, ctx, t));
    if (!s->is_ready)
        return ak_zero_save(&s->zero, ctx, t);
    const akin_status st = ak_factor_save(&s->A, ctx, t, name_of(s));
    return st == AKIN_OK && !s->psd ? ak_factor_save(&s->B, ctx, t, "B") : st;
}

/* ---- ranks ----------------------------------------------------------------
 *
 * The ranks' steps are tangent vectors at the same W, as changes of its
 * factors. Their sums are added to the factors, which retracts the sum of the
 * tangent vectors to rank k: (A + a)(B + b)' differs from W + A b' + a B' by
 * a b' alone. The division of W between A and B does not jump, so a mean of
 * factors stays right. Approximate: the ranks' steps did not see each other. */

static akin_status loreta_divide(void *state, akin_ctx *ctx, bool *divided)
{
    loreta *s = state;
    *divided = s->is_ready;
    if (!s->is_ready)
        return AKIN_OK;
    ak_triplet_head_divide(&s->head);
    AK_CHECK(ak_factor_divide(&s->A, ctx));
    return s->psd ? AKIN_OK : ak_factor_divide(&s->B, ctx);
}

static akin_status loreta_merge(void *state, akin_ctx *ctx)
{
    loreta *s = state;
    AK_CHECK(ak_triplet_head_merge(&s->head, ctx));
    AK_CHECK(ak_factor_merge(&s->A, ctx));
    return s->psd ? AKIN_OK : ak_factor_merge(&s->B, ctx);
}

/* ---- the entries' common parts ------------------------------------------- */

#define ETA_OPTION(type)                                                      \
    AK_OPTION_GRID(type, eta, 0.0, 1e6,                                       \
                   "step size; 0 = auto (3, and 0.1 in relative units)", 0.1, \
                   1.0, 3.0, 10.0)
#define LORETA_OPTIONS(type)                                                 \
    AK_OPTION(type, max_s, 0.0, 1e6,                                         \
              "largest step in the learned space: a longer one is cut, so "  \
              "that no rank is lost; 0 = no limit"),                         \
        AK_START_OPTIONS(type, AK_STARTS "|zero|gauss|FILE",                 \
                         "initial factors: " AK_STARTS_HELP                  \
                         ", those of a full matrix learned from 2 RANK "     \
                         "mistakes, random, or a model"),                    \
        AK_OPTION_WORD(type, form, "auto|sparse|dense",                      \
                       "whether a step updates the columns of a row or all " \
                       "columns; auto takes the faster, the result is the "  \
                       "same"),                                              \
        AK_UNITS_OPTION(type), AK_SYMMETRY_OPTION(type)
#define LORETA_ONLINE(begin_)                                                \
    {                                                                        \
        .begin = (begin_), AK_TRIPLET_ONLINE, .model = loreta_model,         \
        .save = loreta_save, .divide = loreta_divide, .merge = loreta_merge, \
        .free = loreta_free                                                  \
    }

/* ---- loreta-1, to rank labels --------------------------------------------
 *
 * W = A B' is labels x features; learn/rank/rank.h has (1) to (5). Each step is
 * Algorithm 4 along eta u x'. u has a non-zero for each label that adds to the
 * loss and one more, so A is updated at the cost of those, B at the cost of the
 * row; the scores cost k for each label. */

typedef struct ranker {
    ak_rank_factors base;
    double eta, max_s;
    ak_factor_form form;  // of B
    ak_factor A, B;       // n x k, d x k
    double *work;  // A'u, B'x, 4 k of scratch, v of ak_factor_row_dot; k each
} ranker;

static void rank_prepare(void *state, ak_spvec x)
{
    ranker *s = state;
    double *Bx = s->work + s->base.k, *v = s->work + 6 * s->base.k;
    ak_factor_project(&s->B, x, Bx);
    ak_factor_row_dots_begin(&s->A, Bx, v);
}

static double rank_score(const void *state, int64_t label)
{
    const ranker *s = state;
    return ak_factor_row_dot(&s->A, label, s->work + 6 * s->base.k);
}

static akin_status rank_step(void *state, akin_ctx *ctx)
{
    ranker *s = state;
    const ak_rank *r = &s->base.rank;
    const ak_retract_input input = {s->eta, s->max_s, r->u2, r->x2, s->work};
    ak_factor_project(&s->A, r->u, s->work);
    return ak_retract(&s->A, &s->B, ctx, r->u, r->x, &input);
}

static double rank_eta(const void *state)
{
    return ((const ranker *)state)->eta;
}

static akin_status rank_set(void *state, akin_ctx *ctx, const double *A,
                            const double *B)
{
    ranker *s = state;
    const ak_rank *r = &s->base.rank;
    const int64_t k = s->base.k;
    akin_status st = AKIN_OK;
    AK_TRY(ak_factor_new(&s->A, ctx, AK_FACTOR_SPARSE, r->n, k, A));
    AK_TRY(ak_factor_new(&s->B, ctx, s->form, r->d, k, B));
done:
    return st == AKIN_ENUMERIC
               ? ak_fail(ctx, AKIN_EINVAL,
                         "the columns of a factor are not independent, its "
                         "rank is below %" PRId64,
                         k)
               : st;
}

static akin_status rank_load(void *state, akin_ctx *ctx, const ak_tensors *t)
{
    ranker *s = state;
    s->form = ak_factor_saved_form(t, "B");
    AK_CHECK(rank_set(s, ctx, NULL, NULL));
    AK_CHECK(ak_factor_load(&s->A, ctx, t, "A"));
    return ak_factor_load(&s->B, ctx, t, "B");
}

static akin_status rank_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const ranker *s = state;
    AK_CHECK(ak_factor_save(&s->A, ctx, t, "A"));
    return ak_factor_save(&s->B, ctx, t, "B");
}

static void rank_copy(const void *state, double *A, double *B)
{
    const ranker *s = state;
    const int64_t k = s->base.k;
    for (int64_t i = 0; i < s->base.rank.n; ++i)
        ak_factor_row(&s->A, i, A + i * k);
    for (int64_t i = 0; i < s->base.rank.d; ++i)
        ak_factor_row(&s->B, i, B + i * k);
}

static void rank_free(void *state)
{
    ranker *s = state;
    if (s == NULL)
        return;
    ak_rank_factors_end(&s->base);
    ak_factor_free(&s->A);
    ak_factor_free(&s->B);
    akin_free(s->work);
    akin_free(s);
}

static const ak_rank_factors_rule rank_rule = {
    .set = rank_set,
    .load = rank_load,
    .save = rank_save,
    .copy = rank_copy,
    .prepare = rank_prepare,
    .score = rank_score,
    .step = rank_step,
    .eta = rank_eta,
};

static akin_status rank_begin(void **state, akin_ctx *ctx,
                              const ak_online_input *in)
{
    enum { N_VECS = 7 };
    const akin_loreta_1_options *o = (const akin_loreta_1_options *)in->options;
    ranker *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->eta = o->eta;
    s->max_s = o->max_s;
    s->form = ak_factor_choose_form(o->form, in->data->rows, o->rank);
    AK_TRY(AK_NEW(ctx, N_VECS * o->rank, &s->work));
    AK_TRY(ak_rank_factors_begin(&s->base, ctx, in, &rank_rule, o->rank,
                                 o->ybar, o->start));
    *state = s;
    s = NULL;
done:
    rank_free(s);
    return st;
}

static const ak_online one_rank = {
    .begin = rank_begin, AK_RANK_FACTORS_ONLINE, .free = rank_free};

/* ---- loreta-1 ------------------------------------------------------------ */

/* For similarities, and to rank labels. */
static const double ETA = 3.0, ETA_RELATIVE = 0.1, ETA_RANK = 0.3;

static double auto_eta(double eta, const char *units)
{
    if (eta > 0.0)
        return eta;
    return strcmp(units, "relative") == 0 ? ETA_RELATIVE : ETA;
}

static akin_status one_step(void *state, akin_ctx *ctx, const ak_example *e)
{
    loreta *s = state;
    if (!s->is_ready)
        return zero_step(s, ctx, e);
    const ak_retract_input input = retract_input(s, e);
    return ak_retract(&s->A, &s->B, ctx, e->x, e->D, &input);
}

static akin_status one_begin(void **state, akin_ctx *ctx,
                             const ak_online_input *in)
{
    static const ak_triplet_rule rule = {
        .margin = loreta_margin, .step = one_step, .fetch = loreta_fetch};
    const akin_loreta_1_options *o = (const akin_loreta_1_options *)in->options;
    return loreta_new(state, ctx, in, &rule, LORETA_OPTIONS_OF(o), false);
}

static void one_derive(akin_options *options)
{
    akin_loreta_1_options *o = (akin_loreta_1_options *)options;
    o->eta = o->eta == 0.0 && strcmp(o->task, "rank") == 0
                 ? ETA_RANK
                 : auto_eta(o->eta, o->units);
}

static const akin_option one_options[] = {
    AK_RANK_OPTION(akin_loreta_1_options),
    AK_OPTION_GRID(akin_loreta_1_options, eta, 0.0, 1e6,
                   "step size; 0 = auto (3, and 0.1 in relative units; 0.3 to "
                   "rank labels)",
                   0.1, 0.3, 1.0, 3.0, 10.0),
    LORETA_OPTIONS(akin_loreta_1_options),
    AK_AVERAGE_OPTION(akin_loreta_1_options),
    AK_RANK_TASK(akin_loreta_1_options),
    AK_RANK_YBAR(akin_loreta_1_options),
};

static const ak_online one_online = LORETA_ONLINE(one_begin);

const ak_learner ak_learner_loreta_1 = {
    .info =
        {
            .name = "loreta-1",
            .summary = "low-rank similarity, learned online on the manifold",
            .when = "text: words of the same meaning become similar",
            .shares = AK_SHARES_STEPS,
            AK_TRIPLET_ENTRY("factored"),
            AK_OPTION_ROWS(akin_loreta_1_options, AKIN_LORETA_1_DEFAULTS,
                           one_options),
        },
    .derive = one_derive,
    .online = &one_online,
    .rank = &one_rank,
};

/* ---- loreta-psd ---------------------------------------------------------- */

static akin_status psd_step(void *state, akin_ctx *ctx, const ak_example *e)
{
    loreta *s = state;
    if (!s->is_ready)
        return zero_step(s, ctx, e);
    const ak_retract_input input = retract_input(s, e);
    return ak_retract_psd(&s->A, ctx, e->x, e->D, &input);
}

static akin_status psd_begin(void **state, akin_ctx *ctx,
                             const ak_online_input *in)
{
    static const ak_triplet_rule rule = {
        .margin = loreta_margin, .step = psd_step, .fetch = loreta_fetch};
    const akin_loreta_psd_options *o =
        (const akin_loreta_psd_options *)in->options;
    return loreta_new(state, ctx, in, &rule, LORETA_OPTIONS_OF(o), true);
}

static void psd_derive(akin_options *options)
{
    akin_loreta_psd_options *o = (akin_loreta_psd_options *)options;
    o->eta = auto_eta(o->eta, o->units);
}

static const akin_option psd_options[] = {
    AK_RANK_OPTION(akin_loreta_psd_options),
    ETA_OPTION(akin_loreta_psd_options),
    LORETA_OPTIONS(akin_loreta_psd_options),
    AK_AVERAGE_OPTION(akin_loreta_psd_options),
    AK_OPTION(akin_loreta_psd_options, blend, 0.0, 1e6,
              "weight of the cosine of the rows themselves beside the learned "
              "score, for classes not in the training data"),
};

static const ak_online psd_online = LORETA_ONLINE(psd_begin);

const ak_learner ak_learner_loreta_psd = {
    .info =
        {
            .name = "loreta-psd",
            .summary = "low-rank symmetric similarity, online on the manifold",
            .when = "text with labels; learns fast, compares by cosine",
            .shares = AK_SHARES_STEPS,
            AK_TRIPLET_ENTRY("psd"),
            AK_OPTION_ROWS(akin_loreta_psd_options, AKIN_LORETA_PSD_DEFAULTS,
                           psd_options),
        },
    .derive = psd_derive,
    .most_rank = 50,  // the inverse of a Y of full rank makes steps too long
    .online = &psd_online,
};

/* ---- loreta: several triplets per step ------------------------------------
 *
 * The active triplets of a batch, all scored with the same W, make one step of
 * as many columns. */

typedef struct batch {
    loreta base;
    int64_t size, seen;  // triplets in a batch, and in this one so far
    int64_t active;      // of these
    ak_splist x, D;
} batch;

static akin_status batch_finish(const void *state, akin_ctx *ctx, ak_factor *A,
                                ak_factor *B)
{
    const batch *s = state;
    return ak_retract_many(A, B, ctx, s->active, &s->x, &s->D,
                           ak_triplet_step(&s->base.head, s->base.eta),
                           s->base.max_s);
}

static akin_status batch_step(void *state, akin_ctx *ctx, const ak_example *e)
{
    batch *s = state;
    if (!s->base.is_ready)
        return zero_step(&s->base, ctx, e);
    AK_CHECK(ak_splist_put(&s->x, ctx, s->active, 1.0, e->x));
    AK_CHECK(ak_splist_put(&s->D, ctx, s->active, 1.0, e->D));
    ++s->active;
    return AKIN_OK;
}

/* The step of a batch, full or not. */
static akin_status batch_end(batch *s, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    if (s->active > 0)
        st = batch_finish(s, ctx, &s->base.A, &s->base.B);
    s->seen = s->active = 0;
    return st;
}

static akin_status batch_after(void *state, akin_ctx *ctx)
{
    batch *s = state;
    if (!is_on_manifold(&s->base) || ++s->seen < s->size)
        return AKIN_OK;
    return batch_end(s, ctx);
}

/* A rank ends the batch that it has begun. */
static akin_status batch_divide(void *state, akin_ctx *ctx, bool *divided)
{
    AK_CHECK(batch_end(state, ctx));
    return loreta_divide(state, ctx, divided);
}

static akin_status batch_merge(void *state, akin_ctx *ctx)
{
    AK_CHECK(ak_comm_agree(ctx, batch_end(state, ctx)));
    return loreta_merge(state, ctx);
}

static void batch_free(void *state)
{
    batch *s = state;
    if (s == NULL)
        return;
    loreta_end(&s->base);
    ak_splist_free(&s->x);
    ak_splist_free(&s->D);
    akin_free(s);
}

/* The batch that is not full. */
static akin_status batch_load(batch *s, akin_ctx *ctx, const ak_tensors *t)
{
    int64_t n_D = 0;
    AK_CHECK(ak_splist_load(&s->x, ctx, t, "batch.x", s->base.n, &s->active));
    AK_CHECK(ak_splist_load(&s->D, ctx, t, "batch.D", s->base.n, &n_D));
    AK_CHECK(ak_state_count(t, ctx, "batch.seen", &s->seen));
    if (n_D != s->active || s->active > s->seen)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: 'batch.x' and 'batch.D' disagree",
                       ak_tensors_path(t));
    return AKIN_OK;
}

static akin_status batch_begin(void **state, akin_ctx *ctx,
                               const ak_online_input *in)
{
    static const ak_triplet_rule rule = {loreta_margin, batch_step, batch_after,
                                         loreta_fetch};
    const akin_loreta_options *o = (const akin_loreta_options *)in->options;
    batch *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(loreta_begin(&s->base, ctx, in, &rule, LORETA_OPTIONS_OF(o), false));
    s->size = o->batch;
    if (in->resume != NULL)
        AK_TRY(batch_load(s, ctx, in->resume));
    *state = s;
    s = NULL;
done:
    batch_free(s);
    return st;
}

/* The model has learned from a batch that is not full; the state has not. */
static akin_status batch_model(akin_model **out, akin_ctx *ctx, void *state)
{
    return ((const batch *)state)->active == 0
               ? loreta_model(out, ctx, state)
               : model_after(out, ctx, state, batch_finish);
}

static akin_status batch_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const batch *s = state;
    AK_CHECK(loreta_save(state, ctx, t));
    AK_CHECK(ak_splist_save(&s->D, ctx, t, "batch.D", s->active));
    AK_CHECK(ak_splist_save(&s->x, ctx, t, "batch.x", s->active));
    return ak_tensors_note_i64(t, ctx, "batch.seen", s->seen);
}

static void batch_derive(akin_options *options)
{
    akin_loreta_options *o = (akin_loreta_options *)options;
    o->eta = auto_eta(o->eta, o->units);
}

static const akin_option batch_options[] = {
    AK_RANK_OPTION(akin_loreta_options),
    ETA_OPTION(akin_loreta_options),
    LORETA_OPTIONS(akin_loreta_options),
    AK_AVERAGE_OPTION(akin_loreta_options),
    AK_OPTION(akin_loreta_options, batch, 1, 1e3,
              "triplets per step; the cost of a step grows up to cubically"),
};

static const ak_online batch_online = {
    .begin = batch_begin,
    .observe = ak_triplet_observe,
    .model = batch_model,
    .save = batch_save,
    .divide = batch_divide,
    .merge = batch_merge,
    .free = batch_free,
};

const ak_learner ak_learner_loreta = {
    .info =
        {
            .name = "loreta",
            .summary = "low-rank similarity, several triplets per step",
            .when = "triplets that are noisy one by one",
            .shares = AK_SHARES_STEPS,
            AK_TRIPLET_ENTRY("factored"),
            AK_OPTION_ROWS(akin_loreta_options, AKIN_LORETA_DEFAULTS,
                           batch_options),
        },
    .derive = batch_derive,
    .online = &batch_online,
};

/* ---- loreta-mi: steps inside the learned space ----------------------------
 *
 * One triplet takes the step of loreta-1. With A and B as they then are, the
 * next ones update a matrix in between, W = A M B', M = I at first:
 *
 *   M <- M + eta2 (A'x) (B'D)' where the loss is not 0          (5)
 *
 * which is then divided between the factors, M = U S V':
 *
 *   A <- A U S^1/2,  B <- B V S^1/2                             (6)
 *
 * together with their inverses. Singular values below 1e-6 of the largest are
 * raised to it: M must not lose rank. Unless max_s is 0, eta2 is at most max_s
 * times the step that takes the loss to 0. */

static const double SINGULAR_LEAST = 1e-6;

typedef struct mi {
    loreta base;
    double eta2;
    int64_t inner, seen;  // steps on M between two others; triplets since one
    bool is_moved;        // M is not I
    double *M, *MBD;      // k x k; k
} mi;

static void set_identity(int64_t k, double *M)
{
    memset(M, 0, (size_t)(k * k) * sizeof *M);
    for (int64_t i = 0; i < k; ++i)
        M[i * k + i] = 1.0;
}

/* x' A M B' D */
static double mi_margin(void *state, const ak_example *e)
{
    mi *s = state;
    const int64_t k = s->base.k;
    const double margin = loreta_margin(state, e);
    if (!s->is_moved)
        return margin;
    for (int64_t i = 0; i < k; ++i)
        s->MBD[i] = ak_small_dot(k, s->M + i * k, s->base.BD);
    return ak_small_dot(k, s->base.Ax, s->MBD);
}

static akin_status mi_step(void *state, akin_ctx *ctx, const ak_example *e)
{
    mi *s = state;
    const int64_t k = s->base.k;
    if (!s->base.is_ready || s->seen == 0)
        return one_step(state, ctx, e);
    const double *Ax = s->base.Ax, *BD = s->base.BD;
    const double size = ak_small_dot(k, Ax, Ax) * ak_small_dot(k, BD, BD);
    double eta2 = ak_triplet_step(&s->base.head, s->eta2);
    if (s->base.max_s > 0.0 && size > 0.0)
        eta2 = fmin(eta2, s->base.max_s * e->loss / size);
    for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j)  // (5)
            s->M[i * k + j] += eta2 * Ax[i] * BD[j];
    s->is_moved = true;
    return AKIN_OK;
}

/* T = U S^1/2 and its inverse S^-1/2 U', U by its strides. */
static void half(int64_t k, const double *U, int64_t by_row, int64_t by_col,
                 const double *S, double *T, double *Tinv)
{
    for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j) {
            const double u = U[i * by_row + j * by_col], root = sqrt(S[j]);
            T[i * k + j] = u * root;
            Tinv[j * k + i] = u / root;
        }
}

/* (6) on A and B. */
static akin_status mi_finish(const void *state, akin_ctx *ctx, ak_factor *A,
                             ak_factor *B)
{
    const mi *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = s->base.k;
    double *M = NULL, *S = NULL, *U = NULL, *Vt = NULL, *T = NULL, *Tinv = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k * k, &M));
    AK_TRY(AK_SCRATCH(ctx, k, &S));
    AK_TRY(AK_SCRATCH_EACH(ctx, k * k, &U, &Vt, &T, &Tinv));
    memcpy(M, s->M, (size_t)(k * k) * sizeof *M);
    AK_TRY(ak_svd(ctx, k, k, M, S, U, Vt));
    for (int64_t i = 0; i < k; ++i)
        S[i] = fmax(S[i], SINGULAR_LEAST * S[0]);
    half(k, U, k, 1, S, T, Tinv);
    AK_TRY(ak_factor_transform(A, ctx, T, Tinv));
    half(k, Vt, 1, k, S, T, Tinv);
    AK_TRY(ak_factor_transform(B, ctx, T, Tinv));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status mi_after(void *state, akin_ctx *ctx)
{
    mi *s = state;
    akin_status st = AKIN_OK;
    if (!is_on_manifold(&s->base) || s->seen++ < s->inner)
        return st;
    s->seen = 0;
    if (!s->is_moved)
        return st;
    st = mi_finish(s, ctx, &s->base.A, &s->base.B);
    set_identity(s->base.k, s->M);
    s->is_moved = false;
    return st;
}

static void mi_free(void *state)
{
    mi *s = state;
    if (s == NULL)
        return;
    loreta_end(&s->base);
    akin_free(s->M);
    akin_free(s);
}

static akin_status mi_load(mi *s, akin_ctx *ctx, const ak_tensors *t)
{
    const int64_t k = s->base.k;
    const ak_tensor *x = NULL;
    AK_CHECK(ak_state_count(t, ctx, "inner.seen", &s->seen));
    AK_CHECK(ak_tensors_need(t, ctx, "M", AK_DTYPE_F64, 2, &x));
    if (x->shape[0] != k || x->shape[1] != k)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor 'M' does not fit rank %" PRId64,
                       ak_tensors_path(t), k);
    memcpy(s->M, x->data, (size_t)(k * k) * sizeof *s->M);
    for (int64_t i = 0; i < k * k; ++i)
        s->is_moved |= s->M[i] != (i / k == i % k ? 1.0 : 0.0);
    return AKIN_OK;
}

static akin_status mi_begin(void **state, akin_ctx *ctx,
                            const ak_online_input *in)
{
    static const ak_triplet_rule rule = {mi_margin, mi_step, mi_after,
                                         loreta_fetch};
    const akin_loreta_mi_options *o =
        (const akin_loreta_mi_options *)in->options;
    mi *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(loreta_begin(&s->base, ctx, in, &rule, LORETA_OPTIONS_OF(o), false));
    s->eta2 = o->eta2;
    s->inner = o->inner;
    AK_TRY(AK_NEW(ctx, o->rank * (o->rank + 1), &s->M));
    s->MBD = s->M + o->rank * o->rank;
    set_identity(o->rank, s->M);
    if (in->resume != NULL)
        AK_TRY(mi_load(s, ctx, in->resume));
    *state = s;
    s = NULL;
done:
    mi_free(s);
    return st;
}

/* While M is not I, (6) is done on copies. */
static akin_status mi_model(akin_model **out, akin_ctx *ctx, void *state)
{
    return ((const mi *)state)->is_moved
               ? model_after(out, ctx, state, mi_finish)
               : loreta_model(out, ctx, state);
}

static akin_status mi_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const mi *s = state;
    const int64_t k = s->base.k;
    AK_CHECK(loreta_save(state, ctx, t));
    AK_CHECK(ak_tensors_put_copy(
        t, ctx, (ak_tensor){"M", AK_DTYPE_F64, 2, {k, k}, s->M}));
    return ak_tensors_note_i64(t, ctx, "inner.seen", s->seen);
}

static void mi_derive(akin_options *options)
{
    akin_loreta_mi_options *o = (akin_loreta_mi_options *)options;
    o->eta = auto_eta(o->eta, o->units);
}

static const akin_option mi_options[] = {
    AK_RANK_OPTION(akin_loreta_mi_options),
    ETA_OPTION(akin_loreta_mi_options),
    LORETA_OPTIONS(akin_loreta_mi_options),
    AK_OPTION(akin_loreta_mi_options, inner, 0, 1e6,
              "steps inside the learned space after each on the manifold"),
    AK_OPTION_GRID(akin_loreta_mi_options, eta2, 1e-12, 1e6,
                   "size of a step inside the learned space", 0.01, 0.1, 1.0),
};

static const ak_online mi_online = {
    .begin = mi_begin,
    .observe = ak_triplet_observe,
    .model = mi_model,
    .save = mi_save,
    .free = mi_free,
};

const ak_learner ak_learner_loreta_mi = {
    .info =
        {
            .name = "loreta-mi",
            .summary = "low-rank similarity, refined inside its own space",
            .when = "the paper's variant; loreta-1 learns more",
            AK_TRIPLET_ENTRY("factored"),
            AK_OPTION_ROWS(akin_loreta_mi_options, AKIN_LORETA_MI_DEFAULTS,
                           mi_options),
        },
    .derive = mi_derive,
    .most_rank = 30,  // every other triplet needs the SVD of M
    .online = &mi_online,
};
