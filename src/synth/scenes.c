/* Pictures of landmarks in a synthetic town, as JPEG files. */
#include <akin/synth.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/parallel.h"
#include "synth/paint.h"
#include "synth/ranges.h"
#include "vision/decode.h"
#include "vision/image.h"

enum { AK_HOUSES = 5, AK_TREES = 4, AK_CARS = 3, AK_PERSONS = 4 };

/* What pictures show; zeroed before use. */
typedef struct town {
    int64_t n_landmarks;
    ak_sprite *landmarks;
    ak_sprite houses[AK_HOUSES], trees[AK_TREES], cars[AK_CARS],
        persons[AK_PERSONS];
} town;

/* ---- the town ----------------------------------------------------------- */

typedef akin_status (*paint_fn)(ak_sprite *out, akin_ctx *ctx, ak_rng r);

static akin_status paint_all(ak_sprite *out, int64_t n, akin_ctx *ctx,
                             paint_fn paint, ak_rng r)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < n && st == AKIN_OK; ++i)
        st = paint(&out[i], ctx, ak_rng_split(r, (uint64_t)i));
    return st;
}

static akin_status town_build(town *t, akin_ctx *ctx, int64_t n_landmarks,
                              ak_rng root)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, n_landmarks, &t->landmarks));
    t->n_landmarks = n_landmarks;
    AK_TRY(paint_all(t->landmarks, n_landmarks, ctx, ak_paint_landmark,
                     ak_rng_split(root, 0)));
    AK_TRY(paint_all(t->houses, AK_HOUSES, ctx, ak_paint_house,
                     ak_rng_split(root, 1)));
    AK_TRY(paint_all(t->trees, AK_TREES, ctx, ak_paint_tree,
                     ak_rng_split(root, 2)));
    AK_TRY(
        paint_all(t->cars, AK_CARS, ctx, ak_paint_car, ak_rng_split(root, 3)));
    AK_TRY(paint_all(t->persons, AK_PERSONS, ctx, ak_paint_person,
                     ak_rng_split(root, 4)));
done:
    return st;
}

static void free_all(ak_sprite *s, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        ak_sprite_free(&s[i]);
}

static void town_free(town *t)
{
    free_all(t->landmarks, t->n_landmarks);
    free_all(t->houses, AK_HOUSES);
    free_all(t->trees, AK_TREES);
    free_all(t->cars, AK_CARS);
    free_all(t->persons, AK_PERSONS);
    akin_free(t->landmarks);
}

/* ---- the view ----------------------------------------------------------- */

typedef struct view {
    const town *town;
    ak_canvas *c;
    ak_rng *r;
    double horizon;  // where the ground begins
} view;

static void paint_sky(const view *v)
{
    const double grey = ak_rng_unit(v->r);
    const ak_colour top = ak_hsv(0.58, 0.65 - 0.5 * grey, 0.85 - 0.2 * grey);
    const ak_colour low = ak_hsv(0.55, 0.15, 0.95);
    const uint64_t seed = ak_rng_next(v->r);
    for (int64_t y = 0; y < v->c->h; ++y)
        for (int64_t x = 0; x < v->c->w; ++x) {
            const double t = (double)y / (double)v->c->h;
            const double cloud =
                ak_noise_rough(seed, (double)x / 130.0, (double)y / 55.0);
            const float a = (float)fmin(1.0, t + fmax(0.0, 2.2 * cloud - 1.0));
            ak_canvas_dot(v->c, x, y, top, 1.0F);
            ak_canvas_dot(v->c, x, y, low, a);
            v->c->px[4 * (y * v->c->w + x) + 3] =
                0.0F;  // the sky has no shadows
        }
}

