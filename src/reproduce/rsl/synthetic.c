/* Figure 1: do a left and a right row have the same class? Each side has two
 * Gaussian classes with means delta apart along a random direction and identity
 * covariance; at the largest delta, rows that the Bayes rule gets wrong are
 * left out. There are 5,000 training pairs, half of them of the same class,
 * with the printed settings (lambda 1, mean loss, raw rows), and 2,000 test
 * pairs. The sign of the similarity decides. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "reproduce/common/draw.h"
#include "reproduce/rsl/rsl.h"

enum { LEFT = 50, RIGHT = 100, RANK = 5, TRAIN = 5000, TEST = 2000 };

/* From this delta on, rows that the Bayes rule gets wrong are left out. */
static const double SEPARABLE = 6.0;
static const double deltas[] = {6.0, 4.0, 3.0, 2.0, 1.5, 1.0};
static const int64_t dims[] = {25, 50, 100, 200}, ranks[] = {1, 2, 5, 10, 20};
enum { DELTAS = 6, DIMS = 4, RANKS = 5 };

typedef struct world {
    int64_t d[2];
    double delta;
    double *u[2];  // unit vectors
} world;

static double normal(draw *r)
{
    const double big = 1e15;
    const double u = ((double)draw_below(r, (int64_t)big) + 1.0) / big;
    const double v = (double)draw_below(r, (int64_t)big) / big;
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

static void unit(draw *r, int64_t d, double *u)
{
    double sum = 0.0;
    for (int64_t j = 0; j < d; ++j) {
        u[j] = normal(r);
        sum += u[j] * u[j];
    }
    for (int64_t j = 0; j < d; ++j)
        u[j] /= sqrt(sum);
}

/* n pairs, row i with row i: rows of both sides, and whether they match. */
typedef struct sample {
    akin_rows *side[2];
    int64_t *pairs, n;
} sample;

static void sample_free(sample *s)
{
    akin_rows_free(s->side[0]);
    akin_rows_free(s->side[1]);
    free(s->pairs);
}

/* A row of class 1 or -1. If the classes must be separable, a row that the
 * Bayes rule gets wrong is drawn again. */
static void draw_row(const world *w, int side, double class, draw *r, float *x)
{
    const double at = 0.5 * w->delta * class;
    double along;
    do {
        along = 0.0;
        for (int64_t j = 0; j < w->d[side]; ++j) {
            const double u = w->u[side][j], value = normal(r) + at * u;
            along += value * u;
            x[j] = (float)value;
        }
    } while (w->delta >= SEPARABLE && along * class <= 0.0);
}

static akin_status draw_sample(app *a, sample *s, const world *w, int64_t n,
                               draw *r)
{
    float *x[2] = {NULL, NULL};
    akin_status st = AKIN_OK;
    s->n = n;
    APP_TRY(APP_NEW(a, 3 * n, &s->pairs));
    APP_TRY(APP_NEW(a, n * w->d[0], &x[0]));
    APP_TRY(APP_NEW(a, n * w->d[1], &x[1]));
    for (int64_t i = 0; i < n; ++i) {
        const double c = draw_below(r, 2) ? 1.0 : -1.0;
        const bool match = i < n / 2;
        s->pairs[3 * i] = s->pairs[3 * i + 1] = i;
        s->pairs[3 * i + 2] = match ? 1 : -1;
        for (int k = 0; k < 2; ++k)
            draw_row(w, k, k && !match ? -c : c, r, x[k] + i * w->d[k]);
    }
    for (int k = 0; k < 2; ++k)
        APP_TRY(akin_rows_new_dense(&s->side[k], a->ctx, n, w->d[k], x[k]));
done:
    free(x[0]);
    free(x[1]);
    return st;
}

/* The share of pairs whose similarity has the right sign. */
static akin_status evaluate(app *a, const akin_model *m, const sample *s,
                            double *accuracy)
{
    int64_t *ij = NULL, right = 0;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, 2 * s->n, &ij));
    APP_TRY(APP_NEW(a, s->n, &scores));
    for (int64_t t = 0; t < s->n; ++t)
        ij[2 * t] = ij[2 * t + 1] = t;
    APP_TRY(akin_model_score(scores, a->ctx, m, s->side[0], s->side[1], ij,
                             s->n, AKIN_BY_DOT));
    for (int64_t t = 0; t < s->n; ++t)
        right += (scores[t] >= 0.0) == (s->pairs[3 * t + 2] > 0);
    *accuracy = (double)right / (double)s->n;
done:
    free(ij);
    free(scores);
    return st;
}

