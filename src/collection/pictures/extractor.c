#include "collection/pictures/extractor.h"

#include <string.h>

#include "base/parallel.h"
#include "vision/decode.h"
#include "vision/moments.h"

enum { EACH = 8 };  // pictures per thread and call

/* A thread has its own context and decoder. */
typedef struct extract_worker {
    akin_ctx *ctx;
    ak_decoder *decoder;
} extract_worker;

struct ak_extractor {
    ak_extract_options sight;
    int64_t n;
    extract_worker *workers;
};

void ak_features_free(ak_features *s)
{
    akin_free(s->why);
    akin_free(s->frames);
    akin_free(s->descriptors);
    akin_free(s->words);
    akin_free(s->colours);
    akin_free(s->facts);
    *s = (ak_features){0};
}

ak_extract_options ak_extract_options_of(int64_t side, int64_t first_octave,
                                         const char *colours)
{
    return (ak_extract_options){side, first_octave,
                                strcmp(colours, "luv") == 0 ? AK_COLOURS_LUV
                                : strcmp(colours, "hsv") == 0
                                    ? AK_COLOURS_HSV
                                    : AK_COLOURS_NONE};
}

akin_status ak_extractor_new(ak_extractor **out, akin_ctx *ctx,
                             const ak_extract_options *sight)
{
    ak_decode_options o = AK_DECODE_DEFAULTS;
    const akin_allocator allocator = ak_ctx_allocator(ctx);
    ak_extractor *e = NULL;
    akin_status st = AKIN_OK;
    o.side = sight->side;
    AK_TRY(AK_NEW(ctx, 1, &e));
    e->sight = *sight;
    AK_TRY(AK_NEW(ctx, ak_workers(ctx), &e->workers));
    for (; e->n < ak_workers(ctx); ++e->n) {
        extract_worker *one = &e->workers[e->n];
        AK_TRY(ak_decoder_open(&one->decoder, ctx, &o));
        if (akin_ctx_new(&one->ctx, &allocator) != AKIN_OK) {
            ak_decoder_close(one->decoder);
            AK_TRY(ak_nomem(ctx, 0));
        }
        akin_ctx_set_threads(one->ctx, 1);
    }
    *out = e;
    e = NULL;
done:
    ak_extractor_free(e);
    return st;
}

void ak_extractor_free(ak_extractor *e)
{
    if (e == NULL)
        return;
    for (int64_t i = 0; i < e->n; ++i) {
        ak_decoder_close(e->workers[i].decoder);
        akin_ctx_free(e->workers[i].ctx);
    }
    akin_free(e->workers);
    akin_free(e);
}

int64_t ak_extractor_batch(const ak_extractor *e)
{
    return EACH * e->n;
}

typedef struct task {
    ak_extractor *e;
    const char *const *paths;
    const ak_codebook *codebook;
    ak_features *out;
} task;

static akin_status see_colours(const ak_extractor *e, akin_ctx *ctx,
                               const ak_image *image, ak_features *s)
{
    if (e->sight.colours == AK_COLOURS_NONE)
        return AKIN_OK;
    AK_CHECK(AK_NEW(ctx, AK_MOMENTS_DIM, &s->colours));
    return ak_colour_moments(ctx, image,
                             e->sight.colours == AK_COLOURS_LUV ? AK_SPACE_LUV
                                                                : AK_SPACE_HSV,
                             s->colours);
}

static akin_status find_words(const ak_codebook *codebook, akin_ctx *ctx,
                              const uint8_t *descriptors, ak_features *s)
{
    const ak_points points = {.n = s->n, .d = AK_SIFT_DIM, .u8 = descriptors};
    AK_CHECK(AK_NEW(ctx, s->n, &s->words));
    return ak_codebook_assign(codebook, ctx, &points, s->words, NULL);
}

static akin_status see(const task *t, const extract_worker *one,
                       const char *path, ak_features *s)
{
    ak_sift_options o = AK_SIFT_DEFAULTS;
    ak_image image = {0, 0, NULL};
    ak_sift sift = {0, NULL, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(ak_decoder_read(one->decoder, one->ctx, path, &image));
    s->width = image.width;
    s->height = image.height;
    AK_TRY(ak_strdup(one->ctx, ak_decoder_facts(one->decoder), &s->facts));
    o.first_octave = t->e->sight.first_octave;
    AK_TRY(see_colours(t->e, one->ctx, &image, s));
    AK_TRY(ak_sift_of(&sift, one->ctx, &image, &o));
    s->n = sift.n;
    s->frames = sift.frames;
    s->descriptors = sift.descriptors;
    if (t->codebook != NULL) {
        AK_TRY(find_words(t->codebook, one->ctx, s->descriptors, s));
        akin_free(s->descriptors);
        s->descriptors = NULL;
    }
done:
    ak_image_free(&image);
    return st;
}

/* Is it the picture's trouble alone? */
static bool is_local(akin_status st)
{
    return st == AKIN_EFORMAT || st == AKIN_ENOENT || st == AKIN_ESHAPE;
}

static akin_status look(void *arg, int64_t begin, int64_t end, int64_t worker)
{
    const task *t = arg;
    const extract_worker *one = &t->e->workers[worker];
    for (int64_t i = begin; i < end; ++i) {
        ak_features *s = &t->out[i];
        const akin_status st = see(t, one, t->paths[i], s);
        if (st == AKIN_OK)
            continue;
        ak_features_free(s);
        s->status = st;
        if (ak_strdup(one->ctx, akin_ctx_message(one->ctx), &s->why) != AKIN_OK)
            s->status = AKIN_ENOMEM;
    }
    return AKIN_OK;
}

akin_status ak_extractor_look(ak_extractor *e, akin_ctx *ctx,
                              const char *const *paths, int64_t n,
                              const ak_codebook *codebook, ak_features *out)
{
    task t = {e, paths, codebook, out};
    return ak_parallel_for(ctx, n, 1, look, &t);
}

akin_status ak_features_check(akin_ctx *ctx, const ak_features *all, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        if (all[i].status != AKIN_OK && !is_local(all[i].status))
            return ak_fail(ctx, all[i].status, "%s",
                           all[i].why ? all[i].why : "out of memory");
    return AKIN_OK;
}

akin_status ak_extractor_run(ak_extractor *e, akin_ctx *ctx,
                             const char *const *paths, int64_t n,
                             const ak_codebook *codebook, ak_features *out)
{
    AK_CHECK(ak_extractor_look(e, ctx, paths, n, codebook, out));
    return ak_features_check(ctx, out, n);
}

typedef struct reading {
    ak_extractor *e;
    const ak_quantize_task *tasks;
    const ak_codebook *codebook;
} reading;

static akin_status read_words(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const reading *r = arg;
    akin_status st = AKIN_OK;
    for (int64_t i = begin; i < end && st == AKIN_OK; ++i)
        st = find_words(r->codebook, r->e->workers[worker].ctx,
                        r->tasks[i].descriptors, r->tasks[i].features);
    return st;
}

akin_status ak_extractor_quantize(ak_extractor *e, akin_ctx *ctx,
                                  const ak_quantize_task *tasks, int64_t n,
                                  const ak_codebook *codebook)
{
    reading r = {e, tasks, codebook};
    const akin_status st = ak_parallel_for(ctx, n, 1, read_words, &r);
    return st == AKIN_ENOMEM ? ak_nomem(ctx, 0) : st;
}
