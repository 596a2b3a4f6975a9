/* Photos that come later are named by what was kept of those before. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "faulty.h"  // before the context of context.h

#include "context.h"

#include <akin/naming.h>
#include <akin/synth.h>

#include "tensors/tensors.h"

static const char path[] = "naming-resume-test.safetensors";

typedef struct scene {
    akin_rows *raw;
    char *captions, *truth;
    char *first;  // captions of four fifths of the photos
    int64_t n;
    int32_t *names, *before;
    double *confidences, *probabilities, *sure;
} scene;

static void close_scene(scene *s)
{
    akin_rows_free(s->raw);
    akin_free(s->captions);
    akin_free(s->truth);
    akin_free(s->first);
    akin_free(s->names);
    akin_free(s->before);
    akin_free(s->confidences);
    akin_free(s->probabilities);
    akin_free(s->sure);
    unlink(path);
}

static akin_status open_scene(scene *s, akin_ctx *c, int64_t photos)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    const char *end;
    akin_status st = AKIN_OK;
    o.photos = photos;
    o.names = photos / 10 + 3;
    o.dim = 12;
    AK_TRY(akin_synth_faces(&s->raw, &s->captions, &s->truth, c, &o));
    AK_TRY(ak_strdup(c, s->captions, &s->first));
    end = s->first;
    for (int64_t i = 0; i <= photos * 4 / 5; ++i)
        end = strchr(end, '\n') + 1;
    s->first[end - s->first] = '\0';
    s->n = akin_rows_count(s->raw);
    AK_TRY(AK_NEW(c, s->n, &s->names));
    AK_TRY(AK_NEW(c, s->n, &s->before));
    AK_TRY(AK_NEW(c, s->n, &s->confidences));
    AK_TRY(AK_NEW(c, s->n, &s->probabilities));
    AK_TRY(AK_NEW(c, s->n, &s->sure));
done:
    return st;
}

/* What is known of the faces: captions, and what a person said. */
typedef struct known {
    akin_rows *rows;
    akin_recipe *recipe;
    akin_supervision *data;
    akin_naming *naming;
    akin_estimate *estimate;
    akin_face_names *said;
} known;

static void close_known(known *k)
{
    akin_face_names_free(k->said);
    akin_estimate_free(k->estimate);
    akin_naming_free(k->naming);
    akin_supervision_free(k->data);
    akin_rows_free(k->rows);
    akin_recipe_free(k->recipe);
}

static akin_status open_known(known *k, akin_ctx *c, const scene *s,
                              bool resumes, const char *captions,
                              const char *said)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_status st = AKIN_OK;
    o.scale = "su";
    if (!resumes) {
        AK_TRY(akin_recipe_fit(&k->recipe, c, s->raw, &o));
        AK_TRY(akin_recipe_apply(&k->rows, c, k->recipe, s->raw));
    }
    AK_TRY(akin_supervision_new(&k->data, c, resumes ? s->raw : k->rows, NULL,
                                k->recipe));
    AK_TRY(akin_supervision_captions(c, k->data, "captions", captions));
    if (said != NULL)
        AK_TRY(akin_face_names_said(&k->said, c, k->data, "said", said));
done:
    return st;
}

/* Names by the file, or by learning; what is found is kept. */
static akin_status give_names(scene *s, akin_ctx *c, bool resumes,
                              const char *captions, const char *said,
                              int64_t fresh[2])
{
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    known k = {0};
    akin_status st = AKIN_OK;
    AK_TRY(open_known(&k, c, s, resumes, captions, said));
    AK_TRY(resumes ? akin_naming_resume(&k.naming, c, k.data, path)
                   : akin_naming_learn(&k.naming, c, NULL, k.data, k.said));
    AK_TRY(akin_naming_estimate(&k.estimate, c, k.naming, k.said));
    o.confirmed = k.said;
    o.estimate = k.estimate;
    AK_TRY(akin_naming_names(s->names, s->confidences, c, k.naming, &o, NULL));
    AK_TRY(akin_estimate_probabilities(s->probabilities, c, k.estimate,
                                       k.naming, s->names, k.said));
    akin_estimate_fresh(&fresh[0], &fresh[1], k.estimate, k.naming);
    AK_TRY(akin_estimate_save(c, k.estimate, k.naming, s->raw, s->confidences,
                              path));
done:
    close_known(&k);
    return st;
}

static void remember(const scene *s)
{
    memcpy(s->before, s->names, (size_t)s->n * sizeof *s->names);
    memcpy(s->sure, s->probabilities, (size_t)s->n * sizeof *s->sure);
}

static int64_t count_right(const scene *s, akin_ctx *c, int64_t from)
{
    akin_face_names *truth = NULL;
    known k = {0};
    int64_t right = 0;
    assert_int_equal(open_known(&k, c, s, true, s->captions, NULL), AKIN_OK);
    assert_int_equal(
        akin_face_names_parse(&truth, c, "truth", s->truth, k.data), AKIN_OK);
    for (int64_t l = 0; l < akin_face_names_count(truth); ++l) {
        const char *name;
        const int64_t face = akin_face_names_line(&name, truth, l);
        right += face >= from && akin_face_names_says(truth, l, s->names[face]);
    }
    akin_face_names_free(truth);
    close_known(&k);
    return right;
}

/* Faces of the first photos are the first rows. */
static int64_t count_first(const scene *s)
{
    int64_t n = 0;
    while (n < s->n && s->before[n] != AKIN_IN_NO_PHOTO)
        ++n;
    return n;
}

