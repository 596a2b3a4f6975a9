#include "collection/faces/finder.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/parallel.h"
#include "vision/decode.h"

enum { EACH = 4 };  // photos per thread and call

/* A thread has its own context and programs. */
typedef struct finder_worker {
    akin_ctx *ctx;
    ak_decoder *decoder;
    ak_face_reader *reader;
} finder_worker;

struct ak_face_finder {
    int64_t n;
    finder_worker *workers;
};

static akin_status open_worker(finder_worker *w, akin_ctx *ctx,
                               const ak_finder_options *options)
{
    ak_decode_options o = AK_DECODE_DEFAULTS;
    const akin_allocator allocator = ak_ctx_allocator(ctx);
    o.side = options->side;
    AK_CHECK(ak_decoder_open(&w->decoder, ctx, &o));
    AK_CHECK(ak_face_reader_open(&w->reader, ctx, &options->face));
    if (akin_ctx_new(&w->ctx, &allocator) != AKIN_OK)
        return ak_nomem(ctx, 0);
    akin_ctx_set_threads(w->ctx, 1);
    return AKIN_OK;
}

akin_status ak_face_finder_new(ak_face_finder **out, akin_ctx *ctx,
                               const ak_finder_options *options)
{
    ak_face_finder *f = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &f));
    AK_TRY(AK_NEW(ctx, ak_workers(ctx), &f->workers));
    while (f->n < ak_workers(ctx))
        AK_TRY(open_worker(&f->workers[f->n++], ctx, options));
    *out = f;
    f = NULL;
done:
    ak_face_finder_free(f);
    return st;
}

void ak_face_finder_free(ak_face_finder *f)
{
    if (f == NULL)
        return;
    for (int64_t i = 0; i < f->n; ++i) {
        ak_decoder_close(f->workers[i].decoder);
        ak_face_reader_close(f->workers[i].reader);
        akin_ctx_free(f->workers[i].ctx);
    }
    akin_free(f->workers);
    akin_free(f);
}

int64_t ak_face_finder_batch(const ak_face_finder *f)
{
    return EACH * f->n;
}

void ak_face_task_free(ak_face_task *t)
{
    akin_free(t->why);
    ak_face_set_free(&t->faces);
    ak_face_set_free(&t->drawn_faces);
    ak_boxes_free(&t->drawn.boxes);
    ak_boxes_free(&t->inside);
    ak_tags_free(&t->tags);
    t->why = NULL;
}

/* ---- one photo ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Its size in the file, of the lines `name value`; else that of the pixels. */
static int64_t size_of(const char *facts, const char *name, int64_t else_)
{
    const size_t n = strlen(name);
    for (const char *p = facts; *p != '\0'; p += *p == '\n') {
        if (strncmp(p, name, n) == 0 && p[n] == ' ') {
            const int64_t size = strtoll(p + n, NULL, 10);
            return size > 0 ? size : else_;
        }
        p += strcspn(p, "\n");
    }
    return else_;
}

static void scale_boxes(double *boxes, int64_t n, double x, double y)
{
    for (int64_t i = 0; i < n; ++i)
        boxes[i] *= i % 2 == 0 ? x : y;
}

static void scale_faces(ak_face_set *f, double x, double y)
{
    for (int64_t i = 0; i < f->n; ++i) {
        ak_face *one = &f->faces[i];
        scale_boxes(one->box, 4, x, y);
        for (int k = 0; k < 4; ++k)
            one->box[k] = ak_pixels(one->box[k]);
        scale_boxes(one->points, 2 * AK_FACE_POINTS, x, y);
        one->quality.size *= x;
    }
}

/* At the boxes, or where faces are found (NULL). */
static akin_status read_faces(const finder_worker *w, const ak_face_task *t,
                              const ak_image *image, const ak_boxes *given,
                              ak_face_set *out)
{
    const double x = (double)t->width / (double)image->width;
    const double y = (double)t->height / (double)image->height;
    const ak_mark mark = ak_scratch_begin(w->ctx);
    double *boxes = NULL;
    akin_status st = AKIN_OK;
    if (given != NULL) {
        const int64_t n = 4 * given->n;
        AK_TRY(AK_SCRATCH(w->ctx, n, &boxes));
        if (n > 0)
            memcpy(boxes, given->boxes, (size_t)n * sizeof *boxes);
        scale_boxes(boxes, n, 1.0 / x, 1.0 / y);
    }
    AK_TRY(ak_face_reader_read(w->reader, w->ctx, t->path, image, boxes,
                               given ? given->n : 0, out));
    scale_faces(out, x, y);
    for (int64_t i = 0; given != NULL && i < out->n; ++i) {
        memcpy(out->faces[i].box, given->boxes + 4 * i,
               sizeof out->faces[i].box);
        out->faces[i].score = 0.0;
    }
done:
    ak_scratch_end(w->ctx, mark);
    return st;
}

