/* The methods, and learning by them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/solis/solis.h"

#define LAMBDAS "lambda=1e-5,3e-5,1e-4"
#define DISTRACTORS(step) step " lambda=1e-6,1e-5"

const solis_method solis_methods[] = {
    {"tfidf", SOLIS_TFIDF, NULL, NULL, NULL, "", 0, ""},
    {"binary-idf", SOLIS_WORDS, NULL, NULL, NULL, NULL, -1, ""},
    {"qpao", SOLIS_LEARN, "qpao", "max_sweeps=20", "C=1,0.1,0.01,10", NULL, 1,
     ""},
    {"oasis-diag", SOLIS_LEARN, "oasis-diag", NULL, "C=1,0.1,10", "C=0.1,1", 2,
     ""},
    {"lego-diag", SOLIS_LEARN, "lego-diag", NULL, "eta=1,0.1,0.01,10",
     "eta=0.1", 3, ""},
    {"lmnn-diag", SOLIS_LEARN, "lmnn-diag", "max_iterations=30",
     "mu=0.5,0.1,0.9", NULL, 4, ""},
    {"solis-tg", SOLIS_LEARN, "solis-tg", NULL, LAMBDAS,
     DISTRACTORS("eta=0.3,0.03"), 5, "start zero"},
    {"solis-da", SOLIS_LEARN, "solis-da", NULL, LAMBDAS,
     DISTRACTORS("gamma=0.003,0.0003"), 6, "start zero"},
    {"solis-afb", SOLIS_LEARN, "solis-afb", NULL, LAMBDAS,
     DISTRACTORS("eta=0.3,0.03"), 7, "start zero"},
    {"solis-ada", SOLIS_LEARN, "solis-ada", NULL, LAMBDAS,
     DISTRACTORS("eta=0.3,0.03"), 8, "start zero"},
    {"solis-ada-mask", SOLIS_LEARN, "solis-ada", "start=mask", NULL,
     "eta=0.03,0.003 lambda=1e-5,1e-6", -1,
     "a residual over 0.3 on the words of the positives"},
    {"query+positives", SOLIS_LIKE, NULL, NULL, NULL, NULL, -1,
     "mean of query and positives"},
    {"query+positives-learned", SOLIS_MULTI_QUERY, "qpao", "C=10 max_sweeps=20",
     NULL, NULL, -1,
     "weights over the root of the mean of query and positives"},
    {"query+positives-expanded", SOLIS_EXPAND, "qpao", "C=10 max_sweeps=20",
     NULL, NULL, -1,
     "the same again, with its first five answers as positives"},
};
const int64_t solis_n_methods = sizeof solis_methods / sizeof solis_methods[0];

/* ---- learning ------------------------------------------------------------ */

akin_status solis_triplets_new(solis_run *r, akin_supervision **known,
                               const oxford_split *s, int64_t number)
{
    const int64_t P = s->n_positives, N = s->n_negatives;
    const int64_t count = P * (P - 1) * N;
    draw d = draw_from((uint64_t)r->a->common.seed, number, -1 - s->landmark);
    int64_t *order = NULL, *triplets = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(r->a, count, &order));
    APP_TRY(APP_NEW(r->a, 3 * count, &triplets));
    for (int64_t t = 0; t < count; ++t)
        order[t] = t;
    draw_front(&d, order, count, count);
    for (int64_t t = 0; t < count; ++t) {
        const int64_t q = order[t] / N / (P - 1), p = order[t] / N % (P - 1);
        triplets[3 * t] = s->positives[q];
        triplets[3 * t + 1] = s->positives[p + (p >= q)];
        triplets[3 * t + 2] = s->negatives[order[t] % N];
    }
    APP_TRY(akin_supervision_new(known, r->a->ctx, r->book.words, NULL,
                                 r->book.recipe));
    APP_TRY(akin_supervision_set(r->a->ctx, *known, AKIN_TRIPLETS, triplets,
                                 count));
done:
    free(triplets);
    free(order);
    return st;
}

akin_status solis_learn(solis_run *r, const char *learner, const char *fixed,
                        const char *params, const akin_supervision *known,
                        akin_model **out, solis_result *result)
{
    akin_ctx *ctx = r->a->ctx;
    reproduce_params o = {0};
    akin_learn_info info;
    akin_status st = AKIN_OK;
    APP_TRY(reproduce_params_new(&o, ctx, learner, fixed, params));
    APP_TRY(akin_learn(out, ctx, o.options, known, &info));
    result->sparsity = 100.0 - 100.0 * (double)akin_model_nonzeros(*out) /
                                   (double)akin_model_dim(*out, AKIN_LEFT);
    result->seconds = info.seconds;
    result->examples = info.examples;
done:
    akin_options_free(o.options);
    return st;
}

static akin_status learn_and_evaluate(solis_run *r, const solis_method *m,
                                      const char *params,
                                      const akin_supervision *known,
                                      const solis_queries *e, solis_result *out,
                                      akin_model **learned)
{
    akin_model *model = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(solis_learn(r, m->learner, m->fixed, params, known, &model, out));
    APP_TRY(solis_evaluate(r, e, model, r->book.words, false, &out->map));
    if (learned != NULL) {
        *learned = model;
        model = NULL;
    }
done:
    akin_model_free(model);
    return st;
}

akin_status solis_try(solis_run *r, const solis_method *m, const char *params,
                      const akin_supervision *known, const solis_queries *e,
                      solis_result *out, akin_model **learned)
{
    const solis_book *b = &r->book;
    *out = (solis_result){.sparsity = NAN, .seconds = NAN};
    if (learned != NULL)
        *learned = NULL;
    switch (m->ranking) {
    case SOLIS_TFIDF:
        return solis_evaluate(r, e, b->by_tfidf, b->tfidf, false, &out->map);
    case SOLIS_WORDS:
    case SOLIS_LIKE:
        return solis_evaluate(r, e, b->by_words, b->words,
                              m->ranking == SOLIS_LIKE, &out->map);
    case SOLIS_LEARN:
        return learn_and_evaluate(r, m, params, known, e, out, learned);
    case SOLIS_MULTI_QUERY:
    case SOLIS_EXPAND:
        break;
    }
    return solis_multi_query(r, m, params, e, out);
}
