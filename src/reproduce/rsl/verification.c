/* Are two things the same? In the form of Tables 1 and 2: ten folds of classes
 * that were not learned from, disjoint within a pass over all classes (two
 * passes of five folds of two, where there are ten classes); pairs of rows of
 * these, as many that match as not, are told apart by the threshold that is
 * best on the other folds of the pass. With --test the pairs are of rows of
 * that folder. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/splits.h"
#include "reproduce/rsl/views.h"

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

int64_t rsl_folds_each(const views *v)
{
    const int64_t half = akin_rows_label_count(v->all[0]) / 2;
    return half < FOLDS ? half : FOLDS;
}

int64_t rsl_passes(const views *v)
{
    const int64_t each = rsl_folds_each(v);
    return v->r->flags->quick ? 1 : (FOLDS + each - 1) / each;
}

static akin_status open_fold(const views *v, int64_t number, fold *f)
{
    const int64_t each = rsl_folds_each(v), at = number % each;
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
    int64_t *rows[RSL_CLASSES], n[RSL_CLASSES], count;
} groups;

static void groups_free(groups *g)
{
    for (int64_t c = 0; c < g->count; ++c)
        free(g->rows[c]);
}

static akin_status gather(const views *v, const fold *f, const akin_rows *rows,
                          groups *g)
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
                             " rows to ask about (expected two or more)",
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
    APP_TRY(gather(v, f, rows, &g));
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

/* Rows of the classes that are not in the fold, some of each. */
static akin_status without(const views *v, const fold *f, int64_t **which,
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

/* Scores of one fold, of left view x and right view y. */
static akin_status one_fold(views *v, const rsl_method *m, int x, int y,
                            int64_t number, int64_t *pairs, double *scores)
{
    app *a = v->r->a;
    akin_rows *const *asked = v->r->flags->test ? v->test : v->all;
    akin_rows *left = NULL, *right = NULL;
    akin_model *model = NULL;
    int64_t ij[4 * FOLD_PAIRS], *which = NULL, count = 0;
    double seconds = 0.0;
    fold f = {0};
    akin_status st = AKIN_OK;
    APP_TRY(open_fold(v, number, &f));
    APP_TRY(draw_pairs(v, &f, asked[0], pairs));
    APP_TRY(without(v, &f, &which, &count));
    APP_TRY(akin_rows_select(&left, a->ctx, v->all[x], which, count));
    APP_TRY(akin_rows_select(&right, a->ctx, v->all[y], which, count));
    APP_TRY(rsl_learn(v->r, m, "", left, right, &model, &seconds));
    for (int64_t t = 0; t < 2 * FOLD_PAIRS; ++t) {
        ij[2 * t] = pairs[3 * t];
        ij[2 * t + 1] = pairs[3 * t + 1];
    }
    APP_TRY(akin_model_score(scores, a->ctx, model, asked[x], asked[y], ij,
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
    const int64_t folds = rsl_folds_each(v), each = 2 * FOLD_PAIRS;
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

akin_status rsl_verify(views *v, const rsl_method *m, const int side[2])
{
    rsl_run *r = v->r;
    const int64_t passes = rsl_passes(v);
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
    json_t *row = json_array_get(r->rows, json_array_size(r->rows) - 1);
    reproduce_put(row, "se", 100.0 * sqrt(variance) / (double)passes);
    json_object_set_new(row, "rounds",
                        json_integer(passes * rsl_folds_each(v)));
    reproduce_put(row, "auc", 100.0 * rsl_mean(&auc));
    reproduce_put(row, "eer", 100.0 * rsl_mean(&eer));
done:
    return st;
}
