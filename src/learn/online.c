/* Running a learner: akin_learn, and akin_learning for those that learn online.
 *
 * An online learner gets its examples in blocks: triplets, or rows with labels
 * when it ranks labels. Examples drawn from labels are numbered across all runs
 * of a model, so that resuming a saved model draws what one longer run would
 * have drawn.
 *
 * With several ranks, each learns from its part of a block, the first rank from
 * the first part, and the states are merged after it (learn/merge.h). All
 * together they have the examples that one rank has. A block is then an eighth
 * of the examples so far, with limits that depend on the number of columns:
 * steps are longest at the start, and ranks that do not see each other's steps
 * on the same few columns go too far. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/comm.h"
#include "data/supervision/shuffled_rows.h"
#include "learn/average.h"
#include "learn/checkpoint.h"
#include "learn/learner.h"
#include "learn/lowrank/start.h"
#include "learn/passes.h"
#include "learn/prototypes.h"
#include "learn/symmetric.h"
#include "learn/warp.h"
#include "model/blend.h"
#include "model/factored.h"

enum {
    BLOCK = 4096,
    BLOCK_LEAST = 16,
    MERGE_PART = 8,       // of the examples so far
    MERGE_LEAST = 64,     // examples, or one for each 16 columns,
    MERGE_ENOUGH = 1024,  // but no more than this; and at most
    MERGE_RATIO = 16,     // times as many
    MERGE_MOST = MERGE_RATIO * MERGE_ENOUGH,
    SHARE_LEAST =
        1 << 16,  // examples in a pass; fewer are learned by all ranks
};

struct akin_learning {
    const ak_learner *learner;
    const ak_online *online;       // of the task
    int64_t width;                 // numbers in an example
    akin_options *options;         // a copy
    ak_shared_options shared;      // of these
    const akin_supervision *data;  // borrowed
    ak_sampler *sampler;           // of triplets, or
    ak_shuffled_rows *order;       // of rows with labels; neither: the
                                   // examples only come by observe
    void *state;
    int64_t seen;  // examples in all runs
    uint64_t seed;
    akin_learn_info info;
    ak_monitor_fn monitor;  // or NULL
    void *monitor_arg;
    int64_t monitor_every;
    ak_average average;
    bool resumes;
    bool shares;      // ranks learn from their own parts of blocks
    bool divided;     // they do now
    bool stopped;     // one of them was asked to stop
    char *save_path;  // where the model goes while it is learned, or NULL
    int64_t save_every;
    double save_seconds, saved_at;
    int64_t saved;            // examples of the model at save_path
    unsigned char *observed;  // rows of examples that came by observe, or NULL
    ak_checksums resumed;     // rows of the model that goes on
    ak_checkpoint_file *checkpoint;  // or NULL
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const int64_t RANK = 30, RANK_DENSE = 128;

static akin_status check(const ak_learner **out, akin_ctx *ctx,
                         const akin_options *options,
                         const akin_supervision *data)
{
    const ak_learner *l = ak_learner_find(options->learner);
    if (l == NULL)
        return ak_fail(ctx, AKIN_EINVAL, "there is no learner '%s'",
                       options->learner);
    if (l->info.names_faces == 2)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s names faces and trains no model "
                       "(akin_naming_learn takes it)",
                       options->learner);
    *out = l;
    if (akin_rows_count(data->rows) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "there are no rows to learn from");
    if (l->info.most_columns > 0 && data->rows->d > l->info.most_columns)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s supports at most %" PRId64
                       " columns (there are %" PRId64
                       "): use fewer, or a learner for many, such as "
                       "loreta-psd",
                       options->learner, l->info.most_columns, data->rows->d);
    if (data->right != NULL && !l->info.takes_right)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s learns within one set of rows (leave out `right`)",
                       options->learner);
    if (data->right != NULL && akin_rows_count(data->right) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "there are no right-hand rows");
    const bool ranks = ak_learner_ranks(l, options);
    if (data->sampling == AKIN_WARP && !ranks &&
        (l->online == NULL || l->online->score == NULL))
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s cannot learn by `sampler` warp (expected uniform)",
                       options->learner);
    const ak_shared_options shared = ak_options_shared(options);
    if (ranks && shared.prototypes > 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`prototypes` compare rows, they do not rank labels "
                       "(`task` must be "
                       "similarity)");
    if (ranks && shared.averages)
        return ak_fail(
            ctx, AKIN_EINVAL,
            "`average` tail is for similarities (`task` must be similarity)");
    return ak_options_check(ctx, l, options);
}

/* Checksums of the rows of a side whose labels or examples were used. A learner
 * without supervision learns nothing that an evaluation could repeat. */
static akin_status note_rows(akin_model *m, akin_ctx *ctx, const ak_learner *l,
                             const akin_supervision *data, akin_side from,
                             akin_side to, const unsigned char *observed)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const akin_rows *rows = from == AKIN_LEFT ? data->rows : data->right;
    unsigned char *used;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, rows->n, &used));
    if (l->info.takes != AKIN_NOTHING)
        ak_supervision_used(data, from, used);
    for (int64_t i = 0; observed != NULL && i < rows->n; ++i)
        used[i] |= observed[i];
    AK_TRY(ak_checksums_of(&m->learned[to], ctx, rows, used));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Write the options, the recipes and the checksums of rows into a finished
 * model. `observed` (may be NULL) flags rows of examples beside those of
 * `data`. */
