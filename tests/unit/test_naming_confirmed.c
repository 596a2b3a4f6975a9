/* Learning from what a person has said of faces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faulty.h"  // before the context of context.h

#include "context.h"

#include <akin/naming.h>
#include <akin/synth.h>

#include "data/captions/bags.h"
#include "data/captions/shared_names.h"

/* ---- candidates --------------------------------------------------------- */

static void assert_photo(const ak_bags *b, int64_t i, int64_t n,
                         const int64_t *faces, int64_t r, const int32_t *names)
{
    const int64_t *f;
    const int32_t *q;
    assert_int_equal(ak_bags_faces(b, i, &f), n);
    assert_memory_equal(f, faces, (size_t)n * sizeof *f);
    assert_int_equal(ak_bags_names(b, i, &q), r);
    if (r > 0)
        assert_memory_equal(q, names, (size_t)r * sizeof *q);
}

#define PHOTO(i, n, faces, r, names) \
    assert_photo(&out, i, n, (const int64_t[])faces, r, (const int32_t[])names)
#define LIST(...)   \
    {               \
        __VA_ARGS__ \
    }

/* Names are A 0, B 1, C 2. */
static void captions_shrink_to_what_was_said(void **state)
{
    static const char text[] = "photo,faces,names\n"
                               "p,0;1;2,A;B;C\n"
                               "q,3;4,A;B\n"
                               "r,5,C\n"
                               "s,,A\n";
    static const int32_t fixed[] = {1, -1, -1, 3, 2, -1};
    static const int32_t refused[] = {1, 0, 5, 2};
    const ak_confirmed said = {fixed, refused, 2};
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_source *source = NULL;
    ak_bags *b = NULL, out;
    (void)state;
    assert_int_equal(ak_source_memory(&source, ctx, "c", AK_SOURCE_TEXT, text,
                                      sizeof text - 1),
                     AKIN_OK);
    assert_int_equal(ak_bags_read(&b, ctx, source, 6), AKIN_OK);
    assert_int_equal(ak_bags_confirmed(&out, ctx, b, &said), AKIN_OK);
    assert_int_equal(out.n_photos, 6);
    PHOTO(0, 1, LIST(0), 1, LIST(1));
    PHOTO(1, 2, LIST(1, 2), 2, LIST(0, 2));  // 2 can still be A
    PHOTO(2, 1, LIST(3), 0, LIST(0));
    PHOTO(3, 1, LIST(4), 1, LIST(2));  // not in its caption
    PHOTO(4, 1, LIST(5), 0, LIST(0));
    PHOTO(5, 0, LIST(0), 1, LIST(0));
    ak_scratch_end(ctx, mark);
    ak_bags_free(b);
    ak_source_close(source);
}

/* ---- learning ----------------------------------------------------------- */

typedef struct scene {
    akin_rows *rows;
    akin_supervision *known;
    char *captions, *truth;
    akin_face_names *true_names, *said;
    int32_t *names;
    int64_t n;
} scene;

/* Every third face is told. */
static akin_status say(scene *s, akin_ctx *c)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    int64_t f = 0;
    for (char *p = strchr(s->truth, '\n') + 1, *end; *p; p = end + 1, ++f) {
        end = strchr(p, '\n');
        if (f % 3 == 0)
            fprintf(to, "%.*s\n", (int)(end - p), p);
    }
    fclose(to);
    const akin_status st =
        akin_face_names_parse(&s->said, c, "said", text, s->known);
    free(text);
    return st;
}

static akin_status open_scene(scene *s, akin_ctx *c, int64_t photos)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    akin_status st = AKIN_OK;
    o.photos = photos;
    o.names = 4;
    o.dim = 12;
    o.noise = 0.8;
    o.real_name_ratio = 0.6;
    AK_TRY(akin_synth_faces(&s->rows, &s->captions, &s->truth, c, &o));
    AK_TRY(akin_supervision_new(&s->known, c, s->rows, NULL, NULL));
    AK_TRY(akin_supervision_captions(c, s->known, "captions", s->captions));
    AK_TRY(
        akin_face_names_parse(&s->true_names, c, "truth", s->truth, s->known));
    AK_TRY(say(s, c));
    s->n = akin_rows_count(s->rows);
    AK_TRY(AK_NEW(c, s->n, &s->names));
