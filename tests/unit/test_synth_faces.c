/* Synthetic faces: counts are reached exactly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faulty.h"

#include "context.h"

#include <akin/synth.h>

#include "data/captions/bags.h"
#include "data/captions/shared_names.h"
#include "data/supervision/supervision.h"

typedef struct counts {
    int64_t photos, faces, names;
    int64_t known;  // faces of a name
    int64_t told;   // whose caption has it
    int64_t wrong;  // names in captions that no face has
} counts;

/* The name of a face by the truth, -1: nobody. */
static int64_t name_of(const ak_bags *b, char *const *lines, int64_t face)
{
    const char *name = strchr(lines[face + 1], ',') + 1;
    for (int64_t q = 0; q < b->n_names; ++q)
        if (strcmp(b->name_texts[q], name) == 0)
            return q;
    return *name ? b->n_names : -1;
}

static void count_photo(counts *c, const ak_bags *b, char *const *lines,
                        int64_t photo)
{
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    const int64_t r = ak_bags_names(b, photo, &names);
    int64_t told = 0;
    for (int64_t f = 0; f < n; ++f) {
        const int64_t q = name_of(b, lines, faces[f]);
        c->known += q >= 0;
        for (int64_t k = 0; k < r; ++k)
            told += names[k] == q;
    }
    c->faces += n;
    c->told += told;
    c->wrong += r - told;
}

static counts count(akin_synth_faces_options o)
{
    akin_rows *rows = NULL;
    akin_supervision *s = NULL;
    char *captions = NULL, *truth = NULL;
    if (akin_synth_faces(&rows, &captions, &truth, ctx, &o) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    assert_int_equal(akin_supervision_new(&s, ctx, rows, NULL, NULL), AKIN_OK);
    assert_int_equal(akin_supervision_captions(ctx, s, "c", captions), AKIN_OK);
    counts c = {.photos = s->bags->n_photos, .names = s->bags->n_names};
    char **lines = calloc((size_t)akin_rows_count(rows) + 2, sizeof *lines);
    int64_t n = 0;
    for (char *p = truth, *end; *p != '\0'; p = end + 1) {
        end = strchr(p, '\n');
        *end = '\0';
        lines[n++] = p;
    }
    assert_int_equal(n, akin_rows_count(rows) + 1);
    for (int64_t i = 0; i < c.photos; ++i)
        count_photo(&c, s->bags, lines, i);
    assert_int_equal(c.faces, akin_rows_count(rows));
    free(lines);
    akin_supervision_free(s);
    akin_rows_free(rows);
    akin_free(captions);
    akin_free(truth);
    return c;
}

static void faces_and_ratio_are_exact(void **state)
{
    static const double ratios[] = {0.0, 0.01, 0.3, 0.55, 0.9, 1.0};
    (void)state;
    for (int k = 0; k < 6; ++k) {
        akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
        o.dim = 5;
        o.faces = k % 2 ? 1111 : 0;
        o.real_name_ratio = ratios[k];
        const counts c = count(o);
        assert_int_equal(c.photos, 500);
        if (o.faces > 0)
            assert_int_equal(c.faces, 1111);
        assert_int_equal(c.told, llround(ratios[k] * (double)c.faces));
        assert_int_equal(c.known, c.told);
    }
}

static void the_shape_of_the_soccer_set(void **state)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    (void)state;
    o.photos = 8640;
    o.faces = 17472;
    o.names = 170;
    o.dim = 3;
    const counts c = count(o);
    assert_int_equal(c.photos, 8640);
    assert_int_equal(c.faces, 17472);
    assert_int_equal(c.names, 170);
}

/* Of 20,000 faces, within 5 standard errors. */
static void missing_and_wrong_names_come_as_often_as_asked(void **state)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    (void)state;
    o.dim = 3;
    o.photos = 10000;
    o.faces = 20000;
    o.real_name_ratio = 0.5;
    o.missing = 0.2;
    o.extra = 0.3;
    const counts c = count(o);
    assert_int_equal(c.told, 10000);
    assert_true(fabs((double)c.known - 12500.0) < 5 * 45);
    assert_true(fabs((double)c.wrong - 3000.0) < 5 * 46);
}

/* The most and the fewest faces there can be, and names enough for one photo.
 */
static void limits_are_reached(void **state)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    (void)state;
    o.dim = 2;
    o.photos = 40;
    o.faces = 40;
    assert_int_equal(count(o).faces, 40);
    o.faces = 120;
    o.names = 3;
    o.extra = 1.0;
    o.real_name_ratio = 1.0;
    const counts c = count(o);
    assert_int_equal(c.told, 120);
    assert_int_equal(c.wrong, 0);
}

static void what_cannot_be_is_refused(void **state)
{
    const akin_synth_faces_options standard = AKIN_SYNTH_FACES_DEFAULTS;
    akin_synth_faces_options o[6];
    (void)state;
    for (int i = 0; i < 6; ++i)
        o[i] = standard;
    o[0].faces = 499;
    o[1].faces = 1501;
    o[2].real_name_ratio = 1.1;
    o[3].real_name_ratio = -0.1;
    o[4].real_name_ratio = 0.5;
    o[4].names = 2;
    o[5].real_name_ratio = 0.6;
    o[5].missing = 0.5;
    for (int i = 0; i < 6; ++i) {
        akin_rows *rows = NULL;
        char *captions, *truth;
        assert_int_equal(akin_synth_faces(&rows, &captions, &truth, ctx, &o[i]),
                         AKIN_EINVAL);
    }
}

static akin_status job(akin_ctx *c, void *arg)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    akin_rows *rows = NULL;
    char *captions = NULL, *truth = NULL;
    (void)arg;
    o.photos = 5;
    o.dim = 3;
    o.real_name_ratio = 0.5;
    const akin_status st = akin_synth_faces(&rows, &captions, &truth, c, &o);
    akin_rows_free(rows);
    akin_free(captions);
    akin_free(truth);
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
        CONTEXT_CASE(faces_and_ratio_are_exact),
        CONTEXT_CASE(the_shape_of_the_soccer_set),
        CONTEXT_CASE(missing_and_wrong_names_come_as_often_as_asked),
        CONTEXT_CASE(limits_are_reached),
        CONTEXT_CASE(what_cannot_be_is_refused),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