static akin_status sign(akin_model *m, akin_ctx *ctx, const ak_learner *l,
                        const akin_options *options,
                        const akin_supervision *data,
                        const unsigned char *observed)
{
    /* What ranks labels ranks those of the right rows, where there are two
     * kinds. */
    const bool ranks_right = !akin_model_compares(m) &&
                             data->right_recipe != NULL;
    const akin_recipe *left = ranks_right ? data->right_recipe : data->recipe;
    AK_CHECK(ak_options_note(m->notes, ctx, l, options));
    if (left != NULL)
        AK_CHECK(ak_model_set_recipe(m, ctx, AKIN_LEFT, left));
    AK_CHECK(note_rows(m, ctx, l, data, ranks_right ? AKIN_RIGHT : AKIN_LEFT,
                       AKIN_LEFT, observed));
    if (data->right_recipe != NULL && !ranks_right)
        AK_CHECK(ak_model_set_recipe(m, ctx, AKIN_RIGHT, data->right_recipe));
    if (data->right != NULL && !ranks_right)
        AK_CHECK(note_rows(m, ctx, l, data, AKIN_RIGHT, AKIN_RIGHT, NULL));
    return AKIN_OK;
}

static akin_status note_count(akin_model *m, akin_ctx *ctx, const char *key,
                              int64_t value)
{
    return ak_tensors_note_i64(m->notes, ctx, key, value);
}

/* ---- online ------------------------------------------------------------- */

/* A sampler, if the supervision has something to draw from. A stream has
 * nothing. */
static akin_status open_sampler(akin_learning *l, akin_ctx *ctx)
{
    if (l->online == l->learner->rank)
        return ak_shuffled_rows_new(&l->order, ctx, l->data);
    if (l->data->kind == AKIN_NOTHING)
        return AKIN_OK;
    return ak_sampler_new(&l->sampler, ctx, l->data);
}

akin_status ak_state_count(const ak_tensors *t, akin_ctx *ctx, const char *key,
                           int64_t *count)
{
    AK_CHECK(ak_tensors_need_i64(t, ctx, key, count));
    if (*count < 0 || *count > INT64_C(1) << 53)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %s is %" PRId64 " (expected 0 to 2^53)",
                       ak_tensors_path(t), key, *count);
    return AKIN_OK;
}

static akin_status check_sampling(const akin_learning *l, akin_ctx *ctx)
{
    const bool given = l->sampler == NULL || !ak_sampler_is_drawn(l->sampler);
    if (l->data->sampling == AKIN_WARP && given && l->order == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`sampler` warp draws negatives from labels or pairs "
                       "(the triplets are given)");
    return AKIN_OK;
}

static akin_status check_resume(akin_ctx *ctx, const akin_learning *l,
                                const akin_model *resume)
{
    const char *name = akin_model_learner(resume);
    if (strcmp(name, l->learner->info.name) != 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the model was learned by %s and %s cannot resume it",
                       name, l->learner->info.name);
    if (resume->state == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the model has no state to resume from");
    const bool ranks = !akin_model_compares(resume);
    if (ranks != (l->online == l->learner->rank))
        return ak_fail(ctx, AKIN_EINVAL,
                       "the model %s and cannot resume with the other task",
                       ranks ? "ranks labels" : "compares rows");
    const int64_t d = akin_rows_dim(l->data->rows);
    if (resume->d[0] != d)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "the rows have %" PRId64 " columns, the model %" PRId64,
                       d, resume->d[0]);
    const int64_t k = akin_model_rank(resume);
    const int64_t wanted = l->shared.rank;
    if (k > 0 && wanted > 0 && k != wanted)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "the model has rank %" PRId64 ", `rank` says %" PRId64,
                       k, wanted);
    return AKIN_OK;
}

/* Set the options that are left at auto. A rank of 0 becomes the rank of the
 * model to resume; without one it becomes RANK, for dense rows RANK_DENSE, or
 * less for a smaller matrix. */
