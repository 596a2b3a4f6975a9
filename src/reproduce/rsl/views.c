/* Two views of the same objects: retrieval across views, and verification of
 * pairs. For retrieval every fourth row is held out as a test row; with --test,
 * all rows of --data are training rows, and those of --test are the queries. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/draw.h"
#include "reproduce/rsl/rsl.h"

enum { TEST_EACH = 4, TEST_AT = 3, MOST_CLASSES = 1000 };

typedef struct layout {
    const char *dataset;
    const char *file[2], *name[2];
} layout;

typedef struct views {
    rsl_run *r;
    const layout *layout;
    akin_rows *train[2], *test[2];  // of retrieval, prepared
    akin_rows *all[2];  // of verification, prepared; with --test, `train`
} views;

static const layout layouts[] = {
    {"mfeat", {"view76.npy", "view240.npy"}, {"76", "240"}},
    {"wiki", {"text10.npy", "image128.npy"}, {"text", "image"}},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static const rsl_method methods[] = {
    {"cosine", NULL, NULL, NULL, RSL_SAME_COLUMNS, AKIN_BY_COSINE},
    {"cca, same things", "cca", NULL, NULL, RSL_PAIRS | RSL_KNOWN,
     AKIN_BY_COSINE},
    {"cca", "cca", NULL, NULL, 0, AKIN_BY_COSINE},
    {"rsl", "rsl", RSL_PLAIN, NULL, 0, AKIN_BY_DOT},
    {"rsl rbf", "rsl", RSL_RBF, NULL, RSL_SLOW, AKIN_BY_DOT},
    {"rsl, classes", "rsl", "kernel=none lambda=3e-5", NULL, RSL_KNOWN,
     AKIN_BY_DOT},
    {"rsl rbf, classes", "rsl", "kernel=rbf", "gamma=0.5,1,2 lambda=1e-5,1e-4",
     RSL_SLOW | RSL_KNOWN, AKIN_BY_DOT},
    {"rsl beside cosine", "rsl", RSL_PLAIN " blend=10", NULL, RSL_SAME_COLUMNS,
     AKIN_BY_COSINE},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const layout *find_layout(const char *folder)
{
    for (int i = 0; i < LAYOUTS; ++i)
        if (reproduce_has_file(folder, layouts[i].file[0]) &&
            reproduce_has_file(folder, layouts[i].file[1]) &&
            reproduce_has_file(folder, "labels.csv"))
            return &layouts[i];
    return NULL;
}

bool rsl_has_views(const char *folder)
{
    return find_layout(folder) != NULL;
}

/* ---- rows --------------------------------------------------------------- */

/* Hold out every fourth row for testing. */
static akin_status cut(app *a, const akin_rows *rows, akin_rows **train,
                       akin_rows **test)
{
    const int64_t n = akin_rows_count(rows);
    int64_t *which[2] = {NULL, NULL}, count[2] = {0, 0};
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n, &which[0]));
    APP_TRY(APP_NEW(a, n, &which[1]));
    for (int64_t i = 0; i < n; ++i) {
        const int s = i % TEST_EACH == TEST_AT;
        which[s][count[s]++] = i;
    }
    APP_TRY(akin_rows_select(train, a->ctx, rows, which[0], count[0]));
    APP_TRY(akin_rows_select(test, a->ctx, rows, which[1], count[1]));
done:
    free(which[0]);
    free(which[1]);
    return st;
}

static akin_status apply(app *a, const akin_recipe *recipe, akin_rows **rows)
{
    akin_rows *ready = NULL;
    const akin_status st = akin_recipe_apply(&ready, a->ctx, recipe, *rows);
    if (st != AKIN_OK)
        return st;
    akin_rows_free(*rows);
    *rows = ready;
    return AKIN_OK;
}

/* Centre and scale by the training rows. */
static akin_status open_view(views *v, int side)
{
    const akin_recipe_options o = {sizeof o, "none", "none", "global", 1};
    const reproduce_flags *f = v->r->flags;
    app *a = v->r->a;
    const char *file = v->layout->file[side];
    akin_rows *raw = NULL;
    akin_recipe *recipe = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(rsl_read(a, &raw, f->data, file, "labels.csv"));
    APP_TRY(akin_recipe_fit(&recipe, a->ctx, raw, &o));
    APP_TRY(akin_recipe_apply(&v->all[side], a->ctx, recipe, raw));
    if (f->test != NULL) {
        APP_TRY(rsl_read(a, &v->test[side], f->test, file, "labels.csv"));
        APP_TRY(rsl_check_columns(a, f->test, file, raw, v->test[side]));
        v->train[side] = raw;
        raw = NULL;
    } else {
        APP_TRY(cut(a, raw, &v->train[side], &v->test[side]));
        akin_recipe_free(recipe);
        recipe = NULL;
        APP_TRY(akin_recipe_fit(&recipe, a->ctx, v->train[side], &o));
    }
    APP_TRY(apply(a, recipe, &v->train[side]));
    APP_TRY(apply(a, recipe, &v->test[side]));
done:
    akin_recipe_free(recipe);
    akin_rows_free(raw);
    return st;
}

