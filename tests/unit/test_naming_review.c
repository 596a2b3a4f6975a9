/* Answers of a person, one after the other: what is asked first, and what an
 * answer changes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

#include <akin/naming.h>
#include <akin/synth.h>

#include "base/ctx.h"

typedef struct scene {
    akin_rows *rows;
    akin_supervision *data;
    akin_naming *naming;
    akin_estimate *estimate;
    char *captions, *truth;
    int64_t n;
    int32_t *names;
    double *p, *gains;
} scene;

static void learn(scene *s)
{
    s->n = akin_rows_count(s->rows);
    s->names = calloc((size_t)s->n, sizeof *s->names);
    s->p = calloc((size_t)s->n, sizeof *s->p);
    s->gains = calloc((size_t)s->n, sizeof *s->gains);
    assert_int_equal(akin_supervision_new(&s->data, ctx, s->rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(
        akin_supervision_captions(ctx, s->data, "captions", s->captions),
        AKIN_OK);
    assert_int_equal(akin_naming_learn(&s->naming, ctx, NULL, s->data, NULL),
                     AKIN_OK);
    assert_int_equal(akin_naming_estimate(&s->estimate, ctx, s->naming, NULL),
                     AKIN_OK);
}

static void close_scene(scene *s)
{
    free(s->names);
    free(s->p);
    free(s->gains);
    akin_estimate_free(s->estimate);
    akin_naming_free(s->naming);
    akin_supervision_free(s->data);
    akin_rows_free(s->rows);
    akin_free(s->captions);
    akin_free(s->truth);
}

/* Names, probabilities and gains, with these lines confirmed. */
static void ask(scene *s, akin_estimate *x, const char *said)
{
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    akin_face_names *confirmed = NULL;
    assert_int_equal(
        akin_face_names_parse(&confirmed, ctx, "said", said, s->data), AKIN_OK);
    if (x == s->estimate)
        assert_int_equal(akin_estimate_update(ctx, x, s->naming, confirmed),
                         AKIN_OK);
    o.confirmed = confirmed;
    o.estimate = x;
    assert_int_equal(
        akin_naming_names(s->names, NULL, ctx, s->naming, &o, NULL), AKIN_OK);
    assert_int_equal(akin_estimate_probabilities(s->p, ctx, x, s->naming,
                                                 s->names, confirmed),
                     AKIN_OK);
    assert_int_equal(
        akin_estimate_gains(s->gains, ctx, x, s->naming, s->names, confirmed),
        AKIN_OK);
    akin_face_names_free(confirmed);
}

/* Persons with six photos each, a face a photo, whose names come with one that
 * occurs nowhere else; but name0 and name1 always come together. And a photo of
 * two faces that nothing is known of. */
static scene twins(void)
{
    enum { PERSONS = 12, PHOTOS = 6, D = 16 };
    scene s = {0};
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    float *x = calloc((size_t)(PERSONS * PHOTOS + 8) * D, sizeof *x);
    int64_t n = 0;
    uint32_t noise = 1;
    fputs("photo,faces,names\n", to);
    for (int p = 0; p < PERSONS; ++p)
        for (int k = 0; k < PHOTOS; ++k) {
            if (p == 1)
                continue;
            x[n * D + p] = 1.0F;
            fprintf(to, "p%d,%d,name%d;%s%d\n", (int)n, (int)n, p,
                    p == 0 ? "name" : "extra", p == 0 ? 1 : (int)n);
            ++n;
        }
    fprintf(to, "two,%d;%d,Ann;Bob\n", (int)n, (int)n + 1);
    x[n++ * D + 12] = 1.0F;
    x[n++ * D + 13] = 1.0F;
    fclose(to);
    for (int64_t i = 0; i < n * D; ++i) {
        noise = noise * 1664525U + 1013904223U;
        x[i] += 0.1F * ((float)(noise >> 8) / 16777216.0F - 0.5F);
    }
    assert_int_equal(akin_rows_new_dense(&s.rows, ctx, n, D, x), AKIN_OK);
    assert_int_equal(ak_strdup(ctx, text, &s.captions), AKIN_OK);
    free(text);
    free(x);
    learn(&s);
    return s;
}

