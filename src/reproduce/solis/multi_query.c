/* Learning on top of several examples.
 *
 * Query and positives become one row, the probe: the root of their mean, m.
 * A diagonal similarity over it ranks each of them before every negative,
 *
 *   w . (sqrt(m) * (p - n)) >= 1,
 *
 * and the probe under w ranks the database. The root lies between the mean,
 * where a word of one picture hardly counts, and the plain set of words, where
 * it counts as much as one that all share. Expanded: the first answers join the
 * examples, and everything is repeated. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/solis/solis.h"

enum { ANSWERS = 5 };

/* Training rows: the examples, the negatives, and the probe last. */
typedef struct multi_query {
    solis_run *r;
    const solis_method *m;
    const char *params;
    const solis_queries *e;
    int64_t *examples, n_examples;
    akin_rows *probe;  // one row
    akin_model *model;
} multi_query;

typedef struct builder {
    int64_t *offsets;
    int32_t *cols;
    float *vals;
    int64_t n, at;  // rows, entries
} builder;

static void builder_free(builder *b)
{
    free(b->offsets);
    free(b->cols);
    free(b->vals);
}

static akin_status builder_new(app *a, builder *b, int64_t rows, int64_t most)
{
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, rows + 1, &b->offsets));
    APP_TRY(APP_NEW(a, most + 1, &b->cols));
    APP_TRY(APP_NEW(a, most + 1, &b->vals));
done:
    return st;
}

static void put(builder *b, int64_t column, float value)
{
    b->cols[b->at] = (int32_t)column;
    b->vals[b->at++] = value;
}

static void end_row(builder *b)
{
    b->offsets[++b->n] = b->at;
}

/* sqrt of the mean of the examples, as one row. */
static akin_status make_probe(multi_query *p)
{
    const akin_rows *words = p->r->book.words;
    const int64_t d = akin_rows_dim(words);
    app *a = p->r->a;
    builder b = {0};
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

static void copy_row(builder *b, const akin_rows *rows, int64_t i)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    for (int64_t k = 0; k < n; ++k)
        put(b, cols ? cols[k] : k, vals[k]);
    end_row(b);
}

static akin_status make_rows(const multi_query *p, akin_rows **out)
{
    const akin_rows *words = p->r->book.words;
    const oxford_split *s = p->e->split;
    app *a = p->r->a;
    const int64_t n = p->n_examples + s->n_negatives + 1;
    const int32_t *cols;
    const float *vals;
    builder b = {0};
    int64_t most = akin_rows_nonzeros(p->probe);
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < p->n_examples; ++i)
        most += akin_rows_row(&cols, &vals, words, p->examples[i]);
    for (int64_t i = 0; i < s->n_negatives; ++i)
        most += akin_rows_row(&cols, &vals, words, s->negatives[i]);
    APP_TRY(builder_new(a, &b, n, most));
    for (int64_t i = 0; i < p->n_examples; ++i)
        copy_row(&b, words, p->examples[i]);
    for (int64_t i = 0; i < s->n_negatives; ++i)
        copy_row(&b, words, s->negatives[i]);
    copy_row(&b, p->probe, 0);
    APP_TRY(akin_rows_new_sparse(out, a->ctx, n, akin_rows_dim(words),
                                 b.offsets, b.cols, b.vals));
done:
    builder_free(&b);
    return st;
}

/* Every (probe, example, negative), in random order. */
static akin_status make_triplets(const multi_query *p, akin_supervision *known)
{
    const int64_t N = p->e->split->n_negatives, P = p->n_examples;
    app *a = p->r->a;
    draw d = draw_from((uint64_t)a->common.seed, P, p->examples[0]);
    int64_t *order = NULL, *triplets = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, P * N, &order));
    APP_TRY(APP_NEW(a, 3 * P * N, &triplets));
    for (int64_t t = 0; t < P * N; ++t)
        order[t] = t;
    draw_front(&d, order, P * N, P * N);
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

static akin_status learn(multi_query *p, solis_result *sum)
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

static bool is_example(const multi_query *p, int64_t row)
{
    for (int64_t i = 0; i < p->n_examples; ++i)
        if (p->examples[i] == row)
            return true;
    return false;
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
        if (!p->e->exclude[nearest[k]] && !is_example(p, nearest[k])) {
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
    APP_TRY(learn(p, sum));
    if (p->m->ranking == SOLIS_EXPAND) {
        APP_TRY(add_answers(p));
        APP_TRY(learn(p, sum));
    }
    APP_TRY(evaluate_probe(p, k, &map));
    sum->map += map;
done:
    return st;
}

akin_status solis_multi_query(solis_run *r, const solis_method *m,
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
