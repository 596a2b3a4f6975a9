#include "reproduce/common/splits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/csv_file.h"

enum {
    FEWEST_PICTURES = 20,
    POSITIVES = 7,
    NEGATIVES = 500,
    MOST_SPLITS = 1000,
};

/* ---- drawing ------------------------------------------------------------ */

/* One step of a 64-bit mixer (splitmix64). */
static uint64_t next(draw *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

draw draw_from(uint64_t seed, int64_t a, int64_t b)
{
    draw d = {seed};
    d.state = next(&d) ^ (uint64_t)a;
    d.state = next(&d) ^ (uint64_t)b;
    return d;
}

int64_t draw_below(draw *d, int64_t n)
{
    const uint64_t size = (uint64_t)n;
    const uint64_t whole = UINT64_MAX - UINT64_MAX % size;
    uint64_t x;
    do
        x = next(d);
    while (x >= whole);
    return (int64_t)(x % size);
}

void draw_front(draw *d, int64_t *numbers, int64_t n, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        const int64_t j = i + draw_below(d, n - i);
        const int64_t held = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = held;
    }
}

static int64_t smaller(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/* Rows of one grade that may be learned from; returns how many. */
static int64_t candidates(const oxford *o, int64_t landmark, oxford_grade grade,
                          int64_t *rows)
{
    int64_t n = 0;
    for (int64_t i = 0; i < o->n; ++i)
        if (oxford_grade_of(o, landmark, i) == grade &&
            !(grade == OXFORD_GOOD && o->queried[i]))
            rows[n++] = i;
    return n;
}

/* In a small folder half of the other pictures stay in the database. */
static akin_status draw_one(app *a, oxford_split *s, const oxford *o, draw *d)
{
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, o->n, &s->positives));
    APP_TRY(APP_NEW(a, o->n, &s->negatives));
    const int64_t good = candidates(o, s->landmark, OXFORD_GOOD, s->positives);
    const int64_t other = candidates(o, s->landmark, OXFORD_NONE, s->negatives);
    s->n_positives = smaller(POSITIVES, good / 2);
    s->n_negatives = smaller(NEGATIVES, other / 2);
    if (s->n_positives < 2 || s->n_negatives < 1)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "%s: %lld pictures beside the queries and %lld "
                         "others (4 and 2 needed)",
                         o->names[s->landmark], (long long)good,
                         (long long)other));
    draw_front(d, s->positives, good, s->n_positives);
    draw_front(d, s->negatives, other, s->n_negatives);
done:
    return st;
}

/* ---- all of them -------------------------------------------------------- */

static bool is_asked(const oxford *o, int64_t landmark)
{
    for (int64_t i = 0; i < o->n_queries; ++i)
        if (o->query_of[i] == landmark)
            return true;
    return false;
}

static akin_status take_memory(app *a, oxford_splits *s, const oxford *o,
                               int64_t n_splits)
{
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, o->n_landmarks, &s->landmarks));
    for (int64_t k = 0; k < o->n_landmarks; ++k)
        if (oxford_good_count(o, k) >= FEWEST_PICTURES && is_asked(o, k))
            s->landmarks[s->n_landmarks++] = k;
    if (s->n_landmarks == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "no landmark has queries and %d good or ok pictures",
                         FEWEST_PICTURES));
    APP_TRY(APP_NEW(a, n_splits * s->n_landmarks, &s->all));
    s->n_splits = s->room = n_splits;
    for (int64_t i = 0; i < n_splits * s->n_landmarks; ++i)
        s->all[i].landmark = s->landmarks[i % s->n_landmarks];
done:
    return st;
}

akin_status splits_draw(app *a, oxford_splits *s, const oxford *o,
                        int64_t n_splits)
{
    akin_status st = AKIN_OK;
    APP_TRY(take_memory(a, s, o, n_splits));
    for (int64_t i = 0; i < n_splits * s->n_landmarks; ++i) {
        draw d = draw_from((uint64_t)a->common.seed, i / s->n_landmarks,
                           s->all[i].landmark);
        APP_TRY(draw_one(a, &s->all[i], o, &d));
    }
done:
    return st;
}

void splits_free(oxford_splits *s)
{
    for (int64_t i = 0; s->all && i < s->room * s->n_landmarks; ++i) {
        free(s->all[i].positives);
        free(s->all[i].negatives);
    }
    free(s->all);
    free(s->landmarks);
    *s = (oxford_splits){0};
}

