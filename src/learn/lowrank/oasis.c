/* OASIS: a bilinear similarity, learned online from triplets.
 *   [1] Chechik, Sharma, Shalit, Bengio. Large scale online learning of image
 *       similarity through ranking. JMLR 11:1109-1135, 2010.
 *
 *   S(x, y) = x' W y,  W the identity at the start         (1)  [1] eq. 1
 *   D       = x+ - x-                                      (2)
 *   loss    = max(0, 1 - x' W D)                           (3)
 *   W      <- W + min(C, loss / (|x|^2 |D|^2)) x D'        (4)  [1] eq. 6
 *
 * W is n x n and not symmetric. A step costs the non-zeros of x times those of
 * D; without one of them there is none. */
#include <math.h>

#include "learn/lowrank/loreta.h"
#include "learn/lowrank/square.h"
#include "model/full.h"

typedef struct oasis {
    ak_loreta_head head;
    ak_square W;
    double C;
} oasis;

static double oasis_margin(void *state, const ak_lesson *l)
{
    const ak_square *W = &((const oasis *)state)->W;
    double margin = 0.0;
    for (int64_t i = 0; i < l->q.n; ++i) {
        const double *row = W->M + l->q.cols[i] * W->n;
        double WD = 0.0;
        for (int64_t j = 0; j < l->D.n; ++j)
            WD += row[l->D.cols[j]] * l->D.vals[j];
        margin += l->q.vals[i] * WD;
    }
    return margin;
}

static akin_status oasis_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    oasis *s = state;
    const double V2 = l->q2 * l->D2;
    const double C = s->C * s->head.step_scale;
    const double tau = V2 > 0.0 ? fmin(C, l->loss / V2) : 0.0;
    (void)ctx;
    for (int64_t i = 0; i < l->q.n && tau > 0.0; ++i) {
        double *row = s->W.M + l->q.cols[i] * s->W.n;
        const double x = tau * l->q.vals[i];
        for (int64_t j = 0; j < l->D.n; ++j)
            row[l->D.cols[j]] += x * l->D.vals[j];  // (4)
    }
    return AKIN_OK;
}

static const ak_loreta_rule rule = {oasis_margin, oasis_step, NULL};

static void oasis_free(void *state)
{
    oasis *s = state;
    if (s == NULL)
        return;
    ak_lesson_free(&s->head.lesson);
    akin_free(s->W.M);
    akin_free(s);
}

static akin_status oasis_begin(void **state, akin_ctx *ctx,
                               const ak_online_input *in)
{
    oasis *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->head = ak_loreta_head_of(&rule);
    s->C = ((const akin_oasis_options *)in->options)->C;
    AK_TRY(ak_square_begin(&s->W, ctx, in->options, in->data));
    *state = s;
    s = NULL;
done:
    oasis_free(s);
    return st;
}

static akin_status oasis_resume(void *state, akin_ctx *ctx,
                                const akin_model *resume)
{
    (void)ctx;
    ak_square_copy(&((oasis *)state)->W, ak_full_W(resume));
    return AKIN_OK;
}

static akin_status oasis_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const ak_square *W = &((const oasis *)state)->W;
    return ak_full_new(out, ctx, W->n, W->n, W->M, AKIN_BY_DOT);
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_oasis_options, C, 1e-12, 1e12,
                   "largest step for one triplet", 0.01, 0.03, 0.1, 0.3, 1.0),
    AK_MEMORY_OPTION(akin_oasis_options),
};
AK_OPTIONS_COVER(akin_oasis_options, options);

static const akin_oasis_options defaults = AKIN_OASIS_DEFAULTS;

static const ak_online online = {
    .begin = oasis_begin,
    .observe = ak_loreta_observe,
    .score = ak_loreta_score,
    .set_step_scale = ak_loreta_set_step_scale,
    .model = oasis_model,
    .resume = oasis_resume,
    .free = oasis_free,
};

const ak_learner ak_learner_oasis = {
    .info =
        {
            .name = "oasis",
            .summary = "bilinear similarity by passive-aggressive steps",
            .when = "up to some thousand columns: a full matrix of them",
            .paper = "chechik2010oasis",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "full",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
