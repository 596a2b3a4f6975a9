/* Table 4: recognition across sources of pictures, of classes that were learned
 * from and of classes that were not.
 *
 * A round draws 20 pictures a class of amazon, or 8 of the others, as the
 * source and 3 of the target; the other pictures of the target are to be
 * recognised. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/rsl/office.h"

/* From where to where, and what the paper has: by rsl, arc-t, symm, hfa, svm-t,
 * of known classes and of new ones. */
static const struct task {
    trip way;
    const char *name;
    double rsl, arc_t, symm, hfa, svm_t;
    double new_rsl, new_arc_t, new_symm;
} tasks[] = {
    {{WEBCAM, DSLR},
     "webcam>dslr",
     54.6,
     53.0,
     53.2,
     54.3,
     49.1,
     51.8,
     48.3,
     37.7},
    {{AMAZON, DSLR},
     "amazon>dslr",
     55.3,
     53.2,
     50.1,
     55.4,
     49.1,
     NAN,
     NAN,
     NAN},
    {{AMAZON, WEBCAM}, "amazon>webcam", NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
    {{DSLR, WEBCAM}, "dslr>webcam", NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
};
enum { TASKS = sizeof tasks / sizeof tasks[0] };

static const rsl_method methods[] = {
    {"cosine", NULL, NULL, NULL, RSL_SAME_COLUMNS, AKIN_BY_COSINE},
    {"svm-t", "svm-t", NULL, NULL, RSL_ONE_SIDE | RSL_KNOWN, AKIN_BY_COSINE},
    {"svm-t rbf", "svm-t", "kernel=rbf", NULL, RSL_ONE_SIDE | RSL_KNOWN,
     AKIN_BY_COSINE},
    {"hfa", "hfa", NULL, NULL, RSL_KNOWN, AKIN_BY_COSINE},
    {"symm", "symm", NULL, NULL, RSL_SAME_COLUMNS, AKIN_BY_COSINE},
    {"arc-t", "arc-t", NULL, NULL, 0, AKIN_BY_COSINE},
    {"arc-t rbf", "arc-t", "kernel=rbf", NULL, 0, AKIN_BY_COSINE},
    {"cca", "cca", NULL, NULL, 0, AKIN_BY_COSINE},
    {"rsl", "rsl", NULL, NULL, 0, AKIN_BY_COSINE},
    {"rsl rbf", "rsl", "kernel=rbf", NULL, 0, AKIN_BY_COSINE},
    {"rsl beside cosine", "rsl", NULL, "blend=3,10,30", RSL_SAME_COLUMNS,
     AKIN_BY_COSINE},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct table4 {
    office o;
    rsl_run *r;
    char chosen[METHODS][RSL_PARAMS];
} table4;

/* ---- a round ------------------------------------------------------------ */

/* What is learned from, and what is recognised by what. */
typedef struct evaluation {
    const akin_rows *left, *right;    // to learn from
    const akin_rows *source, *known;  // to compare with; known may be NULL
    const akin_rows *target;          // to recognise
} evaluation;

static akin_status evaluate(rsl_run *r, const evaluation *e,
                            const rsl_method *m, const char *chosen,
                            rsl_values *accuracy, rsl_values *seconds)
{
    akin_model *model = NULL;
    akin_status st = AKIN_OK;
    double s = 0.0;
    APP_TRY(rsl_learn(r, m, chosen, e->left, e->right, &model, &s));
    if (akin_model_label_count(model) > 0) {
        akin_ranking k;
        APP_TRY(akin_eval_rank(&k, NULL, r->a->ctx, model, e->target));
        accuracy->x[accuracy->n++] = k.precision_at[0];
    } else {
        akin_cross c;
        APP_TRY(akin_eval_cross(&c, r->a->ctx, model, e->source, e->known,
                                e->target, AKIN_BY_COSINE));
        accuracy->x[accuracy->n++] = c.accuracy;
    }
    seconds->x[seconds->n++] = s;
done:
    akin_model_free(model);
    return st;
}

static const rsl_setting settings[] = {
    {"known classes", false, false},
    {"new classes", false, true},
    {"known, 600 words", true, false},
    {"new, 600 words", true, true},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static bool takes_part(const table4 *o, const rsl_setting *s,
                       const struct task *t, const rsl_method *m)
{
    const int64_t left = akin_rows_dim(o->o.rows[t->way.from]);
    const int64_t right = akin_rows_dim(rsl_office_target(&o->o, s, t->way));
    if (rsl_is(m, RSL_SLOW) && o->r->flags->quick)
        return false;
    if (left != right && rsl_is(m, RSL_SAME_COLUMNS))
        return false;
    return !(s->new_classes && rsl_is(m, RSL_KNOWN));
}

static double paper_of(const rsl_setting *s, const struct task *t,
                       const rsl_method *m)
{
    const char *name = m->name;
    if (strcmp(name, "rsl") == 0)
        return s->new_classes ? t->new_rsl : t->rsl;
    if (strcmp(name, "arc-t") == 0)
        return s->new_classes ? t->new_arc_t : t->arc_t;
    if (strcmp(name, "symm") == 0)
        return s->new_classes ? t->new_symm : t->symm;
    if (s->new_classes)
        return NAN;
    if (strcmp(name, "hfa") == 0)
        return t->hfa;
    return strcmp(name, "svm-t") == 0 ? t->svm_t : NAN;
}

static akin_status evaluate_all(table4 *o, const rsl_setting *s,
                                const struct task *t, const evaluation *e,
                                rsl_values *accuracy, rsl_values *seconds)
{
    akin_status st = AKIN_OK;
    for (int i = 0; i < METHODS; ++i) {
        if (!takes_part(o, s, t, &methods[i]))
            continue;
        APP_TRY(evaluate(o->r, e, &methods[i], o->chosen[i], &accuracy[i],
                         &seconds[i]));
        APP_TRY(reproduce_step(&o->r->steps));
    }
done:
    return st;
}

static evaluation evaluation_of(const table4 *o, const rsl_setting *s,
                                const rsl_round *h)
{
    if (s->new_classes)
        return (evaluation){h->left.first, h->right.first, h->source.first,
                            NULL, h->target.rest};
    return (evaluation){h->left.first, h->right.first, h->left.first,
                        h->right.first,
                        o->r->flags->test ? h->target.rest : h->right.rest};
}

static akin_status one_round(table4 *o, const rsl_setting *s,
                             const struct task *t, int64_t round,
                             rsl_values *accuracy, rsl_values *seconds)
{
    rsl_round h = {0};
    akin_status st = AKIN_OK;
    APP_TRY(rsl_draw_round(&o->o, s, t->way, t - tasks, round, &h));
    const evaluation e = evaluation_of(o, s, &h);
    APP_TRY(evaluate_all(o, s, t, &e, accuracy, seconds));
done:
    rsl_round_free(&h);
    return st;
}

/* ---- options by held-out rows ------------------------------------------- */

/* Every third target row kept out of learning, one after the other. */
static akin_status try_fold(table4 *o, const rsl_round *h, const rsl_method *m,
                            const char *params, int fold, rsl_values *accuracy)
{
    app *a = o->r->a;
    const int64_t n = akin_rows_count(h->right.first);
    int64_t *which = NULL, kept = 0, out = 0;
    rsl_values seconds = {0};
    rsl_split p = {0};
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n, &which));
    for (int64_t i = 0; i < n; ++i)
        if (i % TARGET_EACH == fold)
            which[n - ++out] = i;
        else
            which[kept++] = i;
    APP_TRY(akin_rows_select(&p.first, a->ctx, h->right.first, which, kept));
    APP_TRY(
        akin_rows_select(&p.rest, a->ctx, h->right.first, which + kept, out));
    const evaluation e = {h->left.first, p.first, h->left.first, p.first,
                          p.rest};
    APP_TRY(evaluate(o->r, &e, m, params, accuracy, &seconds));
done:
    rsl_split_free(&p);
    free(which);
    return st;
}

/* Mean accuracy over the first round of all tasks, of known classes. */
static akin_status try_params(void *arg, const rsl_method *m,
                              const char *params, double *score)
{
    table4 *o = arg;
    akin_status st = AKIN_OK;
    *score = 0.0;
    for (int t = 0; t < TASKS; ++t) {
        rsl_values accuracy = {0};
        rsl_round h = {0};
        if (!takes_part(o, &settings[0], &tasks[t], m))
            continue;
        st = rsl_draw_round(&o->o, &settings[0], tasks[t].way, t, 0, &h);
        for (int fold = 0; st == AKIN_OK && fold < TARGET_EACH; ++fold)
            st = try_fold(o, &h, m, params, fold, &accuracy);
        rsl_round_free(&h);
        APP_TRY(st);
        for (int64_t i = 0; i < accuracy.n; ++i)
            *score += accuracy.x[i];
    }
done:
    return st;
}

/* With --test nothing is drawn. */
static int64_t n_rounds(const table4 *o)
{
    return o->r->flags->test ? 1 : o->r->rounds;
}

static akin_status one_setting(table4 *o, const rsl_setting *s,
                               const struct task *t)
{
    rsl_values accuracy[METHODS] = {0}, seconds[METHODS] = {0};
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < n_rounds(o); ++i)
        APP_TRY(one_round(o, s, t, i, accuracy, seconds));
    for (int i = 0; i < METHODS; ++i) {
        const rsl_place at = {"office", s->table, t->name, "accuracy",
                              paper_of(s, t, &methods[i])};
        if (accuracy[i].n > 0)
            APP_TRY(rsl_add(o->r, &at, &methods[i], o->chosen[i], &accuracy[i],
                            &seconds[i]));
    }
done:
    return st;
}

static bool is_asked(const table4 *o, const rsl_setting *s,
                     const struct task *t)
{
    return !s->cut || (t->way.to == DSLR && o->o.cut != NULL);
}

static int64_t count_runs(const table4 *o)
{
    int64_t n = 0;
    for (int s = 0; s < SETTINGS; ++s)
        for (int t = 0; t < TASKS; ++t)
            for (int i = 0; i < METHODS; ++i)
                n += is_asked(o, &settings[s], &tasks[t]) &&
                     takes_part(o, &settings[s], &tasks[t], &methods[i]);
    return n * n_rounds(o);
}

static akin_status measure_all(table4 *o)
{
    akin_status st = AKIN_OK;
    for (int i = 0; i < METHODS; ++i)
        APP_TRY(rsl_choose(&methods[i], try_params, o, o->chosen[i]));
    for (int s = 0; s < SETTINGS; ++s)
        for (int t = 0; t < TASKS; ++t)
            if (is_asked(o, &settings[s], &tasks[t]))
                APP_TRY(one_setting(o, &settings[s], &tasks[t]));
done:
    return st;
}

akin_status rsl_office(rsl_run *r)
{
    table4 o = {.o = {.r = r}, .r = r};
    akin_status st = AKIN_OK;
    if (r->flags->test != NULL && !rsl_has_office(r->flags->test))
        return app_fail(r->a, AKIN_EINVAL,
                        "%s: not laid out as --data (expected %s and others)",
                        r->flags->test, rsl_sources[0].file);
    APP_TRY(rsl_office_open(&o.o));
    reproduce_begin(&r->steps, r->a, count_runs(&o));
    APP_TRY(measure_all(&o));
done:
    reproduce_end(r->a);
    rsl_office_close(&o.o);
    return st;
}
