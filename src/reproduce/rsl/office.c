/* Table 4: recognition across sources of pictures, for known classes and for
 * new ones.
 *
 * A round draws 20 pictures of each class of amazon, or 8 of the others, as the
 * source, and 3 of the target; the other pictures of the target are classified.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/draw.h"
#include "reproduce/rsl/rsl.h"

enum { SOURCES = 3, TARGET_EACH = 3, CUT = 600 };
enum { AMAZON, WEBCAM, DSLR };

typedef struct source {
    const char *file, *labels;
    int64_t each;  // pictures a class when it is the source
} source;

static const source sources[SOURCES] = {
    {"amazon_surf800.npy", "amazon_labels.csv", 20},
    {"webcam_surf800.npy", "webcam_labels.csv", 8},
    {"dslr_surf800.npy", "dslr_labels.csv", 8},
};

typedef struct office_setting {
    const char *table;
    bool cut, new_classes;
} office_setting;

static const office_setting settings[] = {
    {"known classes", false, false},
    {"new classes", false, true},
    {"known, 600 words", true, false},
    {"new, 600 words", true, true},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

/* The paper's accuracies: rsl, arc-t, symm, hfa and svm-t for known classes,
 * then the first three for new ones. 0: not given. */
enum { PAPER_METHODS = 5 };
static const char *const paper_methods[PAPER_METHODS] = {"rsl", "arc-t", "symm",
                                                         "hfa", "svm-t"};
typedef struct office_task {
    int from, to;
    const char *name;
    double paper[2][PAPER_METHODS];
} office_task;

