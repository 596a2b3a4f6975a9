/* Who learns, who asks, and what is in the database. */
#include "reproduce/solis/crowd.h"

#include <stdlib.h>
#include <string.h>

enum { VALIDATION_ASKERS = 5 };

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

/* Half of a class to the front of `rows`, which has room for all. */
static int64_t draw_half(crowd *c, int64_t class, int64_t *rows)
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
    APP_TRY(APP_NEW(a, o->n_landmarks + 1, &c->begin));
    for (int64_t i = 0; i < o->n; ++i)
        c->class_of[i] = class_of(o, i);
    for (int64_t k = 0; k < o->n_landmarks; ++k)
        c->begin[k + 1] = c->begin[k] + draw_half(c, k, c->train + c->begin[k]);
    const int64_t shown = c->begin[o->n_landmarks];
    c->n_train = shown + draw_half(c, -1, c->train + shown);
    for (int64_t i = 0; i < o->n; ++i)
        if (!c->trains[i])
            c->database[c->n_database++] = i;
done:
    return st;
}

/* ---- triplets --------------------------------------------------------------
 */

/* Landmarks with two pictures to learn from; returns how many. */
static int64_t list_classes(const crowd *c, int64_t *classes)
{
    int64_t n = 0;
    for (int64_t k = 0; k < c->r->o.n_landmarks; ++k)
        if (c->begin[k + 1] - c->begin[k] >= 2)
            classes[n++] = k;
    return n;
}

/* Two of one landmark, and one of another or of none. */
static void draw_triplet(const crowd *c, draw *d, int64_t class, int64_t *t)
{
    const int64_t begin = c->begin[class], n = c->begin[class + 1] - begin;
    const int64_t q = draw_below(d, n), p = draw_below(d, n - 1);
    t[0] = c->train[begin + q];
    t[1] = c->train[begin + p + (p >= q)];
    const int64_t other = draw_below(d, c->n_train - n);
    t[2] = c->train[other + (other >= begin ? n : 0)];
}

static akin_status draw_triplets(crowd *c, int64_t count)
{
    app *a = c->r->a;
    draw d = draw_from((uint64_t)a->common.seed, -3, 0);
    int64_t *triplets = NULL, *classes = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, 3 * count, &triplets));
    APP_TRY(APP_NEW(a, c->r->o.n_landmarks, &classes));
    const int64_t n = list_classes(c, classes);
    if (n == 0 || c->n_train == c->begin[c->r->o.n_landmarks])
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "too few pictures to learn one model for all "
                         "landmarks"));
    for (int64_t t = 0; t < count; ++t)
        draw_triplet(c, &d, classes[draw_below(&d, n)], triplets + 3 * t);
    APP_TRY(akin_supervision_new(&c->known, a->ctx, c->r->book.words, NULL,
                                 c->r->book.recipe));
    APP_TRY(
        akin_supervision_set(c->known, a->ctx, AKIN_TRIPLETS, triplets, count));
done:
    free(classes);
    free(triplets);
    return st;
}

/* ---- askers ----------------------------------------------------------------
 */

static akin_status askers_take(crowd *c, askers *w)
{
    const oxford *o = &c->r->o;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(c->r->a, o->n + o->n_queries, &w->rows));
    APP_TRY(APP_NEW(c->r->a, o->n + o->n_queries, &w->landmarks));
    APP_TRY(APP_NEW(c->r->a, o->n + o->n_queries + 1, &w->offsets));
done:
    return st;
}

static void add_asker(askers *w, int64_t row, int64_t landmark)
{
    w->rows[w->n] = row;
    w->landmarks[w->n++] = landmark;
}

/* How many relevant pictures each has in the database. */
static void count_places(const crowd *c, askers *w)
{
    for (int64_t k = 0; k < w->n; ++k) {
        w->offsets[k + 1] = w->offsets[k];
        for (int64_t i = 0; i < c->n_database; ++i)
            w->offsets[k + 1] += oxford_grade_of(&c->r->o, w->landmarks[k],
                                                 c->database[i]) == OXFORD_GOOD;
    }
}

/* The queries; and a few pictures of each landmark that are neither queries
 * nor learned from. */
static akin_status find_askers(crowd *c)
{
    const oxford *o = &c->r->o;
    akin_status st = AKIN_OK;
    APP_TRY(askers_take(c, &c->official));
    APP_TRY(askers_take(c, &c->validation));
    for (int64_t i = 0; i < o->n_queries; ++i)
        add_asker(&c->official, o->queries[i], o->query_of[i]);
    for (int64_t k = 0; k < o->n_landmarks; ++k) {
        int64_t n = 0;
        for (int64_t i = 0; i < o->n && n < VALIDATION_ASKERS; ++i)
            if (c->class_of[i] == k && !c->trains[i] && !o->queried[i]) {
                add_asker(&c->validation, i, k);
                ++n;
            }
    }
    count_places(c, &c->official);
    count_places(c, &c->validation);
done:
    return st;
}

akin_status crowd_new(crowd *c, solis_run *r, int64_t n_triplets)
{
    akin_status st = AKIN_OK;
    *c = (crowd){.r = r};
    APP_TRY(divide(c));
    APP_TRY(draw_triplets(c, n_triplets));
    APP_TRY(find_askers(c));
done:
    return st;
}

static void askers_free(askers *w)
{
    free(w->rows);
    free(w->landmarks);
    free(w->offsets);
}

void crowd_free(crowd *c)
{
    akin_supervision_free(c->known);
    askers_free(&c->official);
    askers_free(&c->validation);
    free(c->database);
    free(c->begin);
    free(c->train);
    free(c->trains);
    free(c->class_of);
    *c = (crowd){0};
}