static void paint_ground(const view *v)
{
    const ak_colour k = ak_hsv(ak_between(v->r, 0.08, 0.15),
                               ak_between(v->r, 0.05, 0.25),
                               ak_between(v->r, 0.4, 0.65));
    const uint64_t seed = ak_rng_next(v->r);
    for (int64_t y = (int64_t)v->horizon; y < v->c->h; ++y) {
        const double near =
            1.0 / (1.0 + (double)v->c->h - (double)y + 0.15 * (double)v->c->h);
        for (int64_t x = 0; x < v->c->w; ++x) {
            const double u = ((double)x - 0.5 * (double)v->c->w) * near * 30.0;
            const double f = ak_noise_rough(seed, u, near * 900.0);
            ak_canvas_dot(v->c, x, y, ak_shade(k, 0.7 + 0.6 * f), 1.0F);
        }
    }
}

/* Upright at (x, y), the middle of its foot. */
static void stand(const view *v, const ak_sprite *s, double x, double y,
                  double h, double light)
{
    const double ratio = (double)s->level[0].w / (double)s->level[0].h;
    const double w = h * ratio;
    const bool turned = ak_rng_unit(v->r) < 0.5;
    const double l = turned ? x + 0.5 * w : x - 0.5 * w;
    const double r = turned ? x - 0.5 * w : x + 0.5 * w;
    const double q[8] = {l, y - h, r, y - h, r, y, l, y};
    ak_sprite_draw(s, v->c, q, light);
}

static void paint_houses(const view *v, int64_t n)
{
    double x = ak_between(v->r, -60.0, 20.0);
    for (int64_t k = 0; k < n; ++k) {
        const double h = ak_between(v->r, 0.4, 0.75) * (double)v->c->h;
        stand(v, &v->town->houses[ak_rng_below(v->r, AK_HOUSES)], x,
              v->horizon + 4, h, ak_between(v->r, 0.7, 1.0));
        x += ak_between(v->r, 0.5, 1.0) * h;
    }
}

/* At a random angle and distance, with the camera slightly rotated. */
static void paint_landmark(const view *v, const ak_sprite *s)
{
    const double h = ak_between(v->r, 0.62, 1.15) * (double)v->c->h;
    const double yaw = ak_between(v->r, -0.85, 0.85);
    const double roll = ak_between(v->r, -0.1, 0.1);
    const double w = h * cos(yaw), tilt = 0.28 * sin(yaw);
    const double x = ak_between(v->r, 0.35, 0.65) * (double)v->c->w;
    const double y = v->horizon + ak_between(v->r, 0.0, 0.12) * (double)v->c->h;
    const double left = h * (1.0 + tilt), right = h * (1.0 - tilt);
    double q[8] = {-0.5 * w, -left, 0.5 * w, -right, 0.5 * w, 0.0, -0.5 * w, 0};
    for (int k = 0; k < 4; ++k) {
        const double u = q[2 * k], t = q[2 * k + 1];
        q[2 * k] = x + u * cos(roll) - t * sin(roll);
        q[2 * k + 1] = y + u * sin(roll) + t * cos(roll);
    }
    ak_sprite_draw(s, v->c, q, ak_between(v->r, 0.85, 1.1));
}

/* Things of a kind along the street, larger where they are nearer. */
static void paint_things(const view *v, const ak_sprite *s, int64_t kinds,
                         int64_t n, double size)
{
    for (int64_t k = 0; k < n; ++k) {
        const double near = ak_rng_unit(v->r);
        const double y = v->horizon +
                         near * ((double)v->c->h - v->horizon) * 0.9;
        stand(v, &s[ak_rng_below(v->r, kinds)],
              ak_rng_unit(v->r) * (double)v->c->w, y,
              size * (0.6 + 0.9 * near) * (double)v->c->h,
              ak_between(v->r, 0.8, 1.1));
    }
}

/* ---- light and camera --------------------------------------------------- */

