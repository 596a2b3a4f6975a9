/* Patches and quality of faces, on pictures that are computed. */
#include "vision/face_pixels.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SIDE = 200 };

static uint8_t pixels[SIDE * SIDE * 3];
static const ak_image image = {SIDE, SIDE, pixels};

/* Landmarks of a face of this size around the middle, turned by degrees. */
static void place(double size, double degrees, double points[10])
{
    static const double unit[10] = {0.86, 0.21, 0.65, 0.23, 0.12,
                                    0.21, 0.33, 0.23, 0.49, 0.63};
    const double a = degrees * acos(-1.0) / 180.0;
    for (int i = 0; i < 5; ++i) {
        const double x = size * (unit[2 * i] - 0.49);
        const double y = size * (unit[2 * i + 1] - 0.5);
        points[2 * i] = SIDE / 2.0 + x * cos(a) - y * sin(a);
        points[2 * i + 1] = SIDE / 2.0 + x * sin(a) + y * cos(a);
    }
}

/* Waves, as a face of this size and turn has them. */
static void paint(double size, double degrees, double contrast, double light)
{
    const double a = degrees * acos(-1.0) / 180.0;
    for (int y = 0; y < SIDE; ++y)
        for (int x = 0; x < SIDE; ++x) {
            const double dx = x - SIDE / 2.0, dy = y - SIDE / 2.0;
            const double u = (dx * cos(a) + dy * sin(a)) / size;
            const double v = (dy * cos(a) - dx * sin(a)) / size;
            const double g = light + contrast * sin(9.0 * u) * cos(7.0 * v + u);
            memset(pixels + 3 * (y * SIDE + x), (int)g, 3);
        }
}

static double distance(const float *a, const float *b)
{
    double sum = 0.0;
    for (int i = 0; i < AK_PATCHES_DIM; ++i)
        sum += pow((double)a[i] - (double)b[i], 2.0);
    return sqrt(sum);
}

static void patches_have_mean_0_and_length_1(void **state)
{
    float x[AK_PATCHES_DIM];
    double points[10];
    (void)state;
    place(100.0, 0.0, points);
    paint(100.0, 0.0, 60.0, 128.0);
    ak_face_patches(&image, points, x);
    for (int k = 0; k < AK_PATCHES; ++k) {
        double sum = 0.0, length = 0.0;
        for (int i = 0; i < AK_PATCH_SIZE; ++i) {
            const double v = (double)x[k * AK_PATCH_SIZE + i];
            sum += v;
            length += v * v;
        }
        assert_true(fabs(sum) < 1e-4);
        assert_true(fabs(length - 1.0) < 1e-4);
    }
}

/* Thirteen discs of length 1: two that have nothing in common are about
 * sqrt(26) apart. */
static void patches_do_not_depend_on_light_size_and_turn(void **state)
{
    float x[AK_PATCHES_DIM], y[AK_PATCHES_DIM];
    double points[10];
    (void)state;
    place(100.0, 0.0, points);
    paint(100.0, 0.0, 60.0, 128.0);
    ak_face_patches(&image, points, x);
    paint(100.0, 0.0, 30.0, 90.0);
    ak_face_patches(&image, points, y);
    assert_true(distance(x, y) < 0.4);
    place(70.0, 25.0, points);
    paint(70.0, 25.0, 60.0, 128.0);
    ak_face_patches(&image, points, y);
    assert_true(distance(x, y) < 0.4);
    place(70.0, 0.0, points);
    ak_face_patches(&image, points, y);
    assert_true(distance(x, y) > 1.0);
}

static void flat_and_far_faces_are_zero(void **state)
{
    float x[AK_PATCHES_DIM];
    double points[10];
    (void)state;
    memset(pixels, 77, sizeof pixels);
    place(100.0, 0.0, points);
    ak_face_patches(&image, points, x);
    for (int i = 0; i < AK_PATCHES_DIM; ++i)
        assert_true(x[i] == 0.0F);
    for (int i = 0; i < 10; ++i)
        points[i] = 1e15 * (i % 2 ? -1.0 : 1.0);
    ak_face_patches(&image, points, x);
    for (int i = 0; i < AK_PATCHES_DIM; ++i)
        assert_true(isfinite(x[i]));
}

static void quality_knows_size_blur_and_angle(void **state)
{
    const double box[4] = {50, 60, 100, 90};
    double points[10];
    (void)state;
    place(100.0, 20.0, points);
    paint(5.0, 0.0, 60.0, 128.0);
    const ak_face_quality sharp = ak_face_quality_of(&image, box, points);
    paint(50.0, 0.0, 60.0, 128.0);
    const ak_face_quality smooth = ak_face_quality_of(&image, box, points);
    assert_true(sharp.size == 90.0);
    assert_true(sharp.sharpness > 10.0 * smooth.sharpness);
    assert_true(smooth.sharpness > 0.0);
    assert_true(fabs(sharp.roll - 20.0) < 0.01);
    assert_true(fabs(sharp.turn) < 1.0);
    points[8] += 20.0 * cos(20.0 / 57.3);  // the nose goes aside
    points[9] += 20.0 * sin(20.0 / 57.3);
    assert_true(ak_face_quality_of(&image, box, points).turn > 30.0);
    memset(pixels, 9, sizeof pixels);
    assert_true(ak_face_quality_of(&image, box, points).sharpness == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches_have_mean_0_and_length_1),
        cmocka_unit_test(patches_do_not_depend_on_light_size_and_turn),
        cmocka_unit_test(flat_and_far_faces_are_zero),
        cmocka_unit_test(quality_knows_size_blur_and_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
