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
    {"query+positives-learned", SOLIS_MULTI_QUERY, "qpao", "C=10 max_sweeps=20",
     NULL, NULL, -1,
     "weights over the root of the mean of query and positives"},
    {"query+positives-expanded", SOLIS_EXPAND, "qpao", "C=10 max_sweeps=20",
     NULL, NULL, -1,
     "the same again, with its first five answers as positives"},
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

/* ---- one model for each query ------------------------------------------- */

/* Query and positives become one row, the probe: the square root of their mean
 * m. A diagonal similarity w over it ranks each of them before every negative,
 *
 *   w . (sqrt(m) * (p - n)) >= 1,
 *
 * and the probe under w ranks the database. The root is a compromise: in the
 * mean, a word of one picture hardly counts; in the plain set of words, it
 * counts as much as a word of all. Expanded: the first answers join the
 * examples, and the model is learned again. */

enum { ANSWERS = 5 };

/* The query, its examples, and the model of its probe. */
typedef struct multi_query {
    solis_run *r;
    const solis_method *m;
    const char *params;
    const solis_queries *e;
    int64_t *examples, n_examples;
    akin_rows *probe;  // one row
    akin_model *model;
} multi_query;

typedef struct row_builder {
    int64_t *offsets;
    int32_t *cols;
    float *vals;
    int64_t n, at;  // rows, entries
} row_builder;

static void builder_free(row_builder *b)
{
    free(b->offsets);
    free(b->cols);
    free(b->vals);
}

static akin_status builder_new(app *a, row_builder *b, int64_t rows,
                               int64_t most)
{
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, rows + 1, &b->offsets));
    APP_TRY(APP_NEW(a, most + 1, &b->cols));
    APP_TRY(APP_NEW(a, most + 1, &b->vals));
done:
    return st;
}

static void put(row_builder *b, int64_t column, float value)
{
    b->cols[b->at] = (int32_t)column;
    b->vals[b->at++] = value;
}

static void end_row(row_builder *b)
{
    b->offsets[++b->n] = b->at;
}

/* sqrt of the mean of the examples, as one row. */
static akin_status make_probe(multi_query *p)
{
    const akin_rows *words = p->r->book.words;
    const int64_t d = akin_rows_dim(words);
    app *a = p->r->a;
    row_builder b = {0};
    double *sum = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, d, &sum));
    APP_TRY(builder_new(a, &b, 1, d));
    for (int64_t i = 0; i < p->n_examples; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, words, p->examples[i]);
        for (int64_t k = 0; k < n; ++k)
            sum[cols ? cols[k] : k] += (double)vals[k];
    }
    for (int64_t j = 0; j < d; ++j)
        if (sum[j] > 0.0)
            put(&b, j, (float)sqrt(sum[j] / (double)p->n_examples));
    end_row(&b);
    akin_rows_free(p->probe);
    p->probe = NULL;
    APP_TRY(akin_rows_new_sparse(&p->probe, a->ctx, 1, d, b.offsets, b.cols,
                                 b.vals));
done:
    builder_free(&b);
    free(sum);
    return st;
}

static void copy_row(row_builder *b, const akin_rows *rows, int64_t i)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    for (int64_t k = 0; k < n; ++k)
        put(b, cols ? cols[k] : k, vals[k]);
    end_row(b);
}

/* The training rows: the examples, the negatives, and the probe last. */
static akin_status make_rows(const multi_query *p, akin_rows **out)
{
    const akin_rows *words = p->r->book.words;
    const oxford_split *s = p->e->split;
    app *a = p->r->a;
    const int64_t n = p->n_examples + s->n_negatives + 1;
    const int32_t *cols;
    const float *vals;
    row_builder b = {0};
    int64_t most = akin_rows_nonzeros(p->probe), *rows = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n, &rows));
    memcpy(rows, p->examples, (size_t)p->n_examples * sizeof *rows);
    memcpy(rows + p->n_examples, s->negatives,
           (size_t)s->n_negatives * sizeof *rows);
    for (int64_t i = 0; i < n - 1; ++i)
        most += akin_rows_row(&cols, &vals, words, rows[i]);
    APP_TRY(builder_new(a, &b, n, most));
    for (int64_t i = 0; i < n - 1; ++i)
        copy_row(&b, words, rows[i]);
    copy_row(&b, p->probe, 0);
    APP_TRY(akin_rows_new_sparse(out, a->ctx, n, akin_rows_dim(words),
                                 b.offsets, b.cols, b.vals));
done:
    builder_free(&b);
    free(rows);
    return st;
}

/* Every (probe, example, negative), in random order. */
static akin_status make_triplets(const multi_query *p, akin_supervision *known)
{
    const int64_t N = p->e->split->n_negatives, P = p->n_examples;
    app *a = p->r->a;
    const draw d = draw_from((uint64_t)a->common.seed, P, p->examples[0]);
    int64_t *order = NULL, *triplets = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(random_order(a, d, P * N, &order));
    APP_TRY(APP_NEW(a, 3 * P * N, &triplets));
    for (int64_t t = 0; t < P * N; ++t) {
        triplets[3 * t] = P + N;
        triplets[3 * t + 1] = order[t] / N;
        triplets[3 * t + 2] = P + order[t] % N;
    }
    APP_TRY(
        akin_supervision_set(a->ctx, known, AKIN_TRIPLETS, triplets, P * N));
done:
    free(triplets);
    free(order);
    return st;
}

