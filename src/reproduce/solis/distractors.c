/* Tables IV to VI: the rivals, the distractors, and the rows. */
#include <akin/synth.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/solis/crowd.h"

/* Distractors are ranked a chunk at a time, and indexed a part at a time, to
 * bound the memory. */
enum { CHUNK = 10000, PART = 100000 };
enum { TRIPLETS = 1000000, QUICK_TRIPLETS = 100000 };

static const int64_t full_counts[] = {0, 10000, 100000, 1000000, -1};
static const int64_t quick_counts[] = {0, 10000, -1};

/* Numbers of distractors, rising, -1 behind the last. */
static const int64_t *counts_of(const solis_run *r)
{
    return r->flags->quick ? quick_counts : full_counts;
}

/* One method, and where the relevant pictures stand under it. */
typedef struct rival {
    const solis_method *m;
    akin_model *model;  // NULL: nothing was learned
    char params[96];
    query_ranks ranks;
    double *ms;  // of each query, in all parts of the index
    solis_result result;
} rival;

typedef struct table {
    solis_run *r;
    crowd c;
    rival *rivals;
    int64_t n;
} table;

/* ---- rivals ----------------------------------------------------------------
 */

static const akin_rows *rows_of(const solis_run *r, const solis_method *m)
{
    return m->way == SOLIS_TFIDF ? r->book.tfidf : r->book.words;
}

static akin_status learn(table *t, rival *v, const char *params)
{
    akin_model_free(v->model);
    v->model = NULL;
    return solis_learn(t->r, v->m->learner, v->m->fixed, params, t->c.known,
                       &v->model, &v->result);
}

/* The best candidate, learned; quick runs take the first. */
static akin_status choose(table *t, rival *v)
{
    const int64_t most = t->r->flags->quick ? 1 : INT64_MAX;
    char params[96];
    double best = -1.0, map = 0.0;
    akin_model *model = NULL;
    solis_result result = v->result;
    akin_status st = AKIN_OK;
    for (int64_t i = 0;
         i < most && reproduce_candidate(v->m->crowd, i, params, sizeof params);
         ++i) {
        query_ranks s = {0};
        APP_TRY(learn(t, v, params));
        st = query_ranks_new(&t->c, &s, &t->c.validation, v->model,
                             rows_of(t->r, v->m));
        if (st == AKIN_OK)
            st = query_ranks_map(&t->c, &s, &map);
        query_ranks_free(&s);
        APP_TRY(st);
        if (i > 0 && !(map > best))
            continue;
        best = map;
        akin_model_free(model);
        model = v->model;
        v->model = NULL;
        result = v->result;
        snprintf(v->params, sizeof v->params, "%s", params);
    }
    akin_model_free(v->model);
    v->model = model;
    v->result = result;
    model = NULL;
done:
    akin_model_free(model);
    return st;
}

static akin_status add_rival(table *t, const solis_method *m)
{
    solis_run *r = t->r;
    rival *v = &t->rivals[t->n++];
    akin_status st = AKIN_OK;
    *v = (rival){.m = m, .result = {.sparsity = NAN, .seconds = NAN}};
    if (m->learner != NULL)
        APP_TRY(choose(t, v));
    APP_TRY(query_ranks_new(&t->c, &v->ranks, &t->c.official,
                            v->model ? v->model : r->book.by_tfidf,
                            rows_of(r, m)));
    APP_TRY(APP_NEW(r->a, t->c.official.n, &v->ms));
    APP_TRY(reproduce_step(&r->steps));
done:
    return st;
}

/* ---- distractors -----------------------------------------------------------
 */

/* As long as the pictures' bags, and with as many repeated words. */
static akin_synth_bags_options bags_like(const akin_rows *counts)
{
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    const int32_t *cols;
    const float *vals;
    double words = 0.0;
    const double n = (double)akin_rows_count(counts);
    for (int64_t i = 0; i < akin_rows_count(counts); ++i) {
        const int64_t m = akin_rows_row(counts, i, &cols, &vals);
        for (int64_t k = 0; k < m; ++k)
            words += (double)vals[k];
    }
    const double repeated = 1.0 - (double)akin_rows_nonzeros(counts) /
                                      fmax(words, 1.0);
    o.dim = akin_rows_dim(counts);
    o.classes = 0;
    o.words = (int64_t)fmax(1.0, round(words / n));
    o.burst = fmin(0.9, fmax(0.0, repeated));
    return o;
}

/* Bags to be ranked (-4) or indexed (-5), from a seed of their own. */
static akin_status make_bags(const solis_run *r, int64_t purpose,
                             int64_t number, int64_t n, akin_rows **bags)
{
    akin_ctx *ctx = r->a->ctx;
    akin_synth_bags_options o = bags_like(r->book.counts);
    const uint64_t seed = akin_ctx_seed(ctx);
    draw d = draw_from(seed, purpose, number);
    o.rows = n;
    akin_ctx_set_seed(ctx, (uint64_t)draw_below(&d, INT64_MAX));
    const akin_status st = akin_synth_bags(bags, ctx, &o, r->book.counts);
    akin_ctx_set_seed(ctx, seed);
    return st;
}

