/* Views of the same things: are two of them the same (in the form of Tables 1
 * and 2), and what of one view belongs to what of the other.
 *
 * Same or not: ten folds, each of two classes that were not learned from; pairs
 * of rows of these, as many that match as not, are told apart by the threshold
 * that is best on the other folds. Retrieval: every fourth row is kept to test
 * with, or all of --test. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/rsl.h"
#include "cli/splits.h"

enum { FOLD_PAIRS = 300, FOLDS = 10, TEST_EACH = 4, TEST_AT = 3 };

typedef struct layout {
    const char *dataset;
    const char *file[2], *name[2];
} layout;

static const layout layouts[] = {
    {"mfeat", {"view76.npy", "view240.npy"}, {"76", "240"}},
    {"wiki", {"text10.npy", "image128.npy"}, {"text", "image"}},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static const rsl_method methods[] = {
    {"cca, same things", "cca", NULL, false, true, false, AKIN_BY_COSINE},
    {"cca", "cca", NULL, false, false, false, AKIN_BY_COSINE},
    {"rsl", "rsl", NULL, false, false, false, AKIN_BY_DOT},
    {"rsl rbf", "rsl", "kernel=rbf", false, false, true, AKIN_BY_DOT},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct views {
    rsl_run *r;
    const layout *layout;
    akin_rows *train[2], *test[2];  // of retrieval, prepared
    akin_rows *all[2];              // of same or not, prepared
} views;

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

/* ---- rows ------------------------------------------------------------------
 */

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
    akin_recipe_free(recipe);
    recipe = NULL;
    if (f->test != NULL) {
        v->train[side] = raw;
        raw = NULL;
        APP_TRY(rsl_read(a, &v->test[side], f->test, file, "labels.csv"));
    } else {
        APP_TRY(cut(a, raw, &v->train[side], &v->test[side]));
    }
    APP_TRY(akin_recipe_fit(&recipe, a->ctx, v->train[side], &o));
    APP_TRY(apply(a, recipe, &v->train[side]));
    APP_TRY(apply(a, recipe, &v->test[side]));
done:
    akin_recipe_free(recipe);
    akin_rows_free(raw);
    return st;
}

/* ---- retrieval --------------------------------------------------------------
 */

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
            akin_rows_labels(left, i, &x);
            akin_rows_labels(right, j, &y);
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

/* Mean average precision from left to right and back, and the area under the
 * ROC curve, by places in the learned space. */
static akin_status measure(app *a, const akin_model *m, akin_rows *const *test,
                           akin_compare by, double figures[3])
{
    akin_rows *place[2] = {NULL, NULL};
    akin_model *plain = NULL;
    akin_status st = AKIN_OK;
    for (int s = 0; s < 2; ++s)
        APP_TRY(akin_model_embed(&place[s], a->ctx, m, test[s],
                                 s ? AKIN_RIGHT : AKIN_LEFT));
    APP_TRY(akin_model_builtin(&plain, a->ctx, "cosine", place[0]));
    for (int s = 0; s < 2; ++s) {
        akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
        akin_retrieval r;
        o.queries = place[s];
        o.by = by;
        APP_TRY(akin_eval_retrieval(&r, NULL, a->ctx, plain, place[1 - s], &o));
        figures[s] = r.map;
    }
    APP_TRY(area(a, plain, place[0], place[1], by, &figures[2]));
done:
    akin_rows_free(place[0]);
    akin_rows_free(place[1]);
    akin_model_free(plain);
    return st;
}

static akin_status retrieve(views *v, const rsl_method *m)
{
    rsl_run *r = v->r;
    const char *const *name = v->layout->name;
    akin_model *model = NULL;
    double figures[3] = {NAN, NAN, NAN};
    rsl_values seconds = {.n = 1};
    char column[2][32];
    akin_status st = AKIN_OK;
    APP_TRY(rsl_learn(r, m, v->train[0], v->train[1], &model, &seconds.x[0]));
    APP_TRY(measure(r->a, model, v->test, m->by, figures));
    for (int i = 0; i < 3; ++i) {
        const rsl_values one = {{figures[i]}, 1};
        snprintf(column[0], sizeof column[0], "%s>%s", name[i % 2],
                 name[1 - i % 2]);
        const rsl_place at = {v->layout->dataset, "retrieval",
                              i < 2 ? column[0] : "all pairs",
                              i < 2 ? "map" : "auc", NAN};
        APP_TRY(rsl_add(r, &at, m, &one, i == 0 ? &seconds : NULL));
    }
    APP_TRY(reproduce_step(&r->steps));
done:
    akin_model_free(model);
    return st;
}

/* ---- same or not -----------------------------------------------------------
 */

