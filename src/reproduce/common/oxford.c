#include "reproduce/common/oxford.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reproduce/common/csv_file.h"

/* ---- the bags ----------------------------------------------------------- */

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

/* The order of the names as numbers: 1k, 10k, 100k, 1m. */
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
    return cli_join(a, b->path, sizeof b->path, folder, file);
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
    char path[4096], name[32];
    const struct dirent *e;
    bool found = false;
    if (folder == NULL)
        return false;
    const int n = snprintf(path, sizeof path, "%s/groundtruth.csv", folder);
    if (n > 0 && (size_t)n < sizeof path && access(path, F_OK) == 0)
        return true;
    DIR *d = opendir(folder);
    while (d != NULL && !found && (e = readdir(d)) != NULL)
        found = book_name(e->d_name, name, sizeof name);
    if (d != NULL)
        closedir(d);
    return found;
}

/* ---- the tables --------------------------------------------------------- */

/* Call `take` for each line of a table. */
static akin_status each_line(app *a, oxford *o, const char *folder,
                             const char *name, const char *wanted,
                             akin_status (*take)(oxford *, const csv_file *))
{
    csv_file c;
    bool there = true;
    akin_status st = csv_open(&c, a, folder, name, wanted);
    while (st == AKIN_OK && there) {
        st = csv_next(&c, &there);
        if (st == AKIN_OK && there)
            st = take(o, &c);
    }
    csv_close(&c);
    return st;
}

enum { MOST_PICTURES = 100000000, MOST_LANDMARKS = 10000 };

static akin_status take_image(oxford *o, const csv_file *c)
{
    int64_t row;
    const akin_status st = csv_number(c, 0, MOST_PICTURES, &row);
    if (st == AKIN_OK && row != o->n)
        return csv_fail(c, "row %lld, %lld expected (rows count up from 0)",
                        (long long)row, (long long)o->n);
    ++o->n;
    return st;
}

static akin_status take_landmark(oxford *o, const csv_file *c)
{
    int64_t k;
    const akin_status st = csv_number(c, 0, MOST_LANDMARKS, &k);
    if (st != AKIN_OK)
        return st;
    if (k != o->n_landmarks)
        return csv_fail(c,
                        "landmark %lld, %lld expected (landmarks count up "
                        "from 0)",
                        (long long)k, (long long)o->n_landmarks);
    void *more = realloc(o->names, (size_t)(k + 1) * sizeof *o->names);
    if (more == NULL)
        return app_fail(c->a, AKIN_ENOMEM, "out of memory");
    o->names = more;
    snprintf(o->names[k], sizeof o->names[k], "%.63s", csv_text(c, 1));
    ++o->n_landmarks;
    return AKIN_OK;
}

static akin_status take_grade(oxford *o, const csv_file *c)
{
    int64_t row, k;
    akin_status st = csv_number(c, 0, o->n, &row);
    if (st == AKIN_OK)
        st = csv_number(c, 1, o->n_landmarks, &k);
    if (st != AKIN_OK)
        return st;
    const char *word = csv_text(c, 2);
    const bool good = strcmp(word, "good") == 0 || strcmp(word, "ok") == 0;
    if (!good && strcmp(word, "junk") != 0)
        return csv_fail(c, "grade '%s' (good, ok or junk expected)", word);
    o->grades[k * o->n + row] = good ? OXFORD_GOOD : OXFORD_JUNK;
    return AKIN_OK;
}

static akin_status take_query(oxford *o, const csv_file *c)
{
    int64_t row, k;
    akin_status st = csv_number(c, 0, o->n, &row);
    if (st == AKIN_OK)
        st = csv_number(c, 1, o->n_landmarks, &k);
    if (st != AKIN_OK)
        return st;
    if (o->n_queries == o->n)
        return csv_fail(c, "more queries than pictures");
    if (oxford_grade_of(o, k, row) != OXFORD_GOOD)
        return csv_fail(c, "row %lld is not good or ok for landmark %lld",
                        (long long)row, (long long)k);
    o->queries[o->n_queries] = row;
    o->query_of[o->n_queries++] = k;
    o->queried[row] = 1;
    return AKIN_OK;
}

static akin_status take_memory(app *a, oxford *o, const char *folder)
{
    akin_status st = AKIN_OK;
    if (o->n == 0 || o->n_landmarks == 0)
        return app_fail(a, AKIN_EFORMAT, "%s/%s: no lines after the header",
                        folder, o->n ? "landmarks.csv" : "images.csv");
    APP_TRY(APP_NEW(a, o->n * o->n_landmarks, &o->grades));
    APP_TRY(APP_NEW(a, o->n, &o->queries));
    APP_TRY(APP_NEW(a, o->n, &o->query_of));
    APP_TRY(APP_NEW(a, o->n, &o->queried));
done:
    return st;
}

akin_status oxford_open(app *a, oxford *o, const char *folder)
{
    akin_status st = AKIN_OK;
    APP_TRY(find_books(a, o, folder));
    APP_TRY(each_line(a, o, folder, "images.csv", "row", take_image));
    APP_TRY(each_line(a, o, folder, "landmarks.csv", "landmark,name",
                      take_landmark));
    APP_TRY(take_memory(a, o, folder));
    APP_TRY(each_line(a, o, folder, "groundtruth.csv", "row,landmark,grade",
                      take_grade));
    APP_TRY(each_line(a, o, folder, "queries.csv", "row,landmark", take_query));
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

int64_t oxford_good_count(const oxford *o, int64_t landmark)
{
    int64_t n = 0;
    for (int64_t i = 0; i < o->n; ++i)
        n += oxford_grade_of(o, landmark, i) == OXFORD_GOOD;
    return n;
}