static akin_status learn_probe(multi_query *p, solis_result *sum)
{
    akin_rows *rows = NULL;
    akin_supervision *known = NULL;
    solis_result x = {0};
    akin_status st = AKIN_OK;
    akin_model_free(p->model);
    p->model = NULL;
    APP_TRY(make_probe(p));
    APP_TRY(make_rows(p, &rows));
    APP_TRY(akin_supervision_new(&known, p->r->a->ctx, rows, NULL, NULL));
    APP_TRY(make_triplets(p, known));
    APP_TRY(solis_learn(p->r, p->m->learner, p->m->fixed, p->params, known,
                        &p->model, &x));
    sum->seconds += x.seconds;
    sum->examples += x.examples;
    sum->sparsity = x.sparsity;
done:
    akin_supervision_free(known);
    akin_rows_free(rows);
    return st;
}

/* The first answers from the database become examples. */
static akin_status add_answers(multi_query *p)
{
    const akin_rows *words = p->r->book.words;
    const int64_t n = akin_rows_count(words);
    akin_ctx *ctx = p->r->a->ctx;
    int64_t *nearest = NULL;
    double *scores = NULL;
    int64_t added = 0;
    const akin_status st = akin_nearest(&nearest, &scores, ctx, p->model,
                                        p->probe, words, n, AKIN_BY_DEFAULT, 0);
    for (int64_t k = 0; st == AKIN_OK && k < n && added < ANSWERS; ++k)
        if (!p->e->exclude[nearest[k]] &&
            !is_listed(nearest[k], p->examples, p->n_examples)) {
            p->examples[p->n_examples++] = nearest[k];
            ++added;
        }
    akin_free(nearest);
    akin_free(scores);
    return st;
}

/* Search with the probe of query k. */
static akin_status evaluate_probe(const multi_query *p, int64_t k, double *map)
{
    const int64_t query = p->e->queries[k];
    akin_ctx *ctx = p->r->a->ctx;
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_lists *relevant = NULL;
    akin_retrieval found;
    const int64_t *rows;
    int64_t *pairs = NULL;
    akin_status st = AKIN_OK;
    const int64_t n = akin_lists_get(&rows, p->e->relevant, query);
    APP_TRY(APP_NEW(p->r->a, 2 * n + 1, &pairs));
    for (int64_t i = 0; i < n; ++i)
        pairs[2 * i + 1] = rows[i];
    APP_TRY(akin_lists_new(&relevant, ctx, 1, pairs, n));
    o.queries = p->probe;
    o.relevant = relevant;
    o.exclude = p->e->exclude;
    o.trapezoid = 1;
    APP_TRY(
        akin_eval_retrieval(&found, NULL, ctx, p->model, p->r->book.words, &o));
    *map = 100.0 * found.map;
done:
    akin_lists_free(relevant);
    free(pairs);
    return st;
}

static akin_status run_query(multi_query *p, int64_t k, solis_result *sum)
{
    const oxford_split *s = p->e->split;
    double map = 0.0;
    akin_status st = AKIN_OK;
    p->examples[0] = p->e->queries[k];
    memcpy(p->examples + 1, s->positives,
           (size_t)s->n_positives * sizeof *p->examples);
    p->n_examples = 1 + s->n_positives;
    APP_TRY(learn_probe(p, sum));
    if (p->m->ranking == SOLIS_EXPAND) {
        APP_TRY(add_answers(p));
        APP_TRY(learn_probe(p, sum));
    }
    APP_TRY(evaluate_probe(p, k, &map));
    sum->map += map;
done:
    return st;
}

static akin_status rank_by_probe(solis_run *r, const solis_method *m,
                                 const char *params, const solis_queries *e,
                                 solis_result *out)
{
    multi_query p = {.r = r, .m = m, .params = params, .e = e};
    double sparsity = 0.0;
    akin_status st = AKIN_OK;
    *out = (solis_result){0};
    APP_TRY(APP_NEW(r->a, 1 + e->split->n_positives + ANSWERS, &p.examples));
    for (int64_t k = 0; k < e->n_queries; ++k) {
        APP_TRY(run_query(&p, k, out));
        sparsity += out->sparsity;
    }
    const double n = (double)e->n_queries;
    *out = (solis_result){.map = out->map / n,
                          .sparsity = sparsity / n,
                          .seconds = out->seconds / n,
                          .examples = out->examples / e->n_queries};
done:
    akin_model_free(p.model);
    akin_rows_free(p.probe);
    free(p.examples);
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
        break;
    }
    return rank_by_probe(r, m, params, e, out);
}
