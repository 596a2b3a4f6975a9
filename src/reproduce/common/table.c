/* Rows of measurements, and tables printed from them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "reproduce/common/reproduce.h"

void reproduce_folder(const char *folder, char *name, size_t size)
{
    size_t end = strlen(folder);
    while (end > 1 && folder[end - 1] == '/')
        --end;
    size_t begin = end;
    while (begin > 0 && folder[begin - 1] != '/')
        --begin;
    snprintf(name, size, "%.*s", (int)(end - begin), folder + begin);
}

akin_status reproduce_add(app *a, json_t *rows, json_t *row)
{
    if (json_array_append_new(rows, row) != 0)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    return AKIN_OK;
}

json_t *reproduce_last(const json_t *rows)
{
    return json_array_get(rows, json_array_size(rows) - 1);
}

void reproduce_put(json_t *row, const char *key, double value)
{
    if (isfinite(value))
        json_object_set_new(row, key, json_real(value));
}

void reproduce_put_text(json_t *row, const char *key, const char *text)
{
    if (text != NULL)
        json_object_set_new(row, key, app_json_string(text));
}

void reproduce_put_count(json_t *row, const char *key, int64_t value)
{
    json_object_set_new(row, key, json_integer(value));
}

void reproduce_put_learner(json_t *row, const char *learner, const char *fixed,
                           const char *params)
{
    char all[2 * REPRODUCE_PARAMS];
    if (learner == NULL)
        return;
    snprintf(all, sizeof all, "%s%s%s", fixed ? fixed : "",
             fixed && params[0] ? " " : "", params);
    reproduce_put_text(row, "learner", learner);
    reproduce_put_text(row, "params", all);
    reproduce_put_text(row, "settings",
                       strstr(all, "settings=published") ? "published"
                                                         : "ours");
}

const char *reproduce_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text ? text : "";
}

double reproduce_number(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

bool reproduce_has(const json_t *row, const char *key, const char *text)
{
    return strcmp(reproduce_text(row, key), text) == 0;
}

int64_t reproduce_name(reproduce_names *s, const char *name)
{
    for (int64_t i = 0; i < s->n; ++i)
        if (strcmp(s->text[i], name) == 0)
            return i;
    if (s->n == REPRODUCE_NAMES)
        return -1;
    snprintf(s->text[s->n], REPRODUCE_NAMES, "%.63s", name);
    s->list[s->n] = s->text[s->n];
    return s->n++;
}

akin_status reproduce_beside(app *a, json_t *rows, const char *path)
{
    json_error_t error;
    json_t *file = json_load_file(path, 0, &error);
    akin_status st = AKIN_OK;
    if (file == NULL)
        return error.line > 0
                   ? app_fail(a, AKIN_EFORMAT, "%s:%d: %s", path, error.line,
                              error.text)
                   : app_fail(a, AKIN_ENOENT, "%s: %s", path, strerror(errno));
    const json_t *list = json_is_object(file) ? json_object_get(file, "rows")
                                              : file;
    if (!json_is_array(list))
        APP_TRY(app_fail(a, AKIN_EFORMAT,
                         "%s: no rows (expected an array of objects, or an "
                         "object with \"rows\")",
                         path));
    for (size_t i = 0; i < json_array_size(list); ++i) {
        json_t *row = json_array_get(list, i);
        if (reproduce_text(row, "method")[0] == '\0')
            APP_TRY(app_fail(a, AKIN_EFORMAT, "%s: row %zu has no \"method\"",
                             path, i));
        json_object_set_new(row, "beside", json_true());
        APP_TRY(reproduce_add(a, rows, json_incref(row)));
    }
done:
    json_decref(file);
    return st;
}

/* ---- printing ----------------------------------------------------------- */

/* A number of a row, and the key of the paper's number. */
typedef struct measure {
    const char *key, *title, *paper;
    int decimals;
    bool has_error;  // "se" is its standard error
    double unit;     // the number is shown in this unit
} measure;

