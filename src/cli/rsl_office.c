/* Table 4: recognition across sources of pictures, of classes that were learned
 * from and of classes that were not.
 *
 * A round draws 20 pictures a class of amazon, or 8 of the others, as the
 * source and 3 of the target; the other pictures of the target are to be
 * recognised. Counts become square roots of shares, and each source is centred
 * and scaled by all its pictures, whose labels are not looked at. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/rsl.h"
#include "cli/splits.h"

enum { SOURCES = 3, TARGET_EACH = 3, CUT = 600 };

static const struct {
    const char *name, *file, *labels;
    int64_t each;  // pictures a class when it is the source
} sources[SOURCES] = {
    {"amazon", "amazon_surf800.npy", "amazon_labels.csv", 20},
    {"webcam", "webcam_surf800.npy", "webcam_labels.csv", 8},
    {"dslr", "dslr_surf800.npy", "dslr_labels.csv", 8},
};

enum { AMAZON, WEBCAM, DSLR };

/* From where to where, and what the paper has: by rsl, arc-t, symm, hfa, svm-t,
 * of known classes and of new ones. */
static const struct task {
    int from, to;
    const char *name;
    double rsl, arc_t, symm, hfa, svm_t;
    double new_rsl, new_arc_t, new_symm;
} tasks[] = {
    {WEBCAM, DSLR, "webcam>dslr", 54.6, 53.0, 53.2, 54.3, 49.1, 51.8, 48.3,
     37.7},
    {AMAZON, DSLR, "amazon>dslr", 55.3, 53.2, 50.1, 55.4, 49.1, NAN, NAN, NAN},
    {AMAZON, WEBCAM, "amazon>webcam", NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
    {DSLR, WEBCAM, "dslr>webcam", NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
};
enum { TASKS = sizeof tasks / sizeof tasks[0] };

static const rsl_method methods[] = {
    {"cosine", NULL, NULL, false, false, false, AKIN_BY_COSINE},
    {"svm-t", "svm-t", NULL, true, false, false, AKIN_BY_COSINE},
    {"svm-t rbf", "svm-t", "kernel=rbf", true, false, false, AKIN_BY_COSINE},
    {"hfa", "hfa", NULL, false, false, false, AKIN_BY_COSINE},
    {"symm", "symm", "tol=1e-3", false, false, true, AKIN_BY_COSINE},
    {"arc-t", "arc-t", NULL, false, false, false, AKIN_BY_COSINE},
    {"arc-t rbf", "arc-t", "kernel=rbf", false, false, false, AKIN_BY_COSINE},
    {"cca", "cca", NULL, false, false, false, AKIN_BY_COSINE},
    {"rsl", "rsl", NULL, false, false, false, AKIN_BY_COSINE},
    {"rsl rbf", "rsl", "kernel=rbf", false, false, false, AKIN_BY_COSINE},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct office {
    rsl_run *r;
    akin_rows *rows[SOURCES], *test[SOURCES];  // of --data and of --test
    akin_rows *cut, *cut_test;                 // dslr with fewer words
} office;

bool rsl_has_office(const char *folder)
{
    for (int i = 0; i < SOURCES; ++i)
        if (!rsl_has(folder, sources[i].file) ||
            !rsl_has(folder, sources[i].labels))
            return false;
    return true;
}

/* ---- rows ------------------------------------------------------------------
 */

/* Square roots of shares, of the first `words` words. */
static akin_status roots(app *a, akin_rows **out, const akin_rows *rows,
                         int64_t words)
{
    const int64_t n = akin_rows_count(rows);
    float *values = NULL;
    int32_t *labels = NULL;
    const char **names = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(app_alloc(a, n, (size_t)words * sizeof *values, &values));
    APP_TRY(APP_NEW(a, n, &labels));
    APP_TRY(app_alloc(a, akin_rows_label_count(rows), sizeof *names, &names));
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *columns, *own;
        const float *x;
        double sum = 0.0;
        akin_rows_row(rows, i, &columns, &x);
        for (int64_t j = 0; j < words; ++j)
            sum += fabs((double)x[j]);
        for (int64_t j = 0; j < words && sum > 0.0; ++j)
            values[i * words + j] = (float)sqrt(fabs((double)x[j]) / sum);
        labels[i] = akin_rows_labels(rows, i, &own) > 0 ? own[0] : -1;
    }
    for (int64_t k = 0; k < akin_rows_label_count(rows); ++k)
        names[k] = akin_rows_label_name(rows, k);
    APP_TRY(akin_rows_new_dense(out, a->ctx, n, words, values));
    APP_TRY(akin_rows_set_labels(*out, a->ctx, labels, names,
                                 akin_rows_label_count(rows)));
done:
    free(values);
    free(labels);
    free(names);
    return st;
}

/* Both sets of a source, centred and scaled by the first. */
static akin_status prepare(app *a, const akin_rows *raw, const akin_rows *later,
                           int64_t words, akin_rows **out, akin_rows **test)
{
    const akin_recipe_options o = {sizeof o, "none", "none", "global", 1};
    akin_rows *r = NULL, *t = NULL;
    akin_recipe *recipe = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(roots(a, &r, raw, words));
    APP_TRY(akin_recipe_fit(&recipe, a->ctx, r, &o));
    APP_TRY(akin_recipe_apply(out, a->ctx, recipe, r));
    if (later != NULL) {
        APP_TRY(roots(a, &t, later, words));
        APP_TRY(akin_recipe_apply(test, a->ctx, recipe, t));
    }
done:
    akin_recipe_free(recipe);
    akin_rows_free(r);
    akin_rows_free(t);
    return st;
}

static akin_status check_words(app *a, const akin_rows *rows, const char *file,
                               int64_t words)
{
    if (akin_rows_dim(rows) >= words && !akin_rows_is_sparse(rows))
        return AKIN_OK;
    return app_fail(a, AKIN_ESHAPE, "%s: fewer than %d words", file,
                    (int)words);
}

static akin_status open_source(office *o, int i)
{
    app *a = o->r->a;
    const reproduce_flags *f = o->r->flags;
    akin_rows *raw = NULL, *later = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(rsl_read(a, &raw, f->data, sources[i].file, sources[i].labels));
    APP_TRY(check_words(a, raw, sources[i].file, CUT));
    if (f->test != NULL) {
        APP_TRY(
            rsl_read(a, &later, f->test, sources[i].file, sources[i].labels));
        APP_TRY(check_words(a, later, sources[i].file, akin_rows_dim(raw)));
    }
    APP_TRY(
        prepare(a, raw, later, akin_rows_dim(raw), &o->rows[i], &o->test[i]));
    if (i == DSLR)
        APP_TRY(prepare(a, raw, later, CUT, &o->cut, &o->cut_test));
done:
    akin_rows_free(raw);
    akin_rows_free(later);
    return st;
}

/* ---- a round ---------------------------------------------------------------
 */

/* `each` rows of each label of [from, to) into `first`, the others into
 * `rest`. */
typedef struct part {
    akin_rows *first, *rest;
} part;

static void part_free(part *p)
{
    akin_rows_free(p->first);
    akin_rows_free(p->rest);
}

static akin_status take_part(app *a, part *p, const akin_rows *rows, draw *d,
                             int64_t each, int32_t from, int32_t to)
{
    const int64_t n = akin_rows_count(rows);
    int64_t *first = NULL, *rest = NULL, *all = NULL;
    int64_t n_first = 0, n_rest = 0, n_all;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n, &first));
    APP_TRY(APP_NEW(a, n, &rest));
    for (int32_t c = from; c < to; ++c) {
        free(all);
        APP_TRY(rsl_of_labels(a, rows, c, c + 1, &all, &n_all));
        const int64_t k = each < n_all ? each : n_all;
        draw_front(d, all, n_all, k);
        for (int64_t i = 0; i < n_all; ++i)
            if (i < k)
                first[n_first++] = all[i];
            else
                rest[n_rest++] = all[i];
    }
    APP_TRY(akin_rows_select(&p->first, a->ctx, rows, first, n_first));
    APP_TRY(akin_rows_select(&p->rest, a->ctx, rows, rest, n_rest));
done:
    free(first);
    free(rest);
    free(all);
    return st;
}

