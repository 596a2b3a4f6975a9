/* Tables I to III: mAP, zero weights and training time for each landmark; and
 * Figure 2: mAP against zero weights along lambda. */
#include "reproduce/solis/solis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The results of a method: splits x landmarks. */
typedef struct tally {
    solis_result *all;
    char params[REPRODUCE_PARAMS];
    const char *chosen;
} tally;

/* ---- hyper-parameters --------------------------------------------------- */

/* Mean over the landmarks of the first split, with validation queries. */
static akin_status try_params(void *arg, const void *m, const char *params,
                              double *map)
{
    solis_run *r = arg;
    akin_status st = AKIN_OK;
    *map = 0.0;
    for (int64_t k = 0; k < r->splits.n_landmarks && st == AKIN_OK; ++k) {
        const oxford_split *s = split_at(&r->splits, 0, k);
        akin_supervision *known = NULL;
        solis_queries e = {0};
        solis_result x;
        st = solis_triplets_new(r, &known, s, 0);
        if (st == AKIN_OK)
            st = solis_queries_new(r, &e, s, true);
        if (st == AKIN_OK)
            st = solis_try(r, m, params, known, &e, &x, NULL);
        if (st == AKIN_OK)
            *map += x.map / (double)r->splits.n_landmarks;
        solis_queries_free(&e);
        akin_supervision_free(known);
    }
    return st;
}

static akin_status choose(solis_run *r, const solis_method *m, tally *t)
{
    const bool quick = r->flags->quick;
    t->chosen = m->grid == NULL
                    ? m->fixed || !m->learner ? "stated" : "defaults"
                : quick ? "stated"
                        : "validated on the first split";
    const akin_status st =
        reproduce_choose(t->params, m->grid, quick ? NULL : try_params, r, m);
    return st != AKIN_OK || m->grid == NULL || quick
               ? st
               : reproduce_step(&r->steps);
}

/* ---- measuring ---------------------------------------------------------- */

/* All methods on one landmark of one split. */
static akin_status measure(solis_run *r, tally *tallies, int64_t split,
                           int64_t k)
{
    const oxford_split *s = split_at(&r->splits, split, k);
    const int64_t at = split * r->splits.n_landmarks + k;
    akin_supervision *known = NULL;
    akin_model *model = NULL;
    solis_queries e = {0};
    akin_status st = AKIN_OK;
    APP_TRY(solis_triplets_new(r, &known, s, split));
    APP_TRY(solis_queries_new(r, &e, s, false));
    for (int64_t m = 0; m < solis_n_methods; ++m) {
        solis_result *x = &tallies[m].all[at];
        APP_TRY(solis_try(r, &solis_methods[m], tallies[m].params, known, &e, x,
                          &model));
        APP_TRY(
            solis_cost_of_queries(r, &solis_methods[m], model, &e, &x->cost));
        akin_model_free(model);
        model = NULL;
        APP_TRY(reproduce_step(&r->steps));
    }
done:
    akin_model_free(model);
    solis_queries_free(&e);
    akin_supervision_free(known);
    return st;
}

/* ---- rows --------------------------------------------------------------- */

static void add_share(solis_result *sum, const solis_result *x, double share)
{
    sum->map += share * x->map;
    sum->sparsity += share * x->sparsity;
    sum->seconds += share * x->seconds;
    sum->examples = x->examples;
    sum->cost.seconds += share * x->cost.seconds;
    sum->cost.bytes += share * x->cost.bytes;
    sum->cost.postings += share * x->cost.postings;
    sum->cost.ms += share * x->cost.ms;
}

/* Mean over the splits of landmark k, and the variance of that mean. */
static solis_result mean_of(const solis_run *r, const tally *t, int64_t k,
                            double *variance)
{
    const int64_t n = r->splits.n_splits;
    solis_result mean = {0};
    double squares = 0.0;
    for (int64_t s = 0; s < n; ++s)
        add_share(&mean, &t->all[s * r->splits.n_landmarks + k],
                  1.0 / (double)n);
    for (int64_t s = 0; s < n; ++s) {
        const double step = t->all[s * r->splits.n_landmarks + k].map -
                            mean.map;
        squares += step * step;
    }
    *variance = n > 1 ? squares / (double)(n - 1) / (double)n : NAN;
    return mean;
}

static akin_status add_row(solis_run *r, const solis_method *m, const tally *t,
                           const solis_result *x, double se, json_t **out)
{
    json_t *row = solis_row(r, "oxford5k", m, t->params, x);
    reproduce_put(row, "se", se);
    reproduce_put_count(row, "splits", r->splits.n_splits);
    if (m->learner != NULL)
        reproduce_put_text(row, "chosen", t->chosen);
    *out = row;
    return reproduce_add(r->a, r->rows, row);
}