static void derive_options(akin_learning *l, const akin_model *resume)
{
    const akin_rows *rows = l->data->rows;
    const int64_t d = akin_rows_dim(rows);
    const bool dense = l->online == l->learner->online && d > 0 &&
                       !akin_rows_is_sparse(rows) &&
                       l->data->sampling != AKIN_WARP;
    int64_t rank = ak_min_i64(dense ? RANK_DENSE : RANK, d);
    if (l->learner->most_rank > 0)
        rank = ak_min_i64(rank, l->learner->most_rank);
    if (l->online == l->learner->rank)
        rank = ak_min_i64(rank, rows->n_label_names);
    if (resume != NULL)
        rank = akin_model_rank(resume);
    if (ak_options_shared(l->options).rank == 0)
        ak_options_set_rank(l->options, ak_max_i64(1, rank));
    rank = ak_options_shared(l->options).rank;
    const bool ranks_dense = l->online == l->learner->rank && d > 0 &&
                             !akin_rows_is_sparse(rows) &&
                             l->learner->online == NULL;
    ak_options_set_auto(l->options, "constant", ranks_dense ? "one" : "none");
    ak_options_set_auto(l->options, "average", ranks_dense ? "all" : "none");
    if (ranks_dense)
        ak_options_set_auto(l->options, "units", "relative");
    ak_options_set_auto(l->options, "units", dense ? "relative" : "absolute");
    ak_options_set_auto(l->options, "symmetry", dense ? "positive" : "none");
    if (rank > 0)
        ak_options_set_auto(l->options, "start",
                            dense && rank < d ? "principal" : "identity");
    if (l->learner->derive != NULL)
        l->learner->derive(l->options);
    l->shared = ak_options_shared(l->options);
}

/* The learner's own state, as it begins, or from that of an earlier run; the
 * model of that run is only for learners whose state it is. */
static akin_status begin_state(akin_learning *l, akin_ctx *ctx,
                               const ak_tensors *state, const akin_model *model)
{
    const ak_online_input input = {l->options, l->data, l->sampler, state};
    AK_CHECK(l->online->begin(&l->state, ctx, &input));
    if (state != NULL && l->online->resume != NULL)
        AK_CHECK(l->online->resume(l->state, ctx, model));
    if (!l->shared.averages)
        return AKIN_OK;
    return ak_average_begin(
        &l->average, ctx, akin_rows_dim(l->data->rows), l->shared.rank,
        strcmp(l->learner->info.makes, "factored") == 0, state);
}

static const char model_prefix[] = "model.";

/* The same from a checkpoint. */
static akin_status continue_state(akin_learning *l, akin_ctx *ctx)
{
    const ak_checkpoint_file *c = l->checkpoint;
    ak_tensors *state = NULL, *part = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_take_set(&state, ctx, c->found, AK_CHECKPOINT_ONLINE));
    if (state == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: has no state", c->path));
    AK_TRY(ak_tensors_set_path(state, ctx, c->path));
    AK_TRY(ak_tensors_take_set(&part, ctx, state, model_prefix));
    if (part != NULL) {
        AK_TRY(ak_tensors_set_path(part, ctx, c->path));
        AK_TRY(ak_model_take(&m, ctx, part));
    }
    if (l->online->resume != NULL &&
        (m == NULL || m->d[AKIN_LEFT] != akin_rows_dim(l->data->rows)))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: has no model of these rows",
                       c->path));
    l->seen = c->at;
    if (m != NULL) {
        ak_tensors_free(m->state);
        m->state = state;
    }
    AK_TRY(begin_state(l, ctx, state, m));
done:
    if (m == NULL || m->state != state)
        ak_tensors_free(state);
    akin_model_free(m);
    ak_tensors_free(part);
    return st;
}

/* `checkpoint` is NULL, or what the run goes on from and writes. */
static akin_status begin(akin_learning **out, akin_ctx *ctx,
                         const akin_options *options,
                         const akin_supervision *data, const akin_model *resume,
                         ak_checkpoint_file *checkpoint)
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
    l->checkpoint = checkpoint;
    l->seed = akin_ctx_seed(ctx);
    l->info.outcome = AKIN_STEP_LIMIT;
    l->info.objective = NAN;
    AK_TRY(ak_alloc(ctx, (int64_t)options->size, 1, &l->options));
    memcpy(l->options, options, options->size);
    derive_options(l, resume);
    l->resumes = resume != NULL;
    if (l->resumes) {
        AK_TRY(check_resume(ctx, l, resume));
        AK_TRY(ak_state_count(resume->state, ctx, "examples", &l->seen));
        AK_TRY(ak_checksums_copy(&l->resumed, ctx, &resume->learned[0]));
    }
    AK_TRY(open_sampler(l, ctx));
    AK_TRY(check_sampling(l, ctx));
    AK_TRY(checkpoint != NULL && checkpoint->found != NULL
               ? continue_state(l, ctx)
               : begin_state(l, ctx, resume ? resume->state : NULL, resume));
    l->shares = checkpoint == NULL && akin_ctx_ranks(ctx) > 1 &&
                l->online->merge != NULL && ak_learning_pass(l) >= SHARE_LEAST;
    *out = l;
    l = NULL;
done:
    akin_learning_free(l);
    return st;
}

akin_status akin_learning_begin(akin_learning **out, akin_ctx *ctx,
                                const akin_options *options,
                                const akin_supervision *data,
                                const akin_model *resume)
{
    return begin(out, ctx, options, data, resume, NULL);
}

void ak_learning_keep_whole(akin_learning *l)
{
    l->shares = false;
}

void akin_learning_free(akin_learning *l)
{
    if (l == NULL)
        return;
    if (l->state != NULL)
        l->online->free(l->state);
    ak_average_free(&l->average);
    ak_sampler_free(l->sampler);
    ak_shuffled_rows_free(l->order);
    ak_checksums_free(&l->resumed);
    akin_free(l->observed);
    akin_free(l->options);
    akin_free(l->save_path);
    akin_free(l);
}