/* ---- retrieval ---------------------------------------------------------- */

/* All pairs of the two sides, and whether they share a class. */
static akin_status area(app *a, const akin_model *plain, const akin_rows *left,
                        const akin_rows *right, akin_compare by, double *auc)
{
    const int64_t n = akin_rows_count(left), m = akin_rows_count(right);
    int64_t *pairs = NULL;
    double accuracy;
    akin_status st = AKIN_OK;
    APP_TRY(app_alloc(a, n * m, 3 * sizeof *pairs, &pairs));
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < m; ++j) {
            int64_t *p = pairs + 3 * (i * m + j);
            const int32_t *x, *y;
            akin_rows_labels(&x, left, i);
            akin_rows_labels(&y, right, j);
            p[0] = i;
            p[1] = j;
            p[2] = strcmp(akin_rows_label_name(left, x[0]),
                          akin_rows_label_name(right, y[0])) == 0
                       ? 1
                       : -1;
        }
    APP_TRY(akin_eval_pairs(auc, &accuracy, a->ctx, plain, left, right, pairs,
                            n * m, by));
done:
    free(pairs);
    return st;
}

typedef struct view_scores {
    double map[2], se[2];  // from left to right, and back
    double area;
} view_scores;

/* The standard error of the mean over the queries that count. */
static double error_of_map(const double *ap, int64_t n, const akin_retrieval *r)
{
    const double count = (double)r->queries;
    double squares = 0.0;
    for (int64_t i = 0; i < n; ++i)
        if (isfinite(ap[i]))
            squares += (ap[i] - r->map) * (ap[i] - r->map);
    return sqrt(squares / (count - 1.0) / count);
}

/* Mean average precision from left to right and back, and the area under the
 * ROC curve, by embeddings. */
static akin_status measure(app *a, const akin_model *m, akin_rows *const *test,
                           akin_compare by, view_scores *out)
{
    const int64_t n = akin_rows_count(test[0]);
    akin_rows *place[2] = {NULL, NULL};
    akin_model *plain = NULL;
    double *ap = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n, &ap));
    for (int s = 0; s < 2; ++s)
        APP_TRY(akin_model_embed(&place[s], a->ctx, m, test[s],
                                 s ? AKIN_RIGHT : AKIN_LEFT));
    APP_TRY(akin_model_builtin(&plain, a->ctx, "cosine", place[0]));
    for (int s = 0; s < 2; ++s) {
        akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
        akin_retrieval r;
        o.queries = place[s];
        o.by = by;
        APP_TRY(akin_eval_retrieval(&r, ap, a->ctx, plain, place[1 - s], &o));
        out->map[s] = r.map;
        out->se[s] = error_of_map(ap, n, &r);
    }
    APP_TRY(area(a, plain, place[0], place[1], by, &out->area));
done:
    akin_rows_free(place[0]);
    akin_rows_free(place[1]);
    akin_model_free(plain);
    free(ap);
    return st;
}

/* Learn, and measure: both mean average precisions and the area. */
static akin_status learn_and_measure(views *v, const rsl_method *m,
                                     const char *params,
                                     akin_rows *const *train,
                                     akin_rows *const *test, view_scores *out,
                                     double *seconds)
{
    akin_model *model = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(rsl_learn(v->r, m, params, train[0], train[1], &model, seconds));
    APP_TRY(measure(v->r->a, model, test, m->by, out));
done:
    akin_model_free(model);
    return st;
}

/* Both mAPs with every fourth training row held out. */
static akin_status try_params(void *arg, const void *m, const char *params,
                              double *score)
{
    views *v = arg;
    akin_rows *train[2] = {NULL, NULL}, *test[2] = {NULL, NULL};
    view_scores got;
    double seconds;
    akin_status st = AKIN_OK;
    for (int s = 0; s < 2; ++s)
        APP_TRY(cut(v->r->a, v->train[s], &train[s], &test[s]));
    APP_TRY(learn_and_measure(v, m, params, train, test, &got, &seconds));
    *score = got.map[0] + got.map[1];
    APP_TRY(reproduce_step(&v->r->steps));
done:
    for (int s = 0; s < 2; ++s) {
        akin_rows_free(train[s]);
        akin_rows_free(test[s]);
    }
    return st;
}

