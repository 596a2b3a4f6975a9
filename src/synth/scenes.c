/* Photographs of a town, as files. */
#include <akin/synth.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/parallel.h"
#include "synth/scene.h"
#include "vision/decode.h"

enum { WINDOW = 8, QUALITY = 88, MOST_SIDE = 4096 };

/* A thread's own. */
typedef struct hand {
    akin_ctx *ctx;
    ak_decoder *encoder;
    ak_image image;
} hand;

typedef struct work {
    akin_synth_scenes_options o;
    const char *folder;
    ak_town town;
    ak_rng root;
    hand *hands;
    int64_t n_hands;
    int64_t first;  // picture of the window at hand
} work;

static akin_status check(akin_ctx *ctx, const akin_synth_scenes_options *o)
{
    if (o->landmarks < 1 || o->views < 1 || o->others < 0 ||
        o->landmarks > 10000 || o->views > 10000 || o->others > 10000000)
        return ak_fail(ctx, AKIN_EINVAL,
                       "landmarks, views or others is out of range");
    if (o->width < 64 || o->height < 64 || o->width > MOST_SIDE ||
        o->height > MOST_SIDE)
        return ak_fail(ctx, AKIN_EINVAL,
                       "pictures of %" PRId64 " x %" PRId64
                       " pixels (expected 64 to %d)",
                       o->width, o->height, MOST_SIDE);
    return AKIN_OK;
}

static akin_status make_folder(akin_ctx *ctx, const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return AKIN_OK;
    return ak_file_fail(ctx, AKIN_EIO, path);
}

static akin_status make_folders(const work *w, akin_ctx *ctx)
{
    char path[PATH_MAX];
    akin_status st = AKIN_OK;
    AK_TRY(make_folder(ctx, w->folder));
    for (int64_t k = 0; k < w->o.landmarks; ++k) {
        snprintf(path, sizeof path, "%s/landmark_%02" PRId64, w->folder, k);
        AK_TRY(make_folder(ctx, path));
    }
done:
    return st;
}

static akin_status open_hands(work *w, akin_ctx *ctx)
{
    const ak_decode_options o = AK_DECODE_DEFAULTS;
    const akin_allocator allocator = ak_ctx_allocator(ctx);
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, ak_workers(ctx), &w->hands));
    for (int64_t i = 0; i < ak_workers(ctx); ++i) {
        hand *h = &w->hands[w->n_hands++];
        AK_TRY(ak_decoder_open(&h->encoder, ctx, &o));
        if (akin_ctx_new(&h->ctx, &allocator) != AKIN_OK)
            AK_TRY(ak_nomem(ctx, 0));
        h->image.width = w->o.width;
        h->image.height = w->o.height;
        AK_TRY(AK_NEW(ctx, 3 * w->o.width * w->o.height, &h->image.rgb));
    }
done:
    return st;
}

static void close_hands(work *w, akin_ctx *ctx)
{
    for (int64_t i = 0; i < w->n_hands; ++i) {
        ak_decoder_close(w->hands[i].encoder, ctx);
        akin_ctx_free(w->hands[i].ctx);
        ak_image_free(&w->hands[i].image, ctx);
    }
    ak_release(ctx, w->hands);
}

/* Where picture i goes, and what is on it. */
static int64_t name_picture(const work *w, int64_t i, char path[PATH_MAX])
{
    const int64_t views = w->o.landmarks * w->o.views;
    if (i >= views) {
        snprintf(path, PATH_MAX, "%s/street_%03" PRId64 ".jpg", w->folder,
                 i - views);
        return -1;
    }
    snprintf(path, PATH_MAX, "%s/landmark_%02" PRId64 "/%03" PRId64 ".jpg",
             w->folder, i / w->o.views, i % w->o.views);
    return i / w->o.views;
}

static akin_status make_picture(const work *w, hand *h, int64_t i)
{
    const ak_rng r = ak_rng_split(w->root, 16 + (uint64_t)i);
    char path[PATH_MAX];
    ak_writer *to = NULL;
    uint8_t *bytes = NULL;
    int64_t n;
    akin_status st = AKIN_OK;
    const int64_t landmark = name_picture(w, i, path);
    AK_TRY(ak_town_photograph(&w->town, h->ctx, r, landmark, &h->image));
    AK_TRY(
        ak_decoder_encode(h->encoder, h->ctx, &h->image, QUALITY, &bytes, &n));
    AK_TRY(ak_writer_open(&to, h->ctx, path));
    AK_TRY(ak_writer_put(to, h->ctx, bytes, (size_t)n));
    st = ak_writer_commit(to, h->ctx);
    to = NULL;
done:
    ak_writer_abort(to, h->ctx);
    ak_release(h->ctx, bytes);
    return st;
}

static akin_status make_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const work *w = arg;
    akin_status st = AKIN_OK;
    for (int64_t i = begin; i < end && st == AKIN_OK; ++i)
        st = make_picture(w, &w->hands[worker], w->first + i);
    return st;
}

/* The message of the hand that failed. */
static akin_status pass_on(const work *w, akin_ctx *ctx, akin_status st)
{
    for (int64_t i = 0; st != AKIN_OK && i < w->n_hands; ++i)
        if (akin_ctx_message(w->hands[i].ctx)[0] != '\0')
            return ak_fail(ctx, st, "%s", akin_ctx_message(w->hands[i].ctx));
    return st;
}

static akin_status make_all(work *w, akin_ctx *ctx)
{
    const int64_t n = w->o.landmarks * w->o.views + w->o.others;
    const int64_t window = WINDOW * w->n_hands;
    akin_status st = AKIN_OK;
    for (; w->first < n; w->first += window) {
        AK_TRY(ak_ctx_tick(ctx, "pictures", w->first, n, NAN));
        AK_TRY(pass_on(w, ctx,
                       ak_parallel_for(ctx, ak_min_i64(window, n - w->first), 1,
                                       make_block, w)));
    }
    AK_TRY(ak_ctx_tick(ctx, "pictures", n, n, NAN));
done:
    return st;
}

akin_status akin_synth_scenes(akin_ctx *ctx, const char *folder,
                              const akin_synth_scenes_options *options)
{
    work w = {.o = AKIN_SYNTH_SCENES_DEFAULTS, .folder = folder};
    akin_status st = AKIN_OK;
    ak_options_take(&w.o, sizeof w.o, options);
    AK_TRY(check(ctx, &w.o));
    w.root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_SYNTH);
    AK_TRY(open_hands(&w, ctx));
    AK_TRY(ak_town_build(&w.town, ctx, w.o.landmarks, w.root));
    AK_TRY(make_folders(&w, ctx));
    AK_TRY(make_all(&w, ctx));
done:
    ak_town_free(&w.town, ctx);
    close_hands(&w, ctx);
    return st;
}