void akin_learning_info(akin_learn_info *info, const akin_learning *l)
{
    *info = l->info;
}

/* Everything that the next run needs to go on. */
static akin_status put_state(ak_tensors *t, akin_ctx *ctx,
                             const akin_learning *l)
{
    if (l->online->save != NULL)
        AK_CHECK(l->online->save(l->state, ctx, t));
    AK_CHECK(ak_average_save(&l->average, ctx, t));
    return ak_tensors_note_i64(t, ctx, "examples", l->seen);
}

/* ---- saving while learning -------------------------------------------- */

akin_status akin_learning_save_every(akin_ctx *ctx, akin_learning *l,
                                     const char *path, int64_t examples,
                                     double seconds)
{
    if (examples < 0 || !(seconds >= 0.0) || (examples == 0 && seconds == 0.0))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`save_every` is %" PRId64 " examples or %g seconds "
                       "(expected one of them above 0)",
                       examples, seconds);
    akin_free(l->save_path);
    l->save_path = NULL;
    l->save_every = examples;
    l->save_seconds = seconds;
    l->saved_at = now();
    l->saved = l->seen;
    return ak_strdup(ctx, path, &l->save_path);
}

double akin_learning_save_in(const akin_learning *l)
{
    if (l->save_path == NULL || l->save_seconds == 0.0 || l->saved == l->seen)
        return INFINITY;
    return fmax(0.0, l->saved_at + l->save_seconds - now());
}

akin_status akin_learning_save(akin_ctx *ctx, akin_learning *l)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (l->save_path == NULL || l->saved == l->seen)
        return AKIN_OK;
    ak_ctx_quiet_begin(ctx);
    AK_TRY(akin_learning_model(&m, ctx, l));
    AK_TRY(akin_model_save(ctx, m, l->save_path));
    l->saved = l->seen;
    l->saved_at = now();
done:
    ak_ctx_quiet_end(ctx);
    akin_model_free(m);
    return st;
}

/* Called after a block. */
static akin_status save_if_due(akin_learning *l, akin_ctx *ctx)
{
    const bool due = (l->save_every > 0 && l->seen % l->save_every == 0) ||
                     akin_learning_save_in(l) == 0.0;
    return due ? akin_learning_save(ctx, l) : AKIN_OK;
}

/* ---- examples --------------------------------------------------------- */

/* Examples of all ranks between two merges. */
static int64_t merge_size(const akin_learning *l)
{
    const int64_t columns = akin_rows_dim(l->data->rows);
    const int64_t least =
        ak_max_i64(MERGE_LEAST, ak_min_i64(columns / 16, MERGE_ENOUGH));
    return ak_max_i64(least,
                      ak_min_i64(l->seen / MERGE_PART, MERGE_RATIO * least));
}

/* Examples between two reports of progress. A learner that takes many examples
 * in a step gets fewer, because the cost of a step grows faster than its size.
 * With an interval in seconds there are few, because they may be slow. */
static int64_t block_size(const akin_learning *l)
{
    if (l->save_seconds > 0.0)
        return BLOCK_LEAST;
    if (l->divided)
        return merge_size(l);
    return ak_max_i64(BLOCK / ak_max_i64(l->shared.batch, 1), BLOCK_LEAST);
}

/* Called after a block: count its time and examples, and explain a failure. */
static akin_status count_block(akin_learning *l, akin_ctx *ctx, int64_t before,
                               double start, akin_status st)
{
    l->info.seconds += now() - start;
    l->seen += l->info.examples - before;
    if (st == AKIN_OK)
        return ak_average_take(&l->average, ctx, l->online, l->state, l->seen);
    return st == AKIN_ENUMERIC
               ? ak_fail(ctx, st,
                         "example %" PRId64 ": a value is not finite (smaller "
                         "steps or scaled rows may help)",
                         l->seen)
               : st;
}

static akin_status observe_block(akin_learning *l, akin_ctx *ctx,
                                 const int64_t *examples, int64_t count)
{
    const int64_t before = l->info.examples;
    const double start = now();
    return count_block(l, ctx, before, start,
                       l->online->observe(l->state, ctx, l->data->rows,
                                          examples, count, &l->info));
}

/* Examples from number `from` on. Each is drawn after the one before has been
 * learned. */
static akin_status observe_warp(akin_learning *l, akin_ctx *ctx, int64_t from,
                                int64_t count, akin_learn_info *info)
{
    const ak_online *online = l->online;
    int64_t triplet[3];
    double weight;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < count; ++i) {
        AK_TRY(ak_warp_draw(online, l->state, ctx, l->sampler, l->data->rows,
                            from + i, triplet, &weight));
        online->set_step_scale(l->state, weight);
        if (weight > 0.0)
            AK_TRY(online->observe(l->state, ctx, l->data->rows, triplet, 1,
                                   info));
        else
            ak_learn_count(info, 0.0, false);
    }
done:
    online->set_step_scale(l->state, 1.0);
    return st;
}

