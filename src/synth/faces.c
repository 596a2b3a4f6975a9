/* Faces in photos with captions, of known structure: each name is a random
 * subspace, a face of it is a point there with noise, and a face of nobody is
 * a point of its own. */
#include <akin/synth.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "data/rows.h"
#include "synth/ranges.h"

enum { MOST_FACES = 64 };

typedef struct faces_synth {
    akin_synth_faces_options o;
    ak_rng rng;
    double *basis;  // names x rank x dim
    float *values;  // faces x dim
    int64_t n, room;
    FILE *captions, *truth;
    unsigned char *shown, *named;  // per name: in this photo, in its caption
    int64_t n_shown;
    unsigned char *sizes;  // faces of each photo; NULL: drawn photo by photo
    int64_t left, wanted;  // faces to come, and those captions must name
    double unnamed;        // chance of a name among the other faces
} faces_synth;

/* Is the share of faces that captions name fixed? */
static bool is_counted(const akin_synth_faces_options *o)
{
    return !isnan(o->real_name_ratio);
}

/* The name of a face (-1: nobody), and whether the caption has it. */
typedef struct person {
    int64_t name;
    bool captioned;
} person;

static akin_status check(akin_ctx *ctx, const akin_synth_faces_options *o)
{
    const ak_range ranges[] = {
        {"photos", (double)o->photos, 1, 1e8},
        {"names", (double)o->names, 1, 1e7},
        {"dim", (double)o->dim, 1, 1e6},
        {"rank", (double)o->rank, 1, 1e4},
        {"most_faces", (double)o->most_faces, 1, MOST_FACES},
        {"noise", o->noise, 0, 1e6},
        {"known", o->known, 0, 1},
        {"extra", o->extra, 0, 1},
        {"missing", o->missing, 0, 1},
        {"faces", (double)o->faces, o->faces ? (double)o->photos : 0.0,
         (double)o->photos * (double)o->most_faces},
        {"real_name_ratio", is_counted(o) ? o->real_name_ratio : 0.0, 0,
         1 - o->missing},
        {"names", (double)o->names, is_counted(o) ? (double)o->most_faces : 1.0,
         1e7},
    };
    return ak_ranges_check(ctx, ranges, sizeof ranges / sizeof *ranges);
}

/* A face of name q, or of nobody (-1), of length 1 but for the noise. */
static akin_status add_face(faces_synth *w, akin_ctx *ctx, int64_t q)
{
    const int64_t d = w->o.dim, R = w->o.rank;
    double norm = 0.0, *x;
    akin_status st = AKIN_OK;
    const ak_mark mark = ak_scratch_begin(ctx);
    if (w->n == w->room) {
        const int64_t room = w->room ? 2 * w->room : 1024;
        AK_TRY(ak_resize(ctx, room * d, sizeof *w->values, &w->values));
        w->room = room;
    }
    AK_TRY(AK_SCRATCH(ctx, d, &x));
    for (int64_t c = 0; q >= 0 && c < R; ++c) {
        const double a = 1.0 + ak_rng_normal(&w->rng);
        for (int64_t k = 0; k < d; ++k)
            x[k] += a * w->basis[(q * R + c) * d + k];
    }
    for (int64_t k = 0; k < d; ++k) {
        if (q < 0)
            x[k] = ak_rng_normal(&w->rng);
        norm += x[k] * x[k];
    }
    for (int64_t k = 0; k < d; ++k) {
        x[k] = x[k] / sqrt(fmax(norm, 1e-300)) +
               w->o.noise * ak_rng_normal(&w->rng) / sqrt((double)d);
        w->values[w->n * d + k] = (float)x[k];
    }
    ++w->n;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- who is in a photo ------------------------------------------------- */

/* Independent draws. */
static person draw_person(faces_synth *w)
{
    const int64_t q = ak_rng_below(&w->rng, w->o.names);
    const bool known = ak_rng_unit(&w->rng) < w->o.known && !w->shown[q];
    return (person){known ? q : -1,
                    known && ak_rng_unit(&w->rng) >= w->o.missing};
}

/* A name that the photo does not show; not all are shown. */
static int64_t draw_name(faces_synth *w)
{
    int64_t q;
    do
        q = ak_rng_below(&w->rng, w->o.names);
    while (w->shown[q]);
    return q;
}

/* Exactly `wanted` faces of all are named by captions. */
static person count_person(faces_synth *w)
{
    const bool captioned = ak_rng_below(&w->rng, w->left--) < w->wanted;
    w->wanted -= captioned;
    if (captioned || ak_rng_unit(&w->rng) < w->unnamed)
        return (person){draw_name(w), captioned};
    return (person){-1, false};
}

/* Sizes of photos that add up to the number of faces, and how many of these
 * captions name. */
static akin_status plan(faces_synth *w, akin_ctx *ctx)
{
    const double R = is_counted(&w->o) ? w->o.real_name_ratio : 0.0;
    const double m = w->o.missing;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    if (w->o.faces == 0 && !is_counted(&w->o))
        return AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, w->o.photos, &w->sizes));
    for (int64_t i = 0; i < w->o.photos; ++i)
        n += w->sizes[i] =
            (unsigned char)(1 + ak_rng_below(&w->rng, w->o.most_faces));
    w->left = w->o.faces > 0 ? w->o.faces : n;
    while (n != w->left) {
        unsigned char *size = &w->sizes[ak_rng_below(&w->rng, w->o.photos)];
        const int by = n < w->left ? *size < w->o.most_faces : -(*size > 1);
        *size = (unsigned char)(*size + by);
        n += by;
    }
    w->wanted = llround(R * (double)n);
    w->unnamed = R < 1.0 ? R * m / ((1.0 - m) * (1.0 - R)) : 0.0;
