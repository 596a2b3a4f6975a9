/* Tables IV to VI: one model for all landmarks, searched among distractors.
 *
 * Training uses half of the pictures that are not queries, of every landmark
 * and of none: triplets of two pictures of one landmark and one of another or
 * of none. The database is the other pictures and D bags drawn from the
 * measured word frequencies. */
#include <akin/synth.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/draw.h"
#include "reproduce/solis/solis.h"

/* Query pictures. The relevant pictures of query k in the database are numbers
 * offsets[k] to below offsets[k + 1]. */
typedef struct query_set {
    int64_t *rows, *landmarks, n;
    int64_t *offsets;
} query_set;

/* The rank of a relevant picture of a query under a model. */
typedef struct relevant_rank {
    int64_t rank;   // without distractors, from 1
    int64_t above;  // distractors ranked before it
    double score;
} relevant_rank;

typedef struct query_ranks {
    const query_set *who;
    const akin_model *model;
    akin_rows *queries;  // prepared for the model
    relevant_rank *places;
} query_ranks;

/* One method and the ranks of relevant pictures under it. */
typedef struct rival {
    const solis_method *m;
    akin_model *model;  // NULL: no learning
    char params[REPRODUCE_PARAMS];
    query_ranks ranks;
    double *ms;  // per query, over all parts of the index
    solis_result result;
} rival;

typedef struct distractor_run {
    solis_run *r;
    int64_t *class_of;        // n: landmark, -1: none, -2: junk
    unsigned char *trains;    // n
    int64_t *train, n_train;  // training rows, landmark by landmark
    int64_t *begin;           // landmarks + 1: where each begins in `train`
    int64_t *database, n_database;
    akin_supervision *known;
    query_set official, validation;
    rival *rivals;
    int64_t n;
} distractor_run;

/* ---- training rows, queries and database ------------------------------- */

enum { VALIDATION_QUERIES = 5 };

/* The landmark a picture shows; -1: none, -2: junk of some. */
static int64_t class_of(const oxford *o, int64_t row)
{
    int64_t found = -1;
    for (int64_t k = 0; k < o->n_landmarks; ++k) {
        const oxford_grade grade = oxford_grade_of(o, k, row);
        if (grade == OXFORD_GOOD)
            return k;
        if (grade == OXFORD_JUNK)
            found = -2;
    }
    return found;
}

/* Move half of a class to the front of `rows`, which has room for all. */
static int64_t draw_half(distractor_run *t, int64_t class, int64_t *rows)
{
    const oxford *o = &t->r->o;
    draw d = draw_from((uint64_t)t->r->a->common.seed, -2, class);
    int64_t n = 0;
    for (int64_t i = 0; i < o->n; ++i)
        if (t->class_of[i] == class && !o->queried[i])
            rows[n++] = i;
    draw_front(&d, rows, n, n / 2);
    for (int64_t i = 0; i < n / 2; ++i)
        t->trains[rows[i]] = 1;
    return n / 2;
}

static akin_status divide(distractor_run *t)
{
    const oxford *o = &t->r->o;
    app *a = t->r->a;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, o->n, &t->class_of));
    APP_TRY(APP_NEW(a, o->n, &t->trains));
    APP_TRY(APP_NEW(a, o->n, &t->train));
    APP_TRY(APP_NEW(a, o->n, &t->database));
    APP_TRY(APP_NEW(a, o->n_landmarks + 1, &t->begin));
    for (int64_t i = 0; i < o->n; ++i)
        t->class_of[i] = class_of(o, i);
    for (int64_t k = 0; k < o->n_landmarks; ++k)
        t->begin[k + 1] = t->begin[k] + draw_half(t, k, t->train + t->begin[k]);
    const int64_t shown = t->begin[o->n_landmarks];
    t->n_train = shown + draw_half(t, -1, t->train + shown);
    for (int64_t i = 0; i < o->n; ++i)
        if (!t->trains[i])
            t->database[t->n_database++] = i;