static akin_status check_examples(akin_ctx *ctx, const akin_learning *l,
                                  const int64_t *examples, int64_t count)
{
    const int64_t n = akin_rows_count(l->data->rows);
    for (int64_t i = 0; i < l->width * count; ++i)
        if (examples[i] < 0 || examples[i] >= n)
            return ak_fail(ctx, AKIN_ESHAPE,
                           "example %" PRId64 ": row %" PRId64
                           " does not exist (there are %" PRId64 ")",
                           i / l->width, examples[i], n);
    return AKIN_OK;
}

/* At most `n` examples, and none beyond the next multiple of `every`. */
static int64_t until(const akin_learning *l, int64_t every, int64_t n)
{
    return every > 0 ? ak_min_i64(n, every - l->seen % every) : n;
}

/* A block, or less until the next state to average or to save. */
static int64_t next_block(const akin_learning *l)
{
    const int64_t n = until(l, l->average.every, block_size(l));
    return until(l, l->save_every,
                 until(l, l->checkpoint ? l->checkpoint->every : 0, n));
}

akin_status akin_learning_observe(akin_ctx *ctx, akin_learning *l,
                                  const int64_t *examples, int64_t count)
{
    akin_status st = check_examples(ctx, l, examples, count);
    if (st == AKIN_OK && l->observed == NULL)
        st = AK_NEW(ctx, l->data->rows->n, &l->observed);
    for (int64_t i = 0; st == AKIN_OK && i < l->width * count; ++i)
        l->observed[examples[i]] = 1;
    l->info.outcome = AKIN_STEP_LIMIT;
    for (int64_t at = 0; st == AKIN_OK && at < count;) {
        const int64_t n = ak_min_i64(next_block(l), count - at);
        st = observe_block(l, ctx, examples + l->width * at, n);
        at += n;
        if (st == AKIN_OK)
            st = save_if_due(l, ctx);
        if (st == AKIN_OK)
            st =
                ak_ctx_tick(ctx, "examples", l->info.examples, 0, l->info.loss);
    }
    if (st == AKIN_OK)
        l->info.outcome = AKIN_CONVERGED;
    return st;
}

/* Examples in one pass. */
static int64_t pass_of(const akin_learning *l)
{
    if (l->order == NULL)
        return ak_sampler_pass(l->sampler);
    return l->data->sample > 0 ? l->data->sample : l->order->n;
}

/* A run over all examples: the first one, how many there are at most, and
 * memory for a block. */
typedef struct run {
    int64_t first, total;
    int64_t *examples;
} run;

/* Learn from `count` examples, number `done` of the run and on. Triplets are
 * the same in every pass; rows go on in their order. */
static akin_status observe_run(akin_learning *l, akin_ctx *ctx, const run *r,
                               int64_t done, int64_t count,
                               akin_learn_info *info)
{
    const int64_t at = done % pass_of(l);
    if (l->order != NULL)
        ak_shuffled_rows_draw(l->order, r->first + done, count, r->examples);
    else if (l->data->sampling == AKIN_WARP)
        return observe_warp(l, ctx, r->first + at, count, info);
    else
        ak_sampler_draw(l->sampler,
                        (ak_sampler_is_drawn(l->sampler) ? r->first : 0) + at,
                        count, r->examples);
    return l->online->observe(l->state, ctx, l->data->rows, r->examples, count,
                              info);
}

void ak_learning_set_monitor(akin_learning *l, int64_t every, ak_monitor_fn fn,
                             void *arg)
{
    l->monitor = fn;
    l->monitor_arg = arg;
    l->monitor_every = every;
}

/* Passes follow the loss where examples are drawn from labels, and their number
 * is ours to choose. Given examples and those of a model that goes on are
 * learned once: to learn them in parts is the same. Weights that began at zero
 * outside the words of the examples overfit by more than one pass. */
static bool has_automatic_passes(const akin_learning *l)
{
    const akin_supervision *data = l->data;
    return data->kind == AKIN_LABELS && data->passes == 0 &&
           data->sample == 0 && !l->resumes &&
           strcmp(l->shared.start, "mask") != 0;
}

int64_t ak_learning_pass(const akin_learning *l)
{
    return l->sampler == NULL && l->order == NULL ? 0 : pass_of(l);
}

int64_t ak_learning_total(const akin_learning *l)
{
    if (l->sampler == NULL && l->order == NULL)
        return 0;
    return pass_of(l) * (has_automatic_passes(l)
                             ? AK_PASSES_MOST
                             : ak_max_i64(1, l->data->passes));
}

/* Examples until a block is full, the pass ends, or the monitor is called. */
static int64_t block_of(const akin_learning *l, int64_t done, int64_t pass)
{
    const int64_t n = ak_min_i64(next_block(l), pass - done % pass);
    return l->monitor == NULL
               ? n
               : ak_min_i64(n, l->monitor_every - done % l->monitor_every);
}

static akin_status run_monitor(akin_learning *l, akin_ctx *ctx, int64_t done,
                               int64_t total, bool *stop)
{
    if (l->monitor == NULL || (done % l->monitor_every != 0 && done < total))
        return AKIN_OK;
    return l->monitor(l->monitor_arg, ctx, l, stop);
}

