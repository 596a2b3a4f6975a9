/* Names again by what a model keeps of the faces it was learned from. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "faulty.h"  // before the context of context.h

#include "context.h"

#include <akin/naming.h>
#include <akin/synth.h>

#include "model/model.h"

typedef struct scene {
    akin_rows *raw, *rows;
    akin_recipe *recipe;
    akin_supervision *known;
    akin_naming *naming;
    akin_model *model;
    akin_face_names *said;
    char *captions, *truth;
    int64_t n;
    int32_t *names, *again;
} scene;

static void close_scene(scene *s)
{
    akin_free(s->names);
    akin_free(s->again);
    akin_face_names_free(s->said);
    akin_model_free(s->model);
    akin_naming_free(s->naming);
    akin_supervision_free(s->known);
    akin_rows_free(s->rows);
    akin_rows_free(s->raw);
    akin_recipe_free(s->recipe);
    akin_free(s->captions);
    akin_free(s->truth);
}

static akin_status open_scene(scene *s, akin_ctx *c, int64_t photos)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    akin_recipe_options recipe = AKIN_RECIPE_DEFAULTS;
    akin_status st = AKIN_OK;
    o.photos = photos;
    o.names = 4;
    o.dim = 9;
    recipe.scale = "su";
    AK_TRY(akin_synth_faces(&s->raw, &s->captions, &s->truth, c, &o));
    AK_TRY(akin_recipe_fit(&s->recipe, c, s->raw, &recipe));
    AK_TRY(akin_recipe_apply(&s->rows, c, s->recipe, s->raw));
    AK_TRY(akin_supervision_new(&s->known, c, s->rows, NULL, s->recipe));
    AK_TRY(akin_supervision_captions(c, s->known, "captions", s->captions));
    AK_TRY(akin_face_names_parse(&s->said, c, "said", "0,\n", s->known));
    s->n = akin_rows_count(s->rows);
    AK_TRY(AK_NEW(c, s->n, &s->names));
    AK_TRY(AK_NEW(c, s->n, &s->again));
done:
    return st;
}

static bool has_option(const char *method, const char *name)
{
    const akin_learner_info *l = akin_learner_find(method);
    for (int64_t i = 0; i < l->n_options; ++i)
        if (strcmp(l->options[i].name, name) == 0)
            return true;
    return false;
}

/* Learn, name half of the faces, and keep it. */
static akin_status learn(scene *s, akin_ctx *c, const char *method)
{
    akin_options *o = NULL;
    akin_names_options by = AKIN_NAMES_DEFAULTS;
    akin_names_info info;
    akin_status st = AKIN_OK;
    by.real_name_ratio = 0.5;
    AK_TRY(akin_options_new(&o, c, method));
    if (has_option(method, "iterations"))
        AK_TRY(akin_options_set(c, o, "iterations", "20"));
    AK_TRY(akin_naming_learn(&s->naming, c, o, s->known, NULL));
    AK_TRY(akin_naming_names(s->names, NULL, c, s->naming, &by, &info));
    AK_TRY(akin_naming_model(&s->model, c, s->naming, s->names, info.theta));
done:
    akin_options_free(o);
    return st;
}

/* Names by the model, of rows that it prepares; nothing asked for. */
static akin_status name_again(scene *s, akin_ctx *c, const char *captions,
                              const akin_face_names *said, int64_t *same)
{
    akin_names_options by = AKIN_NAMES_DEFAULTS;
    akin_naming_info info;
    akin_rows *rows = NULL;
    akin_supervision *known = NULL;
    akin_naming *naming = NULL;
    akin_status st = AKIN_OK;
    by.confirmed = said;
    AK_TRY(akin_model_prepare(&rows, c, s->model, s->raw, AKIN_LEFT));
    AK_TRY(akin_supervision_new(&known, c, rows, NULL, NULL));
    AK_TRY(akin_supervision_captions(c, known, "captions", captions));
    AK_TRY(akin_naming_open(&naming, c, known, s->model));
    akin_naming_get_info(&info, naming);
    *same = info.same_faces;
    AK_TRY(akin_naming_names(s->again, NULL, c, naming, &by, NULL));
done:
    akin_naming_free(naming);
    akin_supervision_free(known);
    akin_rows_free(rows);
    return st;
}

/* Through a file, as people have it. */
static void store(scene *s)
{
    static const char path[] = "naming-state-test.safetensors";
    assert_int_equal(akin_model_save(ctx, s->model, path), AKIN_OK);
    akin_model_free(s->model);
    s->model = NULL;
    assert_int_equal(akin_model_load(&s->model, ctx, path), AKIN_OK);
    unlink(path);
}