static akin_status one_round(rsl_run *r, const world *shape, int64_t rank,
                             int64_t round, rsl_values *accuracy,
                             rsl_values *seconds)
{
    app *a = r->a;
    world w = *shape;
    draw d = draw_from((uint64_t)a->common.seed, round, 1);
    char params[96];
    reproduce_params o = {0};
    sample train = {0}, test = {0};
    akin_supervision *known = NULL;
    akin_learn_info info = {0};
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    snprintf(params, sizeof params,
             "rank=%d lambda=1 origin=zero length=given score=dot", (int)rank);
    for (int k = 0; k < 2; ++k) {
        APP_TRY(APP_NEW(a, w.d[k], &w.u[k]));
        unit(&d, w.d[k], w.u[k]);
    }
    APP_TRY(draw_sample(a, &train, &w, TRAIN, &d));
    APP_TRY(draw_sample(a, &test, &w, TEST, &d));
    APP_TRY(reproduce_params_new(&o, a->ctx, "rsl", params, NULL));
    APP_TRY(akin_supervision_new(&known, a->ctx, train.side[0], train.side[1],
                                 NULL));
    APP_TRY(
        akin_supervision_set(a->ctx, known, AKIN_PAIRS, train.pairs, train.n));
    akin_supervision_pair_weights(known, AKIN_PRINTED);
    APP_TRY(akin_learn(&m, a->ctx, o.options, known, &info));
    APP_TRY(evaluate(a, m, &test, &accuracy->x[accuracy->n++]));
    seconds->x[seconds->n++] = info.seconds;
    APP_TRY(reproduce_step(&r->steps));
done:
    akin_model_free(m);
    akin_supervision_free(known);
    akin_options_free(o.options);
    sample_free(&train);
    sample_free(&test);
    free(w.u[0]);
    free(w.u[1]);
    return st;
}

/* A row of a panel: accuracy at a distance of the means. */
static akin_status add_row(rsl_run *r, const char *panel, const rsl_method *m,
                           double delta, const rsl_values *accuracy,
                           const rsl_values *seconds)
{
    char column[32];
    snprintf(column, sizeof column, "delta %g%s", delta,
             delta >= SEPARABLE ? ", separable" : "");
    const rsl_place at = {"synthetic",
                          panel[1] == 'a' ? "right dimension" : "rank", column,
                          "accuracy", NAN};
    const akin_status st = rsl_add(r, &at, m, "", accuracy, seconds);
    if (st == AKIN_OK) {
        reproduce_put(reproduce_last(r->rows), "delta", delta);
        reproduce_put_text(reproduce_last(r->rows), "panel", panel);
    }
    return st;
}

/* One point of a line: right dimension and rank, at a distance. */
static akin_status point(rsl_run *r, const char *panel, int64_t dim,
                         int64_t rank, double delta)
{
    const world w = {{LEFT, dim}, delta, {NULL, NULL}};
    rsl_values accuracy = {0}, seconds = {0};
    char name[32];
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < r->rounds; ++i)
        APP_TRY(one_round(r, &w, rank, i, &accuracy, &seconds));
    if (panel[1] == 'a')
        snprintf(name, sizeof name, "n = %d", (int)dim);
    else
        snprintf(name, sizeof name, "d = %d", (int)rank);
    const rsl_method m = {name, "rsl", "lambda=1", NULL, 0, AKIN_BY_DOT};
    APP_TRY(add_row(r, panel, &m, delta, &accuracy, &seconds));
done:
    return st;
}

/* The accuracy of the Bayes rule: both rows classified right, or both wrong. */
static akin_status best_rule(rsl_run *r, const char *panel, double delta)
{
    const double p = delta >= SEPARABLE ? 1.0
                                        : 0.5 * erfc(-0.5 * delta / sqrt(2.0));
    const rsl_values share = {{p * p + (1.0 - p) * (1.0 - p)}, 1};
    const rsl_method m = {"best possible", NULL, NULL, NULL, 0, AKIN_BY_DOT};
    return add_row(r, panel, &m, delta, &share, NULL);
}

akin_status rsl_synthetic(rsl_run *r)
{
    const int stride = r->flags->quick ? 2 : 1;
    akin_status st = AKIN_OK;
    if (r->flags->repeats == 0 && !r->flags->quick)
        r->rounds = RSL_ROUNDS;
    reproduce_begin(&r->steps, r->a,
                    (DIMS + RANKS) * (DELTAS / stride) * r->rounds);
    for (int k = 0; k < DELTAS; k += stride) {
        for (int i = 0; i < DIMS; ++i)
            APP_TRY(point(r, "1a", dims[i], RANK, deltas[k]));
        APP_TRY(best_rule(r, "1a", deltas[k]));
    }
    for (int k = 0; k < DELTAS; k += stride) {
        for (int i = 0; i < RANKS; ++i)
            APP_TRY(point(r, "1b", RIGHT, ranks[i], deltas[k]));
        APP_TRY(best_rule(r, "1b", deltas[k]));
    }
done:
    reproduce_end(r->a);
    return st;
}
