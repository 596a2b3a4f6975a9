/* Names by a model: what was learned is kept for faces that come later, and
 * for those it was learned from.
 *
 * Where scores are linear in a face, they are the model's. Of all other
 * methods it keeps the mean direction of the faces of each name, and theta is
 * where as many of these faces as were named would be; or that of the names,
 * where they were given by mean directions themselves.
 *
 * How alike faces are is kept beside it, as the state: names for the same faces
 * and captions then need no learning. Values lie as those of ak_affinity do,
 * for a checksum says that its peers are the same. */
#include <math.h>
#include <string.h>

#include "data/captions/bags.h"
#include "data/captions/folded_names.h"
#include "la/dense.h"
#include "learn/captions/faces.h"
#include "model/model.h"
#include "naming/naming.h"

/* ---- the affinities of the same faces ------------------------------------ */

static int64_t checksum_of(const akin_naming *s)
{
    return (int64_t)ak_bags_checksum(s->data->bags, s->data->rows);
}

static akin_status put_state(akin_model *m, akin_ctx *ctx, const akin_naming *s,
                             const int32_t *names)
{
    int64_t named = 0;
    const ak_tensor values = {"affinity",
                              AK_DTYPE_F64,
                              1,
                              {s->peers.start[s->peers.n]},
                              s->affinity.values};
    akin_status st = AKIN_OK;
    if (s->affinity.values == NULL)
        return AKIN_OK;
    for (int64_t f = 0; f < s->peers.n; ++f)
        named += names[f] >= 0;
    AK_TRY(ak_tensors_new(&m->state, ctx));
    AK_TRY(ak_tensors_put_copy(m->state, ctx, values));
    if (s->decoys.affinity.values != NULL) {
        const ak_tensor decoys = {"decoys",
                                  AK_DTYPE_F64,
                                  1,
                                  {s->decoys.peers.start[s->peers.n]},
                                  s->decoys.affinity.values};
        AK_TRY(ak_tensors_put_copy(m->state, ctx, decoys));
    }
    AK_TRY(ak_tensors_note_i64(m->state, ctx, "faces", checksum_of(s)));
    AK_TRY(ak_tensors_note_i64(m->state, ctx, "k", s->k));
    AK_TRY(ak_tensors_note_i64(m->state, ctx, "named", named));
    AK_TRY(ak_tensors_note_i64(m->state, ctx, "rounds", s->rounds.most));
    AK_TRY(
        ak_tensors_note_i64(m->state, ctx, "self_votes", !s->rounds.no_self));
done:
    return st;
}

static akin_status misfit(akin_ctx *ctx, const ak_tensors *t)
{
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: the saved affinities do not fit these faces",
                   ak_tensors_path(t));
}

static akin_status copy_values(ak_affinity *a, akin_ctx *ctx,
                               const ak_tensors *t, const ak_tensor *values)
{
    const int64_t n = a->peers->start[a->peers->n];
    bool good = values->shape[0] == n;
    for (int64_t k = 0; good && k < n; ++k)
        good = isfinite(((const double *)values->data)[k]);
    if (!good)
        return misfit(ctx, t);
    if (n > 0)
        memcpy(a->values, values->data, (size_t)n * sizeof *a->values);
    return AKIN_OK;
}

/* Of the same captions, so that the same decoys are chosen. */
static akin_status take_decoys(akin_naming *s, akin_ctx *ctx,
                               const ak_tensors *t)
{
    const ak_tensor *values;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, "decoys", AK_DTYPE_F64, 1, &values));
    AK_TRY(ak_decoys_choose(&s->decoys, ctx, &s->peers));
    AK_TRY(ak_affinity_new(&s->decoys.affinity, ctx, &s->decoys.peers));
    AK_TRY(copy_values(&s->decoys.affinity, ctx, t, values));
done:
    return st;
}

static akin_status take_affinities(akin_naming *s, akin_ctx *ctx,
                                   const ak_tensors *t)
{
    const char *learner = akin_model_learner(s->model);
    const ak_tensor *values;
    int64_t self_votes;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, "affinity", AK_DTYPE_F64, 1, &values));
    AK_TRY(ak_tensors_need_i64(t, ctx, "k", &s->k));
    AK_TRY(ak_tensors_need_i64(t, ctx, "named", &s->named));
    AK_TRY(ak_tensors_need_i64(t, ctx, "rounds", &s->rounds.most));
    AK_TRY(ak_tensors_need_i64(t, ctx, "self_votes", &self_votes));
    s->rounds.no_self = self_votes == 0;
    if (s->k <= 0 || s->k > 1000000 || s->rounds.most < 1 ||
        s->rounds.most > 1000000)
        AK_TRY(misfit(ctx, t));
    AK_TRY(ak_affinity_new(&s->affinity, ctx, &s->peers));
    AK_TRY(copy_values(&s->affinity, ctx, t, values));
    s->scorer = ak_votes_of(&s->affinity);
    s->info.same_faces = s->info.converged = 1;
    if (learner != NULL && strcmp(learner, "fused") == 0)
        AK_TRY(take_decoys(s, ctx, t));
done:
    return st;
}

static akin_status take_state(akin_naming *s, akin_ctx *ctx)
{
    const ak_tensors *t = s->model->state;
    int64_t sum;
    if (t == NULL || ak_tensors_find(t, "affinity") == NULL)
        return AKIN_OK;
    const akin_status st = ak_tensors_need_i64(t, ctx, "faces", &sum);
    return st == AKIN_OK && sum == checksum_of(s) ? take_affinities(s, ctx, t)
                                                  : st;
}

/* ---- a model ------------------------------------------------------------- */

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

/* The theta at which W names as many of these faces as `names` does. */
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
    AK_TRY(ak_model_set_note(m, ctx, "learner", s->method));
    AK_TRY(put_state(m, ctx, s, names));
    if (s->data->recipe != NULL)
        AK_TRY(ak_model_set_recipe(m, ctx, AKIN_LEFT, s->data->recipe));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- names by it --------------------------------------------------------- */

/* The label of each name of the captions, -1: the model does not have it. */
static akin_status find_labels(const akin_naming *s, akin_ctx *ctx,
                               int64_t *labels)
{
    const int64_t n = akin_model_label_count(s->model);
    ak_folded_names known = {0};
    int64_t *first = NULL;
    int32_t number;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, n, &first));
    for (int64_t k = 0; k < n; ++k) {
        const char *text = akin_model_label_name(s->model, k);
        const int64_t before = known.keys.n;
        AK_TRY(ak_folded_names_add(&known, ctx, text, strlen(text), &number));
        if (known.keys.n > before)
            first[number] = k;
    }
    for (int64_t q = 0; q < s->peers.n_names; ++q) {
        const char *text = s->peers.bags->name_texts[q];
        AK_TRY(ak_folded_names_find(&known, ctx, text, strlen(text), &number));
        labels[q] = number < 0 ? -1 : first[number];
    }
done:
    akin_free(first);
    ak_folded_names_free(&known);
    return st;
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
    if (st == AKIN_OK)
        st = find_labels(s, ctx, labels);
    if (st == AKIN_OK) {
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

akin_status ak_name_by_model(akin_naming *s, akin_ctx *ctx)
{
    const akin_status st = take_state(s, ctx);
    return st == AKIN_OK && !s->info.same_faces ? use_scores(s, ctx) : st;
}