static void names_are_as_if_learned_again(void **state)
{
    static const char *const methods[] = {"lrr",   "rlrr",   "fused", "kernel",
                                          "lrrml", "rlrrml", "mildml"};
    (void)state;
    for (int k = 0; k < 7; ++k) {
        akin_names_options by = AKIN_NAMES_DEFAULTS;
        scene s = {0};
        int64_t same = 0;
        assert_int_equal(open_scene(&s, ctx, 40), AKIN_OK);
        assert_int_equal(learn(&s, ctx, methods[k]), AKIN_OK);
        store(&s);
        assert_int_equal(name_again(&s, ctx, s.captions, NULL, &same), AKIN_OK);
        assert_int_equal(same, 1);
        const size_t bytes = (size_t)s.n * sizeof *s.names;
        assert_memory_equal(s.names, s.again, bytes);
        by.real_name_ratio = 0.5;
        by.confirmed = s.said;
        assert_int_equal(
            akin_naming_names(s.names, NULL, ctx, s.naming, &by, NULL),
            AKIN_OK);
        assert_int_equal(name_again(&s, ctx, s.captions, s.said, &same),
                         AKIN_OK);
        assert_int_equal(s.again[0], -1);
        assert_memory_equal(s.names, s.again, bytes);
        close_scene(&s);
    }
}

static void other_captions_are_named_by_scores(void **state)
{
    scene s = {0};
    int64_t same = 1;
    (void)state;
    assert_int_equal(open_scene(&s, ctx, 40), AKIN_OK);
    assert_int_equal(learn(&s, ctx, "lrr"), AKIN_OK);
    assert_int_equal(name_again(&s, ctx,
                                "photo,faces,names\n"
                                "p,0;1,name0;name1\n",
                                NULL, &same),
                     AKIN_OK);
    assert_int_equal(same, 0);
    close_scene(&s);
}

static int64_t count_named(const int32_t *names, int64_t n)
{
    int64_t count = 0;
    for (int64_t f = 0; f < n; ++f)
        count += names[f] >= 0;
    return count;
}

/* Of the same faces as many are named by the scores alone, and the same ones
 * where the method has these scores itself. */
static void scores_name_as_many(void **state)
{
    static const char *const methods[] = {"mean", "mms",    "lrr", "fused",
                                          "cgmm", "kmeans", "knn"};
    (void)state;
    for (int k = 0; k < 7; ++k) {
        scene s = {0};
        int64_t same = 0;
        assert_int_equal(open_scene(&s, ctx, 40), AKIN_OK);
        assert_int_equal(learn(&s, ctx, methods[k]), AKIN_OK);
        ak_tensors_free(s.model->state);
        s.model->state = NULL;
        store(&s);
        assert_int_equal(name_again(&s, ctx, s.captions, NULL, &same), AKIN_OK);
        assert_int_equal(same, 0);
        assert_int_equal(count_named(s.again, s.n), count_named(s.names, s.n));
        if (k < 2)
            assert_memory_equal(s.names, s.again,
                                (size_t)s.n * sizeof *s.names);
        close_scene(&s);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    static const double short_one[] = {0.5};
    scene s = {0};
    int64_t same, sum = 0, k = 0;
    (void)state;
    assert_int_equal(open_scene(&s, ctx, 40), AKIN_OK);
    assert_int_equal(learn(&s, ctx, "lrr"), AKIN_OK);
    assert_int_equal(ak_tensors_need_i64(s.model->state, ctx, "faces", &sum),
                     AKIN_OK);
    assert_int_equal(ak_tensors_need_i64(s.model->state, ctx, "k", &k),
                     AKIN_OK);
    ak_tensors_free(s.model->state);
    s.model->state = NULL;
    assert_int_equal(ak_tensors_new(&s.model->state, ctx), AKIN_OK);
    ak_tensors *t = s.model->state;
    ak_tensors_put_vector(t, ctx, "affinity", AK_DTYPE_F64, 1, short_one);
    assert_int_equal(name_again(&s, ctx, s.captions, NULL, &same),
                     AKIN_EFORMAT);
    ak_tensors_note_i64(t, ctx, "faces", sum);
    assert_int_equal(name_again(&s, ctx, s.captions, NULL, &same),
                     AKIN_EFORMAT);
    ak_tensors_note_i64(t, ctx, "k", k);
    ak_tensors_note_i64(t, ctx, "named", 3);
    ak_tensors_note_i64(t, ctx, "rounds", 15);
    ak_tensors_note_i64(t, ctx, "self_votes", 0);
    assert_int_equal(name_again(&s, ctx, s.captions, NULL, &same),
                     AKIN_EFORMAT);
    assert_non_null(strstr(akin_ctx_message(ctx), "do not fit"));
    close_scene(&s);
}

static akin_status job(akin_ctx *c, void *arg)
{
    scene s = {0};
    int64_t same;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(c, 1);
    AK_TRY(open_scene(&s, c, 6));
    AK_TRY(learn(&s, c, arg));
    AK_TRY(name_again(&s, c, s.captions, s.said, &same));
done:
    close_scene(&s);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    char *methods[] = {"lrr", "fused", "mean"};
    (void)state;
    for (int k = 0; k < 3; ++k)
        assert_true(faulty_run(job, methods[k]) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(names_are_as_if_learned_again),
        CONTEXT_CASE(other_captions_are_named_by_scores),
        CONTEXT_CASE(scores_name_as_many),
        CONTEXT_CASE(what_does_not_fit_is_refused),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
