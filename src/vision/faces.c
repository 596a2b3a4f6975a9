#include "vision/faces.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/helper.h"

enum { MOST_FACES = 10000, MOST_UPSAMPLE = 3, LOAD_SECONDS = 60 };

struct ak_face_reader {
    ak_face_options o;
    ak_helper helper;
    char program[PATH_MAX], weights[PATH_MAX];
};

int64_t ak_face_dim(ak_face_descriptor descriptor)
{
    return descriptor == AK_FACE_RESNET ? AK_RESNET_DIM : AK_PATCHES_DIM;
}

/* ---- open ---- */

static akin_status find_parts(ak_face_reader *r, akin_ctx *ctx)
{
    static const char some_file[] = "shape_predictor_5_face_landmarks.dat";
    if (!ak_helper_find(r->program, "akin-face"))
        return ak_fail(ctx, AKIN_EABSENT,
                       "this akin was built without face detection (run "
                       "scripts/setup.sh --faces, then build again)");
    if (!ak_helper_weights(r->weights, some_file))
        return ak_fail(ctx, AKIN_EABSENT,
                       "the weights for faces are not installed (run "
                       "scripts/setup.sh --faces, or set AKIN_FACES to their "
                       "folder)");
    return AKIN_OK;
}

akin_status ak_face_reader_open(ak_face_reader **out, akin_ctx *ctx,
                                const ak_face_options *options)
{
    ak_face_reader *r = NULL;
    akin_status st = AKIN_OK;
    *out = NULL;
    if (options->upsample < 0 || options->upsample > MOST_UPSAMPLE)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "upsample is %" PRId64 " (expected 0 to %d)",
                       options->upsample, MOST_UPSAMPLE));
    AK_TRY(AK_NEW(ctx, 1, &r));
    r->o = *options;
    r->helper = AK_HELPER_NONE;
    AK_TRY(find_parts(r, ctx));
    *out = r;
    r = NULL;
done:
    akin_free(r);
    return st;
}

void ak_face_reader_close(ak_face_reader *r)
{
    if (r == NULL)
        return;
    ak_helper_end(&r->helper, false);
    akin_free(r);
}

void ak_face_set_free(ak_face_set *f)
{
    akin_free(f->faces);
    akin_free(f->descriptors);
    *f = (ak_face_set){0};
}

/* ---- the process ---- */

/* Weights that are not the known ones end it: that is no picture's trouble. */
static akin_status take_greeting(ak_face_reader *r, akin_ctx *ctx)
{
    char what = '\0', text[AK_HELPER_MESSAGE + 1] = "it did not start";
    if (ak_helper_get(&r->helper, &what, 1) && what == 'r')
        return AKIN_OK;
    if (what == 'e' && !ak_helper_text(&r->helper, text))
        strcpy(text, "it did not start");
    ak_helper_end(&r->helper, false);
    return ak_fail(ctx, AKIN_EABSENT,
                   "face detection: %s (run scripts/setup.sh --faces)", text);
}

static akin_status start(ak_face_reader *r, akin_ctx *ctx)
{
    char upsample[] = {(char)('0' + r->o.upsample), '\0'};
    const char *const args[] = {
        "akin-face",
        r->weights,
        r->o.detector == AK_DETECTOR_MMOD ? "mmod" : "hog",
        r->o.descriptor == AK_FACE_RESNET ? "resnet" : "none",
        upsample,
        NULL};
    if (r->helper.pid != 0)
        return AKIN_OK;
    errno = ak_helper_start(&r->helper, r->program, args, true);
    if (errno != 0)
        return ak_file_fail(ctx, AKIN_EIO, r->program);
    ak_helper_begin(&r->helper, LOAD_SECONDS);
    return take_greeting(r, ctx);
}

/* It died, or is stuck: the next picture gets a new one. */
static akin_status give_up(ak_face_reader *r, akin_ctx *ctx, const char *name)
{
    const bool late = ak_helper_is_late(&r->helper);
    ak_helper_end(&r->helper, false);
    if (late)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: face detection exceeded %g seconds", name,
                       r->o.seconds);
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: face detection failed (not enough memory?)", name);
}

/* ---- one picture ---- */

static bool ask(ak_face_reader *r, const ak_image *image, const double *boxes,
                int64_t n)
{
    const int32_t head[3] = {(int32_t)image->width, (int32_t)image->height,
                             boxes ? (int32_t)n : -1};
    return ak_helper_put(&r->helper, head, sizeof head) &&
           (boxes == NULL ||
            ak_helper_put(&r->helper, boxes, 4 * (size_t)n * sizeof *boxes)) &&
           ak_helper_put(&r->helper, image->rgb,
                         3 * (size_t)(image->width * image->height));
}