/* A row for each landmark and one for their mean; the paper's mean is over the
 * same landmarks. The standard error is over splits, which are drawn; the
 * landmarks are fixed. */
static akin_status add_rows(solis_run *r, const solis_method *m, const tally *t)
{
    const int64_t n = r->splits.n_landmarks;
    solis_result all = {0};
    double paper[3] = {0.0, 0.0, 0.0}, variances = 0.0, variance;
    json_t *row = NULL;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n; ++k) {
        const char *name = r->o.names[r->splits.landmarks[k]];
        const solis_result x = mean_of(r, t, k, &variance);
        APP_TRY(add_row(r, m, t, &x, sqrt(variance), &row));
        reproduce_put_text(row, "landmark", name);
        solis_put_paper(row, r->book.name, name, m->paper);
        for (int i = 0; i < 3; ++i)
            paper[i] += reproduce_number(row, solis_paper_keys[i]) / (double)n;
        add_share(&all, &x, 1.0 / (double)n);
        variances += variance;
    }
    APP_TRY(add_row(r, m, t, &all, sqrt(variances) / (double)n, &row));
    for (int i = 0; i < 3; ++i)
        reproduce_put(row, solis_paper_keys[i], paper[i]);
done:
    return st;
}

int64_t solis_table_steps(const solis_run *r)
{
    int64_t n = r->splits.n_splits * r->splits.n_landmarks * solis_n_methods;
    for (int64_t m = 0; m < solis_n_methods; ++m)
        n += solis_methods[m].grid != NULL && !r->flags->quick;
    return n;
}

akin_status solis_tables(solis_run *r)
{
    const int64_t cells = r->splits.n_splits * r->splits.n_landmarks;
    tally *tallies = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(r->a, solis_n_methods, &tallies));
    for (int64_t m = 0; m < solis_n_methods; ++m) {
        APP_TRY(APP_NEW(r->a, cells, &tallies[m].all));
        APP_TRY(choose(r, &solis_methods[m], &tallies[m]));
    }
    for (int64_t s = 0; s < r->splits.n_splits; ++s)
        for (int64_t k = 0; k < r->splits.n_landmarks; ++k)
            APP_TRY(measure(r, tallies, s, k));
    for (int64_t m = 0; m < solis_n_methods; ++m)
        APP_TRY(add_rows(r, &solis_methods[m], &tallies[m]));
done:
    for (int64_t m = 0; tallies && m < solis_n_methods; ++m)
        free(tallies[m].all);
    free(tallies);
    return st;
}

/* ---- Figure 2 ----------------------------------------------------------- */

static const char *const lambdas =
    "lambda=0,1e-6,3e-6,1e-5,2e-5,4e-5,8e-5,1.6e-4";

/* The paper shows hertford. */
static int64_t shown_landmark(const solis_run *r)
{
    for (int64_t k = 0; k < r->splits.n_landmarks; ++k)
        if (strcmp(r->o.names[r->splits.landmarks[k]], "hertford") == 0)
            return k;
    return 0;
}

static akin_status add_point(solis_run *r, const solis_method *m,
                             const char *params, const char *landmark,
                             const solis_result *x)
{
    json_t *row = solis_row(r, "oxford5k", m, params, x);
    reproduce_put_text(row, "figure", "2");
    reproduce_put_text(row, "landmark", landmark);
    return reproduce_add(r->a, r->rows, row);
}

akin_status solis_figure2(solis_run *r)
{
    const int64_t k = shown_landmark(r);
    const oxford_split *s = split_at(&r->splits, 0, k);
    char params[REPRODUCE_PARAMS];
    akin_supervision *known = NULL;
    solis_queries e = {0};
    solis_result x;
    akin_status st = AKIN_OK;
    APP_TRY(solis_triplets_new(r, &known, s, 0));
    APP_TRY(solis_queries_new(r, &e, s, false));
    for (int64_t m = 0; m < solis_n_methods; ++m)
        for (int64_t i = 0; strncmp(solis_methods[m].name, "solis-", 6) == 0 &&
                            solis_methods[m].paper >= 0 &&
                            reproduce_candidate(lambdas, i, params);
             ++i) {
            APP_TRY(
                solis_try(r, &solis_methods[m], params, known, &e, &x, NULL));
            APP_TRY(add_point(r, &solis_methods[m], params,
                              r->o.names[s->landmark], &x));
        }
done:
    solis_queries_free(&e);
    akin_supervision_free(known);
    return st;
}
