/* Views of the same things: what of one view belongs to what of the other, and
 * are two of them the same (verification.c). For retrieval every fourth row is
 * kept to test with; with --test, all of --data is learned from and rows of
 * that folder are the queries. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/rsl/views.h"

enum { TEST_EACH = 4, TEST_AT = 3 };

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
    {"rsl", "rsl", NULL, NULL, 0, AKIN_BY_DOT},
    {"rsl rbf", "rsl", "kernel=rbf", NULL, RSL_SLOW, AKIN_BY_DOT},
    {"rsl, classes", "rsl", "prototypes=1", NULL, RSL_KNOWN, AKIN_BY_DOT},
    {"rsl rbf, classes", "rsl", "kernel=rbf prototypes=1",
     "gamma=0.5,1,2 lambda=1e-5,1e-4", RSL_SLOW | RSL_KNOWN, AKIN_BY_DOT},
    {"rsl beside cosine", "rsl", "blend=10", NULL, RSL_SAME_COLUMNS,
     AKIN_BY_COSINE},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const layout *find_layout(const char *folder)
{
    for (int i = 0; i < LAYOUTS; ++i)
        if (rsl_has(folder, layouts[i].file[0]) &&
            rsl_has(folder, layouts[i].file[1]) &&
            rsl_has(folder, "labels.csv"))
            return &layouts[i];
    return NULL;
}

bool rsl_has_views(const char *folder)
{
    return find_layout(folder) != NULL;
}

/* ---- rows --------------------------------------------------------------- */

/* Every fourth row apart, when there is no folder of its own to test with. */
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

/* Centred and scaled by the rows that are learned from. */
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

typedef struct figures {
    double map[2], se[2];  // from left to right, and back
    double area;
} figures;

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
 * ROC curve, by places in the learned space. */
static akin_status measure(app *a, const akin_model *m, akin_rows *const *test,
                           akin_compare by, figures *out)
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
                                     akin_rows *const *test, figures *out,
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

/* Options by every fourth of the rows to learn from, kept out. */
static akin_status try_params(void *arg, const rsl_method *m,
                              const char *params, double *score)
{
    views *v = arg;
    akin_rows *train[2] = {NULL, NULL}, *test[2] = {NULL, NULL};
    figures got;
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
    figures got;
    rsl_values seconds = {.n = 1};
    char column[64], chosen[RSL_PARAMS];
    akin_status st = AKIN_OK;
    APP_TRY(rsl_choose(m, try_params, v, chosen));
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
            reproduce_put(json_array_get(r->rows, json_array_size(r->rows) - 1),
                          "se", 100.0 * got.se[i]);
    }
    APP_TRY(reproduce_step(&r->steps));
done:
    return st;
}

/* ---- all of it
 * ----------------------------------------------------------------
 */

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
    char params[RSL_PARAMS];
    int64_t n = 0;
    for (int i = 0; i < METHODS; ++i) {
        const rsl_method *m = &methods[i];
        n += retrieves(v->r, m);
        for (int64_t c = 0; m->grid != NULL && retrieves(v->r, m) &&
                            reproduce_candidate(m->grid, c, params, RSL_PARAMS);
             ++c)
            ++n;
        for (int k = 0; k < 3; ++k)
            if (verifies(v->r, m, sides[k]))
                n += rsl_passes(v) * rsl_folds_each(v);
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
                APP_TRY(rsl_verify(v, &methods[i], sides[k]));
done:
    return st;
}

/* Enough of them for folds of two. */
static akin_status check_classes(const views *v)
{
    const int64_t n = akin_rows_label_count(v->all[0]);
    if (n >= 4 && n <= RSL_CLASSES)
        return AKIN_OK;
    return app_fail(v->r->a, AKIN_EINVAL,
                    "%s/labels.csv: %" PRId64 " classes (expected 4 to %d)",
                    v->r->flags->data, n, RSL_CLASSES);
}

akin_status rsl_views(rsl_run *r)
{
    views v = {.r = r, .layout = find_layout(r->flags->data)};
    akin_status st = AKIN_OK;
    if (r->flags->test != NULL && find_layout(r->flags->test) != v.layout)
        return app_fail(r->a, AKIN_EINVAL,
                        "%s: not laid out as --data (expected %s, %s and "
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
