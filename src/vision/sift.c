/* SIFT by VLFeat, RootSIFT in bytes.
 *   Lowe. Distinctive image features from scale-invariant keypoints. IJCV
 *       60:91-110, 2004.
 *   Arandjelovic, Zisserman. Three things everyone should know to improve
 *       object retrieval. CVPR 2012.  (square roots) */
#include "vision/sift.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <vl/sift.h>

#include "vision/octaves.h"

void ak_sift_free(ak_sift *s)
{
    akin_free(s->frames);
    akin_free(s->descriptors);
    *s = (ak_sift){0, NULL, NULL};
}

enum { SMALLEST = 16, ANGLES = 4, ROOM = 256 };

/* VLFeat fills a table of its own when the first filter is made: once, before
 * threads make others. */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void warm_up(void)
{
    vl_sift_delete(vl_sift_new(SMALLEST, SMALLEST, 1, 1, 0));
}

/* Whole numbers until the end: of a grey picture each pixel is itself. */
static float *grey_of(akin_ctx *ctx, const ak_image *image)
{
    const int64_t n = image->width * image->height;
    float *grey = NULL;
    if (ak_alloc(ctx, n, sizeof *grey, &grey) != AKIN_OK)
        return NULL;
    for (int64_t i = 0; i < n; ++i) {
        const uint8_t *p = image->rgb + 3 * i;
        grey[i] = (float)(299 * p[0] + 587 * p[1] + 114 * p[2]) / 1000.0F;
    }
    return grey;
}

static akin_status make_room(ak_sift *s, akin_ctx *ctx, int64_t *room)
{
    akin_status st = AKIN_OK;
    if (s->n < *room)
        return AKIN_OK;
    const int64_t more = *room ? 2 * *room : ROOM;
    AK_TRY(ak_resize(ctx, more, sizeof *s->frames, &s->frames));
    AK_TRY(ak_resize(ctx, more, AK_SIFT_DIM, &s->descriptors));
    *room = more;
done:
    return st;
}

/* False: there is nothing in it. VLFeat does not describe a keypoint in the
 * last row of pixels, though it gives it angles. */
static bool to_bytes(const float *v, bool root, uint8_t *out)
{
    double sum = 0.0;
    for (int j = 0; j < AK_SIFT_DIM; ++j)
        sum += root ? (double)v[j] : (double)v[j] * (double)v[j];
    const double scale = sum > 0.0 ? 1.0 / (root ? sum : sqrt(sum)) : 0.0;
    for (int j = 0; j < AK_SIFT_DIM; ++j) {
        const double share = scale * (double)v[j];
        const double x = 512.0 * (root ? sqrt(share) : share);
        out[j] = (uint8_t)fmin(255.0, x + 0.5);
    }
    return sum > 0.0;
}

/* All keypoints of the octave at hand, once for each of their angles. */
static akin_status take_octave(ak_sift *s, akin_ctx *ctx, VlSiftFilt *f,
                               int64_t *room, bool root)
{
    const VlSiftKeypoint *keys = vl_sift_get_keypoints(f);
    const int n = vl_sift_get_nkeypoints(f);
    const double size = pow(2.0, -f->o_cur);
    akin_status st = AKIN_OK;
    for (int i = 0; i < n; ++i) {
        double angles[ANGLES];
        const int count =
            vl_sift_calc_keypoint_orientations(f, angles, keys + i);
        for (int a = 0; a < count; ++a) {
            const ak_keypoint k = {keys[i].x * size, keys[i].y * size,
                                   keys[i].sigma * size, angles[a], keys[i].is};
            float v[AK_SIFT_DIM];
            AK_TRY(make_room(s, ctx, room));
            if (!ak_keypoint_describe(f, &k, v) ||
                !to_bytes(v, root, s->descriptors + s->n * AK_SIFT_DIM))
                continue;
            s->frames[s->n++] = (ak_sift_frame){
                keys[i].x, keys[i].y, keys[i].sigma, (float)angles[a]};
        }
    }
done:
    return st;
}

akin_status ak_sift_of(ak_sift *out, akin_ctx *ctx, const ak_image *image,
                       const ak_sift_options *o)
{
    VlSiftFilt *f = NULL;
    float *grey = NULL;
    int64_t room = 0;
    ak_sift s = {0, NULL, NULL};
    akin_status st = AKIN_OK;
    *out = s;
    if (image->width < SMALLEST || image->height < SMALLEST)
        goto done;  // nothing to see
    pthread_once(&once, warm_up);
    grey = grey_of(ctx, image);
    f = grey ? vl_sift_new((int)image->width, (int)image->height, -1,
                           (int)o->levels, (int)o->first_octave)
             : NULL;
    if (f == NULL)
        AK_TRY(ak_nomem(ctx,
                        sizeof *grey * (size_t)(image->width * image->height)));
    vl_sift_set_peak_thresh(f, o->peak);
    vl_sift_set_edge_thresh(f, o->edge);
    ak_octave_first(f, grey);
    do {
        vl_sift_detect(f);
        AK_TRY(take_octave(&s, ctx, f, &room, o->root));
    } while (ak_octave_next(f));
    *out = s;
    s = (ak_sift){0, NULL, NULL};
done:
    ak_sift_free(&s);
    akin_free(grey);
    if (f)
        vl_sift_delete(f);
    return st;
}