static void light_up(const view *v)
{
    static const float days[4][3] = {{1.0F, 1.0F, 0.98F},
                                     {1.15F, 0.95F, 0.72F},
                                     {0.62F, 0.7F, 0.95F},
                                     {0.88F, 0.9F, 0.92F}};
    const float *day = days[ak_rng_below(v->r, 4)];
    const double gain = ak_between(v->r, 0.75, 1.2);
    const double angle = ak_between(v->r, 0.0, 6.28);
    const double edge = ak_between(v->r, -0.5, 1.2) * (double)v->c->w * 0.5;
    const double dark = ak_between(v->r, 0.45, 0.9);
    const double gamma = ak_between(v->r, 0.8, 1.3);
    for (int64_t i = 0; i < v->c->w * v->c->h; ++i) {
        const double x = (double)(i % v->c->w) - 0.5 * (double)v->c->w;
        const double y = (double)(i / v->c->w) - 0.5 * (double)v->c->h;
        const double side = x * cos(angle) + y * sin(angle) - edge;
        const double lit = fmax(0.0, fmin(1.0, 0.5 - side / 12.0));
        const double shadow = 1.0 - (1.0 - dark) * (1.0 - lit) *
                                        (double)v->c->px[4 * i + 3];
        for (int b = 0; b < 3; ++b) {
            const double p = gain * shadow * (double)day[b] *
                             (double)v->c->px[4 * i + b];
            v->c->px[4 * i + b] = (float)pow(fmax(0.0, fmin(1.0, p)), gamma);
        }
    }
}

/* Box blur of one row or column. */
static void blur_line(float *px, int64_t n, int64_t step, int64_t radius,
                      float *room)
{
    for (int b = 0; b < 3; ++b) {
        float sum = 0.0F;
        for (int64_t i = 0; i < n; ++i)
            room[i] = px[i * step + b];
        for (int64_t i = -radius; i <= radius; ++i)
            sum += room[ak_max_i64(0, ak_min_i64(n - 1, i))];
        for (int64_t i = 0; i < n; ++i) {
            px[i * step + b] = sum / (float)(2 * radius + 1);
            sum += room[ak_min_i64(n - 1, i + radius + 1)] -
                   room[ak_max_i64(0, i - radius)];
        }
    }
}

static void blur(const view *v, int64_t radius, float *room)
{
    const int64_t w = v->c->w, h = v->c->h;
    for (int64_t y = 0; y < h && radius > 0; ++y)
        blur_line(v->c->px + 4 * y * w, w, 4, radius, room);
    for (int64_t x = 0; x < w && radius > 0; ++x)
        blur_line(v->c->px + 4 * x, h, 4 * w, radius, room);
}

static void expose(const view *v, ak_image *image)
{
    const double noise = ak_between(v->r, 2.0, 9.0);
    for (int64_t i = 0; i < image->width * image->height; ++i)
        for (int b = 0; b < 3; ++b) {
            const double grain = ak_rng_unit(v->r) + ak_rng_unit(v->r) - 1.0;
            const double p = 255.0 * (double)v->c->px[4 * i + b] +
                             noise * grain;
            image->rgb[3 * i + b] = (uint8_t)fmax(0.0, fmin(255.0, p + 0.5));
        }
}

/* A view of a landmark (-1: a street without one) in random light, with houses,
 * trees, cars and people; `image` has size and memory. */
static akin_status town_photograph(const town *t, akin_ctx *ctx, ak_rng r,
                                   int64_t landmark, ak_image *image)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_canvas c = {image->width, image->height, NULL};
    view v = {t, &c, &r, 0.0};
    float *room;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 4 * c.w * c.h, &c.px));
    AK_TRY(AK_SCRATCH(ctx, ak_max_i64(c.w, c.h), &room));
    v.horizon = ak_between(&r, 0.72, 0.88) * (double)c.h;
    paint_sky(&v);
    paint_ground(&v);
    paint_houses(&v, landmark < 0 ? 5 : 3 + ak_rng_below(&r, 3));
    if (landmark >= 0)
        paint_landmark(&v, &t->landmarks[landmark]);
    paint_things(&v, t->trees, AK_TREES, 1 + ak_rng_below(&r, 4), 0.38);
    paint_things(&v, t->cars, AK_CARS, ak_rng_below(&r, 4), 0.2);
    paint_things(&v, t->persons, AK_PERSONS, ak_rng_below(&r, 5), 0.16);
    light_up(&v);
    blur(&v, ak_rng_below(&r, 3) / 2 + ak_rng_below(&r, 4) / 3, room);
    expose(&v, image);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- files ------------------------------------------------------------- */