static const measure measures[] = {
    {"map", "mAP %", "paper_value", 1, true, 1},
    {"error", "1-NN error %", "paper_value", 1, true, 1},
    {"accuracy", "accuracy %", "paper_value", 1, true, 1},
    {"auc", "area under the ROC curve, %", "paper_auc", 1, false, 1},
    {"precision", "precision %", "paper_precision", 1, false, 1},
    {"sparsity", "weights that are zero, %", "paper_sparsity", 1, false, 1},
    {"nonzeros", "numbers of M that are not zero", "paper_nonzeros", 0, false,
     1},
    {"seconds", "seconds of training", "paper_seconds", 2, false, 1},
    {"index_seconds", "CPU seconds to build the index", "", 3, false, 1},
    {"postings", "million postings of the index", "", 3, false, 1e6},
    {"index_bytes", "megabytes of the index", "", 2, false, 1e6},
    {"retrieval_ms", "CPU milliseconds a query", "", 2, false, 1},
};

/* "oxford5k, codebook 10k"; the rows of a group are in one table. */
static void group_of(const json_t *row, char text[64])
{
    const char *data = reproduce_text(row, "dataset");
    const char *book = reproduce_text(row, "codebook");
    const char *table = reproduce_text(row, "table");
    snprintf(text, 64, "%.18s%s%.8s%s%.23s", data[0] ? data : "elsewhere",
             book[0] ? ", codebook " : "", book, table[0] ? ", " : "", table);
}

static bool is_in(const json_t *row, const char *group)
{
    char own[64];
    group_of(row, own);
    return strcmp(own, group) == 0;
}

/* The column of a row. */
static void column_of(const json_t *row, char text[64])
{
    const char *landmark = reproduce_text(row, "landmark");
    const char *scale = reproduce_text(row, "preprocessing");
    const double distractors = reproduce_number(row, "distractors");
    const double features = reproduce_number(row, "features");
    const double rank = reproduce_number(row, "rank");
    const char *task = reproduce_text(row, "task");
    if (landmark[0] || task[0])
        snprintf(text, 64, "%.40s", landmark[0] ? landmark : task);
    else if (scale[0] && json_object_get(row, "error"))
        snprintf(text, 64, "%.40s", scale);
    else if (isfinite(features))
        snprintf(text, 64, "n=%.0f", features);
    else if (isfinite(rank))
        snprintf(text, 64, "k=%.0f", rank);
    else if (isfinite(distractors))
        snprintf(text, 64, "+%.0f", distractors);
    else
        snprintf(text, 64, "mean");
}

static const json_t *find(const json_t *rows, const char *group,
                          const char *method, const char *column)
{
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        char own[64];
        const json_t *row = json_array_get(rows, i);
        column_of(row, own);
        if (strcmp(reproduce_text(row, "method"), method) == 0 &&
            strcmp(own, column) == 0 && is_in(row, group) &&
            reproduce_text(row, "figure")[0] == '\0')
            return row;
    }
    return NULL;
}

/* "61.3 ±0.4 (50.8)", "" without a number. */
static void cell_text(const json_t *row, const measure *m, char text[64])
{
    const double x = reproduce_number(row, m->key) / m->unit;
    const double paper = reproduce_number(row, m->paper);
    const double se = reproduce_number(row, "se");
    size_t at = 0;
    text[0] = '\0';
    if (isfinite(x))
        at += (size_t)snprintf(text, 64, "%.*f", m->decimals, x);
    if (isfinite(x) && isfinite(se) && m->has_error)
        at += (size_t)snprintf(text + at, 64 - at, " ±%.1f", se);
    if (isfinite(paper) &&
        (isfinite(x) || (m == measures && !json_object_get(row, "error") &&
                         !json_object_get(row, "accuracy"))))
        snprintf(text + at, 64 - at, "%s(%.*f)", at ? " " : "", m->decimals,
                 paper);
}

/* Columns on the screen; UTF-8 continuation bytes take none. */
static int width_of(const char *text)
{
    int n = 0;
    for (; *text; ++text)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

typedef struct page {
    const json_t *rows;
    const char *group;
    const measure *m;
    reproduce_names methods, columns;
    int widths[REPRODUCE_NAMES];
} page;

static bool page_cell(const page *p, int64_t i, int64_t k, char text[64])
{
    const json_t *row =
        find(p->rows, p->group, p->methods.text[i], p->columns.text[k]);
    text[0] = '\0';
    if (row != NULL)
        cell_text(row, p->m, text);
    return text[0] != '\0';
}

/* Has any row of the group this number? */
static bool has_number(const json_t *rows, const char *group, const char *key)
{
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        const json_t *row = json_array_get(rows, i);
        if (is_in(row, group) && isfinite(reproduce_number(row, key)))
            return true;
    }
    return false;
}

