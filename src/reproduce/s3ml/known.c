/* The rows of a table whose class is known, in each of several splits: drawn,
 * or read from a file. */
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/common/splits.h"
#include "reproduce/s3ml/known.h"

enum { SHARE = 20 };  // one row in so many is known

static int by_number(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* One in twenty of each class, rounded up, and two where there are two. */
static akin_status draw_split(s3ml_known *t, int64_t split)
{
    app *a = t->a;
    int64_t *members = NULL, *known = NULL, count = 0;
    draw d = draw_from((uint64_t)a->common.seed, split, t->n);
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, t->n + 1, &members));
    APP_TRY(APP_NEW(a, t->n + 1, &known));
    for (int64_t c = 0; c < t->n_classes; ++c) {
        int64_t n = 0;
        for (int64_t i = 0; i < t->n; ++i)
            if (t->labels[i] == c)
                members[n++] = i;
        int64_t take = (n + SHARE - 1) / SHARE;
        if (take < 2)
            take = n < 2 ? n : 2;
        draw_front(&d, members, n, take);
        memcpy(known + count, members, (size_t)take * sizeof *known);
        count += take;
    }
    qsort(known, (size_t)count, sizeof *known, by_number);
    t->rows[split] = known;
    t->count[split] = count;
    known = NULL;
done:
    free(members);
    free(known);
    return st;
}

static akin_status add_known(s3ml_known *t, csv_file *c, int64_t split,
                             int64_t row)
{
    if (t->rows[split] == NULL) {
        const akin_status st = APP_NEW(t->a, t->n + 1, &t->rows[split]);
        if (st != AKIN_OK)
            return st;
    }
    for (int64_t k = 0; k < t->count[split]; ++k)
        if (t->rows[split][k] == row)
            return csv_fail(c, "row %lld is given twice", (long long)row);
    t->rows[split][t->count[split]++] = row;
    return AKIN_OK;
}

/* Splits are numbered from 0 without a gap; put the rows of each in order. */
static akin_status order_splits(s3ml_known *t, const char *path)
{
    while (t->n_splits > 0 && t->rows[t->n_splits - 1] == NULL)
        --t->n_splits;
    if (t->n_splits == 0)
        return app_fail(t->a, AKIN_EFORMAT, "%s: no rows of %s", path, t->name);
    for (int64_t s = 0; s < t->n_splits; ++s) {
        if (t->rows[s] == NULL)
            return app_fail(t->a, AKIN_EFORMAT,
                            "%s: no rows of %s in repeat %lld", path, t->name,
                            (long long)s);
        qsort(t->rows[s], (size_t)t->count[s], sizeof **t->rows, by_number);
    }
    return AKIN_OK;
}

/* Lines "set,repeat,row" of this table. */
static akin_status read_splits(s3ml_known *t, const char *path)
{
    csv_file c = {0};
    bool there = false;
    akin_status st = AKIN_OK;
    APP_TRY(csv_open(&c, t->a, NULL, path, "set,repeat,row"));
    for (;;) {
        int64_t split, row;
        APP_TRY(csv_next(&c, &there));
        if (!there)
            break;
        if (strcmp(csv_text(&c, 0), t->name) != 0)
            continue;
        APP_TRY(csv_number(&c, 1, 1 << 20, &split));
        APP_TRY(csv_number(&c, 2, t->n, &row));
        if (split < t->n_splits)
            APP_TRY(add_known(t, &c, split, row));
    }
    APP_TRY(order_splits(t, path));
done:
    csv_close(&c);
    return st;
}

static akin_status take_splits(s3ml_known *t, const char *path)
{
    akin_status st = AKIN_OK;
    t->most = t->n_splits;
    APP_TRY(APP_NEW(t->a, t->n_splits, &t->rows));
    APP_TRY(APP_NEW(t->a, t->n_splits, &t->count));
    if (path != NULL) {
        APP_TRY(read_splits(t, path));
        goto done;
    }
    for (int64_t s = 0; s < t->n_splits; ++s)
        APP_TRY(draw_split(t, s));
done:
    return st;
}

/* Every split has rows to test: some of a class that are not known. */
static akin_status check_splits(s3ml_known *t, const char *file)
{
    int64_t n = 0;
    for (int64_t i = 0; i < t->n; ++i)
        n += t->labels[i] >= 0;
    for (int64_t s = 0; s < t->n_splits; ++s) {
        int64_t left = n;
        for (int64_t k = 0; k < t->count[s]; ++k)
            left -= t->labels[t->rows[s][k]] >= 0;
        if (left == 0)
            return app_fail(t->a, AKIN_EFORMAT,
                            "%s: no row is left to test (expected classes in "
                            "the last column, of more than two rows)",
                            file);
    }
    return AKIN_OK;
}

akin_status s3ml_known_take(s3ml_known *t, const char *splits, const char *file)
{
    const akin_status st = take_splits(t, splits);
    return st == AKIN_OK ? check_splits(t, file) : st;
}

void s3ml_known_free(s3ml_known *t)
{
    for (int64_t s = 0; t->rows != NULL && s < t->most; ++s)
        free(t->rows[s]);
    free(t->rows);
    free(t->count);
}