/* ---- from a file -------------------------------------------------------- */

static akin_status take_landmark(const csv_file *c, const oxford *o,
                                 int64_t *landmark)
{
    for (int64_t k = 0; k < o->n_landmarks; ++k)
        if (strcmp(csv_text(c, 1), o->names[k]) == 0) {
            *landmark = k;
            return AKIN_OK;
        }
    return csv_number(c, 1, o->n_landmarks, landmark);
}

static akin_status check_role(const csv_file *c, const oxford *o,
                              int64_t landmark, int64_t row, bool positive)
{
    const oxford_grade grade = oxford_grade_of(o, landmark, row);
    if (positive && grade != OXFORD_GOOD)
        return csv_fail(c, "row %lld is not good or ok for %s", (long long)row,
                        o->names[landmark]);
    if (positive && o->queried[row])
        return csv_fail(c, "row %lld is a query, not to be learned from",
                        (long long)row);
    if (!positive && grade != OXFORD_NONE)
        return csv_fail(c, "row %lld shows %s", (long long)row,
                        o->names[landmark]);
    return AKIN_OK;
}

static akin_status add_row(app *a, int64_t **rows, int64_t *n, int64_t row)
{
    int64_t *more = realloc(*rows, (size_t)(*n + 1) * sizeof *more);
    if (more == NULL)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    *rows = more;
    more[(*n)++] = row;
    return AKIN_OK;
}

static akin_status take_line(const csv_file *c, oxford_splits *s,
                             const oxford *o, int64_t *most)
{
    int64_t split, landmark, row;
    akin_status st = AKIN_OK;
    if (c->n_fields != 4)
        return csv_fail(c, "`split landmark row positive|negative` expected");
    const char *role = csv_text(c, 3);
    const bool positive = strcmp(role, "positive") == 0;
    APP_TRY(csv_number(c, 0, MOST_SPLITS, &split));
    APP_TRY(take_landmark(c, o, &landmark));
    APP_TRY(csv_number(c, 2, o->n, &row));
    if (!positive && strcmp(role, "negative") != 0)
        return csv_fail(c, "role '%s' (positive or negative expected)", role);
    APP_TRY(check_role(c, o, landmark, row, positive));
    *most = split >= *most ? split + 1 : *most;
    for (int64_t k = 0; k < s->n_landmarks && split < s->n_splits; ++k) {
        oxford_split *one = &s->all[split * s->n_landmarks + k];
        if (one->landmark == landmark)
            st = positive
                     ? add_row(c->a, &one->positives, &one->n_positives, row)
                     : add_row(c->a, &one->negatives, &one->n_negatives, row);
    }
done:
    return st;
}

static akin_status check_all(app *a, const oxford_splits *s, const oxford *o,
                             const char *path)
{
    for (int64_t i = 0; i < s->n_splits * s->n_landmarks; ++i)
        if (s->all[i].n_positives < 2 || s->all[i].n_negatives < 1)
            return app_fail(a, AKIN_EFORMAT,
                            "%s: split %lld has %lld positives and %lld "
                            "negatives of %s (2 and 1 needed)",
                            path, (long long)(i / s->n_landmarks),
                            (long long)s->all[i].n_positives,
                            (long long)s->all[i].n_negatives,
                            o->names[s->all[i].landmark]);
    return AKIN_OK;
}

akin_status splits_read(app *a, oxford_splits *s, const oxford *o,
                        const char *path, int64_t n_splits)
{
    csv_file c = {0};
    int64_t most = 0;
    bool there = true;
    akin_status st = AKIN_OK;
    APP_TRY(take_memory(a, s, o, MOST_SPLITS));
    APP_TRY(csv_open(&c, a, NULL, path, ""));
    while (there) {
        APP_TRY(csv_next(&c, &there));
        if (there)
            APP_TRY(take_line(&c, s, o, &most));
    }
    s->n_splits = n_splits > 0 ? smaller(n_splits, most) : most;
    if (most == 0)
        APP_TRY(app_fail(a, AKIN_EFORMAT, "%s: no splits", path));
    APP_TRY(check_all(a, s, o, path));
done:
    csv_close(&c);
    return st;
}