static akin_status retrieve(views *v, const rsl_method *m)
{
    rsl_run *r = v->r;
    const char *const *name = v->layout->name;
    view_scores got;
    rsl_values seconds = {.n = 1};
    char column[64], chosen[REPRODUCE_PARAMS];
    akin_status st = AKIN_OK;
    APP_TRY(reproduce_choose(chosen, m->grid, try_params, v, m));
    APP_TRY(learn_and_measure(v, m, chosen, v->train, v->test, &got,
                              &seconds.x[0]));
    for (int i = 0; i < 3; ++i) {
        const rsl_values one = {{i < 2 ? got.map[i] : got.area}, 1};
        snprintf(column, sizeof column, "%s>%s", name[i % 2], name[1 - i % 2]);
        const rsl_place at = {v->layout->dataset, "retrieval",
                              i < 2 ? column : "all pairs",
                              i < 2 ? "map" : "auc", NAN};
        APP_TRY(rsl_add(r, &at, m, chosen, &one, i == 0 ? &seconds : NULL));
        if (i < 2)
            reproduce_put(reproduce_last(r->rows), "se", 100.0 * got.se[i]);
    }
    APP_TRY(reproduce_step(&r->steps));
done:
    return st;
}

/* ---- verification -------------------------------------------------------- */

/* In the form of Tables 1 and 2: do two rows have the same class? There are ten
 * folds of classes that were not learned from, disjoint within a pass over all
 * classes (with ten classes: two passes of five folds of two). Half of the
 * pairs of a fold match. The threshold is the one that is best on the other
 * folds of the pass. With --test the pairs are of rows of that folder. */

enum {
    FOLD_PAIRS = 300,
    FOLDS = 10,
    LEARN_EACH = 60,  // rows of a class to learn from
    QUICK_EACH = 30
};

/* A fold: classes [from, to) of a pass over all of them in random order. */
typedef struct fold {
    int64_t number, from, to;
    int64_t *order, n;  // classes of v->all[0]
} fold;

static const char *class_name(const views *v, const fold *f, int64_t k)
{
    return akin_rows_label_name(v->all[0], f->order[k]);
}

static int64_t folds_each(const views *v)
{
    const int64_t half = akin_rows_label_count(v->all[0]) / 2;
    return half < FOLDS ? half : FOLDS;
}

static int64_t count_passes(const views *v)
{
    const int64_t each = folds_each(v);
    return v->r->flags->quick ? 1 : (FOLDS + each - 1) / each;
}

static akin_status open_fold(const views *v, int64_t number, fold *f)
{
    const int64_t each = folds_each(v), at = number % each;
    draw d = draw_from((uint64_t)v->r->a->common.seed, number / each, 3);
    akin_status st = AKIN_OK;
    *f = (fold){.number = number, .n = akin_rows_label_count(v->all[0])};
    f->from = at * (f->n / each);
    f->to = f->from + f->n / each;
    APP_TRY(APP_NEW(v->r->a, f->n, &f->order));
    for (int64_t c = 0; c < f->n; ++c)
        f->order[c] = c;
    draw_front(&d, f->order, f->n, f->n);
done:
    return st;
}

/* The rows of each class of the fold among `rows`. */
typedef struct groups {
    int64_t *rows[MOST_CLASSES], n[MOST_CLASSES], count;
} groups;

static void groups_free(groups *g)
{
    for (int64_t c = 0; c < g->count; ++c)
        free(g->rows[c]);
}

static akin_status group_rows(const views *v, const fold *f,
                              const akin_rows *rows, groups *g)
{
    app *a = v->r->a;
    akin_status st = AKIN_OK;
    for (int64_t k = f->from; k < f->to; ++k) {
        const int64_t c = g->count++;
        APP_TRY(
            rsl_of_label(a, rows, class_name(v, f, k), &g->rows[c], &g->n[c]));
        if (g->n[c] < 2)
            APP_TRY(app_fail(a, AKIN_EINVAL,
                             "class %s has %" PRId64
                             " rows to test with (expected 2 or more)",
                             class_name(v, f, k), g->n[c]));
    }
done:
    return st;
}