done:
    return st;
}

static void close_scene(scene *s)
{
    akin_free(s->names);
    akin_face_names_free(s->said);
    akin_face_names_free(s->true_names);
    akin_supervision_free(s->known);
    akin_rows_free(s->rows);
    akin_free(s->captions);
    akin_free(s->truth);
}

/* Names, learned with what was said or not, told when names are given or not;
 * how many are right. */
static akin_status name(scene *s, akin_ctx *c, const char *method, bool learn,
                        bool tell, double *right)
{
    akin_options *o = NULL;
    akin_names_options by = AKIN_NAMES_DEFAULTS;
    akin_naming *naming = NULL;
    akin_naming_measure m;
    akin_status st = AKIN_OK;
    by.confirmed = tell ? s->said : NULL;
    by.real_name_ratio = 0.6;
    AK_TRY(akin_options_new(&o, c, method));
    AK_TRY(akin_naming_learn(&naming, c, o, s->known, learn ? s->said : NULL));
    AK_TRY(akin_naming_names(s->names, NULL, c, naming, &by, NULL));
    AK_TRY(akin_naming_compare(&m, c, naming, s->names, s->true_names));
    *right = m.accuracy * (double)m.faces;
done:
    akin_options_free(o);
    akin_naming_free(naming);
    return st;
}

/* What was said is not kept when names are given, so that faces that were told
 * must be right by what was learned: more of them are. */
static void what_was_said_is_learned_from(void **state)
{
    static const char *const methods[] = {"mms", "asml", "lr-svm"};
    scene s = {0};
    (void)state;
    assert_int_equal(open_scene(&s, ctx, 120), AKIN_OK);
    for (int k = 0; k < 3; ++k) {
        double before, after;
        assert_int_equal(name(&s, ctx, methods[k], false, false, &before),
                         AKIN_OK);
        assert_int_equal(name(&s, ctx, methods[k], true, false, &after),
                         AKIN_OK);
        if (!(after > before))
            fail_msg("%s: %g, then %g", methods[k], before, after);
    }
    close_scene(&s);
}

/* Of the others no fewer are right; within two faces, for names move. */
static void the_rest_is_named_no_worse(void **state)
{
    static const char *const methods[] = {"mms",  "asml", "lr-svm", "mildml",
                                          "rlrr", "lrr",  "fused"};
    scene s = {0};
    (void)state;
    assert_int_equal(open_scene(&s, ctx, 120), AKIN_OK);
    for (int k = 0; k < 7; ++k) {
        double before, after;
        assert_int_equal(name(&s, ctx, methods[k], false, true, &before),
                         AKIN_OK);
        assert_int_equal(name(&s, ctx, methods[k], true, true, &after),
                         AKIN_OK);
        if (!(after >= before - 2.0))
            fail_msg("%s: %g, then %g", methods[k], before, after);
    }
    close_scene(&s);
}

static akin_status job(akin_ctx *c, void *arg)
{
    scene s = {0};
    double right;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(c, 1);
    AK_TRY(open_scene(&s, c, 6));
    AK_TRY(name(&s, c, arg, true, true, &right));
done:
    close_scene(&s);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    char *methods[] = {"mms", "rlrr", "lr-svm"};
    (void)state;
    for (int k = 0; k < 3; ++k)
        assert_true(faulty_run(job, methods[k]) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(captions_shrink_to_what_was_said),
        CONTEXT_CASE(what_was_said_is_learned_from),
        CONTEXT_CASE(the_rest_is_named_no_worse),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
