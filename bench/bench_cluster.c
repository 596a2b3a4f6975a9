/* Assigning descriptors to words: speed, and the loss from searching few cells.
 *
 *   bench_cluster [words=100000] [points=400000] [probe=8] [threads=1]
 *                 [iterations=1] [batch=0] [from=FOLDER] [octave=-1] [flann=1]
 *
 * Points are the descriptors of the JPEGs in FOLDER, at most `points`. Without
 * FOLDER they are bytes in 128 dimensions, in clusters of clusters. Prints a
 * JSON line for each method: seconds of an iteration of k-means; points
 * assigned per CPU second; the share of 2,000 points that get the nearest word;
 * inertia relative to that of the nearest words. FLANN, if the build has it,
 * uses the same words and points: 8 trees, 256 checks. */
#include <string.h>

#include "base/rng.h"
#include "cluster/kmeans.h"
#include "pictures.h"
#include "timing.h"
#include "vision/decode.h"
#include "vision/sift.h"
#ifdef BENCH_FLANN
#include <flann/flann.h>
#endif

enum { D = 128, COARSE = 500, FINE = 200, EXACT = 2000, ASKED = 20000 };

typedef struct setting {
    int64_t points, threads, octave, flann;
    const char *from;
    ak_kmeans_options how;
} setting;

/* ---- points ------------------------------------------------------------- */

static uint8_t byte(double x)
{
    return (uint8_t)(x < 0.0 ? 0.0 : x > 255.0 ? 255.0 : x);
}

/* Most numbers of a descriptor are small, some large. */
static void fill(int64_t n, uint8_t *x)
{
    const ak_rng root = ak_rng_new(1, AK_STREAM_SYNTH);
    for (int64_t i = 0; i < n; ++i) {
        ak_rng point = ak_rng_split(root, (uint64_t)i);
        const uint64_t coarse = (uint64_t)ak_rng_below(&point, COARSE);
        const uint64_t fine = (uint64_t)ak_rng_below(&point, FINE);
        ak_rng a = ak_rng_split(root, (UINT64_C(1) << 40) + coarse);
        ak_rng b =
            ak_rng_split(root, (UINT64_C(1) << 41) + coarse * FINE + fine);
        for (int64_t j = 0; j < D; ++j) {
            const double u = ak_rng_unit(&a), v = ak_rng_unit(&b) - 0.5;
            const double w = ak_rng_unit(&point) - 0.5;
            x[i * D + j] = byte(120.0 * u * u + 60.0 * v + 50.0 * w);
        }
    }
}

static akin_status describe(akin_ctx *ctx, ak_decoder *decoder,
                            const char *path, const setting *s, uint8_t *x,
                            int64_t *n)
{
    ak_sift_options o = AK_SIFT_DEFAULTS;
    ak_image image = {0, 0, NULL};
    ak_sift found = {0, NULL, NULL};
    akin_status st = AKIN_OK;
    o.first_octave = s->octave;
    AK_TRY(ak_decoder_read(decoder, ctx, path, &image));
    AK_TRY(ak_sift_of(&found, ctx, &image, &o));
    const int64_t more = ak_min_i64(found.n, s->points - *n);
    if (more > 0)
        memcpy(x + *n * D, found.descriptors, (size_t)(more * D));
    *n += more;
done:
    ak_sift_free(&found);
    ak_image_free(&image);
    return st;
}

/* Up to s->points of them; n: how many there are. */
static akin_status read_points(akin_ctx *ctx, const setting *s, uint8_t *x,
                               int64_t *n)
{
    const ak_decode_options how = AK_DECODE_DEFAULTS;
    paths p = find_jpegs(s->from);
    ak_decoder *decoder = NULL;
    akin_status st = AKIN_OK;
    *n = 0;
    AK_TRY(ak_decoder_open(&decoder, ctx, &how));
    for (int64_t i = 0; i < p.n && *n < s->points; ++i)
        AK_TRY(describe(ctx, decoder, p.at[i], s, x, n));
done:
    ak_decoder_close(decoder);
    free(p.at);
    return st;
}

/* ---- methods ------------------------------------------------------------ */

/* The exact result, by comparison with all words. */
typedef struct truth {
    ak_points some;  // EXACT points, at equal steps among all
    int64_t which[EXACT];
    int32_t word[EXACT];
    float far[EXACT];
} truth;

static double mean(int64_t n, const float *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; ++i)
        sum += (double)x[i];
    return sum / (double)n;
}

static akin_status find_truth(akin_ctx *ctx, const ak_codebook *c,
                              const ak_points *points, truth *t)
{
    const ak_points words = {.n = c->k, .d = D, .f32 = c->at};
    ak_codebook *all = NULL;
    akin_status st = AKIN_OK;
    t->some = *points;
    t->some.n = ak_min_i64(EXACT, points->n);
    t->some.which = t->which;
    for (int64_t i = 0; i < t->some.n; ++i)
        t->which[i] = i * (points->n / t->some.n);
    AK_TRY(ak_codebook_new(&all, ctx, &words));
    AK_TRY(ak_codebook_assign(all, ctx, &t->some, t->word, t->far));
done:
    ak_codebook_free(all);
    return st;
}

static void print(const char *who, const truth *t, const int32_t *word,
                  const float *far, double rate)
{
    const double least = mean(t->some.n, t->far);
    int64_t same = 0;
    for (int64_t i = 0; i < t->some.n; ++i)
        same += word[i] == t->word[i];
    printf("\"who\": \"%s\", \"points_per_cpu_second\": %.0f, \"recall\": "
           "%.3f, \"inertia_ratio\": %.4f}\n",
           who, rate, (double)same / (double)t->some.n,
           least > 0.0 ? mean(t->some.n, far) / least : 1.0);
}

