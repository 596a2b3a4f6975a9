/* LORETA-1: W = A B' of rank k, one triplet at a time, on the manifold of
 * matrices of that rank; learn/loreta.h has (1) to (4) and [1].
 *
 * With p = eta x, q = D, so that p q' is the step against the gradient:
 *
 *   a = A^+ p,  b = B^+ q,  s = a.b                             (5)
 *   A <- A + ((3s/8 - 1/2) A a + (1 - s/2) p) b'                (6)
 *   B <- B + ((3s/8 - 1/2) B b + (1 - s/2) q) a'                (7)
 *
 * [1] Algorithm 4, a retraction of second order. learn/factor.h does (6) and
 * (7) at the cost of the non-zeros and k^2, whatever the dimension. */
#include "learn/loreta.h"

#include "model/factored.h"

typedef struct loreta {
    ak_loreta_head head;
    ak_factor A, B;
    double eta, max_s;
    akin_compare by;
    double *Aq, *BD, *a, *b;  // k each
} loreta;

static void scale(int64_t k, double f, double *x)
{
    for (int64_t i = 0; i < k; ++i)
        x[i] *= f;
}

/* The step (5) to (7), given A'x and B'D. */
static akin_status loreta_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    loreta *s = state;
    const int64_t k = s->A.k;
    akin_status st = AKIN_OK;
    AK_TRY(ak_factor_begin(&s->A, ctx, l->q, s->Aq, s->a));
    AK_TRY(ak_factor_begin(&s->B, ctx, l->D, s->BD, s->b));
    double eta = s->eta, ab = eta * ak_small_dot(k, s->a, s->b);
    const double guard = ak_loreta_guard(ab, s->max_s);
    eta *= guard;
    ab *= guard;
    scale(k, eta, s->a);
    scale(k, eta, s->Aq);
    for (int64_t i = 0; i < l->q.n; ++i)
        l->q_vals[i] *= eta;  // p = eta x
    const double x = 0.375 * ab - 0.5, y = 1.0 - 0.5 * ab;
    ak_factor_apply(&s->A, l->q, s->Aq, s->a, s->b, x, y, eta * eta * l->q2);
    ak_factor_apply(&s->B, l->D, s->BD, s->b, s->a, x, y, l->D2);
done:
    return st;
}

static double loreta_margin(void *state, const ak_lesson *l)
{
    loreta *s = state;
    ak_factor_project(&s->A, l->q, s->Aq);
    ak_factor_project(&s->B, l->D, s->BD);
    return ak_small_dot(s->A.k, s->Aq, s->BD);
}

static const ak_loreta_rule rule = {loreta_margin, loreta_step};

static void loreta_free(void *state, akin_ctx *ctx)
{
    loreta *s = state;
    if (s == NULL)
        return;
    ak_factor_free(&s->A, ctx);
    ak_factor_free(&s->B, ctx);
    ak_lesson_free(&s->head.lesson, ctx);
    ak_release(ctx, s->Aq);
    ak_release(ctx, s);
}

static akin_status loreta_begin(void **state, akin_ctx *ctx,
                                const akin_options *head,
                                const akin_supervision *data,
                                const ak_sampler *sampler,
                                const ak_tensors *resume)
{
    const akin_loreta_1_options *o = (const akin_loreta_1_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = akin_rows_dim(data->rows), k = o->rank;
    loreta *s = NULL;
    double *A = NULL, *B = NULL;
    akin_status st = AKIN_OK;
    (void)sampler;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->head.rule = &rule;
    s->eta = o->eta;
    s->max_s = o->max_s;
    s->by = ak_loreta_compare(o->score);
    AK_TRY(AK_NEW(ctx, 4 * k, &s->Aq));
    s->BD = s->Aq + k;
    s->a = s->BD + k;
    s->b = s->a + k;
    const char *start = resume ? "identity" : o->start;
    AK_TRY(ak_loreta_start(&A, ctx, start, AKIN_LEFT, n, k));
    AK_TRY(ak_loreta_start(&B, ctx, start, AKIN_RIGHT, n, k));
    AK_TRY(ak_factor_new(&s->A, ctx, n, k, A));
    AK_TRY(ak_factor_new(&s->B, ctx, n, k, B));
    if (resume != NULL) {
        AK_TRY(ak_factor_load(&s->A, ctx, resume, "A"));
        AK_TRY(ak_factor_load(&s->B, ctx, resume, "B"));
    }
    *state = s;
    s = NULL;
done:
    loreta_free(s, ctx);
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status loreta_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const loreta *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = s->A.n, k = s->A.k;
    double *A = NULL, *B = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * k, &A));
    AK_TRY(AK_SCRATCH(ctx, n * k, &B));
    for (int64_t i = 0; i < n; ++i) {
        ak_factor_row(&s->A, i, A + i * k);
        ak_factor_row(&s->B, i, B + i * k);
    }
    AK_TRY(ak_factored_new(out, ctx, n, n, k, A, B, s->by));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status loreta_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const loreta *s = state;
    const akin_status st = ak_factor_save(&s->A, ctx, t, "A");
    return st == AKIN_OK ? ak_factor_save(&s->B, ctx, t, "B") : st;
}

static const akin_option options[] = {
    AK_LORETA_OPTIONS(akin_loreta_1_options),
};
AK_OPTIONS_COVER(akin_loreta_1_options, options);

static const akin_loreta_1_options defaults = AKIN_LORETA_1_DEFAULTS;

static const ak_online online = {
    .begin = loreta_begin,
    .observe = ak_loreta_observe,
    .model = loreta_model,
    .save = loreta_save,
    .free = loreta_free,
};

const ak_learner ak_learner_loreta_1 = {
    .info =
        {
            .name = "loreta-1",
            .summary = "low-rank similarity, learned online on the manifold",
            .when = "text: words that mean the same become alike",
            .paper = "shalit2012loreta",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "factored",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
