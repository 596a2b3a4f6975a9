/* The methods: how each learns and ranks, and how a ranking is evaluated. */
#include "reproduce/solis/solis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/draw.h"

#define LAMBDAS "lambda=1e-5,3e-5,1e-4"
#define DISTRACTORS(step) step " lambda=1e-6,1e-5"
#define PUBLISHED "settings=published"

const solis_method solis_methods[] = {
    {"tfidf", SOLIS_TFIDF, NULL, NULL, NULL, "", 0, NULL},
    {"binary-idf", SOLIS_WORDS, NULL, NULL, NULL, NULL, -1, NULL},
    {"qpao", SOLIS_LEARN, "qpao", "max_sweeps=20", "C=1,0.1,0.01,10", NULL, 1,
     NULL},
    {"oasis-diag", SOLIS_LEARN, "oasis-diag", NULL, "C=1,0.1,10", "C=0.1,1", 2,
     NULL},
    {"lego-diag", SOLIS_LEARN, "lego-diag", NULL, "eta=1,0.1,0.01,10",
     "eta=0.1", 3, NULL},
    {"lmnn-diag", SOLIS_LEARN, "lmnn-diag", "max_iterations=30",
     "mu=0.5,0.1,0.9", NULL, 4, NULL},
    {"solis-tg", SOLIS_LEARN, "solis-tg", PUBLISHED, LAMBDAS,
     DISTRACTORS("eta=0.3,0.03"), 5, "start zero"},
    {"solis-da", SOLIS_LEARN, "solis-da", PUBLISHED, LAMBDAS,
     DISTRACTORS("gamma=0.003,0.0003"), 6, "start zero"},
    {"solis-afb", SOLIS_LEARN, "solis-afb", PUBLISHED, LAMBDAS,
     DISTRACTORS("eta=0.3,0.03"), 7, "start zero"},
    {"solis-ada", SOLIS_LEARN, "solis-ada", PUBLISHED, LAMBDAS,
     DISTRACTORS("eta=0.3,0.03"), 8, "start zero"},
    {"solis-ada-mask", SOLIS_LEARN, "solis-ada",
     PUBLISHED " start=mask lambda=0", NULL, "eta=0.03,0.003", -1,
     "from 0.3 on the words of the positives"},
    {"solis-ada-ours", SOLIS_LEARN, "solis-ada", NULL, NULL, NULL, -1,
     "our defaults: from the plain measure"},
    {"query+positives", SOLIS_LIKE, NULL, NULL, NULL, NULL, -1,
     "mean of query and positives"},
    {"query+positives-learned", SOLIS_MULTI_QUERY, NULL, NULL, NULL, NULL, -1,
     "and weights learned against the negatives"},
    {"query+positives-expanded", SOLIS_EXPAND, NULL, NULL, NULL, NULL, -1,
     "the same again, with its first answers as positives"},
    {"query+positives-only", SOLIS_POSITIVES, NULL, NULL, NULL, NULL, -1,
     "expanded, against a sample of all pictures: no negatives are known"},
};
const int64_t solis_n_methods = sizeof solis_methods / sizeof solis_methods[0];

/* ---- queries and relevance ---------------------------------------------- */

enum { VALIDATION_QUERIES = 10 };

static bool is_listed(int64_t row, const int64_t *rows, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        if (rows[i] == row)
            return true;
    return false;
}

/* Training pictures and junk are excluded from the database. */
static void exclude(const oxford *o, const oxford_split *s, unsigned char *flag)
{
    for (int64_t i = 0; i < o->n; ++i)
        flag[i] = oxford_grade_of(o, s->landmark, i) == OXFORD_JUNK;
    for (int64_t i = 0; i < s->n_positives; ++i)
        flag[s->positives[i]] = 1;
    for (int64_t i = 0; i < s->n_negatives; ++i)
        flag[s->negatives[i]] = 1;
}