done:
    return st;
}

/* ---- triplets ----------------------------------------------------------- */

/* Landmarks with two training pictures; returns the count. */
static int64_t list_classes(const distractor_run *t, int64_t *classes)
{
    int64_t n = 0;
    for (int64_t k = 0; k < t->r->o.n_landmarks; ++k)
        if (t->begin[k + 1] - t->begin[k] >= 2)
            classes[n++] = k;
    return n;
}

/* Two of one landmark, and one of another or of none. */
static void draw_triplet(const distractor_run *t, draw *d, int64_t class,
                         int64_t triplet[3])
{
    const int64_t begin = t->begin[class], n = t->begin[class + 1] - begin;
    const int64_t q = draw_below(d, n), p = draw_below(d, n - 1);
    triplet[0] = t->train[begin + q];
    triplet[1] = t->train[begin + p + (p >= q)];
    const int64_t other = draw_below(d, t->n_train - n);
    triplet[2] = t->train[other + (other >= begin ? n : 0)];
}

static akin_status draw_triplets(distractor_run *t, int64_t count)
{
    app *a = t->r->a;
    draw d = draw_from((uint64_t)a->common.seed, -3, 0);
    int64_t *triplets = NULL, *classes = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, 3 * count, &triplets));
    APP_TRY(APP_NEW(a, t->r->o.n_landmarks, &classes));
    const int64_t n = list_classes(t, classes);
    if (n == 0 || t->n_train == t->begin[t->r->o.n_landmarks])
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "too few pictures to train one model for all "
                         "landmarks"));
    for (int64_t i = 0; i < count; ++i)
        draw_triplet(t, &d, classes[draw_below(&d, n)], triplets + 3 * i);
    APP_TRY(akin_supervision_new(&t->known, a->ctx, t->r->book.words, NULL,
                                 t->r->book.recipe));
    APP_TRY(
        akin_supervision_set(a->ctx, t->known, AKIN_TRIPLETS, triplets, count));
done:
    free(classes);
    free(triplets);
    return st;
}

/* ---- queries ------------------------------------------------------------ */

static akin_status query_set_take(distractor_run *t, query_set *w)
{
    const oxford *o = &t->r->o;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(t->r->a, o->n + o->n_queries, &w->rows));
    APP_TRY(APP_NEW(t->r->a, o->n + o->n_queries, &w->landmarks));
    APP_TRY(APP_NEW(t->r->a, o->n + o->n_queries + 1, &w->offsets));
done:
    return st;
}

static void add_query(query_set *w, int64_t row, int64_t landmark)
{
    w->rows[w->n] = row;
    w->landmarks[w->n++] = landmark;
}

/* Count the relevant pictures of each query in the database. */
static void count_places(const distractor_run *t, query_set *w)
{
    for (int64_t k = 0; k < w->n; ++k) {
        w->offsets[k + 1] = w->offsets[k];
        for (int64_t i = 0; i < t->n_database; ++i)
            w->offsets[k + 1] += oxford_grade_of(&t->r->o, w->landmarks[k],
                                                 t->database[i]) == OXFORD_GOOD;
    }
}

/* The official queries; and for validation a few pictures of each landmark that
 * are neither queries nor training pictures. */
static akin_status find_queries(distractor_run *t)
{
    const oxford *o = &t->r->o;
    akin_status st = AKIN_OK;
    APP_TRY(query_set_take(t, &t->official));
    APP_TRY(query_set_take(t, &t->validation));
    for (int64_t i = 0; i < o->n_queries; ++i)
        add_query(&t->official, o->queries[i], o->query_of[i]);
    for (int64_t k = 0; k < o->n_landmarks; ++k) {
        int64_t n = 0;
        for (int64_t i = 0; i < o->n && n < VALIDATION_QUERIES; ++i)
            if (t->class_of[i] == k && !t->trains[i] && !o->queried[i]) {
                add_query(&t->validation, i, k);
                ++n;
            }
    }
    count_places(t, &t->official);
    count_places(t, &t->validation);
done:
    return st;
}

