/* Names by a model: what was learned is kept for faces that come later, and
 * for those it was learned from.
 *
 * Where scores are linear in a face, they are the model's. Of all other
 * methods it keeps the mean direction of the faces of each name, and theta is
 * where as many of these faces as were named would be; or that of the names,
 * where they were given by mean directions themselves. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/captions/name_model.h"
#include "naming/scores.h"

/* W (n_names x d): the direction of the mean of each name's faces. */
static void mean_directions(const akin_naming *s, const int32_t *names,
                            double *W)
{
    const int64_t d = s->d;
    for (int64_t f = 0; f < s->peers.n; ++f)
        if (names[f] >= 0)
            ak_axpy(d, 1.0, s->X + f * d, W + names[f] * d);
    for (int64_t q = 0; q < s->peers.n_names; ++q) {
        double *w = W + q * d;
        const double size = sqrt(ak_dot(d, w, w));
        for (int64_t k = 0; size > 0.0 && k < d; ++k)
            w[k] /= size;
    }
}

typedef struct directions {
    const akin_naming *s;
    const double *W;
} directions;

static double direction_score(const void *arg, int64_t face, int32_t name)
{
    const directions *x = arg;
    const int64_t d = x->s->d;
    return ak_dot(d, x->s->X + face * d, x->W + name * d);
}

static akin_status score_directions(const void *arg, akin_ctx *ctx,
                                    const int32_t *labels,
                                    const ak_assign_options *o,
                                    struct ak_photos *photos)
{
    (void)ctx, (void)labels, (void)o;
    ak_photos_fill(photos, direction_score, arg);
    return AKIN_OK;
}

/* Where as many of these faces are named by W as are. */
static akin_status find_theta(double *theta, akin_ctx *ctx,
                              const akin_naming *s, const int32_t *names,
                              const double *W)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const directions x = {s, W};
    const ak_scorer scorer = {
        .peers = &s->peers, .score = score_directions, .arg = &x, .once = true};
    ak_assign_options o = {.rounds = 1};
    ak_face_labels labels;
    akin_status st = AKIN_OK;
    for (int64_t f = 0; f < s->peers.n; ++f)
        o.count += names[f] >= 0;
    AK_TRY(ak_face_labels_new(&labels, ctx, &s->peers));
    AK_TRY(ak_label(&labels, ctx, &scorer, &o));
    *theta = labels.theta;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_naming_model(akin_model **out, akin_ctx *ctx,
                              const akin_naming *s, const int32_t *names,
                              double theta)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const double *W = s->linear.W, *b = s->linear.b;
    akin_model *m = NULL;
    double *means;
    akin_status st = AKIN_OK;
    if (W == NULL) {
        AK_TRY(AK_SCRATCH(ctx, s->peers.n_names * s->d, &means));
        mean_directions(s, names, means);
        if (!s->means)
            AK_TRY(find_theta(&theta, ctx, s, names, means));
        W = means;
    }
    AK_TRY(ak_name_model_new(&m, ctx, s->data, W, b, theta));
    AK_TRY(ak_model_set_note(m, ctx, "learner", s->o.method));
    AK_TRY(ak_state_put(m, ctx, s, names));
    if (s->data->recipe != NULL)
        AK_TRY(ak_model_set_recipe(m, ctx, AKIN_LEFT, s->data->recipe));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- names by it -------------------------------------------------------- */

/* The label of each name of the captions, -1: the model has it not. */
static void find_labels(const akin_naming *s, int64_t *labels)
{
    const int64_t n = akin_model_label_count(s->model);
    for (int64_t q = 0; q < s->peers.n_names; ++q) {
        labels[q] = -1;
        for (int64_t k = 0; k < n && labels[q] < 0; ++k)
            if (strcmp(akin_model_label_name(s->model, k),
                       s->peers.bags->name_texts[q]) == 0)
                labels[q] = k;
    }
}

static akin_status use_scores(akin_naming *s, akin_ctx *ctx)
{
    const int64_t n = s->peers.n, p = s->peers.n_names;
    const int64_t L = akin_model_label_count(s->model);
    ak_table *t;
    double *table, *all;
    int64_t *labels;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 1, &t));
    AK_TRY(AK_SCRATCH(ctx, n * p, &table));
    const ak_mark mark = ak_scratch_begin(ctx);
    st = AK_SCRATCH(ctx, p, &labels);
    if (st == AKIN_OK)
        st = AK_SCRATCH(ctx, n * L, &all);
    if (st == AKIN_OK)
        st = ak_name_model_scores(all, ctx, s->model, s->data->rows);
    if (st == AKIN_OK) {
        find_labels(s, labels);
        for (int64_t k = 0; k < n * p; ++k)
            table[k] = labels[k % p] < 0 ? -INFINITY
                                         : all[k / p * L + labels[k % p]];
    }
    ak_scratch_end(ctx, mark);
    *t = (ak_table){table, p};
    s->scorer = ak_table_scorer(&s->peers, t);
    s->theta = ak_name_model_theta(s->model);
    s->info.converged = 1;
done:
    return st;
}

akin_status ak_learn_by_model(akin_naming *s, akin_ctx *ctx)
{
    const akin_status st = ak_state_take(s, ctx);
    return st == AKIN_OK && !s->info.same_faces ? use_scores(s, ctx) : st;
}
