/* Running a learner: akin_learn, and online learners from begin to model; how
 * they see examples stands in observe.c. */
#include <math.h>
#include <string.h>

#include "learn/learning.h"
#include "learn/prototypes.h"
#include "model/blend.h"
#include "model/factored.h"

static const int64_t RANK = 30;

static int64_t n_prototypes(const akin_options *options)
{
    return (int64_t)ak_options_f64(options, "prototypes");
}

static akin_status check(const ak_learner **out, akin_ctx *ctx,
                         const akin_options *options,
                         const akin_supervision *data)
{
    const ak_learner *l = ak_learner_find(options->learner);
    if (l == NULL)
        return ak_fail(ctx, AKIN_EINVAL, "there is no learner '%s'",
                       options->learner);
    *out = l;
    if (akin_rows_count(data->rows) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "there are no rows to learn from");
    if (l->info.most_columns > 0 && data->rows->d > l->info.most_columns)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s takes %" PRId64
                       " columns at most (there are %" PRId64
                       "): take fewer, or a learner for many, such as "
                       "loreta-psd",
                       options->learner, l->info.most_columns, data->rows->d);
    if (data->right != NULL && !l->info.takes_right)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s learns within one set of rows (leave out --right)",
                       options->learner);
    if (data->right != NULL && akin_rows_count(data->right) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "there are no right-hand rows");
    const ak_online *online = ak_learner_online(l, options);
    if (data->sampling == AKIN_WARP && !ak_learner_ranks(l, options) &&
        (online == NULL || online->score == NULL))
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s cannot learn by --sampler warp (expected uniform)",
                       options->learner);
    if (!ak_learner_ranks(l, options))
        return ak_options_check(ctx, l, options);
    if (n_prototypes(options) > 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "--prototypes compare rows, they do not rank labels");
    const char *average = ak_options_string(options, "average");
    if (average != NULL && strcmp(average, "none") != 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "--average is for similarities, not to rank labels");
    return ak_options_check(ctx, l, options);
}

/* Everything a finished model says of its origin. */
static akin_status sign(akin_model *m, akin_ctx *ctx, const ak_learner *l,
                        const akin_options *options,
                        const akin_supervision *data)
{
    /* What ranks labels ranks those of the right rows, where there are two
     * kinds. */
    const bool ranks_right = akin_model_label_count(m) > 0 &&
                             data->right_recipe != NULL;
    const akin_recipe *left = ranks_right ? data->right_recipe : data->recipe;
    akin_status st = ak_options_note(m, ctx, l, options);
    if (st == AKIN_OK && left != NULL)
        st = ak_model_set_recipe(m, ctx, AKIN_LEFT, left);
    if (st == AKIN_OK && data->right_recipe != NULL && !ranks_right)
        st = ak_model_set_recipe(m, ctx, AKIN_RIGHT, data->right_recipe);
    return st;
}

static akin_status note_count(akin_model *m, akin_ctx *ctx, const char *key,
                              int64_t value)
{
    return ak_tensors_note_i64(m->notes, ctx, key, value);
}

/* ---- online ------------------------------------------------------------- */

/* A sampler when there is something to draw from; a stream has none. */
static akin_status open_sampler(akin_learning *l, akin_ctx *ctx)
{
    if (l->online == l->learner->rank)
        return ak_order_new(&l->order, ctx, l->data);
    if (l->data->kind == AKIN_NOTHING)
        return AKIN_OK;
    return ak_sampler_new(&l->sampler, ctx, l->data);
}

akin_status ak_state_count(const ak_tensors *t, akin_ctx *ctx, const char *key,
                           int64_t *count)
{
    const akin_status st = ak_tensors_need_i64(t, ctx, key, count);
    if (st == AKIN_OK && (*count < 0 || *count > INT64_C(1) << 53))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %s is %" PRId64 " (expected 0 to 2^53)",
                       ak_tensors_path(t), key, *count);
    return st;
}

static akin_status check_sampling(const akin_learning *l, akin_ctx *ctx)
{
    const bool given = l->sampler == NULL || !ak_sampler_is_drawn(l->sampler);
    if (l->data->sampling == AKIN_WARP && given && l->order == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "--sampler warp draws negatives from labels or pairs "
                       "(the triplets are given)");
    return AKIN_OK;
}

