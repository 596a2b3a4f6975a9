/* A method heeds what it says that it takes: other options change nothing, and
 * every option changes something by one method or another. */
#include "context.h"

#include <akin/naming.h>
#include <akin/synth.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_FIELDS = 25 };

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

/* Another value for field number i, if it is i; its name. */
#define FIELD(name, value)  \
    do {                    \
        if (i-- == 0) {     \
            name = (value); \
            return #name;   \
        }                   \
    } while (0)
static const char *change(int i, akin_naming_options *naming,
                          akin_names_options *names)
{
    FIELD(naming->affinity, "abs");
    FIELD(naming->alpha, 0.7);
    FIELD(naming->lambda, 0.2);
    FIELD(naming->kappa, 0.95);
    FIELD(naming->gamma, 3.0);
    FIELD(naming->penalise, "self");
    FIELD(naming->form, "structured");
    FIELD(naming->rho, 0.01);
    FIELD(naming->delta_rho, 0.05);
    FIELD(naming->rho_max, 0.11);
    FIELD(naming->eps, 0.9);
    FIELD(naming->iterations, 2);
    FIELD(naming->sigma, 5.0);
    FIELD(naming->outer, 1);
    FIELD(naming->pca, 3);
    FIELD(naming->k, 1);
    FIELD(naming->rank, 1);
    FIELD(naming->sparse, 0.01);
    FIELD(naming->C, 10.0);
    FIELD(naming->gap, 0.9);
    FIELD(names->count_by, "theta");
    FIELD(names->surrogate, "minorised");
    FIELD(names->start, "uniform");
    FIELD(names->rounds, 1);
    FIELD(names->self_votes, 0);
    return NULL;
}

/* Names and then confidences of all faces. */
static double *name_all(const scene *s, const char *method, int field,
                        const char **changed)
{
    akin_naming_options naming = AKIN_NAMING_DEFAULTS;
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    akin_naming *learned = NULL;
    double *out = calloc((size_t)(2 * s->n), sizeof *out);
    int32_t *names = calloc((size_t)s->n, sizeof *names);
    naming.method = method;
    o.real_name_ratio = 0.5;
    *changed = field < 0 ? "" : change(field, &naming, &o);
    if (akin_naming_learn(&learned, ctx, s->data, &naming) != AKIN_OK ||
        akin_naming_names(names, out, ctx, learned, &o, NULL) != AKIN_OK)
        fail_msg("%s %s: %s", method, *changed, akin_ctx_message(ctx));
    for (int64_t f = 0; f < s->n; ++f)
        out[s->n + f] = names[f];
    akin_naming_free(learned);
    free(names);
    return out;
}

static bool takes(const akin_naming_method *m, const char *changed)
{
    char field[64];
    snprintf(field, sizeof field, " %s ", strchr(changed, '>') + 1);
    return strstr(m->takes, field) != NULL;
}

/* Does the k-th option change what the method says of a face? */
static bool heeds(const scene *s, const akin_naming_method *m,
                  const double *plain, int k)
{
    const char *changed;
    double *other = name_all(s, m->name, k, &changed);
    const bool same =
        memcmp(plain, other, (size_t)(2 * s->n) * sizeof *plain) == 0;
    if (!same && !takes(m, changed))
        fail_msg("%s heeds %s", m->name, changed);
    free(other);
    return !same;
}

static void a_method_heeds_what_it_takes(void **state)
{
    (void)state;
    const akin_naming_method *m;
    int heeded[N_FIELDS] = {0};
    scene s = {0};
    open_scene(&s);
    for (int64_t i = 0; (m = akin_naming_method_at(i)) != NULL; ++i) {
        const char *unchanged;
        double *plain = name_all(&s, m->name, -1, &unchanged);
        for (int k = 0; k < N_FIELDS; ++k)
            heeded[k] += heeds(&s, m, plain, k);
        free(plain);
    }
    for (int k = 0; k < N_FIELDS; ++k)
        if (heeded[k] == 0)
            fail_msg("no method heeds option %d", k);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(a_method_heeds_what_it_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
