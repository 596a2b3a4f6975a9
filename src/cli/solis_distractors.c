/* Tables IV to VI: one model for all landmarks, among many distractors.
 *
 * Half of the pictures that are no queries, of every landmark and of none, are
 * learned from: triplets of two pictures of a landmark and one of another or
 * of none. The database is the other pictures and D bags drawn from the
 * measured word frequencies. These come in chunks and leave behind only how
 * many of them stand before each relevant picture, so that memory does not
 * grow with D. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/solis.h"

enum { CHUNK = 10000, TRIPLETS = 1000000, QUICK_TRIPLETS = 100000 };

static const int64_t full_counts[] = {0, 10000, 100000, 1000000};
static const int64_t quick_counts[] = {0, 10000};

static int64_t count_at(const solis_run *r, int64_t i)
{
    const int64_t n = r->flags->quick ? 2 : 4;
    if (i >= n)
        return -1;
    return r->flags->quick ? quick_counts[i] : full_counts[i];
}

static int64_t n_chunks(const solis_run *r)
{
    int64_t i = 0;
    while (count_at(r, i + 1) >= 0)
        ++i;
    return count_at(r, i) / CHUNK;
}

/* A relevant picture of a query in the database. */
typedef struct place {
    int64_t rank;   // without distractors, from 1
    int64_t above;  // distractors before it
    double score;
} place;

/* One method: its model, and where the relevant pictures stand. */
typedef struct rival {
    const solis_method *m;
    akin_model *own;  // NULL: nothing was learned
    const akin_model *model;
    place *places;  // of all queries, one after the other
    solis_result result;
} rival;

typedef struct crowd {
    solis_run *r;
    int64_t *class_of;        // n: landmark, or -1
    unsigned char *trains;    // n
    int64_t *train, n_train;  // rows to learn from, those of landmarks first
    int64_t n_shown;          // of these, how many show a landmark
    int64_t *database, n_database;
    int64_t *offsets;  // places of query k: offsets[k] to offsets[k + 1]
    rival *rivals;
    int64_t n_rivals;
    akin_supervision *known;
} crowd;

/* ---- who learns ------------------------------------------------------------
 */

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

static int64_t add_half(crowd *c, int64_t class, int64_t *rows)
{
    const oxford *o = &c->r->o;
    draw d = draw_from((uint64_t)c->r->a->common.seed, -2, class);
    int64_t n = 0;
    for (int64_t i = 0; i < o->n; ++i)
        if (c->class_of[i] == class && !o->queried[i])
            rows[n++] = i;
    draw_front(&d, rows, n, n / 2);
    for (int64_t i = 0; i < n / 2; ++i)
        c->trains[rows[i]] = 1;
    return n / 2;
}

static akin_status divide(crowd *c)
{
    const oxford *o = &c->r->o;
    app *a = c->r->a;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, o->n, &c->class_of));
    APP_TRY(APP_NEW(a, o->n, &c->trains));
    APP_TRY(APP_NEW(a, o->n, &c->train));
    APP_TRY(APP_NEW(a, o->n, &c->database));
    for (int64_t i = 0; i < o->n; ++i)
        c->class_of[i] = class_of(o, i);
    /* The tail of `train` is used as scratch while a class is drawn. */
    for (int64_t k = 0; k < o->n_landmarks; ++k)
        c->n_shown += add_half(c, k, c->train + c->n_shown);
    c->n_train = c->n_shown + add_half(c, -1, c->train + c->n_shown);
    for (int64_t i = 0; i < o->n; ++i)
        if (!c->trains[i])
            c->database[c->n_database++] = i;
done:
    return st;
}

/* Another row of the same class as `row`; -1 when there is none. Rows of a
 * class lie side by side. */
