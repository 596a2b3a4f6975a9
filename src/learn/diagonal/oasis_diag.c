/* OASIS with a diagonal matrix: passive-aggressive steps from triplets.
 *   [1] Chechik, Sharma, Shalit, Bengio. Large scale online learning of image
 *       similarity through ranking. JMLR 11:1109-1135, 2010.
 *
 *   S(x, y) = sum_j w_j x_j y_j,  w = 1 at the start   (1)
 *   v       = x * (x+ - x-), elementwise               (2)
 *   loss    = max(0, u - w.v)                          (3)  [1]: u = 1
 *   w      <- w + min(C r, loss / ||v||^2) v           (4)  [1] eq. 6: r = 1
 *
 * With units "absolute", u = r = 1. With "relative", by the triplets so far,
 * this one included, u is the mean of |sum of v| and r = u / mean of ||v||^2;
 * rows are compared by cosine, and learn/trust.h says how far to go from w = 1.
 *
 * A step changes only the coordinates of v. */
#include <math.h>
#include <string.h>

#include "la/sparse.h"
#include "learn/diagonal/hadamard.h"
#include "learn/diagonal/weight_vector.h"

enum { BLOCK = 256 };

typedef struct oasis {
    ak_weight_vector weights;
    double C;
    bool relative;
    double margins, squares;  // sums of |sum of v| and ||v||^2
    int64_t seen;             // triplets in them
    double u, r;
    ak_hadamards block;
} oasis;

/* Count a triplet into u and r. */
static void measure(oasis *s, int64_t n, const double *v, double v2)
{
    double sum = 0.0;
    for (int64_t k = 0; k < n; ++k)
        sum += v[k];
    ++s->seen;
    s->margins += fabs(sum);
    s->squares += v2;
    s->u = s->margins / (double)s->seen;
    s->r = s->squares > 0.0 ? s->margins / s->squares : 0.0;
}

/* One step; returns the loss before it, -1 when it is not finite. */
static double oasis_step(oasis *s, int64_t n, const int32_t *cols,
                         const double *v)
{
    double *w = s->weights.w;
    const double margin = ak_gather_dot(n, cols, v, w);
    if (!isfinite(margin))
        return -1.0;
    const double v2 = ak_dot8(n, v, v);
    if (s->relative)
        measure(s, n, v, v2);
    const double loss = fmax(0.0, s->u - margin);  // (3)
    if (loss > 0.0 && v2 > 0.0) {
        const double tau = fmin(s->C * s->r, loss / v2);
        for (int64_t k = 0; k < n; ++k)
            w[cols[k]] += tau * v[k];  // (4)
    }
    return loss > 0.0 ? loss / s->u : 0.0;
}

static akin_status oasis_observe(void *state, akin_ctx *ctx,
                                 const akin_rows *rows, const int64_t *triplets,
                                 int64_t count, akin_learn_info *info)
{
    oasis *s = state;
    ak_hadamards *h = &s->block;
    for (int64_t at = 0; at < count; at += h->n) {
        AK_CHECK(ak_hadamards_fill(h, ctx, rows, triplets + 3 * at, count - at,
                                   BLOCK));
        for (int64_t k = 0; k < h->n; ++k) {
            const int64_t o = h->offsets[k];
            const double loss =
                oasis_step(s, h->counts[k], h->cols + o, h->vals + o);
            if (loss < 0.0)
                return AKIN_ENUMERIC;
            ak_learn_count(info, loss, loss > 0.0 && h->counts[k] > 0);
        }
    }
    return AKIN_OK;
}

static void oasis_free(void *state)
{
    oasis *s = state;
    if (s == NULL)
        return;
    ak_hadamards_free(&s->block);
    akin_free(s->weights.w);
    akin_free(s);
}

static akin_status oasis_begin(void **state, akin_ctx *ctx,
                               const ak_online_input *in)
{
    oasis *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    const akin_oasis_diag_options *o =
        (const akin_oasis_diag_options *)in->options;
    s->C = o->C;
    s->u = s->r = 1.0;
    s->relative = in->resume
                      ? ak_tensors_get_note(in->resume, "margins") != NULL
                      : strcmp(o->units, "relative") == 0;
    AK_TRY(ak_weight_vector_begin(&s->weights, ctx, in->data, in->resume,
                                  s->relative ? AKIN_BY_COSINE : AKIN_BY_DOT));
    s->weights.is_trusted = !s->relative;
    if (in->resume != NULL && s->relative) {
        AK_TRY(ak_tensors_need_f64(in->resume, ctx, "margins", &s->margins));
        AK_TRY(ak_tensors_need_f64(in->resume, ctx, "squares", &s->squares));
        AK_TRY(ak_state_count(in->resume, ctx, "triplets", &s->seen));
    }
    *state = s;
    s = NULL;
done:
    oasis_free(s);
    return st;
}

static akin_status oasis_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const oasis *s = state;
    AK_CHECK(ak_weight_vector_save(state, ctx, t));
    if (!s->relative)
        return AKIN_OK;
    AK_CHECK(ak_tensors_note_f64(t, ctx, "margins", s->margins));
    AK_CHECK(ak_tensors_note_f64(t, ctx, "squares", s->squares));
    return ak_tensors_note_i64(t, ctx, "triplets", s->seen);
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_oasis_diag_options, C, 1e-12, 1e12,
                   "largest step for one triplet", 1e-3, 1e-2, 1e-1, 1.0, 10.0),
    AK_UNITS_OPTION(akin_oasis_diag_options),
};

static const ak_online online = {
    .begin = oasis_begin,
    .observe = oasis_observe,
    .model = ak_weight_vector_model,
    .save = oasis_save,
    .free = oasis_free,
};

const ak_learner ak_learner_oasis_diag = {
    .info =
        {
            .name = "oasis-diag",
            .summary = "diagonal similarity by passive-aggressive steps",
            .when = "a dense weight for every word, starting at 1",
            .paper = "chechik2010oasis",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "diagonal",
            .is_online = 1,
            .recipe = &ak_recipe_counts,
            AK_OPTION_ROWS(akin_oasis_diag_options, AKIN_OASIS_DIAG_DEFAULTS,
                           options),
        },
    .online = &online,
};
