/* What is known of faces before they are compared: weights of names, and how
 * good a face is.
 *
 * The weight of a name for a face multiplies how likely it is that the face has
 * the name. The weight of no name divides those of all its names, which is the
 * same but for a factor of all ways to name the photo. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "naming/naming.h"

static const double none_least = 1e-12;

/* Weights, in the making. */
typedef struct prior_work {
    akin_ctx *ctx;
    const akin_naming *s;
    const ak_face_list *lines;  // where weights come from; NULL: a call
    int64_t *slots;             // n_photos + 1
    double *weights;            // faces by names of all photos; NAN: none yet
    double *none;               // n: of no name
} prior_work;

static akin_status refuse(const prior_work *w, int64_t k, int64_t face,
                          const char *what)
{
    return w->lines ? ak_fail(w->ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s",
                              w->lines->path, w->lines->lines[k].line, what)
                    : ak_fail(w->ctx, AKIN_EINVAL,
                              "weight %" PRId64 ", of face %" PRId64 ": %s", k,
                              face, what);
}

/* Where the weight of a name for a face goes; NULL: nowhere. */
static double *place_of(const prior_work *w, int64_t face, int32_t name)
{
    const ak_bags *b = w->s->peers.bags;
    const int64_t photo = w->s->peers.photo[face], *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    const int64_t r = ak_bags_names(b, photo, &names);
    if (name == AK_NO_NAME)
        return w->none + face;
    for (int64_t k = 0; k < r; ++k)
        if (names[k] == name)
            for (int64_t i = 0; i < n; ++i)
                if (faces[i] == face)
                    return w->weights + w->slots[photo] + i * r + k;
    return NULL;
}

static akin_status take_weight(const prior_work *w, int64_t k,
                               const akin_face_weight *x)
{
    if (x->face < 0 || x->face >= w->s->peers.n ||
        w->s->peers.photo[x->face] < 0)
        return refuse(w, k, x->face, "the face is in no photo");
    if (!(x->weight >= 0.0 && x->weight <= AK_WEIGHT_MOST))
        return refuse(w, k, x->face, "not a weight (expected 0 to 1e12)");
    double *place = place_of(w, x->face, x->name);
    if (place == NULL)
        return refuse(w, k, x->face,
                      "the caption of the photo does not have this name");
    if (!isnan(*place))
        return refuse(w, k, x->face, "a second weight of this face and name");
    *place = x->weight;
    return AKIN_OK;
}

/* Weights become logarithms, against no name. */
static void close_weights(const prior_work *w)
{
    const ak_bags *b = w->s->peers.bags;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = b->name_offsets[i + 1] - b->name_offsets[i];
        for (int64_t k = 0; k < n * r; ++k) {
            double *x = w->weights + w->slots[i] + k;
            const double none = w->none[faces[k / r]];
            *x = (isnan(*x) ? 0.0 : log(*x)) -
                 (isnan(none) ? 0.0 : log(fmax(none, none_least)));
        }
    }
}

static akin_status open_work(prior_work *w)
{
    const ak_bags *b = w->s->peers.bags;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(w->ctx, b->n_photos + 1, &w->slots));
    AK_TRY(AK_SCRATCH(w->ctx, w->s->peers.n, &w->none));
    for (int64_t i = 0; i < b->n_photos; ++i)
        w->slots[i + 1] = w->slots[i] +
                          (b->item_offsets[i + 1] - b->item_offsets[i]) *
                              (b->name_offsets[i + 1] - b->name_offsets[i]);
    AK_TRY(AK_NEW(w->ctx, ak_max_i64(w->slots[b->n_photos], 1), &w->weights));
    for (int64_t f = 0; f < w->s->peers.n; ++f)
        w->none[f] = NAN;
    for (int64_t k = 0; k < w->slots[b->n_photos]; ++k)
        w->weights[k] = NAN;
done:
    return st;
}

static akin_status set_prior(akin_ctx *ctx, akin_naming *s,
                             const akin_face_weight *list, int64_t n,
                             const akin_face_names *lines)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    prior_work w = {ctx, s, lines ? &lines->list : NULL, NULL, NULL, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(open_work(&w));
    for (int64_t k = 0; k < n; ++k) {
        const akin_face_weight x =
            lines
                ? (akin_face_weight){lines->list.lines[k].face, lines->names[k],
                                     lines->list.lines[k].weight}
                : list[k];
        AK_TRY(take_weight(&w, k, &x));
    }
    close_weights(&w);
    akin_free(s->prior);
    s->prior = w.weights;
    w.weights = NULL;
done:
    akin_free(w.weights);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_naming_set_prior(akin_ctx *ctx, akin_naming *s,
                                  const akin_face_weight *list, int64_t n)
{
    return set_prior(ctx, s, list, n, NULL);
}

akin_status ak_naming_prior_lines(akin_ctx *ctx, akin_naming *s,
                                  ak_source *source)
{
    akin_face_names *lines = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(
        ak_face_names_weights(&lines, ctx, source, s->peers.bags, s->peers.n));
    AK_TRY(set_prior(ctx, s, NULL, lines->list.n, lines));
done:
    akin_face_names_free(lines);
    return st;
}

akin_status akin_naming_read_prior(akin_ctx *ctx, akin_naming *s,
                                   const char *path)
{
    ak_source *source = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(ak_naming_prior_lines(ctx, s, source));
done:
    ak_source_close(source);
    return st;
}

akin_status akin_naming_set_quality(akin_ctx *ctx, akin_naming *s,
                                    const double *quality)
{
    double *copy = NULL;
    akin_status st = AKIN_OK;
    for (int64_t f = 0; quality != NULL && f < s->peers.n; ++f)
        if (!(quality[f] > 0.0 && quality[f] <= 1.0))
            return ak_fail(ctx, AKIN_EINVAL,
                           "quality %g of face %" PRId64
                           " is out of range (above 0 to 1)",
                           quality[f], f);
    if (quality != NULL) {
        AK_TRY(AK_NEW(ctx, s->peers.n, &copy));
        memcpy(copy, quality, (size_t)s->peers.n * sizeof *copy);
    }
    akin_free(s->quality);
    s->quality = copy;
done:
    return st;
}