static bool all_finite(const double *x, int n)
{
    for (int i = 0; i < n; ++i)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static bool take_face(ak_face_reader *r, ak_face *f, float *descriptor)
{
    const bool resnet = r->o.descriptor == AK_FACE_RESNET;
    return ak_helper_get(&r->helper, f->box, sizeof f->box) &&
           ak_helper_get(&r->helper, &f->score, sizeof f->score) &&
           ak_helper_get(&r->helper, f->points, sizeof f->points) &&
           (!resnet || ak_helper_get(&r->helper, descriptor,
                                     AK_RESNET_DIM * sizeof *descriptor)) &&
           all_finite(f->box, 4) && all_finite(&f->score, 1) &&
           all_finite(f->points, 2 * AK_FACE_POINTS);
}

/* What else is known of a face, from its pixels; returns the seconds that took.
 */
static double look_at(const ak_face_reader *r, const ak_image *image,
                      ak_face *f, float *descriptor)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    f->quality = ak_face_quality_of(image, f->box, f->points);
    if (r->o.descriptor == AK_FACE_PATCHES)
        ak_face_patches(image, f->points, descriptor);
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) +
           1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

static int by_place(const void *left, const void *right)
{
    const double *a = ((const ak_face *)left)->box;
    const double *b = ((const ak_face *)right)->box;
    for (int i = 0; i < 4; ++i)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* `score` holds the place of each face while they are sorted. */
static akin_status sort_faces(akin_ctx *ctx, ak_face_set *f)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const size_t d = (size_t)f->dim;
    double *scores;
    float *rows;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, f->n, &scores));
    AK_TRY(AK_SCRATCH(ctx, f->n * f->dim, &rows));
    memcpy(rows, f->descriptors, (size_t)f->n * d * sizeof *rows);
    for (int64_t i = 0; i < f->n; ++i) {
        scores[i] = f->faces[i].score;
        f->faces[i].score = (double)i;
    }
    qsort(f->faces, (size_t)f->n, sizeof *f->faces, by_place);
    for (int64_t i = 0; i < f->n; ++i) {
        const size_t from = (size_t)f->faces[i].score;
        f->faces[i].score = scores[from];
        memcpy(f->descriptors + (size_t)i * d, rows + from * d,
               d * sizeof *rows);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status take_faces(ak_face_reader *r, akin_ctx *ctx,
                              const char *name, const ak_image *image,
                              bool given, ak_face_set *f)
{
    const bool resnet = r->o.descriptor == AK_FACE_RESNET;
    int32_t head[2];
    akin_status st = AKIN_OK;
    if (!ak_helper_get(&r->helper, head, sizeof head) || head[0] < 0 ||
        head[0] > MOST_FACES || head[1] != (resnet ? AK_RESNET_DIM : 0) ||
        !ak_helper_get(&r->helper, f->seconds, sizeof f->seconds))
        AK_TRY(give_up(r, ctx, name));
    f->dim = ak_face_dim(r->o.descriptor);
    AK_TRY(AK_NEW(ctx, head[0], &f->faces));
    AK_TRY(AK_NEW(ctx, head[0] * f->dim, &f->descriptors));
    for (; f->n < head[0]; ++f->n) {
        ak_face *one = &f->faces[f->n];
        float *descriptor = f->descriptors + f->n * f->dim;
        if (!take_face(r, one, descriptor))
            AK_TRY(give_up(r, ctx, name));
        f->seconds[2] += look_at(r, image, one, descriptor);
    }
    if (!given)
        AK_TRY(sort_faces(ctx, f));
done:
    if (st == AKIN_ENOMEM)
        ak_helper_end(&r->helper, false);  // what it sends is not wanted
    return st;
}

akin_status ak_face_reader_read(ak_face_reader *r, akin_ctx *ctx,
                                const char *name, const ak_image *image,
                                const double *boxes, int64_t n_boxes,
                                ak_face_set *out)
{
    char what = '\0', text[AK_HELPER_MESSAGE + 1];
    ak_face_set f = {0};
    akin_status st = AKIN_OK;
    if (n_boxes > MOST_FACES)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " faces (at most %d are taken)", name,
                       n_boxes, MOST_FACES));
    AK_TRY(start(r, ctx));
    ak_helper_begin(&r->helper, r->o.seconds);
    if (!ask(r, image, boxes, n_boxes) ||
        !ak_helper_get(&r->helper, &what, 1) || (what != 'f' && what != 'e'))
        AK_TRY(give_up(r, ctx, name));
    if (what == 'e' && !ak_helper_text(&r->helper, text))
        AK_TRY(give_up(r, ctx, name));
    if (what == 'e')
        AK_TRY(
            ak_fail(ctx, AKIN_EFORMAT, "%s: face detection: %s", name, text));
    AK_TRY(take_faces(r, ctx, name, image, boxes != NULL, &f));
    *out = f;
    f = (ak_face_set){0};
done:
    ak_face_set_free(&f);
    return st;
}