static akin_status add_chunk(table *t, int64_t chunk)
{
    solis_run *r = t->r;
    akin_ctx *ctx = r->a->ctx;
    akin_rows *bags = NULL, *tfidf = NULL, *words = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(make_bags(r, -4, chunk, CHUNK, &bags));
    APP_TRY(akin_model_prepare(&tfidf, ctx, r->book.by_tfidf, bags, AKIN_LEFT));
    APP_TRY(akin_recipe_apply(&words, ctx, r->book.recipe, bags));
    for (int64_t i = 0; i < t->n; ++i)
        APP_TRY(query_ranks_add(&t->c, &t->rivals[i].ranks,
                                t->rivals[i].m->way == SOLIS_TFIDF ? tfidf
                                                                   : words));
    APP_TRY(reproduce_step(&r->steps));
done:
    akin_rows_free(words);
    akin_rows_free(tfidf);
    akin_rows_free(bags);
    return st;
}

/* ---- indexes ---------------------------------------------------------------
 */

/* Index raw rows under the model of each rival. */
static akin_status index_rows(table *t, const akin_rows *rows)
{
    solis_run *r = t->r;
    akin_rows *queries = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_rows_select(&queries, r->a->ctx, r->book.counts,
                             t->c.official.rows, t->c.official.n));
    for (int64_t i = 0; i < t->n; ++i) {
        rival *v = &t->rivals[i];
        APP_TRY(solis_cost_add(r, v->ranks.model, rows, queries,
                               &v->result.cost, v->ms));
    }
    APP_TRY(reproduce_step(&r->steps));
done:
    akin_rows_free(queries);
    return st;
}

/* Distractors `from` to below `to`; the pictures before the first of them. */
static akin_status index_more(table *t, int64_t from, int64_t to)
{
    solis_run *r = t->r;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    if (to == 0) {
        APP_TRY(akin_rows_select(&rows, r->a->ctx, r->book.counts,
                                 t->c.database, t->c.n_database));
        APP_TRY(index_rows(t, rows));
    }
    for (; from < to; from += PART) {
        akin_rows_free(rows);
        rows = NULL;
        APP_TRY(
            make_bags(r, -5, from, to - from < PART ? to - from : PART, &rows));
        APP_TRY(index_rows(t, rows));
    }
done:
    akin_rows_free(rows);
    return st;
}

/* ---- rows ------------------------------------------------------------------
 */

/* The paper's are those among a million. */
static akin_status add_row(table *t, rival *v, int64_t distractors)
{
    solis_run *r = t->r;
    akin_status st = AKIN_OK;
    APP_TRY(query_ranks_map(&t->c, &v->ranks, &v->result.map));
    APP_TRY(solis_cost_queries(r, v->ms, t->c.official.n, &v->result.cost));
    json_t *row =
        solis_row(r, "oxford5k+synthetic", v->m, v->params, &v->result);
    if (row == NULL)
        APP_TRY(app_fail(r->a, AKIN_ENOMEM, "out of memory"));
    json_object_set_new(row, "distractors", json_integer(distractors));
    if (v->m->learner != NULL)
        json_object_set_new(
            row, "chosen",
            json_string(r->flags->quick ? "stated" : "validated"));
    if (distractors == 1000000)
        solis_put_paper(row, r->book.name, NULL, v->m->paper);
    APP_TRY(reproduce_add(r->a, r->rows, row));
done:
    return st;
}

int64_t solis_distractor_steps(const solis_run *r)
{
    int64_t steps = 0, done = 0;
    for (const int64_t *n = counts_of(r); *n >= 0; ++n) {
        steps += (*n - done) / CHUNK;
        steps += *n > 0 ? (*n - done + PART - 1) / PART : 1;
        done = *n;
    }
    for (int64_t i = 0; i < solis_n_methods; ++i)
        steps += solis_methods[i].crowd != NULL;
    return steps;
}

static void table_free(table *t)
{
    for (int64_t i = 0; i < t->n; ++i) {
        query_ranks_free(&t->rivals[i].ranks);
        akin_model_free(t->rivals[i].model);
        free(t->rivals[i].ms);
    }
    free(t->rivals);
    crowd_free(&t->c);
}

akin_status solis_distractors(solis_run *r)
{
    table t = {.r = r};
    int64_t done = 0;
    akin_status st = AKIN_OK;
    APP_TRY(crowd_new(&t.c, r, r->flags->quick ? QUICK_TRIPLETS : TRIPLETS));
    APP_TRY(APP_NEW(r->a, solis_n_methods, &t.rivals));
    for (int64_t i = 0; i < solis_n_methods; ++i)
        if (solis_methods[i].crowd != NULL)
            APP_TRY(add_rival(&t, &solis_methods[i]));
    for (const int64_t *n = counts_of(r); *n >= 0; done = *n, ++n) {
        for (int64_t chunk = done / CHUNK; chunk < *n / CHUNK; ++chunk)
            APP_TRY(add_chunk(&t, chunk));
        APP_TRY(index_more(&t, done, *n));
        for (int64_t i = 0; i < t.n; ++i)
            APP_TRY(add_row(&t, &t.rivals[i], *n));
    }
done:
    table_free(&t);
    return st;
}