static const office_task tasks[] = {
    {WEBCAM,
     DSLR,
     "webcam>dslr",
     {{54.6, 53.0, 53.2, 54.3, 49.1}, {51.8, 48.3, 37.7}}},
    {AMAZON, DSLR, "amazon>dslr", {{55.3, 53.2, 50.1, 55.4, 49.1}}},
    {AMAZON, WEBCAM, "amazon>webcam", {{0}}},
    {DSLR, WEBCAM, "dslr>webcam", {{0}}},
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
    {"rsl", "rsl", RSL_PLAIN, NULL, 0, AKIN_BY_COSINE},
    {"rsl rbf", "rsl", RSL_RBF, NULL, 0, AKIN_BY_COSINE},
    {"rsl beside cosine", "rsl", RSL_PLAIN, "blend=3,10,30", RSL_SAME_COLUMNS,
     AKIN_BY_COSINE},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct office {
    rsl_run *r;
    akin_rows *rows[SOURCES], *test[SOURCES];  // of --data and of --test
    akin_rows *cut, *cut_test;  // dslr with CUT words; NULL: it has fewer
    char chosen[METHODS][REPRODUCE_PARAMS];
} office;

/* Some rows of each class, and the others. */
typedef struct split_rows {
    akin_rows *first, *rest;
} split_rows;

/* The rows of a round: for training and for testing. */
typedef struct round_rows {
    split_rows left, right;  // of all classes, or of the first half
    split_rows source;       // new classes: of the other half
    split_rows target;
} round_rows;

/* ---- rows --------------------------------------------------------------- */

/* Counts become square roots of shares. Each source is centred and scaled by
 * all its pictures, without their labels. Classes of sources are matched by
 * name. */

enum { QUICK_EACH = 30 };  // of a class, with --test and --quick

bool rsl_has_office(const char *folder)
{
    for (int i = 0; i < SOURCES; ++i)
        if (!reproduce_has_file(folder, sources[i].file) ||
            !reproduce_has_file(folder, sources[i].labels))
            return false;
    return true;
}

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
        akin_rows_row(&columns, &x, rows, i);
        for (int64_t j = 0; j < words; ++j)
            sum += fabs((double)x[j]);
        for (int64_t j = 0; j < words && sum > 0.0; ++j)
            values[i * words + j] = (float)sqrt(fabs((double)x[j]) / sum);
        labels[i] = akin_rows_labels(&own, rows, i) > 0 ? own[0] : -1;
    }
    for (int64_t k = 0; k < akin_rows_label_count(rows); ++k)
        names[k] = akin_rows_label_name(rows, k);
    APP_TRY(akin_rows_new_dense(out, a->ctx, n, words, values));
    APP_TRY(akin_rows_set_labels(a->ctx, *out, labels, names,
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

static akin_status open_source(office *o, int i)
{
    app *a = o->r->a;
    const reproduce_flags *f = o->r->flags;
    const source *s = &sources[i];
    akin_rows *raw = NULL, *later = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(rsl_read(a, &raw, f->data, s->file, s->labels));
    if (f->test != NULL) {
        APP_TRY(rsl_read(a, &later, f->test, s->file, s->labels));
        APP_TRY(rsl_check_columns(a, f->test, s->file, raw, later));
    }
    APP_TRY(
        prepare(a, raw, later, akin_rows_dim(raw), &o->rows[i], &o->test[i]));
    if (i == DSLR && akin_rows_dim(raw) > CUT)
        APP_TRY(prepare(a, raw, later, CUT, &o->cut, &o->cut_test));
done:
    akin_rows_free(raw);
    akin_rows_free(later);
    return st;
}

/* Two sources need four classes in common. */
static akin_status check_classes(const office *o, int x, int y)
{
    const akin_rows *a = o->rows[x], *b = o->rows[y];
    int64_t shared = 0;
    for (int64_t i = 0; i < akin_rows_label_count(a); ++i)
        for (int64_t j = 0; j < akin_rows_label_count(b); ++j)
            shared += strcmp(akin_rows_label_name(a, i),
                             akin_rows_label_name(b, j)) == 0;
    if (shared >= 4)
        return AKIN_OK;
    return app_fail(
        o->r->a, AKIN_EINVAL,
        "%s: %s and %s have %" PRId64 " classes in common (expected 4 or more)",
        o->r->flags->data, sources[x].labels, sources[y].labels, shared);
}

static akin_status open_office(office *o)
{
    akin_status st = AKIN_OK;
    for (int i = 0; i < SOURCES; ++i)
        APP_TRY(open_source(o, i));
    for (int i = 1; i < SOURCES; ++i)
        APP_TRY(check_classes(o, 0, i));
    APP_TRY(check_classes(o, WEBCAM, DSLR));
done:
    return st;
}

static void close_office(office *o)
{
    for (int i = 0; i < SOURCES; ++i) {
        akin_rows_free(o->rows[i]);
        akin_rows_free(o->test[i]);
    }
    akin_rows_free(o->cut);
    akin_rows_free(o->cut_test);
}

/* The rows of the target in a setting. */
static const akin_rows *target_of(const office *o, const office_setting *s,
                                  const office_task *t)
{
    return s->cut ? o->cut : o->rows[t->to];
}

/* ---- a round ------------------------------------------------------------ */

static void free_split(split_rows *p)
{
    akin_rows_free(p->first);
    akin_rows_free(p->rest);
}

/* Classes [from, to) of the rows that `names` has, by name. */
typedef struct class_range {
    const akin_rows *names;
    int64_t from, to;
} class_range;

/* `each` rows of each class into `first`, the others into `rest`. */
static akin_status take_part(app *a, split_rows *p, const akin_rows *rows,
                             draw *d, int64_t each, class_range of)
{
    const int64_t n = akin_rows_count(rows);
    int64_t *first = NULL, *rest = NULL, *all = NULL;
    int64_t n_first = 0, n_rest = 0, n_all;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n, &first));
    APP_TRY(APP_NEW(a, n, &rest));
    for (int64_t c = of.from; c < of.to; ++c) {
        APP_TRY(rsl_of_label(a, rows, akin_rows_label_name(of.names, c), &all,
                             &n_all));
        const int64_t k = each < n_all ? each : n_all;
        draw_front(d, all, n_all, k);
        memcpy(first + n_first, all, (size_t)k * sizeof *all);
        memcpy(rest + n_rest, all + k, (size_t)(n_all - k) * sizeof *all);
        n_first += k;
        n_rest += n_all - k;
    }
    APP_TRY(akin_rows_select(&p->first, a->ctx, rows, first, n_first));
    APP_TRY(akin_rows_select(&p->rest, a->ctx, rows, rest, n_rest));
done:
    free(first);
    free(rest);
    free(all);
    return st;
}

