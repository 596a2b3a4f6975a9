#include "collection/pictures/picture_crew.h"

#include <string.h>

#include "vision/moments.h"

enum { OPEN, SHARE_WORDS, LEARN, EXTRACT, QUANTIZE };

/* ---- parcels ---- */

static akin_status pass_sight(ak_parcel *p, ak_extract_options *o)
{
    AK_CHECK(AK_PARCEL_FIELD(p, &o->side));
    AK_CHECK(AK_PARCEL_FIELD(p, &o->first_octave));
    return AK_PARCEL_FIELD(p, &o->colours);
}

static akin_status pass_features(ak_parcel *p, ak_features *s)
{
    AK_CHECK(AK_PARCEL_FIELD(p, &s->status));
    AK_CHECK(ak_parcel_text(p, &s->why));
    AK_CHECK(AK_PARCEL_FIELD(p, &s->width));
    AK_CHECK(AK_PARCEL_FIELD(p, &s->height));
    AK_CHECK(AK_PARCEL_FIELD(p, &s->n));
    AK_CHECK(AK_PARCEL_ARRAY(p, &s->frames, s->n));
    AK_CHECK(AK_PARCEL_ARRAY(p, &s->descriptors, s->n * AK_SIFT_DIM));
    AK_CHECK(AK_PARCEL_ARRAY(p, &s->words, s->n));
    AK_CHECK(AK_PARCEL_ARRAY(p, &s->colours, AK_MOMENTS_DIM));
    return ak_parcel_text(p, &s->facts);
}

/* With its cells, which are a codebook themselves. */
static akin_status pass_codebook(ak_parcel *p, ak_codebook **c)
{
    AK_CHECK(AK_PARCEL_ARRAY(p, c, 1));
    ak_codebook *to = *c;
    if (to == NULL)
        return AKIN_OK;
    if (p->unpacks) {  // what it points to is of another rank
        to->at = to->half = NULL;
        to->cells = NULL;
        to->cell_offsets = NULL;
    }
    AK_CHECK(AK_PARCEL_ARRAY(p, &to->at, to->k * to->d));
    AK_CHECK(AK_PARCEL_ARRAY(p, &to->half, to->k));
    AK_CHECK(pass_codebook(p, &to->cells));
    return AK_PARCEL_ARRAY(p, &to->cell_offsets,
                           to->cells ? to->cells->k + 1 : 0);
}

/* ---- duties ---- */

static akin_status do_open(void *state, akin_ctx *ctx, ak_parcel *order)
{
    ak_picture_crew *p = state;
    ak_extract_options sight;
    AK_CHECK(pass_sight(order, &sight));
    return ak_extractor_new(&p->extractor, ctx, &sight);
}

static akin_status do_share_words(void *state, akin_ctx *ctx, ak_parcel *order)
{
    ak_picture_crew *p = state;
    return akin_ctx_rank(ctx) > 0 ? pass_codebook(order, &p->codebook)
                                  : AKIN_OK;
}

static akin_status do_learn(void *state, akin_ctx *ctx, ak_parcel *order)
{
    ak_picture_crew *p = state;
    int64_t words;
    akin_status st = AKIN_OK;
    AK_CHECK(AK_PARCEL_FIELD(order, &words));
    AK_CHECK(AK_PARCEL_FIELD(order, &p->origin));
    AK_CHECK(AK_PARCEL_FIELD(order, &p->n_sample));
    if (akin_ctx_rank(ctx) > 0)
        st = AK_NEW(ctx, p->n_sample * AK_SIFT_DIM, &p->sample);
    AK_CHECK(ak_comm_agree(ctx, st));
    AK_CHECK(ak_comm_broadcast(ctx, p->sample,
                               (size_t)(p->n_sample * AK_SIFT_DIM), 0));
    const ak_points points = {
        .n = p->n_sample, .d = AK_SIFT_DIM, .u8 = p->sample};
    return ak_visual_words_learn(&p->codebook, ctx, &points, words, &p->origin);
}

static akin_status pass_one_picture(void *arg, ak_parcel *p, int64_t i)
{
    return pass_features(p, (ak_features *)arg + i);
}

static akin_status do_extract(void *state, akin_ctx *ctx, ak_parcel *order)
{
    ak_picture_crew *p = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool leads = akin_ctx_rank(ctx) == 0;
    ak_rank_range own = {0, 0};
    ak_features *out = leads ? p->out : NULL;
    char **paths = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_PARCEL_FIELD(order, &n));
    own = ak_comm_own(ctx, n, 1);
    AK_TRY(AK_SCRATCH(ctx, n, &paths));
    if (!leads)
        AK_TRY(AK_SCRATCH(ctx, n, &out));
    for (int64_t i = 0; i < n; ++i)
        AK_TRY(ak_parcel_text(order, &paths[i]));
    st = ak_extractor_look(p->extractor, ctx,
                           (const char *const *)paths + own.begin,
                           own.end - own.begin, p->codebook, out + own.begin);
done:
    st = ak_comm_agree(ctx, st);
    if (st == AKIN_OK)
        st = ak_crew_deliver(ctx, n, pass_one_picture, out);
    for (int64_t i = own.begin; !leads && out != NULL && i < own.end; ++i)
        ak_features_free(&out[i]);
    for (int64_t i = 0; paths != NULL && i < n; ++i)
        akin_free(paths[i]);
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status pass_words(void *arg, ak_parcel *p, int64_t i)
{
    ak_features *s = ((const ak_quantize_task *)arg)[i].features;
    return AK_PARCEL_ARRAY(p, &s->words, s->n);
}