static int64_t official_queries(const oxford *o, int64_t landmark,
                                int64_t *rows)
{
    int64_t n = 0;
    for (int64_t i = 0; i < o->n_queries; ++i)
        if (o->query_of[i] == landmark)
            rows[n++] = o->queries[i];
    return n;
}

static int64_t other_queries(const solis_run *r, const oxford_split *s,
                             int64_t *rows)
{
    const oxford *o = &r->o;
    draw d = draw_from((uint64_t)r->a->common.seed, -1, s->landmark);
    int64_t n = 0;
    for (int64_t i = 0; i < o->n; ++i)
        if (oxford_grade_of(o, s->landmark, i) == OXFORD_GOOD &&
            !o->queried[i] && !is_listed(i, s->positives, s->n_positives))
            rows[n++] = i;
    const int64_t most = n < VALIDATION_QUERIES ? n : VALIDATION_QUERIES;
    draw_front(&d, rows, n, most);
    return most;
}

/* Pairs (query, row) of every query and every row that `flag` marks. */
static akin_status make_lists(solis_run *r, akin_lists **out,
                              const solis_queries *e, const unsigned char *flag)
{
    int64_t *pairs = NULL;
    int64_t n = 0, marked = 0;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < r->o.n; ++i)
        marked += flag[i];
    APP_TRY(APP_NEW(r->a, 2 * marked * e->n_queries + 1, &pairs));
    for (int64_t k = 0; k < e->n_queries; ++k)
        for (int64_t i = 0; i < r->o.n; ++i)
            if (flag[i]) {
                pairs[2 * n] = e->queries[k];
                pairs[2 * n++ + 1] = i;
            }
    APP_TRY(akin_lists_new(out, r->a->ctx, r->o.n, pairs, n));
done:
    free(pairs);
    return st;
}

akin_status solis_queries_new(solis_run *r, solis_queries *e,
                              const oxford_split *split, bool validation)
{
    const oxford *o = &r->o;
    unsigned char *flag = NULL;
    akin_status st = AKIN_OK;
    *e = (solis_queries){.split = split};
    APP_TRY(APP_NEW(r->a, o->n, &e->queries));
    APP_TRY(APP_NEW(r->a, o->n, &e->exclude));
    APP_TRY(APP_NEW(r->a, o->n, &flag));
    e->n_queries = validation
                       ? other_queries(r, split, e->queries)
                       : official_queries(o, split->landmark, e->queries);
    exclude(o, split, e->exclude);
    for (int64_t i = 0; i < o->n; ++i)
        flag[i] = oxford_grade_of(o, split->landmark, i) == OXFORD_GOOD &&
                  !e->exclude[i];
    APP_TRY(make_lists(r, &e->relevant, e, flag));
    memset(flag, 0, (size_t)o->n);
    for (int64_t i = 0; i < split->n_positives; ++i)
        flag[split->positives[i]] = 1;
    APP_TRY(make_lists(r, &e->like, e, flag));
done:
    free(flag);
    return st;
}

void solis_queries_free(solis_queries *e)
{
    akin_lists_free(e->relevant);
    akin_lists_free(e->like);
    free(e->queries);
    free(e->exclude);
    *e = (solis_queries){0};
}

/* Mean average precision of the queries, in per cent. */
static akin_status evaluate(solis_run *r, const solis_queries *e,
                            const akin_model *m, const akin_rows *rows,
                            bool like, double *map)
{
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval found;
    o.query_rows = e->queries;
    o.n_query_rows = e->n_queries;
    o.relevant = e->relevant;
    o.like = like ? e->like : NULL;
    o.exclude = e->exclude;
    o.trapezoid = 1;
    const akin_status st =
        akin_eval_retrieval(&found, NULL, r->a->ctx, m, rows, &o);
    if (st == AKIN_OK)
        *map = 100.0 * found.map;
    return st;
}

/* ---- one model for each landmark ---------------------------------------- */