static void query_set_free(query_set *w)
{
    free(w->rows);
    free(w->landmarks);
    free(w->offsets);
}

/* ---- ranks of relevant pictures in a growing database ------------------- */

/* Junk does not count: pictures after it move up. */
static void note_places(const distractor_run *t, query_ranks *s,
                        const int64_t *nearest, const double *scores)
{
    for (int64_t q = 0; q < s->who->n; ++q) {
        relevant_rank *to = s->places + s->who->offsets[q];
        int64_t rank = 0;
        for (int64_t i = 0; i < t->n_database; ++i) {
            const int64_t at = q * t->n_database + i;
            const oxford_grade grade = oxford_grade_of(
                &t->r->o, s->who->landmarks[q], t->database[nearest[at]]);
            rank += grade != OXFORD_JUNK;
            if (grade == OXFORD_GOOD)
                *to++ = (relevant_rank){.rank = rank, .score = scores[at]};
        }
    }
}

/* `rows`: all pictures, prepared for the model. */
static akin_status query_ranks_new(distractor_run *t, query_ranks *s,
                                   const query_set *who,
                                   const akin_model *model,
                                   const akin_rows *rows)
{
    akin_ctx *ctx = t->r->a->ctx;
    akin_rows *database = NULL;
    int64_t *nearest = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    *s = (query_ranks){.who = who, .model = model};
    APP_TRY(APP_NEW(t->r->a, who->offsets[who->n] + 1, &s->places));
    APP_TRY(akin_rows_select(&s->queries, ctx, rows, who->rows, who->n));
    APP_TRY(akin_rows_select(&database, ctx, rows, t->database, t->n_database));
    APP_TRY(akin_nearest(&nearest, &scores, ctx, model, s->queries, database,
                         t->n_database, AKIN_BY_DEFAULT, 0));
    note_places(t, s, nearest, scores);
done:
    akin_free(nearest);
    akin_free(scores);
    akin_rows_free(database);
    return st;
}

static void query_ranks_free(query_ranks *s)
{
    akin_rows_free(s->queries);
    free(s->places);
    *s = (query_ranks){0};
}

