/* From a picture file to its features: pictures per second on one core.
 *
 *   bench_vision FOLDER [SIDE [OCTAVE]]                 [640 0]
 *
 * FOLDER has JPEGs, such as akin synth scenes --width 640 --height 480 makes.
 * One JSON line: CPU seconds per picture, with those of the decoder process,
 * and their parts. */
#include <sys/resource.h>

#include "pictures.h"
#include "timing.h"
#include "vision/decode.h"
#include "vision/moments.h"
#include "vision/sift.h"

typedef struct sums {
    int64_t pictures, pixels, features;
    double taken, sift, colours;  // seconds of this process
} sums;

/* CPU seconds of child processes that have ended. */
static double seconds_of_children(void)
{
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static akin_status look(akin_ctx *ctx, ak_decoder *decoder, const char *path,
                        const ak_sift_options *o, sums *t)
{
    ak_image image = {0, 0, NULL};
    ak_sift s = {0, NULL, NULL};
    float m[AK_MOMENTS_DIM];
    akin_status st = AKIN_OK;
    const double start = now();
    AK_TRY(ak_decoder_read(decoder, ctx, path, &image));
    const double taken = now();
    AK_TRY(ak_sift_of(&s, ctx, &image, o));
    const double seen = now();
    AK_TRY(ak_colour_moments(ctx, &image, AK_SPACE_LUV, m));
    t->colours += now() - seen;
    t->sift += seen - taken;
    t->taken += taken - start;
    t->pictures += 1;
    t->pixels += image.width * image.height;
    t->features += s.n;
done:
    ak_sift_free(&s);
    ak_image_free(&image);
    return st;
}

static void print(const sums *t, double decoded)
{
    const double n = (double)t->pictures;
    const double sum = decoded + t->taken + t->sift;
    printf("{\"bench\": \"vision\", \"pictures\": %lld, \"pixels\": %.0f, "
           "\"features\": %.0f, \"cpu_seconds\": %.4f, \"decode\": %.4f, "
           "\"pipe\": %.4f, \"sift\": %.4f, \"colours\": %.4f, "
           "\"pictures_per_cpu_second\": %.1f}\n",
           (long long)t->pictures, (double)t->pixels / n,
           (double)t->features / n, sum / n, decoded / n, t->taken / n,
           t->sift / n, t->colours / n, n / sum);
}

static akin_status measure(akin_ctx *ctx, const paths *p,
                           const ak_decode_options *how,
                           const ak_sift_options *o)
{
    ak_decoder *decoder = NULL;
    sums t = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_decoder_open(&decoder, ctx, how));
    for (int64_t i = 0; i < p->n; ++i)
        AK_TRY(look(ctx, decoder, p->at[i], o, &t));
    ak_decoder_close(decoder);
    decoder = NULL;
    print(&t, seconds_of_children());
done:
    ak_decoder_close(decoder);
    return st;
}

int main(int argc, char **argv)
{
    ak_decode_options how = AK_DECODE_DEFAULTS;
    ak_sift_options o = AK_SIFT_DEFAULTS;
    how.side = argc > 2 ? atoll(argv[2]) : 640;
    o.first_octave = argc > 3 ? atoll(argv[3]) : 0;
    paths p = find_jpegs(argc > 1 ? argv[1] : ".");
    akin_ctx *ctx = NULL;
    akin_status st = p.n ? akin_ctx_new(&ctx, NULL) : AKIN_ENOENT;
    if (st == AKIN_OK)
        st = measure(ctx, &p, &how, &o);
    if (st != AKIN_OK)
        fprintf(stderr, "%s\n", ctx ? akin_ctx_message(ctx) : "no pictures");
    akin_ctx_free(ctx);
    free(p.at);
    return st != AKIN_OK;
}
