/* Descriptors to words: rate, and how much is lost by not comparing with all.
 *
 *   bench_cluster [WORDS [POINTS [PROBE [THREADS]]]]
 *
 * Points are bytes in 128 dimensions as descriptors of pictures are: around
 * places that themselves lie around others. One JSON line: an iteration of
 * k-means, points a second by assignment alone, and inertia against that of
 * comparing with all words (on 2,000 points). */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "cluster/kmeans.h"
#include "timing.h"

enum { D = 128, COARSE = 500, FINE = 200, EXACT = 2000 };

static int64_t argument(int argc, char **argv, int i, int64_t otherwise)
{
    return argc > i ? atoll(argv[i]) : otherwise;
}

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

static double mean(int64_t n, const float *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; ++i)
        sum += (double)x[i];
    return sum / (double)n;
}

static akin_status measure(akin_ctx *ctx, const ak_points *points,
                           const ak_kmeans_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_points some = *points;
    ak_kmeans_info info;
    ak_codebook *c = NULL, *all = NULL;
    int32_t *word = NULL;
    float *far = NULL;
    double ratio = 1.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, points->n, &word));
    AK_TRY(AK_SCRATCH(ctx, points->n, &far));
    const double start = now();
    AK_TRY(ak_kmeans(&c, ctx, points, o, &info));
    const double made = now();
    AK_TRY(ak_codebook_assign(c, ctx, points, word, NULL));
    const double seconds = now() - made;
    some.n = EXACT;
    AK_TRY(ak_codebook_assign(c, ctx, &some, word, far));
    ratio = mean(EXACT, far);
    const ak_points words = {.n = c->k, .d = D, .f32 = c->at};
    AK_TRY(ak_codebook_new(&all, ctx, &words));
    AK_TRY(ak_codebook_assign(all, ctx, &some, word, far));
    ratio /= mean(EXACT, far);
    printf("{\"bench\": \"cluster\", \"words\": %lld, \"points\": %lld, "
           "\"probe\": %lld, \"cells\": %lld, \"iteration_seconds\": %.2f, "
           "\"points_per_cpu_second\": %.0f, \"inertia_ratio\": %.4f}\n",
           (long long)o->k, (long long)points->n, (long long)o->probe,
           (long long)(c->cells ? c->cells->k : 1), made - start,
           (double)points->n / seconds, ratio);
done:
    ak_codebook_free(c);
    ak_codebook_free(all);
    ak_scratch_end(ctx, mark);
    return st;
}

int main(int argc, char **argv)
{
    const ak_kmeans_options o = {.k = argument(argc, argv, 1, 100000),
                                 .iterations = 1,
                                 .probe = argument(argc, argv, 3, 8)};
    const int64_t n = argument(argc, argv, 2, 400000);
    uint8_t *x = malloc((size_t)(n * D));
    akin_ctx *ctx = NULL;
    akin_status st = x ? akin_ctx_new(&ctx, NULL) : AKIN_ENOMEM;
    if (st == AKIN_OK) {
        const ak_points points = {.n = n, .d = D, .u8 = x};
        akin_ctx_set_threads(ctx, argument(argc, argv, 4, 1));
        fill(n, x);
        st = measure(ctx, &points, &o);
        if (st != AKIN_OK)
            fprintf(stderr, "%s\n", akin_ctx_message(ctx));
    }
    akin_ctx_free(ctx);
    free(x);
    return st != AKIN_OK;
}