/* Pairs (i j y) of rows of the fold's classes, half of them of one class. */
static akin_status draw_pairs(const views *v, const fold *f,
                              const akin_rows *rows, int64_t *pairs)
{
    draw d = draw_from((uint64_t)v->r->a->common.seed, f->number, 2);
    groups g = {.count = 0};
    akin_status st = AKIN_OK;
    APP_TRY(group_rows(v, f, rows, &g));
    for (int64_t t = 0; t < 2 * FOLD_PAIRS; ++t) {
        const bool match = t % 2 == 0;
        const int64_t c = draw_below(&d, g.count);
        const int64_t e =
            match ? c : (c + 1 + draw_below(&d, g.count - 1)) % g.count;
        int64_t *p = pairs + 3 * t;
        do {
            p[0] = g.rows[c][draw_below(&d, g.n[c])];
            p[1] = g.rows[e][draw_below(&d, g.n[e])];
        } while (p[0] == p[1]);
        p[2] = match ? 1 : -1;
    }
done:
    groups_free(&g);
    return st;
}

/* Some rows of each class that is not in the fold. */
static akin_status training_rows(const views *v, const fold *f, int64_t **which,
                                 int64_t *count)
{
    app *a = v->r->a;
    draw d = draw_from((uint64_t)a->common.seed, f->number, 4);
    const int64_t most = v->r->flags->quick ? QUICK_EACH : LEARN_EACH;
    int64_t *of = NULL, n;
    akin_status st = AKIN_OK;
    *count = 0;
    APP_TRY(APP_NEW(a, akin_rows_count(v->all[0]), which));
    for (int64_t k = 0; k < f->n; ++k) {
        if (k >= f->from && k < f->to)
            continue;
        APP_TRY(rsl_of_label(a, v->all[0], class_name(v, f, k), &of, &n));
        const int64_t some = n < most ? n : most;
        draw_front(&d, of, n, some);
        memcpy(*which + *count, of, (size_t)some * sizeof *of);
        *count += some;
    }
done:
    free(of);
    return st;
}

/* The scores of one fold, with left view x and right view y. */
static akin_status one_fold(views *v, const rsl_method *m, int x, int y,
                            int64_t number, int64_t *pairs, double *scores)
{
    app *a = v->r->a;
    akin_rows *const *tested = v->r->flags->test ? v->test : v->all;
    akin_rows *left = NULL, *right = NULL;
    akin_model *model = NULL;
    int64_t ij[4 * FOLD_PAIRS], *which = NULL, count = 0;
    double seconds = 0.0;
    fold f = {0};
    akin_status st = AKIN_OK;
    APP_TRY(open_fold(v, number, &f));
    APP_TRY(draw_pairs(v, &f, tested[0], pairs));
    APP_TRY(training_rows(v, &f, &which, &count));
    APP_TRY(akin_rows_select(&left, a->ctx, v->all[x], which, count));
    APP_TRY(akin_rows_select(&right, a->ctx, v->all[y], which, count));
    APP_TRY(rsl_learn(v->r, m, "", left, right, &model, &seconds));
    for (int64_t t = 0; t < 2 * FOLD_PAIRS; ++t) {
        ij[2 * t] = pairs[3 * t];
        ij[2 * t + 1] = pairs[3 * t + 1];
    }
    APP_TRY(akin_model_score(scores, a->ctx, model, tested[x], tested[y], ij,
                             2 * FOLD_PAIRS, AKIN_BY_COSINE));
    APP_TRY(reproduce_step(&v->r->steps));
done:
    akin_rows_free(left);
    akin_rows_free(right);
    akin_model_free(model);
    free(which);
    free(f.order);
    return st;
}

/* One pass over all classes. */
static akin_status one_pass(views *v, const rsl_method *m, const int side[2],
                            int64_t pass, akin_verification *out)
{
    app *a = v->r->a;
    const int64_t folds = folds_each(v), each = 2 * FOLD_PAIRS;
    int64_t *pairs = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, 3 * each * folds, &pairs));
    APP_TRY(APP_NEW(a, each * folds, &scores));
    for (int64_t k = 0; k < folds; ++k)
        APP_TRY(one_fold(v, m, side[0], side[1], pass * folds + k,
                         pairs + 3 * each * k, scores + each * k));
    APP_TRY(akin_eval_verify(out, a->ctx, scores, pairs, each * folds, folds));
done:
    free(pairs);
    free(scores);
    return st;
}