/* Methods and columns that have a number, and the width of the columns. */
static void lay_out(page *p)
{
    char column[64], cell[64];
    for (size_t i = 0; i < json_array_size(p->rows); ++i) {
        const json_t *row = json_array_get(p->rows, i);
        cell_text(row, p->m, cell);
        if (cell[0] == '\0' || !is_in(row, p->group) ||
            reproduce_text(row, "figure")[0])
            continue;
        column_of(row, column);
        reproduce_name(&p->methods, reproduce_text(row, "method"));
        reproduce_name(&p->columns, column);
    }
    for (int64_t k = 0; k < p->columns.n; ++k) {
        p->widths[k] = width_of(p->columns.text[k]);
        for (int64_t i = 0; i < p->methods.n; ++i)
            if (page_cell(p, i, k, cell) && width_of(cell) > p->widths[k])
                p->widths[k] = width_of(cell);
    }
}

static akin_status print_line(app *a, const page *p, int64_t i, int first)
{
    char cell[64];
    int blanks = first - width_of(p->methods.text[i]);
    akin_status st = AKIN_OK;
    APP_TRY(app_print(a, "\n%s", p->methods.text[i]));
    for (int64_t k = 0; k < p->columns.n; ++k) {
        const bool there = page_cell(p, i, k, cell);
        blanks += 2 + p->widths[k] - width_of(cell);
        if (!there)
            continue;
        APP_TRY(app_print(a, "%*s%s", blanks, "", cell));
        blanks = 0;
    }
done:
    return st;
}

static akin_status print_page(app *a, const page *p)
{
    int first = 6;
    akin_status st = AKIN_OK;
    if (p->methods.n == 0)
        return AKIN_OK;
    for (int64_t i = 0; i < p->methods.n; ++i)
        if (width_of(p->methods.text[i]) > first)
            first = width_of(p->methods.text[i]);
    APP_TRY(
        app_print(a, "\n%s: %s%s\n%-*s", p->group, p->m->title,
                  has_number(p->rows, p->group, p->m->paper) ? " (theirs)" : "",
                  first, "method"));
    for (int64_t k = 0; k < p->columns.n; ++k)
        APP_TRY(app_print(a, "  %*s", p->widths[k], p->columns.text[k]));
    for (int64_t i = 0; i < p->methods.n; ++i)
        APP_TRY(print_line(a, p, i, first));
    APP_TRY(app_print(a, "\n"));
done:
    return st;
}

/* The options of each method, and how they were chosen. */
static akin_status print_settings(app *a, const json_t *rows, const char *group)
{
    reproduce_names seen = {.n = 0};
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        const json_t *row = json_array_get(rows, i);
        const int64_t before = seen.n;
        const char *chosen = reproduce_text(row, "chosen");
        if (!is_in(row, group) || !chosen[0] ||
            reproduce_text(row, "figure")[0])
            continue;
        reproduce_name(&seen, reproduce_text(row, "method"));
        if (seen.n > before)
            APP_TRY(app_print(a, "%s%s: %s%s%s%s%s\n", before ? "" : "\n",
                              reproduce_text(row, "method"), chosen,
                              reproduce_text(row, "params")[0] ? ", " : "",
                              reproduce_text(row, "params"),
                              reproduce_text(row, "setting")[0] ? "; " : "",
                              reproduce_text(row, "setting")));
    }
done:
    return st;
}

akin_status reproduce_print(app *a, const json_t *rows)
{
    reproduce_names groups = {.n = 0};
    char group[64];
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        group_of(json_array_get(rows, i), group);
        reproduce_name(&groups, group);
    }
    for (int64_t g = 0; g < groups.n; ++g) {
        for (size_t m = 0; m < sizeof measures / sizeof measures[0]; ++m) {
            page p = {.rows = rows, .group = groups.text[g], .m = &measures[m]};
            if (!has_number(rows, p.group, p.m->key))
                continue;
            lay_out(&p);
            APP_TRY(print_page(a, &p));
        }
        APP_TRY(print_settings(a, rows, groups.text[g]));
    }
done:
    return st;
}
