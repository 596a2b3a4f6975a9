/* How alike faces are, kept in a model beside what names other faces: names for
 * the same faces and captions then need no learning. Values lie as those of
 * ak_affinity do, for a checksum says that its peers are the same. */
#include <math.h>
#include <string.h>

#include "data/captions/bags.h"
#include "model/model.h"
#include "naming/scores.h"

static int64_t checksum_of(const akin_naming *s)
{
    return (int64_t)ak_bags_checksum(s->data->bags, s->data->rows);
}

akin_status ak_state_put(akin_model *m, akin_ctx *ctx, const akin_naming *s,
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
    AK_TRY(ak_tensors_note_i64(m->state, ctx, "faces", checksum_of(s)));
    AK_TRY(ak_tensors_note_i64(m->state, ctx, "k", s->o.k));
    AK_TRY(ak_tensors_note_i64(m->state, ctx, "named", named));
done:
    return st;
}

static akin_status take(akin_naming *s, akin_ctx *ctx, const ak_tensors *t)
{
    const int64_t n = s->peers.start[s->peers.n];
    const char *learner = akin_model_learner(s->model);
    const ak_tensor *values;
    bool good;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, "affinity", AK_DTYPE_F64, 1, &values));
    AK_TRY(ak_tensors_need_i64(t, ctx, "k", &s->o.k));
    AK_TRY(ak_tensors_need_i64(t, ctx, "named", &s->named));
    good = values->shape[0] == n && s->o.k > 0 && s->o.k <= 1000000;
    for (int64_t k = 0; good && k < n; ++k)
        good = isfinite(((const double *)values->data)[k]);
    if (!good)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: what is kept of these faces does not fit them",
                       ak_tensors_path(t)));
    AK_TRY(ak_affinity_new(&s->affinity, ctx, &s->peers));
    if (n > 0)
        memcpy(s->affinity.values, values->data,
               (size_t)n * sizeof *s->affinity.values);
    s->scorer = ak_votes_of(&s->affinity);
    s->info.same_faces = s->info.converged = 1;
    if (learner != NULL && strcmp(learner, "fused") == 0)
        AK_TRY(ak_use_fused(s, ctx));
done:
    return st;
}

akin_status ak_state_take(akin_naming *s, akin_ctx *ctx)
{
    const ak_tensors *t = s->model->state;
    int64_t sum;
    if (t == NULL || ak_tensors_find(t, "affinity") == NULL)
        return AKIN_OK;
    const akin_status st = ak_tensors_need_i64(t, ctx, "faces", &sum);
    return st == AKIN_OK && sum == checksum_of(s) ? take(s, ctx, t) : st;
}