static int64_t draw_mate(const crowd *c, draw *d, int64_t at)
{
    const int64_t class = c->class_of[c->train[at]];
    int64_t begin = at, end = at + 1;
    while (begin > 0 && c->class_of[c->train[begin - 1]] == class)
        --begin;
    while (end < c->n_shown && c->class_of[c->train[end]] == class)
        ++end;
    if (end - begin < 2)
        return -1;
    const int64_t mate = begin + draw_below(d, end - begin - 1);
    return c->train[mate + (mate >= at)];
}

static int64_t draw_other(const crowd *c, draw *d, int64_t row)
{
    int64_t other;
    do
        other = c->train[draw_below(d, c->n_train)];
    while (c->class_of[other] == c->class_of[row]);
    return other;
}

/* Two of one landmark, and one of another or of none. */
static akin_status draw_triplets(crowd *c)
{
    const int64_t count = c->r->flags->quick ? QUICK_TRIPLETS : TRIPLETS;
    app *a = c->r->a;
    draw d = draw_from((uint64_t)a->common.seed, -3, 0);
    int64_t *triplets = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    if (c->n_shown < 2 || c->n_train < c->n_shown + 1)
        return app_fail(a, AKIN_EINVAL,
                        "too few pictures to learn one model for all");
    APP_TRY(APP_NEW(a, 3 * count, &triplets));
    for (int64_t tries = 0; n < count && tries < 10 * count; ++tries) {
        const int64_t at = draw_below(&d, c->n_shown);
        const int64_t mate = draw_mate(c, &d, at);
        if (mate < 0)
            continue;
        triplets[3 * n] = c->train[at];
        triplets[3 * n + 1] = mate;
        triplets[3 * n++ + 2] = draw_other(c, &d, c->train[at]);
    }
    APP_TRY(akin_supervision_new(&c->known, a->ctx, c->r->book.words, NULL,
                                 c->r->book.recipe));
    APP_TRY(akin_supervision_set(c->known, a->ctx, AKIN_TRIPLETS, triplets, n));
done:
    free(triplets);
    return st;
}

/* ---- rivals ----------------------------------------------------------------
 */

/* TF-IDF and the online methods of the paper's table. */
static bool takes_part(const solis_method *m)
{
    if (m->way == SOLIS_TFIDF)
        return true;
    return m->way == SOLIS_LEARN && m->paper >= 0 &&
           akin_learner_find(m->learner)->is_online;
}

static const akin_rows *rows_of(const solis_book *b, const rival *v)
{
    return v->m->way == SOLIS_TFIDF ? b->tfidf : b->words;
}

static akin_status add_rival(crowd *c, int64_t i)
{
    const solis_method *m = &solis_methods[i];
    solis_run *r = c->r;
    rival *v = &c->rivals[c->n_rivals++];
    akin_status st = AKIN_OK;
    *v = (rival){.m = m,
                 .model = r->book.by_tfidf,
                 .result = {.sparsity = NAN, .seconds = NAN}};
    APP_TRY(APP_NEW(r->a, c->offsets[r->o.n_queries] + 1, &v->places));
    if (m->learner != NULL) {
        APP_TRY(solis_learn(r, m->learner, m->fixed, r->params[i], c->known,
                            &v->own, &v->result));
        v->model = v->own;
    }
    APP_TRY(solis_step(r));
done:
    return st;
}

/* How many relevant pictures each query has in the database. */
static akin_status count_places(crowd *c)
{
    const oxford *o = &c->r->o;
    const akin_status st = APP_NEW(c->r->a, o->n_queries + 1, &c->offsets);
    for (int64_t q = 0; st == AKIN_OK && q < o->n_queries; ++q) {
        c->offsets[q + 1] = c->offsets[q];
        for (int64_t i = 0; i < c->n_database; ++i)
            c->offsets[q + 1] += oxford_grade_of(o, o->query_of[q],
                                                 c->database[i]) == OXFORD_GOOD;
    }
    return st;
}

/* ---- ranking ---------------------------------------------------------------
 */

