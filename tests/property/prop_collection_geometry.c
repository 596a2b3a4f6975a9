/* Features that move together: of a picture that is shifted, turned and scaled
 * all pairs agree, also where words repeat and others do not follow; of pairs
 * at random few do; and the order of the pairs does not decide which motion is
 * found. */
#include <math.h>

#include "support.h"

#include "collection/pictures/geometry.h"

enum { N = 60, ROUNDS = 50 };

static const double SIDE = 500.0, PI = 3.14159265358979;

typedef struct scene {
    ak_sift_frame left[2 * N], right[2 * N];
    ak_frame_pair pairs[2 * N];
} scene;

static ak_sift_frame frame_at_random(ak_rng *rng)
{
    return (ak_sift_frame){(float)(SIDE * ak_rng_unit(rng)),
                           (float)(SIDE * ak_rng_unit(rng)),
                           (float)(1.0 + 9.0 * ak_rng_unit(rng)),
                           (float)(2.0 * PI * ak_rng_unit(rng))};
}

/* Turned by t around the origin, s times as large, shifted by (x, y). */
static ak_sift_frame moved(const ak_sift_frame *f, double s, double t, double x,
                           double y)
{
    return (ak_sift_frame){
        (float)(x + s * (cos(t) * (double)f->x - sin(t) * (double)f->y)),
        (float)(y + s * (sin(t) * (double)f->x + cos(t) * (double)f->y)),
        (float)(s * (double)f->scale),
        (float)remainder((double)f->angle + t, 2.0 * PI)};
}

static int64_t agree(akin_ctx *ctx, scene *s, int64_t n, double side)
{
    const ak_two_frames f = {s->left, s->right, 2 * N, 2 * N, side};
    int64_t agreeing, marked = 0;
    assert_int_equal(ak_geometry_agree(&agreeing, ctx, &f, s->pairs, n),
                     AKIN_OK);
    for (int64_t i = 0; i < n; ++i)
        marked += s->pairs[i].agrees;
    assert_int_equal(marked, agreeing);
    return agreeing;
}

/* `n` pairs that move together. */
static double make_copy(scene *s, ak_rng *rng, int64_t n)
{
    const double size = 0.3 + 2.0 * ak_rng_unit(rng);
    const double turn = 2.0 * PI * ak_rng_unit(rng);
    const double x = SIDE * ak_rng_unit(rng), y = SIDE * ak_rng_unit(rng);
    for (int32_t i = 0; i < n; ++i) {
        s->left[i] = frame_at_random(rng);
        s->right[i] = moved(&s->left[i], size, turn, x, y);
        s->pairs[i] = (ak_frame_pair){i, i, 0.1 + ak_rng_unit(rng), false};
    }
    return size * SIDE;
}

static void add_noise(scene *s, ak_rng *rng, int64_t from, int64_t n)
{
    for (int64_t i = from; i < from + n; ++i) {
        s->left[i] = frame_at_random(rng);
        s->right[i] = frame_at_random(rng);
        s->pairs[i] = (ak_frame_pair){(int32_t)i, (int32_t)i,
                                      0.1 + ak_rng_unit(rng), false};
    }
}

static void a_copy_agrees(void **state)
{
    ak_rng rng = ak_rng_new(1, 5);
    static scene s;
    for (int round = 0; round < ROUNDS; ++round) {
        const double side = make_copy(&s, &rng, N);
        assert_int_equal(agree(*state, &s, N, side), N);
    }
}

/* Half of the pairs are noise. */
static void a_copy_is_found_among_others(void **state)
{
    ak_rng rng = ak_rng_new(2, 5);
    static scene s;
    for (int round = 0; round < ROUNDS; ++round) {
        const double side = make_copy(&s, &rng, N);
        add_noise(&s, &rng, N, N);
        const int64_t all = agree(*state, &s, 2 * N, side);
        int64_t of_copy = 0;
        for (int i = 0; i < N; ++i)
            of_copy += s.pairs[i].agrees;
        assert_int_equal(of_copy, N);
        assert_true(all - of_copy <= N / 10);
    }
}

static void chance_agrees_little(void **state)
{
    ak_rng rng = ak_rng_new(3, 5);
    static scene s;
    int64_t sum = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        add_noise(&s, &rng, 0, N);
        const int64_t n = agree(*state, &s, N, SIDE);
        assert_true(n <= N / 8);
        sum += n;
    }
    assert_true(sum <= ROUNDS * 2);
}

/* A word twice in both pictures makes four pairs, of which two agree. */
static void features_agree_once(void **state)
{
    ak_rng rng = ak_rng_new(4, 5);
    static scene s;
    const double side = make_copy(&s, &rng, N);
    for (int32_t i = 0; i < N; ++i)
        s.pairs[N + i] = (ak_frame_pair){i, i ^ 1, 0.5, false};
    assert_int_equal(agree(*state, &s, 2 * N, side), N);
}

static void few_do_not_agree(void **state)
{
    ak_rng rng = ak_rng_new(5, 5);
    static scene s;
    for (int64_t n = 0; n < 4; ++n) {
        const double side = make_copy(&s, &rng, n);
        assert_int_equal(agree(*state, &s, n, side), 0);
    }
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(a_copy_agrees),
        cmocka_unit_test(a_copy_is_found_among_others),
        cmocka_unit_test(chance_agrees_little),
        cmocka_unit_test(features_agree_once),
        cmocka_unit_test(few_do_not_agree),
    };
    return cmocka_run_group_tests(cases, support_set_up, support_tear_down);
}