static akin_status check_resume(akin_ctx *ctx, const akin_learning *l,
                                const akin_model *resume)
{
    const char *name = akin_model_learner(resume);
    if (strcmp(name, l->learner->info.name) != 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the model was learned by %s and cannot go on with %s",
                       name, l->learner->info.name);
    if (resume->state == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the model holds no state to go on from");
    const bool ranks = akin_model_label_count(resume) > 0;
    if (ranks != (l->online == l->learner->rank))
        return ak_fail(ctx, AKIN_EINVAL,
                       "the model %s and cannot go on with the other task",
                       ranks ? "ranks labels" : "compares rows");
    const int64_t d = akin_rows_dim(l->data->rows);
    if (resume->d[0] != d)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "the rows have %" PRId64 " columns, the model %" PRId64,
                       d, resume->d[0]);
    const int64_t k = akin_model_rank(resume);
    const int64_t wanted = (int64_t)ak_options_f64(l->options, "rank");
    if (k > 0 && wanted > 0 && k != wanted)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "the model has rank %" PRId64 ", --rank says %" PRId64,
                       k, wanted);
    if (l->online->go_on != NULL &&
        (strcmp(akin_model_kind(resume), l->learner->info.makes) != 0 ||
         resume->d[1] != d))
        return ak_fail(ctx, AKIN_EFORMAT, "%s does not make such a model",
                       name);
    return AKIN_OK;
}

/* What the options leave open: a rank of 0 is that of the model to go on from,
 * or RANK where the matrix has room for it. */
static void settle(akin_learning *l, const akin_model *resume)
{
    const akin_rows *rows = l->data->rows;
    int64_t rank = ak_min_i64(RANK, akin_rows_dim(rows));
    if (l->online == l->learner->rank)
        rank = ak_min_i64(rank, rows->n_label_names);
    if (resume != NULL)
        rank = akin_model_rank(resume);
    ak_options_default(l->options, "rank", ak_max_i64(1, rank));
    if (l->learner->settle != NULL)
        l->learner->settle(l->options);
}

akin_status akin_learning_begin(akin_learning **out, akin_ctx *ctx,
                                const akin_options *options,
                                const akin_supervision *data,
                                const akin_model *resume)
{
    akin_learning *l = NULL;
    const ak_learner *learner = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(check(&learner, ctx, options, data));
    if (ak_learner_online(learner, options) == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s learns from all examples at once, not online",
                       options->learner));
    AK_TRY(AK_NEW(ctx, 1, &l));
    l->learner = learner;
    l->online = ak_learner_online(learner, options);
    l->width = l->online == learner->rank ? 1 : 3;
    l->data = data;
    l->seed = akin_ctx_seed(ctx);
    l->info.outcome = AKIN_STEP_LIMIT;
    l->info.objective = NAN;
    AK_TRY(ak_alloc(ctx, (int64_t)options->size, 1, &l->options));
    memcpy(l->options, options, options->size);
    settle(l, resume);
    if (resume != NULL) {
        AK_TRY(check_resume(ctx, l, resume));
        AK_TRY(ak_state_count(resume->state, ctx, "examples", &l->seen));
    }
    AK_TRY(open_sampler(l, ctx));
    AK_TRY(check_sampling(l, ctx));
    AK_TRY(l->online->begin(&l->state, ctx, l->options, data, l->sampler,
                            resume ? resume->state : NULL));
    if (resume != NULL && l->online->go_on != NULL)
        AK_TRY(l->online->go_on(l->state, ctx, resume));
    AK_TRY(ak_average_begin(&l->average, ctx, l->options, data,
                            resume ? resume->state : NULL));
    *out = l;
    l = NULL;
done:
    akin_learning_free(l, ctx);
    return st;
}

void akin_learning_free(akin_learning *l, akin_ctx *ctx)
{
    if (l == NULL)
        return;
    if (l->state != NULL)
        l->online->free(l->state, ctx);
    ak_average_free(&l->average, ctx);
    ak_sampler_free(l->sampler, ctx);
    ak_order_free(l->order, ctx);
    ak_release(ctx, l->options);
    ak_release(ctx, l);
}

