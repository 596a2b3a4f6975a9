#include "collection/pictures/codebook.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/kmeans.h"
#include "collection/items.h"
#include "vision/sift.h"

enum {
    WORDS_MOST = 10000,  // where nobody says
    FEW = 10,            // descriptors of a word at least, then
    EACH = 30,           // descriptors of a word in a sample
    SAMPLE_LEAST = 100000,
    EXACT_MOST = 2048,  // words that all are compared with
    PROBE = 32,
    ITERATIONS = 10,  // at most; of batches at least, and
    PASSES = 3,       // over all descriptors
};

int64_t ak_visual_words_auto(int64_t descriptors)
{
    return ak_max_i64(1, ak_min_i64(WORDS_MOST, descriptors / FEW));
}

int64_t ak_visual_words_sample(int64_t words)
{
    return ak_max_i64(SAMPLE_LEAST, EACH * (words ? words : WORDS_MOST));
}

static int64_t count_iterations(int64_t n, int64_t batch)
{
    if (batch == 0 || batch >= n)
        return ITERATIONS;
    return ak_max_i64(ITERATIONS, PASSES * (n / batch) + 1);
}

akin_status ak_visual_words_learn(ak_codebook **out, akin_ctx *ctx,
                                  const ak_points *points, int64_t words,
                                  ak_visual_words_origin *origin)
{
    const int64_t n = points->n;
    const ak_kmeans_options o = {
        .k = words,
        .iterations = count_iterations(n, origin->batch),
        .batch = origin->batch,
        .probe = words > EXACT_MOST ? PROBE : 0,
        .tolerance = 1e-3,
        .start = AK_START_SAMPLE};
    ak_kmeans_info info;
    if (words > n)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " words cannot be learned from %" PRId64
                       " descriptors (fewer words, or more items)",
                       words, n);
    AK_CHECK(ak_kmeans(out, ctx, points, &o, &info));
    origin->descriptors = n;
    origin->iterations = info.iterations;
    origin->inertia = info.inertia;
    return AKIN_OK;
}

static bool is_inside(const char *folder, const char *name, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX &&
           access(path, F_OK) == 0;
}

akin_status ak_codebook_read(ak_codebook **out, akin_ctx *ctx, const char *path)
{
    struct stat s;
    char inside[PATH_MAX];
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode) &&
        (is_inside(path, ak_file_words, inside) ||
         is_inside(path, ak_file_codebook, inside)))
        path = inside;
    AK_TRY(ak_tensors_read(&t, ctx, path));
    AK_TRY(ak_tensors_need_ours(t, ctx));
    AK_TRY(ak_codebook_take(out, ctx, t));
done:
    ak_tensors_free(t);
    return st;
}

akin_status ak_visual_words_load(ak_codebook **out, akin_ctx *ctx,
                                 const char *path)
{
    ak_codebook *c = NULL;
    AK_CHECK(ak_codebook_read(&c, ctx, path));
    if (c->d != AK_SIFT_DIM) {
        const int64_t d = c->d;
        ak_codebook_free(c);
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: words of %" PRId64 " numbers (expected %d)", path,
                       d, AK_SIFT_DIM);
    }
    *out = c;
    return AKIN_OK;
}

akin_status ak_visual_words_of(ak_codebook **out, akin_ctx *ctx,
                               const ak_catalog *catalog)
{
    char path[PATH_MAX];
    ak_codebook *c = NULL;
    ak_space words;
    int64_t n;
    akin_status st = AKIN_OK;
    *out = NULL;
    AK_TRY(ak_items_count(catalog, ctx, &n));
    AK_TRY(ak_space_find(catalog, ctx, "words", &words));
    AK_TRY(ak_catalog_file(catalog, ctx, ak_file_codebook, path));
    if (n == 0 && access(path, F_OK) != 0)
        return AKIN_OK;
    AK_TRY(ak_visual_words_load(&c, ctx, path));
    if (c->k != words.dim)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " words (the catalogue has %" PRId64 ")",
                       path, c->k, words.dim));
    *out = c;
    c = NULL;
done:
    ak_codebook_free(c);
    return st;
}

static akin_status put_origin(ak_tensors *t, akin_ctx *ctx,
                              const ak_visual_words_origin *o)
{
    if (o->side > 0) {
        AK_CHECK(ak_tensors_note_i64(t, ctx, "side", o->side));
        AK_CHECK(ak_tensors_note_i64(t, ctx, "first_octave", o->first_octave));
    }
    AK_CHECK(ak_tensors_note_i64(t, ctx, o->side > 0 ? "pictures" : "items",
                                 o->pictures));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "sample", o->descriptors));
    AK_CHECK(ak_tensors_note(t, ctx, "start", "sample"));
    if (o->batch > 0)
        AK_CHECK(ak_tensors_note_i64(t, ctx, "batch", o->batch));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "iterations", o->iterations));
    AK_CHECK(ak_tensors_note_f64(t, ctx, "inertia", o->inertia));
    return ak_tensors_note_i64(t, ctx, "seed", (int64_t)akin_ctx_seed(ctx));
}

static akin_status write_words(const ak_codebook *c, akin_ctx *ctx,
                               const char *path, const char *descriptors,
                               const ak_visual_words_origin *origin)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(ak_codebook_put(c, ctx, t));
    AK_TRY(ak_tensors_note(t, ctx, "descriptors", descriptors));
    if (origin != NULL)
        AK_TRY(put_origin(t, ctx, origin));
    AK_TRY(ak_tensors_write(t, ctx, path));
done:
    ak_tensors_free(t);
    return st;
}

akin_status ak_codebook_write(const ak_codebook *c, akin_ctx *ctx,
                              const char *path,
                              const ak_visual_words_origin *origin)
{
    return write_words(c, ctx, path, "given", origin);
}

akin_status ak_visual_words_save(const ak_codebook *c, akin_ctx *ctx,
                                 const ak_catalog *catalog,
                                 const ak_visual_words_origin *origin)
{
    char path[PATH_MAX];
    AK_CHECK(ak_catalog_file(catalog, ctx, ak_file_codebook, path));
    return write_words(c, ctx, path, "rootsift", origin);
}
