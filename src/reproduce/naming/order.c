/* The order of methods by accuracy, the paper's beside ours. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/reproduce.h"
#include "reproduce/naming/naming.h"

enum { MOST = 32, TEXT = 2048 };

/* Differences that many standard errors wide count; the faces are the same for
 * all methods, so that the error of a difference is at most this. */
static const double clear = 2.0;

typedef struct standing {
    const char *name;
    double ours, se, theirs;
} standing;

static int by_theirs(const void *left, const void *right)
{
    const standing *a = left, *b = right;
    return (a->theirs < b->theirs) - (a->theirs > b->theirs);
}

static int by_ours(const void *left, const void *right)
{
    const standing *a = left, *b = right;
    return (a->ours < b->ours) - (a->ours > b->ours);
}

/* Methods that the paper has too. */
static int64_t gather(const json_t *rows, standing *out)
{
    int64_t n = 0;
    for (size_t i = 0; i < json_array_size(rows) && n < MOST; ++i) {
        const json_t *row = json_array_get(rows, i);
        out[n] = (standing){
            reproduce_text(row, "method"), reproduce_number(row, "accuracy"),
            reproduce_number(row, "se"), reproduce_number(row, "paper_value")};
        n += isfinite(out[n].ours) && isfinite(out[n].theirs) &&
             reproduce_text(row, "figure")[0] == '\0';
    }
    return n;
}

typedef struct line {
    char text[TEXT];
    size_t n;
} line;

static void add(line *to, const char *before, const char *word)
{
    if (to->n < TEXT)
        to->n += (size_t)snprintf(to->text + to->n, TEXT - to->n, "%s%s",
                                  before, word);
}

static void add_order(line *to, json_t *row, const char *key, const standing *x,
                      int64_t n)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; ++i) {
        add(to, i > 0 ? " > " : "", x[i].name);
        json_array_append_new(list, json_string(x[i].name));
    }
    json_object_set_new(row, key, list);
}

/* Pairs that stand the other way round; x is in the paper's order. */
static void add_turned(line *to, json_t *row, const standing *x, int64_t n)
{
    json_t *list = json_array();
    int64_t within = 0;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = i + 1; j < n; ++j) {
            const double gap = x[j].ours - x[i].ours;
            const double wide = clear * hypot(x[i].se, x[j].se);
            within += gap > 0.0 && gap < wide;
            if (gap <= 0.0 || gap < wide)
                continue;
            add(to,
                json_array_size(list) > 0
                    ? ", "
                    : "; otherwise than theirs, by two standard errors or "
                      "more: ",
                x[j].name);
            add(to, " above ", x[i].name);
            json_array_append_new(list,
                                  json_pack("[s, s]", x[j].name, x[i].name));
        }
    const bool any = json_array_size(list) > 0;
    add(to, "",
        within == 0 ? any ? "" : "; the same"
        : any       ? "; where else they differ, it is by less"
                    : "; where they differ, it is by less than two standard "
                      "errors");
    json_object_set_new(row, "turned", list);
}

akin_status naming_add_order(app *a, const char *dataset, json_t *rows)
{
    standing x[MOST];
    line text = {.n = 0};
    const int64_t n = gather(rows, x);
    json_t *row =
        json_pack("{s:s, s:s}", "dataset", dataset, "method", "order");
    qsort(x, (size_t)n, sizeof *x, by_ours);
    add(&text, "by accuracy, ours ", "");
    add_order(&text, row, "ours", x, n);
    qsort(x, (size_t)n, sizeof *x, by_theirs);
    add(&text, "; theirs, on Labeled Yahoo! News, ", "");
    add_order(&text, row, "theirs", x, n);
    add_turned(&text, row, x, n);
    json_object_set_new(row, "chosen", json_string(text.text));
    return reproduce_add(a, rows, row);
}