/* 0 .. n-1 in random order. */
static akin_status random_order(app *a, draw d, int64_t n, int64_t **out)
{
    const akin_status st = APP_NEW(a, n, out);
    for (int64_t t = 0; st == AKIN_OK && t < n; ++t)
        (*out)[t] = t;
    if (st == AKIN_OK)
        draw_front(&d, *out, n, n);
    return st;
}

akin_status solis_triplets_new(solis_run *r, akin_supervision **known,
                               const oxford_split *s, int64_t number)
{
    const int64_t P = s->n_positives, N = s->n_negatives;
    const int64_t count = P * (P - 1) * N;
    const draw d =
        draw_from((uint64_t)r->a->common.seed, number, -1 - s->landmark);
    int64_t *order = NULL, *triplets = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(random_order(r->a, d, count, &order));
    APP_TRY(APP_NEW(r->a, 3 * count, &triplets));
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

/* ---- one query of several examples -------------------------------------- */

enum { BACKGROUND = 1000 };

/* A query and its examples, all prepared. */
typedef struct multi_query {
    solis_run *r;
    const solis_method *m;
    const solis_queries *e;
    int64_t query;
    akin_rows *row, *good, *others;
    akin_rows *joined;  // the query that the examples give
} multi_query;

/* The first answers from the database. */
static akin_status find_answers(void *user, akin_ctx *ctx,
                                const akin_rows *query, int64_t top,
                                akin_rows **found)
{
    const multi_query *p = user;
    const akin_rows *words = p->r->book.words;
    const int64_t n = akin_rows_count(words);
    int64_t *nearest = NULL, count = 0;
    double *scores = NULL;
    akin_status st = akin_nearest(&nearest, &scores, ctx, p->r->book.by_words,
                                  query, words, n, AKIN_BY_DEFAULT, 0);
    for (int64_t k = 0; st == AKIN_OK && k < n && count < top; ++k)
        if (!p->e->exclude[nearest[k]] && nearest[k] != p->query)
            nearest[count++] = nearest[k];
    if (st == AKIN_OK)
        st = akin_rows_select(found, ctx, words, nearest, count);
    akin_free(nearest);
    akin_free(scores);
    return st;
}

/* Pictures of the whole collection, whatever they show. */
static akin_status draw_background(multi_query *p)
{
    const int64_t n = akin_rows_count(p->r->book.words);
    const int64_t most = n < BACKGROUND ? n : BACKGROUND;
    draw d = draw_from((uint64_t)p->r->a->common.seed, -2, p->query);
    int64_t *rows = NULL, count = 0;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(p->r->a, n, &rows));
    for (int64_t i = 0; i < n; ++i)
        rows[i] = i;
    draw_front(&d, rows, n, most);
    for (int64_t i = 0; i < most; ++i)
        if (rows[i] != p->query && !is_listed(rows[i], p->e->split->positives,
                                              p->e->split->n_positives))
            rows[count++] = rows[i];
    APP_TRY(akin_rows_select(&p->others, p->r->a->ctx, p->r->book.words, rows,
                             count));
done:
    free(rows);
    return st;
}

static akin_status take_examples(multi_query *p)
{
    const akin_rows *words = p->r->book.words;
    const oxford_split *s = p->e->split;
    akin_ctx *ctx = p->r->a->ctx;
    akin_status st = AKIN_OK;
    APP_TRY(akin_rows_select(&p->row, ctx, words, &p->query, 1));
    APP_TRY(
        akin_rows_select(&p->good, ctx, words, s->positives, s->n_positives));
    APP_TRY(p->m->ranking == SOLIS_POSITIVES
                ? draw_background(p)
                : akin_rows_select(&p->others, ctx, words, s->negatives,
                                   s->n_negatives));
done:
    return st;
}

