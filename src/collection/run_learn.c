/* Words, learned from pictures drawn at random. What is seen in these is kept:
 * they are not looked at twice. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "collection/run.h"

enum { DRAWN = 64 };  // pictures at a time, however many threads there are

static akin_status make_room(ak_run *r, int64_t n)
{
    const int64_t room = ak_max_i64(2 * r->sample_room, r->n_sample + n);
    akin_status st = AKIN_OK;
    if (r->n_sample + n <= r->sample_room)
        return AKIN_OK;
    AK_TRY(ak_resize(r->ctx, room, AK_SIFT_DIM, &r->sample));
    r->sample_room = room;
done:
    return st;
}

/* Descriptors of a picture go into the sample; the rest stays with it. */
static akin_status take(ak_run *r, ak_todo *t)
{
    ak_seen *s = &t->seen;
    akin_status st = AKIN_OK;
    AK_TRY(make_room(r, s->n));
    t->first = r->n_sample;
    if (s->n > 0)
        memcpy(r->sample + r->n_sample * AK_SIFT_DIM, s->descriptors,
               (size_t)(s->n * AK_SIFT_DIM));
    r->n_sample += s->n;
    akin_free(s->descriptors);
    s->descriptors = NULL;
done:
    return st;
}

/* Pictures order[0..n): look at them together. */
static akin_status draw(ak_run *r, const int64_t *order, int64_t n)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const char **paths;
    ak_seen *seen = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, n, &paths));
    AK_TRY(AK_SCRATCH(r->ctx, n, &seen));
    for (int64_t i = 0; i < n; ++i)
        paths[i] = r->todo[order[i]].path;
    AK_TRY(ak_eyes_look(r->eyes, r->ctx, paths, n, NULL, seen));
    for (int64_t i = 0; i < n; ++i) {
        ak_todo *t = &r->todo[order[i]];
        t->seen = seen[i];
        seen[i] = (ak_seen){0};
        AK_TRY(take(r, t));
    }
done:
    for (int64_t i = 0; seen != NULL && i < n; ++i)
        ak_seen_free(&seen[i]);
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status draw_sample(ak_run *r, int64_t *pictures)
{
    const int64_t wanted = r->codebook   ? 1
                           : r->o.sample ? r->o.sample
                                         : ak_words_sample(r->o.words);
    ak_rng rng = ak_rng_new(akin_ctx_seed(r->ctx), AK_STREAM_PICTURES);
    const ak_mark mark = ak_scratch_begin(r->ctx);
    int64_t *order, at = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, r->n_todo, &order));
    for (int64_t i = 0; i < r->n_todo; ++i)
        order[i] = i;
    ak_rng_shuffle(&rng, r->n_todo, order);
    while (at < r->n_todo && r->n_sample < wanted) {
        const int64_t n = ak_min_i64(DRAWN, r->n_todo - at);
        AK_TRY(ak_ctx_tick(r->ctx, "pictures to learn words from", at,
                           r->n_todo, NAN));
        AK_TRY(draw(r, order + at, n));
        at += n;
    }
    *pictures = at;
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status read_sample(ak_run *r)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_reading_task *tasks;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, r->n_todo, &tasks));
    for (int64_t i = 0; i < r->n_todo; ++i)
        if (r->todo[i].first >= 0)
            tasks[n++] = (ak_reading_task){
                &r->todo[i].seen, r->sample + r->todo[i].first * AK_SIFT_DIM};
    AK_TRY(ak_eyes_read(r->eyes, r->ctx, tasks, n, r->codebook));
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* A blank one is enough where words are given. */
static bool has_pictures(const ak_run *r)
{
    bool any = r->n_sample > 0;
    for (int64_t i = 0; r->codebook != NULL && i < r->n_todo; ++i)
        any = any || (r->todo[i].first >= 0 && r->todo[i].seen.why == NULL);
    return any;
}

static akin_status need_pictures(const ak_run *r)
{
    if (has_pictures(r))
        return AKIN_OK;
    for (int64_t i = 0; i < r->n_todo; ++i)
        if (r->todo[i].seen.why != NULL)
            ak_log(r->ctx, AKIN_LOG_WARNING, "%s, left out",
                   r->todo[i].seen.why);
    return ak_fail(r->ctx, AKIN_EINVAL,
                   "%s: no picture that can be read and has anything to "
                   "describe",
                   r->root);
}

akin_status ak_run_learn(ak_run *r)
{
    akin_status st = AKIN_OK;
    r->origin = (ak_words_origin){.side = r->o.side,
                                  .first_octave = r->o.first_octave,
                                  .batch = r->o.batch};
    AK_TRY(draw_sample(r, &r->origin.pictures));
    AK_TRY(need_pictures(r));
    if (r->codebook == NULL)
        AK_TRY(ak_words_learn(
            &r->codebook, r->ctx, r->sample, r->n_sample,
            r->o.words ? r->o.words : ak_words_auto(r->n_sample), &r->origin));
    if (r->n_sample > 0)
        AK_TRY(read_sample(r));
done:
    return st;
}

akin_status ak_run_keep(ak_run *r)
{
    return ak_words_save(r->codebook, r->ctx, &r->catalog,
                         r->o.codebook ? NULL : &r->origin);
}