static void old_names_stay_and_new_ones_are_as_good(void **state)
{
    scene s = {0};
    int64_t fresh[2];
    (void)state;
    assert_int_equal(open_scene(&s, ctx, 150), AKIN_OK);
    assert_int_equal(give_names(&s, ctx, false, s.first, NULL, fresh), AKIN_OK);
    remember(&s);
    const int64_t n = count_first(&s);
    assert_in_range(n, 1, s.n - 1);
    assert_int_equal(give_names(&s, ctx, true, s.captions, NULL, fresh),
                     AKIN_OK);
    assert_int_equal(fresh[0], s.n - n);
    assert_int_equal(fresh[1], 0);
    assert_memory_equal(s.names, s.before, (size_t)n * sizeof *s.names);
    assert_memory_equal(s.probabilities, s.sure, (size_t)n * sizeof *s.sure);
    const int64_t right = count_right(&s, ctx, n);
    remember(&s);
    assert_int_equal(give_names(&s, ctx, true, s.captions, NULL, fresh),
                     AKIN_OK);
    assert_int_equal(fresh[0], 0);
    assert_memory_equal(s.names, s.before, (size_t)s.n * sizeof *s.names);
    assert_int_equal(give_names(&s, ctx, false, s.captions, NULL, fresh),
                     AKIN_OK);
    const int64_t together = count_right(&s, ctx, n);
    assert_true(right * 100 >= 95 * together);
    assert_true(right * 100 >= 80 * (s.n - n));
    close_scene(&s);
}

static void answers_hold_and_lead_to_others(void **state)
{
    scene s = {0};
    int64_t fresh[2];
    char said[64];
    (void)state;
    assert_int_equal(open_scene(&s, ctx, 60), AKIN_OK);
    assert_int_equal(give_names(&s, ctx, false, s.captions, NULL, fresh),
                     AKIN_OK);
    int64_t face = 0;
    while (s.names[face] < 0)
        ++face;
    snprintf(said, sizeof said, "%d,\n", (int)face);
    assert_int_equal(give_names(&s, ctx, true, s.captions, said, fresh),
                     AKIN_OK);
    assert_int_equal(s.names[face], AKIN_NO_NAME);
    assert_true(s.probabilities[face] == 1.0);
    assert_int_equal(fresh[0], 0);
    assert_in_range(fresh[1], 1, s.n);
    remember(&s);
    assert_int_equal(give_names(&s, ctx, true, s.captions, said, fresh),
                     AKIN_OK);
    assert_int_equal(fresh[1], 0);
    assert_memory_equal(s.names, s.before, (size_t)s.n * sizeof *s.names);
    close_scene(&s);
}

/* One tensor of the file otherwise: 0 left out, 1 not finite, 2 shorter. */
static void damage(const char *victim, int how)
{
    static double bad[1 << 16];
    ak_tensors *from = NULL, *to = NULL;
    assert_int_equal(ak_tensors_read(&from, ctx, path), AKIN_OK);
    assert_int_equal(ak_tensors_new(&to, ctx), AKIN_OK);
    for (int64_t k = 0; k < ak_tensors_note_count(from); ++k) {
        const char *key, *value;
        ak_tensors_note_at(from, k, &key, &value);
        if (strncmp(key, "xxh3", 4) != 0 && strstr(key, "version") == NULL &&
            strcmp(key, "format") != 0)
            assert_int_equal(ak_tensors_note(to, ctx, key, value), AKIN_OK);
    }
    for (int64_t k = 0; k < ak_tensors_count(from); ++k) {
        ak_tensor x = *ak_tensors_at(from, k);
        if (strcmp(x.name, victim) == 0) {
            if (how == 0)
                continue;
            if (how == 1) {
                memset(bad, 0xff, sizeof bad);
                x.data = bad;
            } else {
                --x.shape[0];
            }
        }
        assert_int_equal(ak_tensors_put_copy(to, ctx, x), AKIN_OK);
    }
    assert_int_equal(ak_tensors_write(to, ctx, path), AKIN_OK);
    ak_tensors_free(from);
    ak_tensors_free(to);
}

static void damaged_files_are_refused(void **state)
{
    static const char *const parts[] = {
        "directions", "singular", "affinity",   "mean",         "people",
        "spread",     "rates",    "likelihood", "nulls",        "photos",
        "said",       "first",    "shares",     "probabilities"};
    scene s = {0};
    int64_t fresh[2];
    (void)state;
    assert_int_equal(open_scene(&s, ctx, 30), AKIN_OK);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
        for (int how = 0; how < 3; ++how) {
            if (how == 1 && (strcmp(parts[k], "photos") == 0 ||
                             strcmp(parts[k], "said") == 0))
                continue;  // any number is one
            assert_int_equal(
                give_names(&s, ctx, false, s.captions, NULL, fresh), AKIN_OK);
            damage(parts[k], how);
            assert_int_equal(give_names(&s, ctx, true, s.captions, NULL, fresh),
                             AKIN_EFORMAT);
        }
    close_scene(&s);
}

static akin_status job(akin_ctx *c, void *arg)
{
    scene s = {0};
    int64_t fresh[2];
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(c, 1);
    AK_TRY(open_scene(&s, c, 6));
    AK_TRY(give_names(&s, c, false, s.first, NULL, fresh));
    AK_TRY(give_names(&s, c, true, s.captions, "0,\n1,name0,is-not\n", fresh));
done:
    close_scene(&s);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    assert_true(faulty_run(job, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(old_names_stay_and_new_ones_are_as_good),
        CONTEXT_CASE(answers_hold_and_lead_to_others),
        CONTEXT_CASE(damaged_files_are_refused),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