/* The number of examples of an automatic run is not known before its end. */
static akin_status report_examples(const akin_learning *l, akin_ctx *ctx,
                                   int64_t done, int64_t total)
{
    return has_automatic_passes(l)
               ? ak_ctx_step(ctx, "examples", done, total, l->info.loss)
               : ak_ctx_part(ctx, "examples", done, total, l->info.loss);
}

/* ---- ranks ---- */

/* What a rank has done of a block. */
typedef struct rank_part {
    int64_t examples, updates;
    double loss;  // sum
    int64_t stopped;
} rank_part;

/* Add the parts of all ranks, in their order. */
static akin_status add_parts(akin_learning *l, akin_ctx *ctx, rank_part own)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_learn_info *info = &l->info;
    double loss = info->loss * (double)info->examples;
    unsigned char *all = NULL;
    const size_t *offsets = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_comm_collect(ctx, &own, sizeof own, &all, &offsets));
    for (int64_t r = 0; r < akin_ctx_ranks(ctx); ++r) {
        rank_part p;
        memcpy(&p, all + offsets[r], sizeof p);
        info->examples += p.examples;
        info->updates += p.updates;
        loss += p.loss;
        l->stopped |= p.stopped != 0;
    }
    if (info->examples > 0)
        info->loss = loss / (double)info->examples;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Learn from the part of a block that this rank has, report it, and merge. The
 * last finite state before a value that is not is merged as well. */
static akin_status observe_part(akin_learning *l, akin_ctx *ctx, const run *r,
                                int64_t done, int64_t count)
{
    const ak_rank_range own =
        ak_comm_own(ctx, count, ak_max_i64(1, l->shared.batch));
    akin_learn_info info = {0};
    akin_status st =
        observe_run(l, ctx, r, done + own.begin, own.end - own.begin, &info);
    if (st == AKIN_OK)
        st = report_examples(l, ctx, done + count, r->total);
    st = ak_comm_agree(ctx, st);
    if (st != AKIN_OK && st != AKIN_ENUMERIC)
        return st;
    AK_CHECK(add_parts(l, ctx,
                       (rank_part){info.examples, info.updates,
                                   info.loss * (double)info.examples,
                                   ak_ctx_stopped(ctx)}));
    AK_CHECK(l->online->merge(l->state, ctx));
    return st;
}

/* Divide the following examples among the ranks, if the learner is ready. */
static akin_status divide(akin_learning *l, akin_ctx *ctx)
{
    if (!l->shares || l->divided)
        return AKIN_OK;
    return ak_comm_agree(ctx, l->online->divide(l->state, ctx, &l->divided));
}

/* A block of a run. */
static akin_status observe_next(akin_learning *l, akin_ctx *ctx, const run *r,
                                int64_t done, int64_t count)
{
    const int64_t before = l->info.examples;
    const double start = now();
    return count_block(l, ctx, before, start,
                       l->divided
                           ? observe_part(l, ctx, r, done, count)
                           : observe_run(l, ctx, r, done, count, &l->info));
}

static bool is_stopped(const akin_learning *l, const akin_ctx *ctx)
{
    return l->divided ? l->stopped : ak_ctx_stopped(ctx);
}

/* Called after a block: at the end of an automatic pass *stop says whether it
 * was the last. `before` and `sum` are the examples and the sum of losses
 * before the pass. */
static void end_pass(const akin_learning *l, ak_passes *passes, double *sum,
                     int64_t *before, bool *stop)
{
    const akin_learn_info *info = &l->info;
    const double all = info->loss * (double)info->examples;
    const double mean = (all - *sum) / (double)(info->examples - *before);
    *stop |= !ak_passes_go_on(passes, mean);
    *sum = all;
    *before = info->examples;
}

/* Where a run is, between two blocks. */
typedef struct place {
    akin_learning *l;
    ak_passes passes;
    int64_t done, before, total;
    double sum;
    bool stop;
} place;

static akin_status visit(void *self, akin_ctx *ctx, ak_state *s)
{
    place *p = self;
    akin_learn_info *info = &p->l->info;
    AK_CHECK(ak_state_i64(s, ctx, "done", &p->done, 0, p->total));
    AK_CHECK(
        ak_state_i64(s, ctx, "examples", &info->examples, p->done, p->done));
    AK_CHECK(ak_state_i64(s, ctx, "before", &p->before, 0, p->done));
    AK_CHECK(
        ak_state_i64(s, ctx, "updates", &info->updates, 0, INT64_C(1) << 53));
    AK_CHECK(ak_state_i64(s, ctx, "iterations", &info->iterations, 0, p->done));
    AK_CHECK(
        ak_state_i64(s, ctx, "passes", &p->passes.made, 0, AK_PASSES_MOST - 1));
    AK_CHECK(ak_state_f64(s, ctx, "losses", AK_PASSES_MOST, p->passes.loss));
    AK_CHECK(ak_state_f64(s, ctx, "loss", 1, &info->loss));
    return ak_state_f64(s, ctx, "sum", 1, &p->sum);
}