/* All six faces are one of two names, and one answer tells which. */
static void names_in_doubt_are_settled_at_once(void **state)
{
    scene s = twins();
    (void)state;
    ask(&s, s.estimate, "face,name\n");
    for (int f = 0; f < 6; ++f)
        assert_true(s.p[f] < 0.95);
    int first = 0;
    for (int f = 1; f < 6; ++f)
        first = s.gains[f] > s.gains[first] ? f : first;
    assert_true(s.gains[first] > 1.0);
    for (int f = 0; f < 6; ++f)
        assert_true(f == first || s.gains[f] < 0.5 * s.gains[first]);
    for (int name = 0; name < 2; ++name) {
        char said[32];
        snprintf(said, sizeof said, "%d,name%d\n", first, name);
        ask(&s, s.estimate, said);
        for (int f = 0; f < 6; ++f) {
            assert_string_equal(akin_naming_name(s.naming, s.names[f]),
                                name ? "name1" : "name0");
            assert_true(s.p[f] > 0.9);
        }
    }
    close_scene(&s);
}

/* Two faces and two names: after one answer there is nothing left to ask. */
static void second_face_of_a_photo_gains_less(void **state)
{
    scene s = twins();
    const akin_face_weight named[] = {{s.n - 2, AKIN_NO_NAME, 1e-6},
                                      {s.n - 1, AKIN_NO_NAME, 1e-6}};
    (void)state;
    assert_int_equal(akin_naming_set_prior(ctx, s.naming, named, 2), AKIN_OK);
    akin_estimate_free(s.estimate);
    s.estimate = NULL;
    assert_int_equal(akin_naming_estimate(&s.estimate, ctx, s.naming, NULL),
                     AKIN_OK);
    ask(&s, s.estimate, "face,name\n");
    const double a = s.gains[s.n - 2], b = s.gains[s.n - 1];
    assert_true(fmax(a, b) > 0.9);
    assert_true(fmin(a, b) < 0.1);
    close_scene(&s);
}

/* Of the truth: every `step`-th line. */
static char *lines_of(const char *truth, int64_t step)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    int64_t k = 0;
    for (const char *p = strchr(truth, '\n') + 1, *end; *p; p = end + 1, ++k) {
        end = strchr(p, '\n');
        if (k % step == 0)
            fprintf(to, "%.*s\n", (int)(end - p), p);
    }
    fclose(to);
    return text;
}

static double accuracy_of(const scene *s)
{
    akin_face_names *truth = NULL;
    akin_naming_measure m;
    assert_int_equal(
        akin_face_names_parse(&truth, ctx, "truth", s->truth, s->data),
        AKIN_OK);
    assert_int_equal(akin_naming_compare(&m, ctx, s->naming, s->names, truth),
                     AKIN_OK);
    akin_face_names_free(truth);
    return m.accuracy;
}

/* An update is about as good as an estimate from the start, keeps what was
 * said, and takes it back. */
static void update_follows_what_was_said(void **state)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    scene s = {0};
    akin_estimate *anew = NULL;
    akin_face_names *confirmed = NULL;
    (void)state;
    o.photos = 150;
    o.names = 12;
    o.dim = 16;
    o.noise = 0.8;
    akin_ctx_set_seed(ctx, 5);
    assert_int_equal(akin_synth_faces(&s.rows, &s.captions, &s.truth, ctx, &o),
                     AKIN_OK);
    learn(&s);
    char *said = lines_of(s.truth, 5);
    ask(&s, s.estimate, "face,name\n");
    const double before = accuracy_of(&s);
    ask(&s, s.estimate, said);
    const double after = accuracy_of(&s);
    for (int64_t f = 0; f < s.n; f += 5) {
        assert_true(s.p[f] == 1.0);
        assert_true(s.gains[f] == 0.0);
    }
    assert_int_equal(
        akin_face_names_parse(&confirmed, ctx, "said", said, s.data), AKIN_OK);
    assert_int_equal(akin_naming_estimate(&anew, ctx, s.naming, confirmed),
                     AKIN_OK);
    ask(&s, anew, said);
    assert_true(fabs(accuracy_of(&s) - after) < 0.03);
    assert_true(after > before);
    ask(&s, s.estimate, "face,name\n");
    assert_true(accuracy_of(&s) < after);
    free(said);
    akin_face_names_free(confirmed);
    akin_estimate_free(anew);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(names_in_doubt_are_settled_at_once),
        CONTEXT_CASE(second_face_of_a_photo_gains_less),
        CONTEXT_CASE(update_follows_what_was_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
