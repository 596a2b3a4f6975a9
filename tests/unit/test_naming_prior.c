/* What is known before faces are compared: weights of names, and quality. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

#include <akin/naming.h>
#include <akin/synth.h>

enum { FACES = 6 };

/* Nothing but a prior tells who is who in p and q. */
static const char captions[] = "photo,faces,names\n"
                               "p,0;1,Ann;Bob\n"
                               "q,2;3,Cid;Dora\n"
                               "r,4,Eve\n";
static const float values[3 * FACES] = {1.0F, 0.0F, 0.1F, 0.9F, 0.1F, 0.0F,
                                        0.0F, 1.0F, 0.2F, 0.1F, 0.9F, 0.0F,
                                        0.3F, 0.3F, 1.0F, 0.5F, 0.5F, 0.5F};
enum { ANN, BOB, CID, DORA, EVE };

typedef struct scene {
    akin_rows *rows;
    akin_supervision *data;
    akin_naming *naming;
    int32_t names[FACES];
} scene;

static scene open_scene(const akin_options *method)
{
    scene s = {0};
    assert_int_equal(akin_rows_new_dense(&s.rows, ctx, FACES, 3, values),
                     AKIN_OK);
    assert_int_equal(akin_supervision_new(&s.data, ctx, s.rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(
        akin_supervision_captions(ctx, s.data, "captions", captions), AKIN_OK);
    assert_int_equal(akin_naming_learn(&s.naming, ctx, method, s.data, NULL),
                     AKIN_OK);
    return s;
}

static void close_scene(scene *s)
{
    akin_naming_free(s->naming);
    akin_supervision_free(s->data);
    akin_rows_free(s->rows);
}

static void name(scene *s)
{
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    o.named_count = 4;
    assert_int_equal(
        akin_naming_names(s->names, NULL, ctx, s->naming, &o, NULL), AKIN_OK);
}

static void check_method(const akin_options *method)
{
    static const akin_face_weight one[] = {
        {0, ANN, 50.0}, {2, DORA, 20.0}, {3, CID, 20.0}, {4, EVE, 1e-6}};
    static const akin_face_weight other[] = {
        {0, BOB, 50.0}, {2, DORA, 0.0}, {4, AKIN_NO_NAME, 1e6}};
    scene s = open_scene(method);
    assert_int_equal(akin_naming_set_prior(ctx, s.naming, one, 4), AKIN_OK);
    name(&s);
    assert_int_equal(s.names[0], ANN);
    assert_int_equal(s.names[1], BOB);
    assert_int_equal(s.names[2], DORA);
    assert_int_equal(s.names[3], CID);
    assert_int_equal(s.names[4], AKIN_NO_NAME);
    assert_int_equal(s.names[5], AKIN_IN_NO_PHOTO);
    assert_int_equal(akin_naming_set_prior(ctx, s.naming, other, 3), AKIN_OK);
    name(&s);
    assert_int_equal(s.names[0], BOB);
    assert_int_equal(s.names[1], ANN);
    assert_int_equal(s.names[2], CID);
    assert_int_equal(s.names[3], DORA);
    assert_int_equal(s.names[4], AKIN_NO_NAME);
    close_scene(&s);
}

static void prior_decides_for_fused(void **state)
{
    const akin_fused_options o = AKIN_FUSED_DEFAULTS;
    (void)state;
    check_method(&o.head);
}

static void prior_decides_for_algorithm_2(void **state)
{
    const akin_kernel_options kernel = AKIN_KERNEL_DEFAULTS;
    const akin_mean_options mean = AKIN_MEAN_DEFAULTS;
    (void)state;
    check_method(&kernel.head);
    check_method(&mean.head);
}

/* Excluded names are given to nobody, however many are wanted. */
static void weight_zero_excludes(void **state)
{
    const akin_fused_options o = AKIN_FUSED_DEFAULTS;
    static const akin_face_weight list[] = {{0, ANN, 0.0}, {1, ANN, 0.0}};
    scene s = open_scene(&o.head);
    akin_names_options n = AKIN_NAMES_DEFAULTS;
    (void)state;
    n.real_name_ratio = 1.0;
    assert_int_equal(akin_naming_set_prior(ctx, s.naming, list, 2), AKIN_OK);
    assert_int_equal(akin_naming_names(s.names, NULL, ctx, s.naming, &n, NULL),
                     AKIN_OK);
    assert_true(s.names[0] != ANN && s.names[1] != ANN);
    assert_true(s.names[0] == BOB || s.names[1] == BOB);
    close_scene(&s);
}

static void wrong_weights_are_refused(void **state)
{
    const akin_kernel_options o = AKIN_KERNEL_DEFAULTS;
    static const struct {
        akin_face_weight list[2];
        const char *message;
    } cases[] = {
        {{{5, ANN, 1.0}, {0, ANN, 1.0}},
         "weight 0, of face 5: the face is in no photo"},
        {{{0, CID, 1.0}, {0, ANN, 1.0}},
         "weight 0, of face 0: the caption of the photo does not have this "
         "name"},
        {{{0, ANN, 1.0}, {0, ANN, 2.0}},
         "weight 1, of face 0: a second weight of this face and name"},
        {{{0, ANN, 1.0}, {0, BOB, -1.0}},
         "weight 1, of face 0: not a weight (expected 0 to 1e12)"},
        {{{0, ANN, 1.0}, {0, BOB, (double)NAN}},
         "weight 1, of face 0: not a weight (expected 0 to 1e12)"},
    };
    scene s = open_scene(&o.head);
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        assert_int_equal(akin_naming_set_prior(ctx, s.naming, cases[k].list, 2),
                         AKIN_EINVAL);
        assert_string_equal(akin_ctx_message(ctx), cases[k].message);
    }
    close_scene(&s);
}

static void quality_is_above_0_to_1(void **state)
{
    const akin_kernel_options o = AKIN_KERNEL_DEFAULTS;
    double quality[FACES] = {1.0, 0.5, 1.0, 0.1, 1.0, 1.0};
    scene s = open_scene(&o.head);
    (void)state;
    assert_int_equal(akin_naming_set_quality(ctx, s.naming, quality), AKIN_OK);
    name(&s);
    quality[3] = 0.0;
    assert_int_equal(akin_naming_set_quality(ctx, s.naming, quality),
                     AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx),
                        "quality 0 of face 3 is out of range (above 0 to 1)");
    assert_int_equal(akin_naming_set_quality(ctx, s.naming, NULL), AKIN_OK);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(prior_decides_for_fused),
        CONTEXT_CASE(prior_decides_for_algorithm_2),
        CONTEXT_CASE(weight_zero_excludes),
        CONTEXT_CASE(wrong_weights_are_refused),
        CONTEXT_CASE(quality_is_above_0_to_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