static void free_round(round_rows *h)
{
    free_split(&h->left);
    free_split(&h->right);
    free_split(&h->source);
    free_split(&h->target);
}

/* Draws from --data; with --test all of it, and the rows of --test to test
 * with. The seed of a round depends on the task and `round`. */
static akin_status draw_round(const office *o, const office_setting *s,
                              const office_task *t, int64_t round,
                              round_rows *h)
{
    app *a = o->r->a;
    const bool whole = o->r->flags->test != NULL;
    const akin_rows *from = o->rows[t->from];
    const akin_rows *to = target_of(o, s, t);
    const akin_rows *later = s->cut ? o->cut_test : o->test[t->to];
    const int64_t all = akin_rows_label_count(to);
    const int64_t half = s->new_classes ? all / 2 : all;
    const class_range known = {to, 0, half}, others = {to, half, all};
    const int64_t most = o->r->flags->quick ? QUICK_EACH : INT64_MAX;
    const int64_t each = whole ? most : sources[t->from].each;
    draw d = draw_from((uint64_t)a->common.seed, t - tasks, round);
    akin_status st = AKIN_OK;
    APP_TRY(take_part(a, &h->left, from, &d, each, known));
    APP_TRY(take_part(a, &h->right, to, &d, whole ? most : TARGET_EACH, known));
    APP_TRY(take_part(a, &h->source, from, &d, each, others));
    APP_TRY(take_part(a, &h->target, whole ? later : to, &d, 0,
                      s->new_classes ? others : known));
done:
    return st;
}

/* ---- a round ------------------------------------------------------------ */

/* Rows for training and for classification. */
typedef struct office_test {
    const akin_rows *left, *right;    // training
    const akin_rows *source, *known;  // to compare with; known may be NULL
    const akin_rows *target;          // to classify
} office_test;

