/* Every option of naming in the registry changes the names of its method, or
 * how sure they are. */
#include "context.h"

#include <akin/naming.h>
#include <akin/synth.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
    akin_rows *rows;
    akin_supervision *data;
    int64_t n;
} scene;

static void open_scene(scene *s)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    char *captions = NULL, *truth = NULL;
    o.photos = 30;
    o.names = 6;
    o.dim = 40;
    o.noise = 0.9;
    assert_int_equal(akin_synth_faces(&s->rows, &captions, &truth, ctx, &o),
                     AKIN_OK);
    assert_int_equal(akin_supervision_new(&s->data, ctx, s->rows, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(
        akin_supervision_captions(ctx, s->data, "captions", captions), AKIN_OK);
    s->n = akin_rows_count(s->rows);
    akin_free(captions);
    akin_free(truth);
}

static void close_scene(scene *s)
{
    akin_supervision_free(s->data);
    akin_rows_free(s->rows);
}

/* Another value for each option. */
static const struct {
    const char *option, *value;
} others[] = {
    {"affinity", "abs"},
    {"alpha", "0.7"},
    {"lambda", "0.2"},
    {"kappa", "0.95"},
    {"gamma", "3"},
    {"penalise", "self"},
    {"form", "structured"},
    {"rho", "0.01"},
    {"delta_rho", "0.05"},
    {"rho_max", "0.11"},
    {"eps", "0.9"},
    {"iterations", "2"},
    {"sigma", "5"},
    {"outer", "1"},
    {"pca", "3"},
    {"k", "1"},
    {"rank", "1"},
    {"sparse", "0.01"},
    {"C", "10"},
    {"gap", "0.9"},
    {"epochs", "1"},
    {"batch", "3"},
    {"count_by", "theta"},
    {"surrogate", "minorised"},
    {"start", "uniform"},
    {"rounds", "1"},
    {"self_votes", "0"},
};
enum { N_OTHERS = sizeof others / sizeof *others };

static int other_of(const char *option)
{
    for (int k = 0; k < N_OTHERS; ++k)
        if (strcmp(others[k].option, option) == 0)
            return k;
    fail_msg("no other value for option %s", option);
    return -1;
}

/* Names and then confidences of all faces; `k` -1: by the defaults. */
static double *name_all(const scene *s, const char *method, int k)
{
    akin_options *options = NULL;
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    akin_naming *learned = NULL;
    double *out = calloc((size_t)(2 * s->n), sizeof *out);
    int32_t *names = calloc((size_t)s->n, sizeof *names);
    o.real_name_ratio = 0.5;
    if (akin_options_new(&options, ctx, method) != AKIN_OK ||
        (k >= 0 && akin_options_set(ctx, options, others[k].option,
                                    others[k].value) != AKIN_OK) ||
        akin_naming_learn(&learned, ctx, options, s->data, NULL) != AKIN_OK ||
        akin_naming_names(names, out, ctx, learned, &o, NULL) != AKIN_OK)
        fail_msg("%s: %s", method, akin_ctx_message(ctx));
    for (int64_t f = 0; f < s->n; ++f)
        out[s->n + f] = names[f];
    akin_naming_free(learned);
    akin_options_free(options);
    free(names);
    return out;
}

static void every_option_has_an_effect(void **state)
{
    (void)state;
    const akin_learner_info *l;
    int tried[N_OTHERS] = {0}, changed[N_OTHERS] = {0};
    scene s = {0};
    open_scene(&s);
    for (int64_t i = 0; (l = akin_learner_at(i)) != NULL; ++i) {
        if (!l->names_faces)
            continue;
        double *plain = name_all(&s, l->name, -1);
        for (int64_t j = 0; j < l->n_options; ++j) {
            if (l->options[j].use == AKIN_TRAINING)
                continue;
            const int k = other_of(l->options[j].name);
            double *other = name_all(&s, l->name, k);
            ++tried[k];
            changed[k] +=
                memcmp(plain, other, (size_t)(2 * s.n) * sizeof *plain) != 0;
            free(other);
        }
        free(plain);
    }
    for (int k = 0; k < N_OTHERS; ++k)
        if (tried[k] == 0 || changed[k] == 0)
            fail_msg("%s has no effect", others[k].option);
    close_scene(&s);
}

/* Options of training alone change nothing. */
static void options_of_training_have_none(void **state)
{
    (void)state;
    akin_options *options = NULL;
    akin_naming *naming = NULL;
    scene s = {0};
    open_scene(&s);
    double *plain = name_all(&s, "asml", -1);
    double *other = name_all(&s, "asml", other_of("rank"));
    assert_memory_equal(plain, other, (size_t)(2 * s.n) * sizeof *plain);
    free(plain);
    free(other);
    assert_int_equal(akin_options_new(&options, ctx, "lmnn"), AKIN_OK);
    assert_int_equal(akin_naming_learn(&naming, ctx, options, s.data, NULL),
                     AKIN_EINVAL);
    akin_options_free(options);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(every_option_has_an_effect),
        CONTEXT_CASE(options_of_training_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
