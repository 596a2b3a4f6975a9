#include "reproduce/solis/oxford.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/common/draw.h"

/* ---- codebooks ---------------------------------------------------------- */

/* "10k" of "bow_10k.svm.gz"; false for other files. */
static bool book_name(const char *file, char *name, size_t size)
{
    const char *const endings[] = {".svm", ".svm.gz", ".svm.zst"};
    if (strncmp(file, "bow_", 4) != 0)
        return false;
    const char *stem = file + 4;
    const char *dot = strchr(stem, '.');
    if (dot == NULL || dot == stem || (size_t)(dot - stem) >= size)
        return false;
    for (int i = 0; i < 3; ++i)
        if (strcmp(dot, endings[i]) == 0) {
            snprintf(name, size, "%.*s", (int)(dot - stem), stem);
            return true;
        }
    return false;
}

/* Names ordered as numbers: 1k, 10k, 100k, 1m. */
static int by_size(const void *left, const void *right)
{
    const oxford_book *a = left, *b = right;
    const size_t la = strlen(a->name), lb = strlen(b->name);
    if (la != lb)
        return la < lb ? -1 : 1;
    return strcmp(a->name, b->name);
}

static akin_status add_book(app *a, oxford *o, const char *folder,
                            const char *file)
{
    oxford_book *b = &o->books[o->n_books];
    if (!book_name(file, b->name, sizeof b->name))
        return AKIN_OK;
    if (o->n_books == OXFORD_MOST_BOOKS - 1)
        return app_fail(a, AKIN_EINVAL, "%s: more than %d files bow_*.svm",
                        folder, OXFORD_MOST_BOOKS - 1);
    ++o->n_books;
    return reproduce_path(a, b->path, folder, file);
}

static akin_status find_books(app *a, oxford *o, const char *folder)
{
    DIR *d = opendir(folder);
    const struct dirent *e;
    akin_status st = AKIN_OK;
    if (d == NULL)
        return app_fail(a, AKIN_ENOENT, "%s: %s", folder, strerror(errno));
    while (st == AKIN_OK && (e = readdir(d)) != NULL)
        st = add_book(a, o, folder, e->d_name);
    closedir(d);
    if (st == AKIN_OK && o->n_books == 0)
        st =
            app_fail(a, AKIN_EINVAL, "%s: no file bow_*.svm[.gz|.zst]", folder);
    qsort(o->books, (size_t)o->n_books, sizeof *o->books, by_size);
    return st;
}

bool oxford_is_here(const char *folder)
{
    char name[32];
    const struct dirent *e;
    bool found = folder != NULL &&
                 reproduce_has_file(folder, "groundtruth.csv");
    DIR *d = folder != NULL && !found ? opendir(folder) : NULL;
    while (d != NULL && !found && (e = readdir(d)) != NULL)
        found = book_name(e->d_name, name, sizeof name);
    if (d != NULL)
        closedir(d);
    return found;
}

/* ---- tables ------------------------------------------------------------- */

enum { MOST_PICTURES = 100000000, MOST_LANDMARKS = 10000 };

/* Column 0, which counts up from 0 and must be `next`. */
static akin_status take_next(const csv_file *c, const char *what, int64_t most,
                             int64_t next)
{
    int64_t number;
    const akin_status st = csv_number(c, 0, most, &number);
    if (st == AKIN_OK && number != next)
        return csv_fail(c, "%s %lld (expected %lld; %ss count up from 0)", what,
                        (long long)number, (long long)next, what);
    return st;
}

static akin_status take_image(void *arg, const csv_file *c)
{
    oxford *o = arg;
    return take_next(c, "row", MOST_PICTURES, o->n++);
}

static akin_status take_landmark(void *arg, const csv_file *c)
{
    oxford *o = arg;
    const int64_t k = o->n_landmarks;
    akin_status st = AKIN_OK;
    APP_TRY(take_next(c, "landmark", MOST_LANDMARKS, k));
    void *more = realloc(o->names, (size_t)(k + 1) * sizeof *o->names);
    if (more == NULL)
        return app_fail(c->a, AKIN_ENOMEM, "out of memory");
    o->names = more;
    snprintf(o->names[k], sizeof o->names[k], "%.63s", csv_text(c, 1));
    ++o->n_landmarks;
done:
    return st;
}

/* Columns 0 and 1: a picture and a landmark. */
static akin_status take_pair(const oxford *o, const csv_file *c, int64_t *row,
                             int64_t *landmark)
{
    const akin_status st = csv_number(c, 0, o->n, row);
    return st == AKIN_OK ? csv_number(c, 1, o->n_landmarks, landmark) : st;
}

static akin_status take_grade(void *arg, const csv_file *c)
{
    oxford *o = arg;
    const char *word = csv_text(c, 2);
    const bool good = strcmp(word, "good") == 0 || strcmp(word, "ok") == 0;
    int64_t row, k;
    akin_status st = AKIN_OK;
    APP_TRY(take_pair(o, c, &row, &k));
    if (!good && strcmp(word, "junk") != 0)
        return csv_fail(c, "grade '%s' (expected good, ok or junk)", word);
    o->grades[k * o->n + row] = good ? OXFORD_GOOD : OXFORD_JUNK;
done:
    return st;
}

