/* OASIS: a bilinear similarity, learned online from triplets.
 *   [1] Chechik, Sharma, Shalit, Bengio. Large scale online learning of image
 *       similarity through ranking. JMLR 11:1109-1135, 2010.
 *
 *   S(x, y) = x' W y,  W the identity at the start         (1)  [1] eq. 1
 *   D       = x+ - x-                                      (2)
 *   loss    = max(0, u - x' W D)                           (3)  [1]: u = 1
 *   W      <- W + min(C, loss / (|x|^2 |D|^2)) x D'        (4)  [1] eq. 6
 *
 * W is n x n and not symmetric; learn/symmetric.h makes it so for the model. u
 * and the unit of C are those of learn/lowrank/triplets.h. A step costs the
 * non-zeros of x times those of D; when one of them is zero there is no step.
 */
#include <math.h>
#include <string.h>

#include "learn/full_matrix.h"
#include "learn/lowrank/triplets.h"
#include "learn/symmetric.h"
#include "model/full.h"

typedef struct oasis {
    ak_triplet_head head;
    int64_t n;
    double *W;  // n x n
    double C;
    bool has_state;  // the model is not W
} oasis;

static double oasis_margin(void *state, const ak_example *e)
{
    const oasis *s = state;
    double margin = 0.0;
    for (int64_t i = 0; i < e->x.n; ++i) {
        const double *row = s->W + e->x.cols[i] * s->n;
        double WD = 0.0;
        for (int64_t j = 0; j < e->D.n; ++j)
            WD += row[e->D.cols[j]] * e->D.vals[j];
        margin += e->x.vals[i] * WD;
    }
    return margin;
}

static akin_status oasis_step(void *state, akin_ctx *ctx, const ak_example *e)
{
    oasis *s = state;
    const double V2 = e->x2 * e->D2;
    const double C = ak_triplet_step(&s->head, s->C);
    const double tau = V2 > 0.0 ? fmin(C, e->loss / V2) : 0.0;
    (void)ctx;
    for (int64_t i = 0; i < e->x.n && tau > 0.0; ++i) {
        double *row = s->W + e->x.cols[i] * s->n;
        const double x = tau * e->x.vals[i];
        for (int64_t j = 0; j < e->D.n; ++j)
            row[e->D.cols[j]] += x * e->D.vals[j];  // (4)
    }
    return AKIN_OK;
}

static void oasis_free(void *state)
{
    oasis *s = state;
    if (s == NULL)
        return;
    ak_triplet_head_end(&s->head);
    akin_free(s->W);
    akin_free(s);
}

static akin_status oasis_begin(void **state, akin_ctx *ctx,
                               const ak_online_input *in)
{
    static const ak_triplet_rule rule = {.margin = oasis_margin,
                                         .step = oasis_step};
    const akin_oasis_options *o = (const akin_oasis_options *)in->options;
    oasis *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(ak_triplet_head_begin(&s->head, ctx, &rule, o->units, in->resume));
    s->C = o->C;
    s->has_state = strcmp(o->symmetry, "positive") == 0;
    s->n = akin_rows_dim(in->data->rows);
    AK_TRY(ak_full_matrix_new(&s->W, ctx, "oasis", s->n, o->memory));
    if (in->resume != NULL)
        s->has_state = ak_tensors_find(in->resume, "W") != NULL;
    if (in->resume != NULL && s->has_state)
        AK_TRY(ak_full_matrix_load(s->W, ctx, in->resume, "W", s->n));
    *state = s;
    s = NULL;
done:
    oasis_free(s);
    return st;
}

static akin_status oasis_resume(void *state, akin_ctx *ctx,
                                const akin_model *model)
{
    oasis *s = state;
    if (s->has_state)
        return AKIN_OK;
    if (ak_full_W(model) == NULL || model->d[1] != s->n)
        return ak_fail(ctx, AKIN_EFORMAT, "oasis does not make such a model");
    memcpy(s->W, ak_full_W(model), (size_t)(s->n * s->n) * sizeof *s->W);
    return AKIN_OK;
}

static akin_status oasis_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const oasis *s = state;
    return ak_full_new(out, ctx, s->n, s->n, s->W, AKIN_BY_DOT);
}

/* W is in the model already where that is not symmetric. */
static akin_status oasis_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const oasis *s = state;
    AK_CHECK(ak_triplet_head_save(&s->head, ctx, t));
    return s->has_state ? ak_full_matrix_save(s->W, ctx, t, "W", s->n)
                        : AKIN_OK;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_oasis_options, C, 1e-12, 1e12,
                   "largest step for one triplet", 0.01, 0.03, 0.1, 0.3, 1.0),
    AK_MEMORY_OPTION(akin_oasis_options),
    AK_UNITS_OPTION(akin_oasis_options),
    AK_SYMMETRY_OPTION(akin_oasis_options),
};

static const ak_online online = {
    .begin = oasis_begin,
    AK_TRIPLET_ONLINE,
    .model = oasis_model,
    .save = oasis_save,
    .resume = oasis_resume,
    .free = oasis_free,
};

const ak_learner ak_learner_oasis = {
    .info =
        {
            .name = "oasis",
            .summary = "bilinear similarity by passive-aggressive steps",
            .when = "up to a few thousand columns: W is a full matrix",
            .paper = "chechik2010oasis",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "psd",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            AK_OPTION_ROWS(akin_oasis_options, AKIN_OASIS_DEFAULTS, options),
        },
    .online = &online,
};
