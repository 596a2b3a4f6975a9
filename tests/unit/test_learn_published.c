/* What the papers set: every line is an option with a value in its range, and
 * an options struct takes them all. */
#include <stdlib.h>

#include "support.h"

#include <akin/learn.h>

typedef struct line {
    const char *learner, *setting, *value;
} line;

static const line lines[] = {
#define PUBLISHED(learner, setting, value) {learner, setting, value},
#include "learn/published.def"
#undef PUBLISHED
};

enum { N_LINES = sizeof lines / sizeof lines[0] };

static bool has_option(const char *learner, const char *name)
{
    const akin_learner_info *l = akin_learner_find(learner);
    assert_non_null(l);
    for (int64_t i = 0; i < l->n_options; ++i)
        if (strcmp(l->options[i].name, name) == 0)
            return true;
    return false;
}

static bool is_of_the_run(const char *setting)
{
    static const char *const names[] = {"passes", "pair_weights", "weights",
                                        "scale",  "norm",         "center"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(names[i], setting) == 0)
            return true;
    return false;
}

static void every_line_can_be_taken(void **state)
{
    akin_ctx *ctx = NULL;
    (void)state;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    for (int i = 0; i < N_LINES; ++i) {
        const line *l = &lines[i];
        akin_options *o = NULL;
        char text[64];
        assert_string_equal(akin_learner_published(l->learner, l->setting),
                            l->value);  // and there is no other line of it
        if (!has_option(l->learner, l->setting)) {
            assert_true(is_of_the_run(l->setting));
            continue;
        }
        assert_int_equal(akin_options_new(&o, ctx, l->learner), AKIN_OK);
        assert_int_equal(akin_options_as_published(ctx, o), AKIN_OK);
        assert_int_equal(
            akin_options_get(text, ctx, o, l->setting, sizeof text), AKIN_OK);
        assert_true(strcmp(text, l->value) == 0 ||
                    strtod(text, NULL) == strtod(l->value, NULL));
        akin_options_free(o);
    }
    akin_ctx_free(ctx);
}

static void what_a_paper_leaves_open_stays(void **state)
{
    akin_ctx *ctx = NULL;
    akin_options *o = NULL;
    const akin_learner_info *l = akin_learner_find("symm");
    (void)state;
    assert_null(akin_learner_published("lmnn", "no_such_option"));
    assert_null(akin_learner_published("no-such-learner", "eta"));
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    assert_int_equal(akin_options_new(&o, ctx, "symm"), AKIN_OK);
    assert_int_equal(akin_options_as_published(ctx, o), AKIN_OK);
    assert_memory_equal(o, l->defaults, l->defaults->size);
    akin_options_free(o);
    akin_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_can_be_taken),
        cmocka_unit_test(what_a_paper_leaves_open_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