/* Every row of `rows` in the order of every query, best first. */
static akin_status rank_all(const crowd *c, const rival *v,
                            const akin_rows *rows, int64_t **nearest,
                            double **scores)
{
    const oxford *o = &c->r->o;
    akin_ctx *ctx = c->r->a->ctx;
    akin_rows *queries = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_rows_select(&queries, ctx, rows_of(&c->r->book, v), o->queries,
                             o->n_queries));
    APP_TRY(akin_nearest(nearest, scores, ctx, v->model, queries, rows,
                         akin_rows_count(rows), AKIN_BY_DEFAULT, 0));
done:
    akin_rows_free(queries);
    return st;
}

/* Junk does not count: what stands behind it moves up. */
static void note_places(const crowd *c, rival *v, const int64_t *nearest,
                        const double *scores)
{
    const oxford *o = &c->r->o;
    for (int64_t q = 0; q < o->n_queries; ++q) {
        place *to = v->places + c->offsets[q];
        int64_t rank = 0;
        for (int64_t i = 0; i < c->n_database; ++i) {
            const int64_t at = q * c->n_database + i;
            const oxford_grade grade =
                oxford_grade_of(o, o->query_of[q], c->database[nearest[at]]);
            rank += grade != OXFORD_JUNK;
            if (grade == OXFORD_GOOD)
                *to++ = (place){.rank = rank, .score = scores[at]};
        }
    }
}

static akin_status rank_database(crowd *c, rival *v)
{
    akin_ctx *ctx = c->r->a->ctx;
    akin_rows *rows = NULL;
    int64_t *nearest = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_rows_select(&rows, ctx, rows_of(&c->r->book, v), c->database,
                             c->n_database));
    APP_TRY(rank_all(c, v, rows, &nearest, &scores));
    note_places(c, v, nearest, scores);
done:
    akin_free(ctx, nearest);
    akin_free(ctx, scores);
    akin_rows_free(rows);
    return st;
}