done:
    return st;
}

/* ---- photos and captions ------------------------------------------------ */

/* The faces of one photo, and their true names. */
static akin_status add_faces(faces_synth *w, akin_ctx *ctx, int64_t photo)
{
    const int64_t m = w->sizes ? w->sizes[photo]
                               : 1 + ak_rng_below(&w->rng, w->o.most_faces);
    const bool counted = is_counted(&w->o);
    akin_status st = AKIN_OK;
    fprintf(w->captions, "photo%" PRId64 ",", photo);
    for (int64_t f = 0; f < m; ++f) {
        const person x = (counted ? count_person : draw_person)(w);
        fprintf(w->captions, f ? ";%" PRId64 : "%" PRId64, w->n);
        if (x.name >= 0) {
            w->shown[x.name] = 1;
            ++w->n_shown;
            w->named[x.name] = x.captioned;
            fprintf(w->truth, "%" PRId64 ",name%" PRId64 "\n", w->n, x.name);
        } else {
            fprintf(w->truth, "%" PRId64 ",\n", w->n);
        }
        AK_TRY(add_face(w, ctx, x.name));
    }
done:
    return st;
}

/* A wrong name in the caption. With a fixed ratio it must not be the name of a
 * face in the photo. */
static void add_wrong(faces_synth *w)
{
    if (!is_counted(&w->o))
        w->named[ak_rng_below(&w->rng, w->o.names)] = 1;
    else if (w->n_shown < w->o.names)
        w->named[draw_name(w)] = 1;
}

static akin_status add_photo(faces_synth *w, akin_ctx *ctx, int64_t photo)
{
    const char *between = ",";
    akin_status st = AKIN_OK;
    memset(w->shown, 0, (size_t)w->o.names);
    memset(w->named, 0, (size_t)w->o.names);
    w->n_shown = 0;
    AK_TRY(add_faces(w, ctx, photo));
    if (ak_rng_unit(&w->rng) < w->o.extra)
        add_wrong(w);
    for (int64_t q = 0; q < w->o.names; ++q)
        if (w->named[q]) {
            fprintf(w->captions, "%sname%" PRId64, between, q);
            between = ";";
        }
    fputs(between[0] == ',' ? ",\n" : "\n", w->captions);
done:
    return st;
}

static akin_status make(faces_synth *w, akin_ctx *ctx)
{
    const int64_t size = w->o.names * w->o.rank * w->o.dim;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, size, &w->basis));
    AK_TRY(AK_SCRATCH(ctx, w->o.names, &w->shown));
    AK_TRY(AK_SCRATCH(ctx, w->o.names, &w->named));
    for (int64_t k = 0; k < size; ++k)
        w->basis[k] = ak_rng_normal(&w->rng);
    AK_TRY(plan(w, ctx));
    fputs("photo,faces,names\n", w->captions);
    fputs("face,name\n", w->truth);
    for (int64_t i = 0; i < w->o.photos; ++i) {
        AK_TRY(add_photo(w, ctx, i));
        AK_TRY(ak_ctx_tick(ctx, "photos", i + 1, w->o.photos, NAN));
    }
done:
    return st;
}

akin_status akin_synth_faces(akin_rows **out, char **captions, char **truth,
                             akin_ctx *ctx,
                             const akin_synth_faces_options *options)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    faces_synth w = {.o = AKIN_SYNTH_FACES_DEFAULTS,
                     .rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_SYNTH)};
    char *texts[2] = {NULL, NULL};
    size_t sizes[2];
    akin_status st = AKIN_OK;
    *captions = *truth = NULL;
    ak_options_take(&w.o, sizeof w.o, options);
    AK_TRY(check(ctx, &w.o));
    w.captions = open_memstream(&texts[0], &sizes[0]);
    w.truth = open_memstream(&texts[1], &sizes[1]);
    if (w.captions == NULL || w.truth == NULL)
        AK_TRY(ak_nomem(ctx, 0));
    AK_TRY(make(&w, ctx));
    if (fflush(w.captions) != 0 || fflush(w.truth) != 0)
        AK_TRY(ak_nomem(ctx, sizes[0]));
    AK_TRY(ak_strdup(ctx, texts[0], captions));
    AK_TRY(ak_strdup(ctx, texts[1], truth));
    AK_TRY(akin_rows_new_dense(out, ctx, w.n, w.o.dim, w.values));
done:
    if (st != AKIN_OK) {
        akin_free(*captions);
        akin_free(*truth);
        *captions = *truth = NULL;
    }
    if (w.captions)
        fclose(w.captions);
    if (w.truth)
        fclose(w.truth);
    free(texts[0]);
    free(texts[1]);
    akin_free(w.values);
    ak_scratch_end(ctx, mark);
    return st;
}