static akin_status verify(views *v, const rsl_method *m, const int side[2])
{
    rsl_run *r = v->r;
    const int64_t passes = count_passes(v);
    rsl_values accuracy = {0}, auc = {0}, eer = {0};
    double variance = 0.0;
    char column[64];
    akin_status st = AKIN_OK;
    for (int64_t p = 0; p < passes; ++p) {
        akin_verification out;
        APP_TRY(one_pass(v, m, side, p, &out));
        accuracy.x[accuracy.n++] = out.accuracy;
        auc.x[auc.n++] = out.auc;
        eer.x[eer.n++] = out.eer;
        variance += out.accuracy_se * out.accuracy_se;
    }
    snprintf(column, sizeof column, "%s x %s", v->layout->name[side[0]],
             v->layout->name[side[1]]);
    const rsl_place at = {v->layout->dataset, "same or not", column, "accuracy",
                          NAN};
    APP_TRY(rsl_add(r, &at, m, "", &accuracy, NULL));
    json_t *row = reproduce_last(r->rows);
    reproduce_put(row, "se", 100.0 * sqrt(variance) / (double)passes);
    reproduce_put_count(row, "rounds", passes * folds_each(v));
    reproduce_put(row, "auc", 100.0 * rsl_mean(&auc));
    reproduce_put(row, "eer", 100.0 * rsl_mean(&eer));
done:
    return st;
}

/* ---- the run ------------------------------------------------------------- */

static const int sides[3][2] = {{0, 0}, {1, 1}, {0, 1}};

static bool is_measured(const rsl_run *r, const rsl_method *m)
{
    return !(rsl_is(m, RSL_SLOW) && r->flags->quick);
}

/* Retrieval is across views, of different columns. */
static bool retrieves(const rsl_run *r, const rsl_method *m)
{
    return is_measured(r, m) && !rsl_is(m, RSL_SAME_COLUMNS);
}

static bool verifies(const rsl_run *r, const rsl_method *m, const int side[2])
{
    return is_measured(r, m) && !rsl_is(m, RSL_KNOWN) &&
           (side[0] == side[1] || !rsl_is(m, RSL_SAME_COLUMNS));
}

static int64_t count_runs(const views *v)
{
    char params[REPRODUCE_PARAMS];
    int64_t n = 0;
    for (int i = 0; i < METHODS; ++i) {
        const rsl_method *m = &methods[i];
        n += retrieves(v->r, m);
        for (int64_t c = 0; m->grid != NULL && retrieves(v->r, m) &&
                            reproduce_candidate(m->grid, c, params);
             ++c)
            ++n;
        for (int k = 0; k < 3; ++k)
            if (verifies(v->r, m, sides[k]))
                n += count_passes(v) * folds_each(v);
    }
    return n;
}

static akin_status measure_all(views *v)
{
    rsl_run *r = v->r;
    akin_status st = AKIN_OK;
    reproduce_begin(&r->steps, r->a, count_runs(v));
    for (int i = 0; i < METHODS; ++i)
        if (retrieves(r, &methods[i]))
            APP_TRY(retrieve(v, &methods[i]));
    for (int i = 0; i < METHODS; ++i)
        for (int k = 0; k < 3; ++k)
            if (verifies(r, &methods[i], sides[k]))
                APP_TRY(verify(v, &methods[i], sides[k]));
done:
    return st;
}

/* Folds need two classes each. */
static akin_status check_classes(const views *v)
{
    const int64_t n = akin_rows_label_count(v->all[0]);
    if (n >= 4 && n <= MOST_CLASSES)
        return AKIN_OK;
    return app_fail(v->r->a, AKIN_EINVAL,
                    "%s/labels.csv: %" PRId64 " classes (expected 4 to %d)",
                    v->r->flags->data, n, MOST_CLASSES);
}

akin_status rsl_views(rsl_run *r)
{
    views v = {.r = r, .layout = find_layout(r->flags->data)};
    akin_status st = AKIN_OK;
    if (r->flags->test != NULL && find_layout(r->flags->test) != v.layout)
        return app_fail(r->a, AKIN_EINVAL,
                        "%s: not the layout of --data (expected %s, %s and "
                        "labels.csv)",
                        r->flags->test, v.layout->file[0], v.layout->file[1]);
    for (int s = 0; s < 2; ++s)
        APP_TRY(open_view(&v, s));
    APP_TRY(check_classes(&v));
    APP_TRY(measure_all(&v));
done:
    reproduce_end(r->a);
    for (int s = 0; s < 2; ++s) {
        akin_rows_free(v.train[s]);
        akin_rows_free(v.test[s]);
        akin_rows_free(v.all[s]);
    }
    return st;
}
