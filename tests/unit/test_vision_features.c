/* Descriptors and colours: found where they are, as their definitions say. */
#include "support.h"

#include <math.h>

#include "faulty.h"
#include "vision/moments.h"
#include "vision/sift.h"

enum { W = 120, H = 90 };

/* Bright spots on grey, at (30, 40) and (80, 50). */
static void draw_spots(uint8_t *rgb)
{
    static const double at[2][2] = {{30, 40}, {80, 50}};
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            double light = 60.0;
            for (int s = 0; s < 2; ++s) {
                const double dx = x - at[s][0], dy = y - at[s][1];
                light += 150.0 * exp(-(dx * dx + 0.6 * dy * dy) / 40.0);
            }
            for (int c = 0; c < 3; ++c)
                rgb[(y * W + x) * 3 + c] = (uint8_t)light;
        }
}

static void spots_are_found(void **state)
{
    uint8_t rgb[W * H * 3];
    const ak_image image = {W, H, rgb};
    const ak_sift_options o = AK_SIFT_DEFAULTS;
    ak_sift s;
    int near[2] = {0, 0};
    draw_spots(rgb);
    assert_int_equal(ak_sift_of(&s, *state, &image, &o), AKIN_OK);
    for (int64_t i = 0; i < s.n; ++i) {
        const ak_sift_frame f = s.frames[i];
        double norm = 0.0;
        near[0] += hypot((double)f.x - 30.0, (double)f.y - 40.0) < 3.0;
        near[1] += hypot((double)f.x - 80.0, (double)f.y - 50.0) < 3.0;
        for (int j = 0; j < AK_SIFT_DIM; ++j) {
            const double v = s.descriptors[i * AK_SIFT_DIM + j] / 512.0;
            norm += v * v;
        }
        assert_true(norm > 0.5 && norm < 1.05);  // some are cut at 255
    }
    assert_true(near[0] > 0 && near[1] > 0);
    ak_sift_free(&s);
}

static void nothing_to_see_gives_none(void **state)
{
    uint8_t rgb[W * H * 3] = {0};
    const ak_sift_options o = AK_SIFT_DEFAULTS;
    for (int64_t side = 1; side <= 64; side *= 4) {
        const ak_image image = {side, side, rgb};
        ak_sift s;
        assert_int_equal(ak_sift_of(&s, *state, &image, &o), AKIN_OK);
        assert_int_equal(s.n, 0);
        ak_sift_free(&s);
    }
}

static akin_status find_spots(akin_ctx *ctx, void *arg)
{
    const ak_image image = {W, H, arg};
    const ak_sift_options o = AK_SIFT_DEFAULTS;
    ak_sift s;
    const akin_status st = ak_sift_of(&s, ctx, &image, &o);
    ak_sift_free(&s);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    uint8_t rgb[W * H * 3];
    (void)state;
    draw_spots(rgb);
    assert_in_range(faulty_run(find_spots, rgb), 2, 50);
}

/* ---- colours ----------------------------------------------------------------
 */

static void fill(uint8_t *rgb, int n, uint8_t r, uint8_t g, uint8_t b)
{
    for (int i = 0; i < n; ++i) {
        rgb[3 * i] = r;
        rgb[3 * i + 1] = g;
        rgb[3 * i + 2] = b;
    }
}

static void check_colour(akin_ctx *ctx, const uint8_t *colour,
                         ak_colour_space space, const double *wanted)
{
    uint8_t rgb[100 * 3];
    float m[AK_MOMENTS_DIM];
    const ak_image image = {10, 10, rgb};
    fill(rgb, 100, colour[0], colour[1], colour[2]);
    assert_int_equal(ak_colour_moments(ctx, &image, space, m), AKIN_OK);
    for (int b = 0; b < 25; ++b)
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs((double)m[b * 9 + c * 3] - wanted[c]) < 0.01);
            assert_true(m[b * 9 + c * 3 + 1] == 0.0F);
            assert_true(m[b * 9 + c * 3 + 2] == 0.0F);
        }
}

static void colours_are_those_of_the_tables(void **state)
{
    static const uint8_t red[] = {255, 0, 0}, white[] = {255, 255, 255},
                         black[] = {0, 0, 0}, blue[] = {0, 0, 128};
    check_colour(*state, red, AK_SPACE_LUV,
                 (const double[]){53.241, 175.015, 37.756});
    check_colour(*state, white, AK_SPACE_LUV, (const double[]){100, 0, 0});
    check_colour(*state, black, AK_SPACE_LUV, (const double[]){0, 0, 0});
    check_colour(*state, red, AK_SPACE_HSV, (const double[]){0, 1, 1});
    check_colour(*state, blue, AK_SPACE_HSV,
                 (const double[]){2.0 / 3.0, 1, 128.0 / 255.0});
}

static void moments_are_the_definition(void **state)
{
    enum { S = 20 };
    uint8_t rgb[S * S * 3];
    float m[AK_MOMENTS_DIM];
    ak_rng rng = ak_rng_new(1, AK_STREAM_SYNTH);
    const ak_image image = {S, S, rgb};
    for (int i = 0; i < S * S * 3; ++i)
        rgb[i] = (uint8_t)ak_rng_below(&rng, i % 2 ? 256 : 30);
    assert_int_equal(ak_colour_moments(*state, &image, AK_SPACE_HSV, m),
                     AKIN_OK);
    for (int b = 0; b < 25; ++b) {
        double v[16], mean = 0.0, m2 = 0.0, m3 = 0.0;
        for (int i = 0; i < 16; ++i) {  // the largest of r, g and b
            const int x = b % 5 * 4 + i % 4, y = b / 5 * 4 + i / 4;
            const uint8_t *p = rgb + (y * S + x) * 3;
            v[i] = fmax(p[0], fmax(p[1], p[2])) / 255.0;
            mean += v[i] / 16.0;
        }
        for (int i = 0; i < 16; ++i) {
            m2 += pow(v[i] - mean, 2.0) / 16.0;
            m3 += pow(v[i] - mean, 3.0) / 16.0;
        }
        assert_true(fabs((double)m[b * 9 + 6] - mean) < 1e-6);
        assert_true(fabs((double)m[b * 9 + 7] - sqrt(m2)) < 1e-6);
        assert_true(fabs((double)m[b * 9 + 8] - cbrt(m3)) < 1e-5);
    }
}

static void tiny_pictures_have_no_blocks(void **state)
{
    uint8_t rgb[4 * 9 * 3] = {0};
    float m[AK_MOMENTS_DIM];
    const ak_image image = {4, 9, rgb};
    assert_int_equal(ak_colour_moments(*state, &image, AK_SPACE_LUV, m),
                     AKIN_ESHAPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spots_are_found),
        cmocka_unit_test(nothing_to_see_gives_none),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(colours_are_those_of_the_tables),
        cmocka_unit_test(moments_are_the_definition),
        cmocka_unit_test(tiny_pictures_have_no_blocks),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