static akin_status put_model(ak_tensors *state, akin_ctx *ctx,
                             const akin_learning *l, akin_model **m,
                             ak_tensors *part)
{
    AK_CHECK(l->online->model(m, ctx, l->state));
    AK_CHECK(ak_model_put(*m, ctx, part));
    return ak_tensors_put_set(state, ctx, model_prefix, part);
}

/* Called after a block. */
static akin_status checkpoint_if_due(akin_learning *l, akin_ctx *ctx)
{
    ak_checkpoint_file *c = l->checkpoint;
    ak_tensors *state = NULL, *part = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (c == NULL || l->seen % c->every != 0)
        return AKIN_OK;
    ak_ctx_quiet_begin(ctx);
    c->at = l->seen;
    AK_TRY(ak_tensors_new(&state, ctx));
    AK_TRY(put_state(state, ctx, l));
    if (l->online->resume != NULL) {
        AK_TRY(ak_tensors_new(&part, ctx));
        AK_TRY(put_model(state, ctx, l, &m, part));
    }
    AK_TRY(ak_checkpoint_write(c, ctx, state));
done:
    ak_ctx_quiet_end(ctx);
    ak_tensors_free(state);
    ak_tensors_free(part);
    akin_model_free(m);
    return st;
}

akin_status akin_learning_observe_all(akin_ctx *ctx, akin_learning *l)
{
    if (l->sampler == NULL && l->order == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "there are no examples to learn from (labels, pairs or "
                       "triplets)");
    const int64_t pass = pass_of(l), total = ak_learning_total(l);
    const bool automatic = has_automatic_passes(l);
    const ak_mark mark = ak_scratch_begin(ctx);
    place p = {.l = l,
               .passes.window = l->order != NULL ? 10 : 1,
               .before = l->info.examples,
               .total = total,
               .sum = l->info.loss * (double)l->info.examples};
    ak_section section = {"run", visit, &p, NULL};
    run r = {l->seen, total, NULL};
    bool continued;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, 3 * (l->shares ? MERGE_MOST : BLOCK), &r.examples));
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    if (continued && p.done != l->seen)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: run.done is %" PRId64 " (expected %" PRId64 ")",
                       l->checkpoint->path, p.done, l->seen));
    if (continued)
        r.first = 0;
    l->info.outcome = AKIN_STEP_LIMIT;
    l->divided = l->stopped = false;
    while (p.done < total && !p.stop && !is_stopped(l, ctx)) {
        AK_TRY(divide(l, ctx));
        const int64_t at = p.done % pass;
        const int64_t n = block_of(l, p.done, pass);
        AK_TRY(observe_next(l, ctx, &r, p.done, n));
        p.done += n;
        AK_TRY(save_if_due(l, ctx));
        if (!l->divided)
            AK_TRY(report_examples(l, ctx, p.done, total));
        l->info.iterations += at == 0;  // a pass has begun
        if (automatic && p.done % pass == 0)
            end_pass(l, &p.passes, &p.sum, &p.before, &p.stop);
        AK_TRY(run_monitor(l, ctx, p.done, p.stop ? p.done : total, &p.stop));
        if (!p.stop)
            AK_TRY(checkpoint_if_due(l, ctx));
    }
    if (!is_stopped(l, ctx))
        l->info.outcome = AKIN_CONVERGED;
done:
    ak_section_leave(ctx, &section);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the model -------------------------------------------------------- */

/* The share that is trusted is that of the way from a measure: the identity, or
 * nearly. */
static akin_status make_symmetric(akin_model **m, akin_ctx *ctx,
                                  const akin_learning *l)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const char *start = l->shared.start;
    const bool principal = strcmp(start, "principal") == 0;
    const bool from_measure = principal || strcmp(start, "identity") == 0 ||
                              strcmp(start, "auto") == 0;
    double *Y0 = NULL;
    akin_status st = AKIN_OK;
    if (principal)
        AK_TRY(ak_start_factor_psd(&Y0, ctx, start, l->data->rows,
                                   l->shared.rank));
    AK_TRY(ak_symmetric_model(m, ctx, l->data, Y0, !from_measure,
                              ak_compare_by(l->shared.score, AKIN_BY_COSINE)));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_learning_model(akin_model **out, akin_ctx *ctx,
                                akin_learning *l)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(l->online->model(&m, ctx, l->state));
    AK_TRY(ak_average_model(&l->average, ctx, &m));
    if (l->shared.symmetric)
        AK_TRY(make_symmetric(&m, ctx, l));
    if (l->shared.prototypes > 0 && ak_model_is_factored(m))
        AK_TRY(ak_prototypes_learn(&m, ctx, l->data, l->shared.prototypes));
    if (l->shared.blend > 0.0)
        AK_TRY(ak_blend_with_rows(&m, ctx, l->shared.blend));
    AK_TRY(sign(m, ctx, l->learner, l->options, l->data, l->observed));
    AK_TRY(ak_checksums_join(&m->learned[AKIN_LEFT], ctx, &l->resumed));
    AK_TRY(note_count(m, ctx, "examples", l->seen));
    AK_TRY(note_count(m, ctx, "seed", (int64_t)l->seed));
    if (l->data->sampling == AKIN_WARP)
        AK_TRY(ak_model_set_note(m, ctx, "sampler", "warp"));
    AK_TRY(ak_tensors_new(&m->state, ctx));
    AK_TRY(put_state(m->state, ctx, l));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