void akin_learning_info(const akin_learning *l, akin_learn_info *info)
{
    *info = l->info;
}

static akin_status attach_state(akin_model *m, akin_ctx *ctx,
                                const akin_learning *l)
{
    const ak_online *online = l->online;
    akin_status st = ak_tensors_new(&m->state, ctx);
    if (st == AKIN_OK && online->save != NULL)
        st = online->save(l->state, ctx, m->state);
    if (st == AKIN_OK)
        st = ak_average_save(&l->average, ctx, m->state);
    if (st == AKIN_OK)
        st = ak_tensors_note_i64(m->state, ctx, "examples", l->seen);
    return st;
}

akin_status akin_learning_model(akin_model **out, akin_ctx *ctx,
                                akin_learning *l)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(l->online->model(&m, ctx, l->state));
    AK_TRY(ak_average_model(&l->average, ctx, &m));
    if (n_prototypes(l->options) > 0 && ak_model_is_factored(m))
        AK_TRY(ak_prototypes_learn(&m, ctx, l->data, n_prototypes(l->options)));
    if (ak_options_f64(l->options, "blend") > 0.0)
        AK_TRY(
            ak_blend_with_rows(&m, ctx, ak_options_f64(l->options, "blend")));
    AK_TRY(sign(m, ctx, l->learner, l->options, l->data));
    AK_TRY(note_count(m, ctx, "examples", l->seen));
    AK_TRY(note_count(m, ctx, "seed", (int64_t)l->seed));
    if (l->data->sampling == AKIN_WARP)
        AK_TRY(ak_model_set_note(m, ctx, "sampler", "warp"));
    AK_TRY(attach_state(m, ctx, l));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

/* The last finite model outlives a numerical failure. */
static akin_status learn_online(akin_model **out, akin_ctx *ctx,
                                const akin_options *options,
                                const akin_supervision *data,
                                akin_learn_info *info)
{
    akin_learning *l = NULL;
    akin_status st = akin_learning_begin(&l, ctx, options, data, NULL);
    if (st != AKIN_OK)
        return st;
    st = akin_learning_observe_all(l, ctx);
    akin_learning_info(l, info);
    if (st == AKIN_OK || st == AKIN_ENUMERIC) {
        const akin_status made = akin_learning_model(out, ctx, l);
        if (made != AKIN_OK)
            st = made;
    }
    akin_learning_free(l, ctx);
    return st;
}

/* ---- any learner ----------------------------------------------------------
 */

static akin_status learn_batch(akin_model **out, akin_ctx *ctx,
                               const ak_learner *learner,
                               const akin_options *options,
                               const akin_supervision *data,
                               akin_learn_info *info)
{
    akin_model *m = NULL;
    const double start = ak_learning_now();
    akin_status st = learner->learn(&m, ctx, options, data, info);
    info->seconds = ak_learning_now() - start;
    if (st == AKIN_OK)
        st = sign(m, ctx, learner, options, data);
    if (st == AKIN_OK)
        st = note_count(m, ctx, "examples", info->examples);
    if (st == AKIN_OK)
        st = note_count(m, ctx, "seed", (int64_t)akin_ctx_seed(ctx));
    if (st == AKIN_OK) {
        *out = m;
        m = NULL;
    }
    akin_model_free(m);
    return st;
}

akin_status akin_learn(akin_model **out, akin_ctx *ctx,
                       const akin_options *options,
                       const akin_supervision *data, akin_learn_info *info)
{
    akin_learn_info unused;
    const ak_learner *learner = NULL;
    akin_status st = check(&learner, ctx, options, data);
    if (st != AKIN_OK)
        return st;
    if (info == NULL)
        info = &unused;
    *info = (akin_learn_info){.outcome = AKIN_STEP_LIMIT, .objective = NAN};
    if (ak_learner_online(learner, options))
        return learn_online(out, ctx, options, data, info);
    info->loss = NAN;  // unless the learner has one
    return learn_batch(out, ctx, learner, options, data, info);
}