/* Those that people drew, at the same places of a photo that has another size
 * now. */
static akin_status read_drawn(const finder_worker *w, ak_face_task *t,
                              const ak_image *image)
{
    ak_drawn *d = &t->drawn;
    if (d->boxes.n == 0)
        return AKIN_OK;
    if (d->width > 0 && d->height > 0)
        scale_boxes(d->boxes.boxes, 4 * d->boxes.n,
                    (double)t->width / (double)d->width,
                    (double)t->height / (double)d->height);
    return read_faces(w, t, image, &d->boxes, &t->drawn_faces);
}

/* Faces that are not in the photo are not looked at. */
static akin_status drop_outside(const finder_worker *w, ak_face_task *t)
{
    bool all = true;
    for (int64_t i = 0; t->boxes != NULL && i < t->boxes->n; ++i)
        all &= ak_box_is_inside(t->boxes->boxes + 4 * i, t->width, t->height);
    if (all)
        return AKIN_OK;
    AK_CHECK(
        ak_boxes_inside(&t->inside, w->ctx, t->boxes, t->width, t->height));
    t->boxes = &t->inside;
    return AKIN_OK;
}

static akin_status look(const finder_worker *w, ak_face_task *t)
{
    const double start = now();
    ak_image image = {0, 0, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(ak_decoder_read(w->decoder, w->ctx, t->path, &image));
    t->decode_seconds = now() - start;
    const char *facts = ak_decoder_facts(w->decoder);
    t->width = size_of(facts, "width", image.width);
    t->height = size_of(facts, "height", image.height);
    if (t->reads_tags)
        AK_TRY(ak_tags_read(&t->tags, w->ctx, w->decoder, t->path, t->width,
                            t->height));
    if (t->uses_regions && t->tags.has_regions)
        t->boxes = &t->tags.boxes;
    AK_TRY(drop_outside(w, t));
    AK_TRY(read_faces(w, t, &image, t->boxes, &t->faces));
    AK_TRY(read_drawn(w, t, &image));
done:
    ak_image_free(&image);
    return st;
}

/* ---- all ---- */

typedef struct finding {
    ak_face_finder *f;
    ak_face_task *tasks;
} finding;

static akin_status look_at_some(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const finding *x = arg;
    const finder_worker *w = &x->f->workers[worker];
    for (int64_t i = begin; i < end; ++i) {
        ak_face_task *t = &x->tasks[i];
        t->status = look(w, t);
        if (t->status == AKIN_OK)
            continue;
        if (ak_strdup(w->ctx, akin_ctx_message(w->ctx), &t->why) != AKIN_OK)
            t->status = AKIN_ENOMEM;
    }
    return AKIN_OK;
}

/* Is it the photo's trouble alone? */
static bool is_local(akin_status st)
{
    return st == AKIN_EFORMAT || st == AKIN_ENOENT || st == AKIN_ESHAPE;
}

akin_status ak_face_finder_look(ak_face_finder *f, akin_ctx *ctx,
                                ak_face_task *tasks, int64_t n)
{
    finding x = {f, tasks};
    return ak_parallel_for(ctx, n, 1, look_at_some, &x);
}

akin_status ak_face_tasks_check(akin_ctx *ctx, const ak_face_task *tasks,
                                int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        if (tasks[i].status != AKIN_OK && !is_local(tasks[i].status))
            return ak_fail(ctx, tasks[i].status, "%s",
                           tasks[i].why ? tasks[i].why : "out of memory");
    return AKIN_OK;
}

akin_status ak_face_finder_run(ak_face_finder *f, akin_ctx *ctx,
                               ak_face_task *tasks, int64_t n)
{
    AK_CHECK(ak_face_finder_look(f, ctx, tasks, n));
    return ak_face_tasks_check(ctx, tasks, n);
}