/* After a numerical failure the last finite model is returned. After a request
 * to stop it is the model learned so far. */
static akin_status learn_online(akin_model **out, akin_ctx *ctx,
                                const akin_options *options,
                                const akin_supervision *data,
                                ak_checkpoint_file *checkpoint,
                                akin_learn_info *info, bool whole)
{
    akin_learning *l = NULL;
    akin_status st = begin(&l, ctx, options, data, NULL, checkpoint);
    if (st != AKIN_OK)
        return st;
    if (whole)
        ak_learning_keep_whole(l);
    ak_ctx_keep_begin(ctx);
    st = akin_learning_observe_all(ctx, l);
    akin_learning_info(info, l);
    if (st == AKIN_OK || st == AKIN_ENUMERIC) {
        const akin_status made = akin_learning_model(out, ctx, l);
        if (made != AKIN_OK)
            st = made;
    }
    if (ak_ctx_keep_end(ctx) && st == AKIN_OK)
        st = ak_fail(ctx, AKIN_ECANCELLED, "interrupted");
    if (l->divided)
        st = ak_comm_agree(ctx, st);
    akin_learning_free(l);
    return st;
}

/* ---- any learner ------------------------------------------------------ */

static akin_status learn_batch(akin_model **out, akin_ctx *ctx,
                               const ak_learner *learner,
                               const akin_options *options,
                               const akin_supervision *data,
                               akin_learn_info *info)
{
    akin_model *m = NULL;
    const double start = now();
    /* A first iteration may take minutes. */
    akin_status st = ak_ctx_tick(ctx, "preparing", 0, 0, NAN);
    if (st != AKIN_OK)
        return st;
    ak_ctx_keep_begin(ctx);
    st = learner->learn(&m, ctx, options, data, info);
    const bool stopped = ak_ctx_keep_end(ctx);
    info->seconds = now() - start;
    if (st == AKIN_OK)
        st = sign(m, ctx, learner, options, data, NULL);
    if (st == AKIN_OK)
        st = note_count(m, ctx, "examples", info->examples);
    if (st == AKIN_OK)
        st = note_count(m, ctx, "seed", (int64_t)akin_ctx_seed(ctx));
    if (st == AKIN_OK) {
        *out = m;
        m = NULL;
        if (stopped)
            st = ak_fail(ctx, AKIN_ECANCELLED, "interrupted");
    }
    akin_model_free(m);
    return st;
}

static akin_status learn(akin_model **out, akin_ctx *ctx,
                         const ak_learner *learner, const akin_options *options,
                         const akin_supervision *data,
                         ak_checkpoint_file *checkpoint, akin_learn_info *info,
                         bool whole)
{
    akin_learn_info unused;
    if (info == NULL)
        info = &unused;
    *info = (akin_learn_info){.outcome = AKIN_STEP_LIMIT, .objective = NAN};
    if (ak_learner_online(learner, options))
        return learn_online(out, ctx, options, data, checkpoint, info, whole);
    info->loss = NAN;  // the learner may set it
    return learn_batch(out, ctx, learner, options, data, info);
}

akin_status akin_learn(akin_model **out, akin_ctx *ctx,
                       const akin_options *options,
                       const akin_supervision *data, akin_learn_info *info)
{
    const ak_learner *learner = NULL;
    AK_CHECK(check(&learner, ctx, options, data));
    return learn(out, ctx, learner, options, data, NULL, info, false);
}

akin_status akin_learn_checkpointed(akin_model **out, int64_t *continued,
                                    akin_ctx *ctx, const akin_options *options,
                                    const akin_supervision *data,
                                    const akin_checkpoint_options *checkpoint,
                                    akin_learn_info *info)
{
    ak_checkpoint_file c = {.found = NULL};
    const ak_learner *learner = NULL;
    akin_status st = AKIN_OK;
    *continued = 0;
    AK_TRY(check(&learner, ctx, options, data));
    AK_TRY(ak_checkpoint_open(&c, ctx, checkpoint, learner, options, data));
    *continued = c.at;
    ak_ctx_set_checkpoint(ctx, &c.head);
    st = learn(out, ctx, learner, options, data, &c, info, false);
    if (st == AKIN_OK)
        st = ak_checkpoint_check(&c, ctx);
done:
    ak_ctx_set_checkpoint(ctx, NULL);
    ak_checkpoint_close(&c);
    return st;
}

akin_status ak_learn_whole(akin_model **out, akin_ctx *ctx,
                           const akin_options *options,
                           const akin_supervision *data, akin_learn_info *info)
{
    const ak_learner *learner = NULL;
    AK_CHECK(check(&learner, ctx, options, data));
    return learn(out, ctx, learner, options, data, NULL, info, true);
}