/* Pairs (i j y) of rows of the classes a and b, half of them of one class. */
static akin_status draw_pairs(app *a, const akin_rows *rows, draw *d,
                              int32_t first, int32_t second, int64_t *pairs)
{
    int64_t *of[2] = {NULL, NULL}, n[2];
    akin_status st = AKIN_OK;
    APP_TRY(rsl_of_labels(a, rows, first, first + 1, &of[0], &n[0]));
    APP_TRY(rsl_of_labels(a, rows, second, second + 1, &of[1], &n[1]));
    if (n[0] < 2 || n[1] < 2)
        APP_TRY(app_fail(a, AKIN_EINVAL, "a class has fewer than two rows"));
    for (int64_t t = 0; t < 2 * FOLD_PAIRS; ++t) {
        const bool match = t % 2 == 0;
        const int64_t c = draw_below(d, 2), e = match ? c : 1 - c;
        int64_t *p = pairs + 3 * t;
        do {
            p[0] = of[c][draw_below(d, n[c])];
            p[1] = of[e][draw_below(d, n[e])];
        } while (p[0] == p[1]);
        p[2] = match ? 1 : -1;
    }
done:
    free(of[0]);
    free(of[1]);
    return st;
}

/* The rows of all classes but two. */
static akin_status without(app *a, const akin_rows *rows, int32_t first,
                           int32_t second, akin_rows **out)
{
    const int64_t n = akin_rows_count(rows);
    int64_t *which = NULL, count = 0;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n, &which));
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *labels;
        if (akin_rows_labels(rows, i, &labels) > 0 && labels[0] != first &&
            labels[0] != second)
            which[count++] = i;
    }
    APP_TRY(akin_rows_select(out, a->ctx, rows, which, count));
done:
    free(which);
    return st;
}

/* Scores of one fold, of left view x and right view y. */
static akin_status one_fold(views *v, const rsl_method *m, int x, int y,
                            int64_t fold, int64_t *pairs, double *scores)
{
    app *a = v->r->a;
    const int32_t n = (int32_t)akin_rows_label_count(v->all[0]);
    const int32_t first = (int32_t)fold % n, second = (first + 1) % n;
    draw d = draw_from((uint64_t)a->common.seed, fold, 2);
    akin_rows *left = NULL, *right = NULL;
    akin_model *model = NULL;
    int64_t ij[4 * FOLD_PAIRS];
    double seconds = 0.0;
    akin_status st = AKIN_OK;
    APP_TRY(draw_pairs(a, v->all[0], &d, first, second, pairs));
    APP_TRY(without(a, v->all[x], first, second, &left));
    APP_TRY(without(a, v->all[y], first, second, &right));
    APP_TRY(rsl_learn(v->r, m, left, right, &model, &seconds));
    for (int64_t t = 0; t < 2 * FOLD_PAIRS; ++t) {
        ij[2 * t] = pairs[3 * t];
        ij[2 * t + 1] = pairs[3 * t + 1];
    }
    APP_TRY(akin_model_score(scores, a->ctx, model, v->all[x], v->all[y], ij,
                             2 * FOLD_PAIRS, AKIN_BY_COSINE));
    APP_TRY(reproduce_step(&v->r->steps));
done:
    akin_rows_free(left);
    akin_rows_free(right);
    akin_model_free(model);
    return st;
}

static int64_t n_folds(const rsl_run *r)
{
    return r->flags->quick ? 3 : FOLDS;
}

/* Accuracy and area for views x and y, over all folds. */
static akin_status verify(views *v, const rsl_method *m, int x, int y)
{
    rsl_run *r = v->r;
    const int64_t folds = n_folds(r), each = 2 * FOLD_PAIRS;
    char column[32];
    int64_t *pairs = NULL;
    double *scores = NULL;
    akin_verification out;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(r->a, 3 * each * folds, &pairs));
    APP_TRY(APP_NEW(r->a, each * folds, &scores));
    for (int64_t k = 0; k < folds; ++k)
        APP_TRY(
            one_fold(v, m, x, y, k, pairs + 3 * each * k, scores + each * k));
    APP_TRY(
        akin_eval_verify(&out, r->a->ctx, scores, pairs, each * folds, folds));
    snprintf(column, sizeof column, "%s x %s", v->layout->name[x],
             v->layout->name[y]);
    const rsl_values accuracy = {{out.accuracy}, 1};
    const rsl_place at = {v->layout->dataset, "same or not", column, "accuracy",
                          NAN};
    APP_TRY(rsl_add(r, &at, m, &accuracy, NULL));
    json_t *row = json_array_get(r->rows, json_array_size(r->rows) - 1);
    reproduce_put(row, "se", 100.0 * out.accuracy_se);
    json_object_set_new(row, "rounds", json_integer(folds));
    reproduce_put(row, "auc", 100.0 * out.auc);
done:
    free(pairs);
    free(scores);
    return st;
}

static const int sides[3][2] = {{0, 0}, {1, 1}, {0, 1}};

static bool takes_part(const rsl_run *r, const rsl_method *m)
{
    return !(m->slow && r->flags->quick);
}

static akin_status measure_all(views *v)
{
    rsl_run *r = v->r;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    for (int i = 0; i < METHODS; ++i)
        if (takes_part(r, &methods[i]))
            n += 1 + (methods[i].pairs ? 0 : 3 * n_folds(r));
    reproduce_begin(&r->steps, r->a, n);
    for (int i = 0; i < METHODS; ++i)
        if (takes_part(r, &methods[i]))
            APP_TRY(retrieve(v, &methods[i]));
    for (int i = 0; i < METHODS && r->flags->test == NULL; ++i)
        for (int k = 0; k < 3; ++k)
            if (takes_part(r, &methods[i]) && !methods[i].pairs)
                APP_TRY(verify(v, &methods[i], sides[k][0], sides[k][1]));
done:
    return st;
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