static akin_status evaluate(rsl_run *r, const office_test *e,
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

static bool takes_part(const office *o, const office_setting *s,
                       const office_task *t, const rsl_method *m)
{
    const int64_t left = akin_rows_dim(o->rows[t->from]);
    const int64_t right = akin_rows_dim(target_of(o, s, t));
    if (left != right && rsl_is(m, RSL_SAME_COLUMNS))
        return false;
    return !(s->new_classes && rsl_is(m, RSL_KNOWN));
}

static double paper_of(const office_setting *s, const office_task *t,
                       const rsl_method *m)
{
    for (int i = 0; i < PAPER_METHODS; ++i)
        if (strcmp(m->name, paper_methods[i]) == 0)
            return t->paper[s->new_classes][i] > 0.0
                       ? t->paper[s->new_classes][i]
                       : NAN;
    return NAN;
}

static office_test test_of(const office *o, const office_setting *s,
                           const round_rows *h)
{
    if (s->new_classes)
        return (office_test){h->left.first, h->right.first, h->source.first,
                             NULL, h->target.rest};
    return (office_test){h->left.first, h->right.first, h->left.first,
                         h->right.first,
                         o->r->flags->test ? h->target.rest : h->right.rest};
}

static akin_status one_round(office *o, const office_setting *s,
                             const office_task *t, int64_t round,
                             rsl_values *accuracy, rsl_values *seconds)
{
    round_rows h = {0};
    akin_status st = AKIN_OK;
    APP_TRY(draw_round(o, s, t, round, &h));
    const office_test e = test_of(o, s, &h);
    for (int i = 0; i < METHODS; ++i) {
        if (!takes_part(o, s, t, &methods[i]))
            continue;
        APP_TRY(evaluate(o->r, &e, &methods[i], o->chosen[i], &accuracy[i],
                         &seconds[i]));
        APP_TRY(reproduce_step(&o->r->steps));
    }
done:
    free_round(&h);
    return st;
}

/* ---- options by held-out rows ------------------------------------------- */

/* Every third target row is held out; `fold` says which. */
static akin_status try_fold(office *o, const round_rows *h, const rsl_method *m,
                            const char *params, int fold, rsl_values *accuracy)
{
    app *a = o->r->a;
    const int64_t n = akin_rows_count(h->right.first);
    int64_t *which = NULL, kept = 0, out = 0;
    rsl_values seconds = {0};
    split_rows p = {0};
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
    const office_test e = {h->left.first, p.first, h->left.first, p.first,
                           p.rest};
    APP_TRY(evaluate(o->r, &e, m, params, accuracy, &seconds));
done:
    free_split(&p);
    free(which);
    return st;
}

/* Accuracy over the first round of all tasks, of known classes. */
static akin_status try_params(void *arg, const void *m, const char *params,
                              double *score)
{
    office *o = arg;
    akin_status st = AKIN_OK;
    *score = 0.0;
    for (int t = 0; t < TASKS; ++t) {
        rsl_values accuracy = {0};
        round_rows h = {0};
        if (!takes_part(o, &settings[0], &tasks[t], m))
            continue;
        st = draw_round(o, &settings[0], &tasks[t], 0, &h);
        for (int fold = 0; st == AKIN_OK && fold < TARGET_EACH; ++fold)
            st = try_fold(o, &h, m, params, fold, &accuracy);
        free_round(&h);
        APP_TRY(st);
        for (int64_t i = 0; i < accuracy.n; ++i)
            *score += accuracy.x[i];
    }
done:
    return st;
}

/* With --test nothing is drawn, so one round is enough. */
static int64_t n_rounds(const office *o)
{
    return o->r->flags->test ? 1 : o->r->rounds;
}

static akin_status one_setting(office *o, const office_setting *s,
                               const office_task *t)
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

static bool is_asked(const office *o, const office_setting *s,
                     const office_task *t)
{
    return !s->cut || (t->to == DSLR && o->cut != NULL);
}

static int64_t count_runs(const office *o)
{
    int64_t n = 0;
    for (int s = 0; s < SETTINGS; ++s)
        for (int t = 0; t < TASKS; ++t)
            for (int i = 0; i < METHODS; ++i)
                n += is_asked(o, &settings[s], &tasks[t]) &&
                     takes_part(o, &settings[s], &tasks[t], &methods[i]);
    return n * n_rounds(o);
}

static akin_status measure_all(office *o)
{
    akin_status st = AKIN_OK;
    for (int i = 0; i < METHODS; ++i)
        APP_TRY(reproduce_choose(o->chosen[i], methods[i].grid, try_params, o,
                                 &methods[i]));
    for (int s = 0; s < SETTINGS; ++s)
        for (int t = 0; t < TASKS; ++t)
            if (is_asked(o, &settings[s], &tasks[t]))
                APP_TRY(one_setting(o, &settings[s], &tasks[t]));
done:
    return st;
}

akin_status rsl_office(rsl_run *r)
{
    office o = {.r = r};
    akin_status st = AKIN_OK;
    if (r->flags->test != NULL && !rsl_has_office(r->flags->test))
        return app_fail(r->a, AKIN_EINVAL,
                        "%s: not the layout of --data (expected %s and others)",
                        r->flags->test, sources[0].file);
    APP_TRY(open_office(&o));
    reproduce_begin(&r->steps, r->a, count_runs(&o));
    APP_TRY(measure_all(&o));
done:
    reproduce_end(r->a);
    close_office(&o);
    return st;
}