/* Query, positives, and negatives or the background become one query. */
static akin_status join(multi_query *p, solis_result *sum)
{
    const bool known = p->m->ranking != SOLIS_POSITIVES;
    const double begin = app_now();
    akin_feedback said = AKIN_FEEDBACK_INIT;
    akin_feedback_options o = AKIN_FEEDBACK_DEFAULTS;
    said.query = p->row;
    said.good = p->good;
    said.bad = known ? p->others : NULL;
    said.background = known ? NULL : p->others;
    o.as_is = 1;
    o.method = p->m->ranking == SOLIS_MULTI_QUERY ? "learn" : "expand";
    o.search = find_answers;
    o.search_user = p;
    const akin_status st = akin_feedback_query(&p->joined, p->r->a->ctx, &said,
                                               p->r->book.by_words, &o);
    sum->seconds += app_now() - begin;
    if (st == AKIN_OK)
        sum->sparsity += 100.0 - 100.0 * (double)akin_rows_nonzeros(p->joined) /
                                     (double)akin_rows_dim(p->r->book.words);
    return st;
}

static akin_status evaluate_joined(const multi_query *p, double *map)
{
    const solis_book *b = &p->r->book;
    akin_ctx *ctx = p->r->a->ctx;
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_lists *relevant = NULL;
    akin_retrieval found;
    const int64_t *rows;
    int64_t *pairs = NULL;
    akin_status st = AKIN_OK;
    const int64_t n = akin_lists_get(&rows, p->e->relevant, p->query);
    APP_TRY(APP_NEW(p->r->a, 2 * n + 1, &pairs));
    for (int64_t i = 0; i < n; ++i)
        pairs[2 * i + 1] = rows[i];
    APP_TRY(akin_lists_new(&relevant, ctx, 1, pairs, n));
    o.queries = p->joined;
    o.relevant = relevant;
    o.exclude = p->e->exclude;
    o.trapezoid = 1;
    APP_TRY(akin_eval_retrieval(&found, NULL, ctx, b->by_words, b->words, &o));
    *map = 100.0 * found.map;
done:
    akin_lists_free(relevant);
    free(pairs);
    return st;
}

static akin_status run_query(multi_query *p, solis_result *sum)
{
    double map = 0.0;
    akin_status st = AKIN_OK;
    APP_TRY(take_examples(p));
    APP_TRY(join(p, sum));
    APP_TRY(evaluate_joined(p, &map));
    sum->map += map;
done:
    akin_rows_free(p->row);
    akin_rows_free(p->good);
    akin_rows_free(p->others);
    akin_rows_free(p->joined);
    return st;
}

static akin_status rank_by_examples(solis_run *r, const solis_method *m,
                                    const solis_queries *e, solis_result *out)
{
    const double n = (double)e->n_queries;
    akin_status st = AKIN_OK;
    *out = (solis_result){0};
    for (int64_t k = 0; k < e->n_queries; ++k) {
        multi_query p = {.r = r, .m = m, .e = e, .query = e->queries[k]};
        APP_TRY(run_query(&p, out));
    }
    *out = (solis_result){.map = out->map / n,
                          .sparsity = out->sparsity / n,
                          .seconds = out->seconds / n};
done:
    return st;
}

/* ---- all methods -------------------------------------------------------- */

static akin_status learn_and_evaluate(solis_run *r, const solis_method *m,
                                      const char *params,
                                      const akin_supervision *known,
                                      const solis_queries *e, solis_result *out,
                                      akin_model **learned)
{
    akin_model *model = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(solis_learn(r, m->learner, m->fixed, params, known, &model, out));
    APP_TRY(evaluate(r, e, model, r->book.words, false, &out->map));
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
        return evaluate(r, e, b->by_tfidf, b->tfidf, false, &out->map);
    case SOLIS_WORDS:
    case SOLIS_LIKE:
        return evaluate(r, e, b->by_words, b->words, m->ranking == SOLIS_LIKE,
                        &out->map);
    case SOLIS_LEARN:
        return learn_and_evaluate(r, m, params, known, e, out, learned);
    case SOLIS_MULTI_QUERY:
    case SOLIS_EXPAND:
    case SOLIS_POSITIVES:
        break;
    }
    return rank_by_examples(r, m, e, out);
}