/* How many of n falling numbers are above x. */
static int64_t count_above(const double *falling, int64_t n, double x)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (falling[middle] > x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static akin_status count_distractors(crowd *c, rival *v, const akin_rows *rows)
{
    const int64_t n = akin_rows_count(rows);
    akin_ctx *ctx = c->r->a->ctx;
    int64_t *nearest = NULL;
    double *scores = NULL;
    const akin_status st = rank_all(c, v, rows, &nearest, &scores);
    for (int64_t q = 0; st == AKIN_OK && q < c->r->o.n_queries; ++q)
        for (int64_t i = c->offsets[q]; i < c->offsets[q + 1]; ++i)
            v->places[i].above +=
                count_above(scores + q * n, n, v->places[i].score);
    akin_free(ctx, nearest);
    akin_free(ctx, scores);
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
    o.rows = CHUNK;
    o.dim = akin_rows_dim(counts);
    o.classes = 0;
    o.words = (int64_t)fmax(1.0, round(words / n));
    o.burst = fmin(0.9, fmax(0.0, 1.0 - (double)akin_rows_nonzeros(counts) /
                                            fmax(words, 1.0)));
    return o;
}

static akin_status add_chunk(crowd *c, int64_t chunk)
{
    solis_run *r = c->r;
    akin_ctx *ctx = r->a->ctx;
    const akin_synth_bags_options o = bags_like(r->book.counts);
    const uint64_t seed = akin_ctx_seed(ctx);
    akin_rows *bags = NULL, *tfidf = NULL, *words = NULL;
    akin_status st = AKIN_OK;
    draw d = draw_from(seed, -4, chunk);
    akin_ctx_set_seed(ctx, (uint64_t)draw_below(&d, INT64_MAX));
    st = akin_synth_bags(&bags, ctx, &o, r->book.counts);
    akin_ctx_set_seed(ctx, seed);
    APP_TRY(st);
    APP_TRY(akin_model_prepare(&tfidf, ctx, r->book.by_tfidf, bags, AKIN_LEFT));
    APP_TRY(akin_recipe_apply(&words, ctx, r->book.recipe, bags));
    for (int64_t i = 0; i < c->n_rivals; ++i) {
        rival *v = &c->rivals[i];
        APP_TRY(
            count_distractors(c, v, v->m->way == SOLIS_TFIDF ? tfidf : words));
    }
    APP_TRY(solis_step(r));
done:
    akin_rows_free(words);
    akin_rows_free(tfidf);
    akin_rows_free(bags);
    return st;
}

/* ---- rows ------------------------------------------------------------------
 */

static akin_status measure(const crowd *c, const rival *v, double *map)
{
    const int64_t n_queries = c->r->o.n_queries;
    int64_t *ranks = NULL;
    int64_t asked = 0;
    double sum = 0.0;
    akin_status st = APP_NEW(c->r->a, c->n_database + 1, &ranks);
    for (int64_t q = 0; st == AKIN_OK && q < n_queries; ++q) {
        const int64_t n = c->offsets[q + 1] - c->offsets[q];
        for (int64_t i = 0; i < n; ++i)
            ranks[i] = v->places[c->offsets[q] + i].rank +
                       v->places[c->offsets[q] + i].above;
        if (n > 0) {
            sum += akin_average_precision(ranks, n, n, 1);
            ++asked;
        }
    }
    *map = asked > 0 ? 100.0 * sum / (double)asked : NAN;
    free(ranks);
    return st;
}

static akin_status add_rows(crowd *c, int64_t distractors)
{
    static const char *const keys[] = {"paper_value", "paper_sparsity",
                                       "paper_seconds"};
    solis_run *r = c->r;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < c->n_rivals; ++i) {
        rival *v = &c->rivals[i];
        APP_TRY(measure(c, v, &v->result.map));
        json_t *row =
            solis_row(r, "oxford5k+synthetic", v->m->name, &v->result);
        if (row == NULL)
            APP_TRY(app_fail(r->a, AKIN_ENOMEM, "out of memory"));
        json_object_set_new(row, "distractors", json_integer(distractors));
        if (v->m->learner != NULL) {
            json_object_set_new(row, "chosen", json_string("as per landmark"));
            json_object_set_new(row, "params",
                                json_string(r->params[v->m - solis_methods]));
        }
        for (int k = 0; k < 3 && distractors == full_counts[3]; ++k)
            reproduce_put(
                row, keys[k],
                solis_paper((solis_measure)k, r->book.name, NULL, v->m->paper));
        APP_TRY(reproduce_add(r->a, r->rows, row));
    }
done:
    return st;
}

static void crowd_free(crowd *c)
{
    for (int64_t i = 0; i < c->n_rivals; ++i) {
        akin_model_free(c->rivals[i].own);
        free(c->rivals[i].places);
    }
    akin_supervision_free(c->known);
    free(c->rivals);
    free(c->offsets);
    free(c->database);
    free(c->train);
    free(c->trains);
    free(c->class_of);
}

int64_t solis_distractor_steps(const solis_run *r)
{
    int64_t n = n_chunks(r);
    for (int64_t i = 0; i < solis_n_methods; ++i)
        n += takes_part(&solis_methods[i]);
    return n;
}

akin_status solis_distractors(solis_run *r)
{
    crowd c = {.r = r};
    akin_status st = AKIN_OK;
    APP_TRY(divide(&c));
    APP_TRY(draw_triplets(&c));
    APP_TRY(count_places(&c));
    APP_TRY(APP_NEW(r->a, solis_n_methods, &c.rivals));
    for (int64_t i = 0; i < solis_n_methods; ++i)
        if (takes_part(&solis_methods[i])) {
            APP_TRY(add_rival(&c, i));
            APP_TRY(rank_database(&c, &c.rivals[c.n_rivals - 1]));
        }
    int64_t chunk = 0;
    for (int64_t i = 0; count_at(r, i) >= 0; ++i) {
        for (; chunk < count_at(r, i) / CHUNK; ++chunk)
            APP_TRY(add_chunk(&c, chunk));
        APP_TRY(add_rows(&c, count_at(r, i)));
    }
done:
    crowd_free(&c);
    return st;
}
