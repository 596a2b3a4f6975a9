/* What the library sees in a picture, for others to compare with:
 *   dump_picture pixels FILE               decoded, a PPM
 *   dump_picture moments PPM luv|hsv       225 numbers
 *   dump_picture sift PPM OCTAVE PEAK EDGE [root]
 * One line a feature: x y scale angle, then 128 bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vision/decode.h"
#include "vision/moments.h"
#include "vision/sift.h"

static akin_status read_ppm(ak_image *out, akin_ctx *ctx, const char *path)
{
    FILE *f = fopen(path, "rb");
    ak_image image = {0, 0, NULL};
    akin_status st = AKIN_OK;
    if (f == NULL || fscanf(f, "P6 %" SCNd64 " %" SCNd64 " 255", &image.width,
                            &image.height) != 2)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: not a PPM of bytes", path));
    fgetc(f);
    const int64_t n = 3 * image.width * image.height;
    AK_TRY(AK_NEW(ctx, n, &image.rgb));
    if (fread(image.rgb, 1, (size_t)n, f) != (size_t)n)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: too short", path));
    *out = image;
    image.rgb = NULL;
done:
    ak_image_free(&image);
    if (f)
        fclose(f);
    return st;
}

static akin_status dump_pixels(akin_ctx *ctx, const char *path)
{
    const ak_decode_options o = AK_DECODE_DEFAULTS;
    ak_decoder *d = NULL;
    ak_image image = {0, 0, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(ak_decoder_open(&d, ctx, &o));
    AK_TRY(ak_decoder_read(d, ctx, path, &image));
    printf("P6 %" PRId64 " %" PRId64 " 255\n", image.width, image.height);
    fwrite(image.rgb, 3, (size_t)(image.width * image.height), stdout);
done:
    ak_image_free(&image);
    ak_decoder_close(d);
    return st;
}

static akin_status dump_moments(akin_ctx *ctx, const ak_image *image,
                                const char *space)
{
    float m[AK_MOMENTS_DIM];
    akin_status st = AKIN_OK;
    AK_TRY(ak_colour_moments(
        ctx, image, strcmp(space, "luv") == 0 ? AK_SPACE_LUV : AK_SPACE_HSV,
        m));
    for (int i = 0; i < AK_MOMENTS_DIM; ++i)
        printf("%.9g\n", (double)m[i]);
done:
    return st;
}

static akin_status dump_sift(akin_ctx *ctx, const ak_image *image, int argc,
                             char **argv)
{
    ak_sift_options o = AK_SIFT_DEFAULTS;
    ak_sift s = {0, NULL, NULL};
    akin_status st = AKIN_OK;
    o.first_octave = atoi(argv[0]);
    o.peak = atof(argv[1]);
    o.edge = atof(argv[2]);
    o.root = argc > 3;
    AK_TRY(ak_sift_of(&s, ctx, image, &o));
    for (int64_t i = 0; i < s.n; ++i) {
        const ak_sift_frame f = s.frames[i];
        printf("%.9g %.9g %.9g %.9g", (double)f.x, (double)f.y, (double)f.scale,
               (double)f.angle);
        for (int j = 0; j < AK_SIFT_DIM; ++j)
            printf(" %d", s.descriptors[i * AK_SIFT_DIM + j]);
        printf("\n");
    }
done:
    ak_sift_free(&s);
    return st;
}

static akin_status dump(akin_ctx *ctx, int argc, char **argv)
{
    ak_image image = {0, 0, NULL};
    akin_status st = AKIN_OK;
    if (argc == 3 && strcmp(argv[1], "pixels") == 0)
        return dump_pixels(ctx, argv[2]);
    AK_TRY(argc < 3 ? AKIN_EINVAL : read_ppm(&image, ctx, argv[2]));
    if (argc == 4 && strcmp(argv[1], "moments") == 0)
        st = dump_moments(ctx, &image, argv[3]);
    else if (argc >= 6 && strcmp(argv[1], "sift") == 0)
        st = dump_sift(ctx, &image, argc - 3, argv + 3);
    else
        st = ak_fail(ctx, AKIN_EINVAL, "what is '%s'?", argv[1]);
done:
    ak_image_free(&image);
    return st;
}

int main(int argc, char **argv)
{
    akin_ctx *ctx = NULL;
    akin_status st = akin_ctx_new(&ctx, NULL);
    if (st == AKIN_OK)
        st = dump(ctx, argc, argv);
    if (st != AKIN_OK)
        fprintf(stderr, "dump_picture: %s\n", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    return st != AKIN_OK;
}