enum { WINDOW = 8, QUALITY = 88, MOST_SIDE = 4096 };

/* The state of a worker thread. */
typedef struct scene_worker {
    akin_ctx *ctx;
    ak_decoder *encoder;
    ak_image image;
} scene_worker;

typedef struct work {
    akin_synth_scenes_options o;
    const char *folder;
    town town;
    ak_rng root;
    scene_worker *workers;
    int64_t n_workers;
    int64_t first;  // picture of the current window
} work;

static akin_status check(akin_ctx *ctx, const akin_synth_scenes_options *o)
{
    const ak_range ranges[] = {
        {"landmarks", (double)o->landmarks, 1, 10000},
        {"views", (double)o->views, 1, 10000},
        {"others", (double)o->others, 0, 1e7},
        {"width", (double)o->width, 64, MOST_SIDE},
        {"height", (double)o->height, 64, MOST_SIDE},
    };
    return ak_ranges_check(ctx, ranges, sizeof ranges / sizeof *ranges);
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

static akin_status open_workers(work *w, akin_ctx *ctx)
{
    const ak_decode_options o = AK_DECODE_DEFAULTS;
    const akin_allocator allocator = ak_ctx_allocator(ctx);
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, ak_workers(ctx), &w->workers));
    for (int64_t i = 0; i < ak_workers(ctx); ++i) {
        scene_worker *h = &w->workers[w->n_workers++];
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

static void close_workers(work *w)
{
    for (int64_t i = 0; i < w->n_workers; ++i) {
        ak_decoder_close(w->workers[i].encoder);
        akin_ctx_free(w->workers[i].ctx);
        ak_image_free(&w->workers[i].image);
    }
    akin_free(w->workers);
}

/* The path of picture i; returns the landmark it shows, -1: none. */
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

static akin_status make_picture(const work *w, scene_worker *h, int64_t i)
{
    const ak_rng r = ak_rng_split(w->root, 16 + (uint64_t)i);
    char path[PATH_MAX];
    uint8_t *bytes = NULL;
    int64_t n;
    akin_status st = AKIN_OK;
    const int64_t landmark = name_picture(w, i, path);
    AK_TRY(town_photograph(&w->town, h->ctx, r, landmark, &h->image));
    AK_TRY(
        ak_decoder_encode(h->encoder, h->ctx, &h->image, QUALITY, &bytes, &n));
    AK_TRY(ak_file_write(h->ctx, path, bytes, (size_t)n));
done:
    akin_free(bytes);
    return st;
}

static akin_status make_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const work *w = arg;
    akin_status st = AKIN_OK;
    for (int64_t i = begin; i < end && st == AKIN_OK; ++i)
        st = make_picture(w, &w->workers[worker], w->first + i);
    return st;
}

/* The message of the worker that failed. */
static akin_status pass_on(const work *w, akin_ctx *ctx, akin_status st)
{
    for (int64_t i = 0; st != AKIN_OK && i < w->n_workers; ++i)
        if (akin_ctx_message(w->workers[i].ctx)[0] != '\0')
            return ak_fail(ctx, st, "%s", akin_ctx_message(w->workers[i].ctx));
    return st;
}

static akin_status make_all(work *w, akin_ctx *ctx)
{
    const int64_t n = w->o.landmarks * w->o.views + w->o.others;
    const int64_t window = WINDOW * w->n_workers;
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
    AK_TRY(open_workers(&w, ctx));
    AK_TRY(town_build(&w.town, ctx, w.o.landmarks, w.root));
    AK_TRY(make_folders(&w, ctx));
    AK_TRY(make_all(&w, ctx));
done:
    town_free(&w.town);
    close_workers(&w);
    return st;
}