/* What is learned from, and what is recognised by what. */
typedef struct exam {
    const akin_rows *left, *right;    // to learn from
    const akin_rows *source, *known;  // to compare with; known may be NULL
    const akin_rows *target;          // to recognise
} exam;

static akin_status judge(rsl_run *r, const exam *e, const rsl_method *m,
                         rsl_values *accuracy, rsl_values *seconds)
{
    akin_model *model = NULL;
    akin_status st = AKIN_OK;
    double s = 0.0;
    APP_TRY(rsl_learn(r, m, e->left, e->right, &model, &s));
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
    APP_TRY(reproduce_step(&r->steps));
done:
    akin_model_free(model);
    return st;
}

/* One setting of one task: its table, and who takes part. */
typedef struct setting {
    const char *table;
    bool cut, new_classes;
} setting;

static const setting settings[] = {
    {"known classes", false, false},
    {"new classes", false, true},
    {"known, 600 words", true, false},
    {"new, 600 words", true, true},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static bool takes_part(const rsl_run *r, const setting *s, const rsl_method *m)
{
    if (m->slow && r->flags->quick)
        return false;
    if (s->cut && (m->learner == NULL || strcmp(m->learner, "symm") == 0))
        return false;  // these are for rows of the same columns
    if (m->learner != NULL && strcmp(m->learner, "hfa") == 0)
        return !s->new_classes;
    return !(s->new_classes && m->one_side);  // it ranks labels it knows
}

static double paper_of(const setting *s, const struct task *t,
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

static akin_status judge_all(office *o, const setting *s, const exam *e,
                             rsl_values *accuracy, rsl_values *seconds)
{
    akin_status st = AKIN_OK;
    for (int i = 0; st == AKIN_OK && i < METHODS; ++i)
        if (takes_part(o->r, s, &methods[i]))
            st = judge(o->r, e, &methods[i], &accuracy[i], &seconds[i]);
    return st;
}

/* A round of draws from one folder. */
static akin_status one_round(office *o, const setting *s, const struct task *t,
                             int64_t round, rsl_values *accuracy,
                             rsl_values *seconds)
{
    app *a = o->r->a;
    const akin_rows *from = o->rows[t->from];
    const akin_rows *to = s->cut ? o->cut : o->rows[t->to];
    const int32_t all = (int32_t)akin_rows_label_count(to);
    const int32_t half = s->new_classes ? all / 2 : all;
    draw d = draw_from((uint64_t)a->common.seed, t - tasks, round);
    part left = {0}, right = {0}, source = {0}, target = {0};
    akin_status st = AKIN_OK;
    APP_TRY(take_part(a, &left, from, &d, sources[t->from].each, 0, half));
    APP_TRY(take_part(a, &right, to, &d, TARGET_EACH, 0, half));
    exam e = {left.first, right.first, left.first, right.first, right.rest};
    if (s->new_classes) {
        APP_TRY(take_part(a, &source, from, &d, sources[t->from].each, half,
                          (int32_t)akin_rows_label_count(from)));
        APP_TRY(take_part(a, &target, to, &d, 0, half, all));
        e = (exam){left.first, right.first, source.first, NULL, target.rest};
    }
    APP_TRY(judge_all(o, s, &e, accuracy, seconds));
done:
    part_free(&left);
    part_free(&right);
    part_free(&source);
    part_free(&target);
    return st;
}

/* All of --data to learn from, all of --test to recognise. */
static akin_status with_test(office *o, const setting *s, const struct task *t,
                             rsl_values *accuracy, rsl_values *seconds)
{
    const akin_rows *left = o->rows[t->from];
    const akin_rows *right = s->cut ? o->cut : o->rows[t->to];
    const exam e = {left, right, left, right,
                    s->cut ? o->cut_test : o->test[t->to]};
    return judge_all(o, s, &e, accuracy, seconds);
}

static akin_status one_setting(office *o, const setting *s,
                               const struct task *t)
{
    rsl_values accuracy[METHODS] = {0}, seconds[METHODS] = {0};
    akin_status st = AKIN_OK;
    if (o->r->flags->test != NULL) {
        APP_TRY(with_test(o, s, t, accuracy, seconds));
    } else {
        for (int64_t i = 0; i < o->r->rounds; ++i)
            APP_TRY(one_round(o, s, t, i, accuracy, seconds));
    }
    for (int i = 0; i < METHODS; ++i) {
        const rsl_place at = {"office", s->table, t->name, "accuracy",
                              paper_of(s, t, &methods[i])};
        if (accuracy[i].n > 0)
            APP_TRY(rsl_add(o->r, &at, &methods[i], &accuracy[i], &seconds[i]));
    }
done:
    return st;
}

/* New classes are cut out of one folder; with --test all are known. */
static bool is_asked(const office *o, const setting *s, const struct task *t)
{
    if (o->r->flags->test != NULL && s->new_classes)
        return false;
    return !s->cut || t->to == DSLR;
}

static int64_t count_runs(const office *o)
{
    int64_t n = 0;
    for (int s = 0; s < SETTINGS; ++s)
        for (int t = 0; t < TASKS; ++t)
            for (int i = 0; i < METHODS; ++i)
                n += is_asked(o, &settings[s], &tasks[t]) &&
                     takes_part(o->r, &settings[s], &methods[i]);
    return n * (o->r->flags->test ? 1 : o->r->rounds);
}

akin_status rsl_office(rsl_run *r)
{
    office o = {.r = r};
    akin_status st = AKIN_OK;
    if (r->flags->test != NULL && !rsl_has_office(r->flags->test))
        return app_fail(r->a, AKIN_EINVAL,
                        "%s: not laid out as --data (expected %s and others)",
                        r->flags->test, sources[0].file);
    for (int i = 0; i < SOURCES; ++i)
        APP_TRY(open_source(&o, i));
    reproduce_begin(&r->steps, r->a, count_runs(&o));
    for (int s = 0; s < SETTINGS; ++s)
        for (int t = 0; t < TASKS; ++t)
            if (is_asked(&o, &settings[s], &tasks[t]))
                APP_TRY(one_setting(&o, &settings[s], &tasks[t]));
done:
    reproduce_end(r->a);
    for (int i = 0; i < SOURCES; ++i) {
        akin_rows_free(o.rows[i]);
        akin_rows_free(o.test[i]);
    }
    akin_rows_free(o.cut);
    akin_rows_free(o.cut_test);
    return st;
}