/* The others have features without anything but words. */
static akin_status read_tasks(const ak_picture_crew *p, akin_ctx *ctx,
                              ak_parcel *order, ak_quantize_task *tasks,
                              int64_t n)
{
    ak_features *theirs;
    AK_CHECK(AK_SCRATCH(ctx, n, &theirs));
    for (int64_t i = 0; i < n; ++i) {
        int64_t first;
        tasks[i].features = &theirs[i];
        AK_CHECK(AK_PARCEL_FIELD(order, &first));
        AK_CHECK(AK_PARCEL_FIELD(order, &theirs[i].n));
        tasks[i].descriptors = p->sample + first * AK_SIFT_DIM;
        if (akin_ctx_rank(ctx) == 0)
            tasks[i] = p->tasks[i];
    }
    return AKIN_OK;
}

static akin_status do_quantize(void *state, akin_ctx *ctx, ak_parcel *order)
{
    ak_picture_crew *p = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_rank_range own = {0, 0};
    ak_quantize_task *tasks = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_PARCEL_FIELD(order, &n));
    AK_TRY(AK_SCRATCH(ctx, n, &tasks));
    AK_TRY(read_tasks(p, ctx, order, tasks, n));
    own = ak_comm_own(ctx, n, 1);
    st = ak_extractor_quantize(p->extractor, ctx, tasks + own.begin,
                               own.end - own.begin, p->codebook);
done:
    st = ak_comm_agree(ctx, st);
    if (st == AKIN_OK)
        st = ak_crew_deliver(ctx, n, pass_words, tasks);
    if (akin_ctx_rank(ctx) > 0) {
        for (int64_t i = own.begin; i < own.end; ++i)
            ak_features_free(tasks[i].features);
        akin_free(p->sample);
        p->sample = NULL;
    }
    ak_scratch_end(ctx, mark);
    return st;
}

static const ak_duty duties[] = {
    [OPEN] = do_open,       [SHARE_WORDS] = do_share_words, [LEARN] = do_learn,
    [EXTRACT] = do_extract, [QUANTIZE] = do_quantize,
};

akin_status ak_picture_crew_run(ak_picture_crew *p, akin_ctx *ctx,
                                akin_status (*lead)(void *arg), void *arg)
{
    p->crew = (ak_crew){.duties = duties, .state = p};
    const akin_status st = ak_crew_run(&p->crew, ctx, lead, arg);
    ak_extractor_free(p->extractor);
    ak_codebook_free(p->codebook);
    akin_free(p->sample);
    return st;
}

/* ---- orders ---- */

akin_status ak_picture_crew_open(ak_picture_crew *p, akin_ctx *ctx,
                                 const ak_extract_options *sight)
{
    ak_extract_options o = *sight;
    ak_parcel order = {.ctx = ctx};
    akin_status st = pass_sight(&order, &o);
    if (st == AKIN_OK)
        st = ak_crew_ask(&p->crew, ctx, OPEN, &order);
    ak_parcel_free(&order);
    return st;
}

akin_status ak_picture_crew_share_words(ak_picture_crew *p, akin_ctx *ctx)
{
    ak_parcel order = {.ctx = ctx};
    if (ak_crew_size(&p->crew) == 1)
        return AKIN_OK;
    akin_status st = pass_codebook(&order, &p->codebook);
    if (st == AKIN_OK)
        st = ak_crew_ask(&p->crew, ctx, SHARE_WORDS, &order);
    ak_parcel_free(&order);
    return st;
}

akin_status ak_picture_crew_learn(ak_picture_crew *p, akin_ctx *ctx,
                                  int64_t words)
{
    ak_parcel order = {.ctx = ctx};
    akin_status st = AKIN_OK;
    AK_TRY(AK_PARCEL_FIELD(&order, &words));
    AK_TRY(AK_PARCEL_FIELD(&order, &p->origin));
    AK_TRY(AK_PARCEL_FIELD(&order, &p->n_sample));
    AK_TRY(ak_crew_ask(&p->crew, ctx, LEARN, &order));
done:
    ak_parcel_free(&order);
    return st;
}

akin_status ak_picture_crew_extract(ak_picture_crew *p, akin_ctx *ctx,
                                    const char *const *paths, int64_t n,
                                    ak_features *out)
{
    ak_parcel order = {.ctx = ctx};
    akin_status st = AKIN_OK;
    AK_TRY(AK_PARCEL_FIELD(&order, &n));
    for (int64_t i = 0; i < n; ++i) {
        char *path = (char *)paths[i];
        AK_TRY(ak_parcel_text(&order, &path));
    }
    p->out = out;
    AK_TRY(ak_crew_ask(&p->crew, ctx, EXTRACT, &order));
    AK_TRY(ak_features_check(ctx, out, n));
done:
    ak_parcel_free(&order);
    return st;
}

akin_status ak_picture_crew_quantize(ak_picture_crew *p, akin_ctx *ctx,
                                     const ak_quantize_task *tasks, int64_t n)
{
    ak_parcel order = {.ctx = ctx};
    akin_status st = AKIN_OK;
    AK_TRY(AK_PARCEL_FIELD(&order, &n));
    for (int64_t i = 0; i < n; ++i) {
        int64_t first = (tasks[i].descriptors - p->sample) / AK_SIFT_DIM;
        AK_TRY(AK_PARCEL_FIELD(&order, &first));
        AK_TRY(AK_PARCEL_FIELD(&order, &tasks[i].features->n));
    }
    p->tasks = tasks;
    AK_TRY(ak_crew_ask(&p->crew, ctx, QUANTIZE, &order));
done:
    ak_parcel_free(&order);
    return st;
}

int64_t ak_picture_crew_batch(const ak_picture_crew *p)
{
    return ak_extractor_batch(p->extractor) * ak_crew_size(&p->crew);
}