/* How many of n decreasing numbers exceed x. */
static int64_t count_above(const double *decreasing, int64_t n, double x)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (decreasing[middle] > x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of distractors only the count before each relevant picture is kept, so memory
 * does not grow with their number. */
static akin_status query_ranks_add(distractor_run *t, query_ranks *s,
                                   const akin_rows *distractors)
{
    const int64_t n = akin_rows_count(distractors);
    akin_ctx *ctx = t->r->a->ctx;
    int64_t *nearest = NULL;
    double *scores = NULL;
    const akin_status st = akin_nearest(&nearest, &scores, ctx, s->model,
                                        s->queries, distractors, n,
                                        AKIN_BY_DEFAULT, 0);
    for (int64_t q = 0; st == AKIN_OK && q < s->who->n; ++q)
        for (int64_t i = s->who->offsets[q]; i < s->who->offsets[q + 1]; ++i)
            s->places[i].above +=
                count_above(scores + q * n, n, s->places[i].score);
    akin_free(nearest);
    akin_free(scores);
    return st;
}

/* Mean average precision, in per cent. */
static akin_status query_ranks_map(distractor_run *t, const query_ranks *s,
                                   double *map)
{
    int64_t *ranks = NULL;
    int64_t asked = 0;
    double sum = 0.0;
    const akin_status st = APP_NEW(t->r->a, t->n_database + 1, &ranks);
    for (int64_t q = 0; st == AKIN_OK && q < s->who->n; ++q) {
        const int64_t begin = s->who->offsets[q];
        const int64_t n = s->who->offsets[q + 1] - begin;
        for (int64_t i = 0; i < n; ++i)
            ranks[i] = s->places[begin + i].rank + s->places[begin + i].above;
        if (n > 0) {
            sum += akin_average_precision(ranks, n, n, 1);
            ++asked;
        }
    }
    *map = asked > 0 ? 100.0 * sum / (double)asked : NAN;
    free(ranks);
    return st;
}

/* ---- methods, distractors and table rows --------------------------------- */

/* Distractors are ranked a chunk at a time, and indexed a part at a time, to
 * bound the memory. */
enum { CHUNK = 10000, PART = 100000 };
enum { TRIPLETS = 1000000, QUICK_TRIPLETS = 100000 };

static const int64_t full_counts[] = {0, 10000, 100000, 1000000, -1};
static const int64_t quick_counts[] = {0, 10000, -1};

/* Numbers of distractors, increasing; -1 ends the list. */
static const int64_t *counts_of(const solis_run *r)
{
    return r->flags->quick ? quick_counts : full_counts;
}

/* ---- rivals ------------------------------------------------------------- */

static const akin_rows *rows_of(const solis_run *r, const solis_method *m)
{
    return m->ranking == SOLIS_TFIDF ? r->book.tfidf : r->book.words;
}

static akin_status learn(distractor_run *t, rival *v, const char *params)
{
    akin_model_free(v->model);
    v->model = NULL;
    return solis_learn(t->r, v->m->learner, v->m->fixed, params, t->known,
                       &v->model, &v->result);
}

/* Train the best candidate; quick runs take the first. */
static akin_status choose(distractor_run *t, rival *v)
{
    const int64_t most = t->r->flags->quick ? 1 : INT64_MAX;
    char params[REPRODUCE_PARAMS];
    double best = -1.0, map = 0.0;
    akin_model *model = NULL;
    solis_result result = v->result;
    akin_status st = AKIN_OK;
    for (int64_t i = 0;
         i < most && reproduce_candidate(v->m->distractor_grid, i, params);
         ++i) {
        query_ranks s = {0};
        APP_TRY(learn(t, v, params));
        st = query_ranks_new(t, &s, &t->validation, v->model,
                             rows_of(t->r, v->m));
        if (st == AKIN_OK)
            st = query_ranks_map(t, &s, &map);
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

static akin_status add_rival(distractor_run *t, const solis_method *m)
{
    solis_run *r = t->r;
    rival *v = &t->rivals[t->n++];
    akin_status st = AKIN_OK;
    *v = (rival){.m = m, .result = {.sparsity = NAN, .seconds = NAN}};
    if (m->learner != NULL)
        APP_TRY(choose(t, v));
    APP_TRY(query_ranks_new(t, &v->ranks, &t->official,
                            v->model ? v->model : r->book.by_tfidf,
                            rows_of(r, m)));
    APP_TRY(APP_NEW(r->a, t->official.n, &v->ms));
    APP_TRY(reproduce_step(&r->steps));
done:
    return st;
}

/* ---- distractors -------------------------------------------------------- */

/* Bags with the word frequencies, lengths and repeats of the pictures, to rank
 * (purpose -4) or to index (-5), each with its own seed. */
static akin_status make_bags(const solis_run *r, int64_t purpose,
                             int64_t number, int64_t n, akin_rows **bags)
{
    akin_ctx *ctx = r->a->ctx;
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    const uint64_t seed = akin_ctx_seed(ctx);
    draw d = draw_from(seed, purpose, number);
    o.rows = n;
    o.classes = 0;
    akin_ctx_set_seed(ctx, (uint64_t)draw_below(&d, INT64_MAX));
    const akin_status st = akin_synth_bags(bags, ctx, r->book.counts, &o);
    akin_ctx_set_seed(ctx, seed);
    return st;
}

static akin_status add_chunk(distractor_run *t, int64_t chunk)
{
    solis_run *r = t->r;
    akin_ctx *ctx = r->a->ctx;
    akin_rows *bags = NULL, *tfidf = NULL, *words = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(make_bags(r, -4, chunk, CHUNK, &bags));
    APP_TRY(akin_model_prepare(&tfidf, ctx, r->book.by_tfidf, bags, AKIN_LEFT));
    APP_TRY(akin_recipe_apply(&words, ctx, r->book.recipe, bags));
    for (int64_t i = 0; i < t->n; ++i)
        APP_TRY(query_ranks_add(
            t, &t->rivals[i].ranks,
            t->rivals[i].m->ranking == SOLIS_TFIDF ? tfidf : words));
    APP_TRY(reproduce_step(&r->steps));
done:
    akin_rows_free(words);
    akin_rows_free(tfidf);
    akin_rows_free(bags);
    return st;
}

/* ---- indexes ------------------------------------------------------------ */

/* Index raw rows under the model of each rival. */
static akin_status index_rows(distractor_run *t, const akin_rows *rows)
{
    solis_run *r = t->r;
    akin_rows *queries = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_rows_select(&queries, r->a->ctx, r->book.counts,
                             t->official.rows, t->official.n));
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

/* Index distractors `from` to below `to`; the pictures come first. */
static akin_status index_more(distractor_run *t, int64_t from, int64_t to)
{
    solis_run *r = t->r;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    if (to == 0) {
        APP_TRY(akin_rows_select(&rows, r->a->ctx, r->book.counts, t->database,
                                 t->n_database));
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

/* ---- rows --------------------------------------------------------------- */

/* The paper's values are those among a million distractors. */
static akin_status add_row(distractor_run *t, rival *v, int64_t distractors)
{
    solis_run *r = t->r;
    akin_status st = AKIN_OK;
    APP_TRY(query_ranks_map(t, &v->ranks, &v->result.map));
    APP_TRY(solis_cost_queries(r, v->ms, t->official.n, &v->result.cost));
    json_t *row =
        solis_row(r, "oxford5k+synthetic", v->m, v->params, &v->result);
    reproduce_put_count(row, "distractors", distractors);
    if (v->m->learner != NULL)
        reproduce_put_text(row, "chosen",
                           r->flags->quick ? "stated" : "validated");
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
        steps += solis_methods[i].distractor_grid != NULL;
    return steps;
}

static void distractor_run_free(distractor_run *t)
{
    for (int64_t i = 0; i < t->n; ++i) {
        query_ranks_free(&t->rivals[i].ranks);
        akin_model_free(t->rivals[i].model);
        free(t->rivals[i].ms);
    }
    free(t->rivals);
    akin_supervision_free(t->known);
    query_set_free(&t->official);
    query_set_free(&t->validation);
    free(t->database);
    free(t->begin);
    free(t->train);
    free(t->trains);
    free(t->class_of);
}

akin_status solis_distractors(solis_run *r)
{
    distractor_run t = {.r = r};
    int64_t done = 0;
    akin_status st = AKIN_OK;
    APP_TRY(divide(&t));
    APP_TRY(draw_triplets(&t, r->flags->quick ? QUICK_TRIPLETS : TRIPLETS));
    APP_TRY(find_queries(&t));
    APP_TRY(APP_NEW(r->a, solis_n_methods, &t.rivals));
    for (int64_t i = 0; i < solis_n_methods; ++i)
        if (solis_methods[i].distractor_grid != NULL)
            APP_TRY(add_rival(&t, &solis_methods[i]));
    for (const int64_t *n = counts_of(r); *n >= 0; done = *n, ++n) {
        for (int64_t chunk = done / CHUNK; chunk < *n / CHUNK; ++chunk)
            APP_TRY(add_chunk(&t, chunk));
        APP_TRY(index_more(&t, done, *n));
        for (int64_t i = 0; i < t.n; ++i)
            APP_TRY(add_row(&t, &t.rivals[i], *n));
    }
done:
    distractor_run_free(&t);
    return st;
}