static akin_status ask_akin(akin_ctx *ctx, const ak_codebook *c,
                            const ak_points *points, const truth *t)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int32_t *word = NULL;
    float *far = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, points->n, &word));
    AK_TRY(AK_SCRATCH(ctx, points->n, &far));
    const double start = now();
    AK_TRY(ak_codebook_assign(c, ctx, points, word, NULL));
    const double seconds = now() - start;
    AK_TRY(ak_codebook_assign(c, ctx, &t->some, word, far));
    print("akin", t, word, far, (double)points->n / seconds);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status ask_flann(akin_ctx *ctx, const ak_codebook *c,
                             const ak_points *points, const truth *t)
{
    akin_status st = AKIN_OK;
#ifdef BENCH_FLANN
    struct FLANNParameters p = DEFAULT_FLANN_PARAMETERS;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = ak_min_i64(ASKED, points->n);
    float *x = NULL, *far = NULL, speed = 0.0F;
    int32_t *word = NULL;
    AK_TRY(AK_SCRATCH(ctx, n * D, &x));
    AK_TRY(AK_SCRATCH(ctx, n, &far));
    AK_TRY(AK_SCRATCH(ctx, n, &word));
    for (int64_t i = 0; i < n; ++i)
        ak_points_load(i < t->some.n ? &t->some : points, i, x + i * D);
    p.algorithm = FLANN_INDEX_KDTREE;
    p.trees = 8;
    p.checks = 256;
    p.cores = 1;
    p.random_seed = 1;
    const double start = now();
    flann_index_t index =
        flann_build_index_float(c->at, (int)c->k, D, &speed, &p);
    const double built = now();
    flann_find_nearest_neighbors_index_float(index, x, (int)n, word, far, 1,
                                             &p);
    const double seconds = now() - built;
    printf(
        "{\"bench\": \"cluster\", \"words\": %lld, \"build_seconds\": %.2f, ",
        (long long)c->k, built - start);
    print("flann, 8 trees, 256 checks", t, word, far, (double)n / seconds);
    flann_free_index_float(index, &p);
done:
    ak_scratch_end(ctx, mark);
#endif
    (void)ctx, (void)c, (void)points, (void)t;
    return st;
}

static akin_status measure(akin_ctx *ctx, const ak_points *points,
                           const setting *s)
{
    ak_kmeans_info info;
    ak_codebook *c = NULL;
    truth *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &t));
    const double start = now();
    AK_TRY(ak_kmeans(&c, ctx, points, &s->how, &info));
    const double made = now();
    AK_TRY(find_truth(ctx, c, points, t));
    printf("{\"bench\": \"cluster\", \"words\": %lld, \"points\": %lld, "
           "\"probe\": %lld, \"cells\": %lld, \"kmeans_cpu_seconds\": %.2f, "
           "\"iterations\": %lld, \"inertia\": %.1f, ",
           (long long)c->k, (long long)points->n, (long long)s->how.probe,
           (long long)(c->cells ? c->cells->k : 1), made - start,
           (long long)info.iterations, mean(t->some.n, t->far));
    AK_TRY(ask_akin(ctx, c, points, t));
    if (s->flann)
        AK_TRY(ask_flann(ctx, c, points, t));
done:
    akin_free(t);
    ak_codebook_free(c);
    return st;
}

/* ---- the run ------------------------------------------------------------ */

static bool set(setting *s, const char *argument)
{
    const struct {
        const char *name;
        int64_t *to;
    } numbers[] = {{"words=", &s->how.k},
                   {"points=", &s->points},
                   {"probe=", &s->how.probe},
                   {"threads=", &s->threads},
                   {"iterations=", &s->how.iterations},
                   {"batch=", &s->how.batch},
                   {"octave=", &s->octave},
                   {"flann=", &s->flann}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        const size_t n = strlen(numbers[i].name);
        if (strncmp(argument, numbers[i].name, n) == 0) {
            *numbers[i].to = atoll(argument + n);
            return true;
        }
    }
    if (strncmp(argument, "from=", 5) != 0)
        return false;
    s->from = argument + 5;
    return true;
}

static akin_status run(akin_ctx *ctx, const setting *s, uint8_t *x)
{
    ak_points points = {.n = s->points, .d = D, .u8 = x};
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, s->threads);
    if (s->from)
        AK_TRY(read_points(ctx, s, x, &points.n));
    else
        fill(points.n, x);
    AK_TRY(measure(ctx, &points, s));
done:
    return st;
}

int main(int argc, char **argv)
{
    setting s = {400000, 1,    -1,
                 1,      NULL, {.k = 100000, .iterations = 1, .probe = 8}};
    for (int i = 1; i < argc; ++i)
        if (!set(&s, argv[i])) {
            fprintf(stderr, "bench_cluster: unknown argument '%s'\n", argv[i]);
            return 2;
        }
    uint8_t *x = malloc((size_t)(s.points * D));
    akin_ctx *ctx = NULL;
    akin_status st = x ? akin_ctx_new(&ctx, NULL) : AKIN_ENOMEM;
    if (st == AKIN_OK)
        st = run(ctx, &s, x);
    if (st != AKIN_OK)
        fprintf(stderr, "%s\n", ctx ? akin_ctx_message(ctx) : "out of memory");
    akin_ctx_free(ctx);
    free(x);
    return st != AKIN_OK;
}
