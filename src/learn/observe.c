/* How an online learner sees examples: in blocks of triplets, or of rows with
 * labels when it ranks labels. Those drawn from labels are numbered on through
 * every run of a model, so that learning on from a saved model draws what one
 * longer run would have drawn. */
#include <string.h>
#include <time.h>

#include "learn/learning.h"
#include "learn/warp.h"

enum { BLOCK = 4096, BLOCK_LEAST = 16 };

/* Examples between two looks at who is waiting: fewer where a step takes many
 * of them, whose cost grows faster than their number. */
static int64_t block_size(const akin_learning *l)
{
    const int64_t batch = (int64_t)ak_options_f64(l->options, "batch");
    return ak_max_i64(BLOCK / ak_max_i64(batch, 1), BLOCK_LEAST);
}

double ak_learning_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* After observing: how long it took, how far it went, what went wrong. */
static akin_status count_block(akin_learning *l, akin_ctx *ctx, int64_t before,
                               double start, akin_status st)
{
    l->info.seconds += ak_learning_now() - start;
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
    const double start = ak_learning_now();
    return count_block(l, ctx, before, start,
                       l->online->observe(l->state, ctx, l->data->rows,
                                          examples, count, &l->info));
}

/* Examples number `from` on, each drawn when the one before is learned. */
static akin_status observe_warp(akin_learning *l, akin_ctx *ctx, int64_t from,
                                int64_t count)
{
    const ak_online *online = l->online;
    const int64_t before = l->info.examples;
    const double start = ak_learning_now();
    int64_t triplet[3];
    double weight;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < count; ++i) {
        AK_TRY(ak_warp_draw(online, l->state, ctx, l->sampler, l->data->rows,
                            from + i, triplet, &weight));
        online->set_pace(l->state, weight);
        if (weight > 0.0)
            AK_TRY(online->observe(l->state, ctx, l->data->rows, triplet, 1,
                                   &l->info));
        else
            ak_learn_count(&l->info, 0.0, false);
    }
done:
    online->set_pace(l->state, 1.0);
    return count_block(l, ctx, before, start, st);
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

/* At most `n`, and no more than until the next state is averaged. */
static int64_t until_average(const akin_learning *l, int64_t n)
{
    const int64_t every = l->average.every;
    return every > 0 ? ak_min_i64(n, every - l->seen % every) : n;
}

akin_status akin_learning_observe(akin_learning *l, akin_ctx *ctx,
                                  const int64_t *examples, int64_t count)
{
    akin_status st = check_examples(ctx, l, examples, count);
    l->info.outcome = AKIN_STEP_LIMIT;
    for (int64_t at = 0; st == AKIN_OK && at < count;) {
        const int64_t n =
            ak_min_i64(until_average(l, block_size(l)), count - at);
        st = observe_block(l, ctx, examples + l->width * at, n);
        at += n;
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

/* `count` examples, `at` of pass number `pass` of this run. Triplets are the
 * same in every pass; rows go on in their order. */
static void draw(akin_learning *l, int64_t first, int64_t pass, int64_t at,
                 int64_t count, int64_t *examples)
{
    if (l->order != NULL)
        ak_order_draw(l->order, first + pass * pass_of(l) + at, count,
                      examples);
    else
        ak_sampler_draw(l->sampler,
                        (ak_sampler_is_drawn(l->sampler) ? first : 0) + at,
                        count, examples);
}

void ak_learning_watch(akin_learning *l, int64_t every, ak_watch_fn fn,
                       void *arg)
{
    l->watch = fn;
    l->watch_arg = arg;
    l->watch_every = every;
}

int64_t ak_learning_total(const akin_learning *l)
{
    if (l->sampler == NULL && l->order == NULL)
        return 0;
    return pass_of(l) * l->data->passes;
}

/* Examples until a block is full, the pass is over, or the state is wanted. */
static int64_t block_of(const akin_learning *l, int64_t done, int64_t pass)
{
    const int64_t n =
        until_average(l, ak_min_i64(block_size(l), pass - done % pass));
    return l->watch == NULL
               ? n
               : ak_min_i64(n, l->watch_every - done % l->watch_every);
}

static akin_status look(akin_learning *l, akin_ctx *ctx, int64_t done,
                        int64_t total, bool *stop)
{
    if (l->watch == NULL || (done % l->watch_every != 0 && done < total))
        return AKIN_OK;
    return l->watch(l->watch_arg, ctx, l, stop);
}

akin_status akin_learning_observe_all(akin_learning *l, akin_ctx *ctx)
{
    if (l->sampler == NULL && l->order == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "there are no examples to learn from (labels, pairs or "
                       "triplets)");
    const int64_t pass = pass_of(l), first = l->seen;
    const int64_t total = ak_learning_total(l);
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *examples = NULL;
    bool stop = false;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, 3 * BLOCK, &examples));
    l->info.outcome = AKIN_STEP_LIMIT;
    for (int64_t done = 0; done < total && !stop;) {
        const int64_t at = done % pass;
        const int64_t n = block_of(l, done, pass);
        if (l->data->sampling == AKIN_WARP && l->order == NULL) {
            AK_TRY(observe_warp(l, ctx, first + at, n));
        } else {
            draw(l, first, done / pass, at, n, examples);
            AK_TRY(observe_block(l, ctx, examples, n));
        }
        done += n;
        AK_TRY(ak_ctx_tick(ctx, "examples", done, total, l->info.loss));
        AK_TRY(look(l, ctx, done, total, &stop));
    }
    l->info.iterations += l->data->passes;
    l->info.outcome = AKIN_CONVERGED;
done:
    ak_scratch_end(ctx, mark);
    return st;
}