static akin_status take_query(void *arg, const csv_file *c)
{
    oxford *o = arg;
    int64_t row, k;
    akin_status st = AKIN_OK;
    APP_TRY(take_pair(o, c, &row, &k));
    if (o->n_queries == o->n)
        return csv_fail(c, "more queries than pictures");
    if (oxford_grade_of(o, k, row) != OXFORD_GOOD)
        return csv_fail(c, "row %lld is not good or ok for landmark %lld",
                        (long long)row, (long long)k);
    o->queries[o->n_queries] = row;
    o->query_of[o->n_queries++] = k;
    o->queried[row] = 1;
done:
    return st;
}

akin_status oxford_open(app *a, oxford *o, const char *folder)
{
    akin_status st = AKIN_OK;
    APP_TRY(find_books(a, o, folder));
    APP_TRY(csv_each(a, folder, "images.csv", "row", take_image, o));
    APP_TRY(csv_each(a, folder, "landmarks.csv", "landmark,name", take_landmark,
                     o));
    if (o->n == 0 || o->n_landmarks == 0)
        APP_TRY(app_fail(a, AKIN_EFORMAT, "%s/%s: no lines after the header",
                         folder, o->n ? "landmarks.csv" : "images.csv"));
    APP_TRY(APP_NEW(a, o->n * o->n_landmarks, &o->grades));
    APP_TRY(APP_NEW(a, o->n, &o->queries));
    APP_TRY(APP_NEW(a, o->n, &o->query_of));
    APP_TRY(APP_NEW(a, o->n, &o->queried));
    APP_TRY(csv_each(a, folder, "groundtruth.csv", "row,landmark,grade",
                     take_grade, o));
    APP_TRY(csv_each(a, folder, "queries.csv", "row,landmark", take_query, o));
done:
    return st;
}

void oxford_close(oxford *o)
{
    free(o->names);
    free(o->grades);
    free(o->queries);
    free(o->query_of);
    free(o->queried);
    *o = (oxford){0};
}

/* ---- splits: drawn ------------------------------------------------------ */

enum {
    FEWEST_PICTURES = 20,
    POSITIVES = 7,
    NEGATIVES = 500,
    MOST_SPLITS = 1000,
};

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

/* At most half of the pictures, so that the others stay in the database. */
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
                         "%s: %lld pictures that are not queries and %lld "
                         "others (expected 4 and 2 or more)",
                         o->names[s->landmark], (long long)good,
                         (long long)other));
    draw_front(d, s->positives, good, s->n_positives);
    draw_front(d, s->negatives, other, s->n_negatives);
done:
    return st;
}

/* A landmark with queries and enough good or ok pictures. */
static bool is_used(const oxford *o, int64_t landmark)
{
    int64_t good = 0, queries = 0;
    for (int64_t i = 0; i < o->n; ++i)
        good += oxford_grade_of(o, landmark, i) == OXFORD_GOOD;
    for (int64_t i = 0; i < o->n_queries; ++i)
        queries += o->query_of[i] == landmark;
    return queries > 0 && good >= FEWEST_PICTURES;
}

static akin_status splits_new(app *a, oxford_splits *s, const oxford *o,
                              int64_t n_splits)
{
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, o->n_landmarks, &s->landmarks));
    for (int64_t k = 0; k < o->n_landmarks; ++k)
        if (is_used(o, k))
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
    APP_TRY(splits_new(a, s, o, n_splits));
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

/* ---- splits: from a file ------------------------------------------------ */

static akin_status find_landmark(const csv_file *c, const oxford *o,
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
        return csv_fail(
            c, "row %lld is a query (training pictures must not be queries)",
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

typedef struct splits_reader {
    oxford_splits *s;
    const oxford *o;
    int64_t n;  // splits of the file
} splits_reader;

static akin_status take_line(void *arg, const csv_file *c)
{
    splits_reader *r = arg;
    oxford_splits *s = r->s;
    const char *role = csv_text(c, 3);
    const bool positive = strcmp(role, "positive") == 0;
    int64_t split, landmark, row;
    akin_status st = AKIN_OK;
    if (c->n_fields != 4)
        return csv_fail(c,
                        "%lld fields (expected `split landmark row "
                        "positive|negative`)",
                        (long long)c->n_fields);
    APP_TRY(csv_number(c, 0, MOST_SPLITS, &split));
    APP_TRY(find_landmark(c, r->o, &landmark));
    APP_TRY(csv_number(c, 2, r->o->n, &row));
    if (!positive && strcmp(role, "negative") != 0)
        return csv_fail(c, "role '%s' (expected positive or negative)", role);
    APP_TRY(check_role(c, r->o, landmark, row, positive));
    r->n = split >= r->n ? split + 1 : r->n;
    for (int64_t k = 0; k < s->n_landmarks; ++k) {
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
                            "negatives of %s (expected 2 and 1 or more)",
                            path, (long long)(i / s->n_landmarks),
                            (long long)s->all[i].n_positives,
                            (long long)s->all[i].n_negatives,
                            o->names[s->all[i].landmark]);
    return AKIN_OK;
}

akin_status splits_read(app *a, oxford_splits *s, const oxford *o,
                        const char *path, int64_t n_splits)
{
    splits_reader r = {s, o, 0};
    akin_status st = AKIN_OK;
    APP_TRY(splits_new(a, s, o, MOST_SPLITS));
    APP_TRY(csv_each(a, NULL, path, "", take_line, &r));
    s->n_splits = n_splits > 0 ? smaller(n_splits, r.n) : r.n;
    if (r.n == 0)
        APP_TRY(app_fail(a, AKIN_EFORMAT, "%s: no splits", path));
    APP_TRY(check_all(a, s, o, path));
done:
    return st;
}
