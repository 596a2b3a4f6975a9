/* The paper's figures, as lines through rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/loreta/loreta.h"

static double x_examples(const json_t *row)
{
    return reproduce_number(row, "examples");
}

static double x_seconds(const json_t *row)
{
    return reproduce_number(row, "seconds");
}

/* A full matrix has the rank of its features; without a model, it is the rank
 * of models with as many features. */
static double x_rank(const json_t *row)
{
    const double rank = reproduce_number(row, "rank");
    const double features = reproduce_number(row, "features");
    if (isfinite(rank))
        return rank;
    return reproduce_text(row, "learner")[0] ? features
                                             : LORETA_MEMORY / features;
}

static bool is_of(const json_t *row, const char *figure, const char *table)
{
    const char *own = reproduce_text(row, "table");
    const size_t n = strlen(own), m = strlen(table);
    return reproduce_has(row, "figure", figure) && n >= m &&
           strcmp(own + n - m, table) == 0;
}

static bool shows_3a(const reproduce_view *v, const json_t *row)
{
    (void)v;
    return is_of(row, "3a", "triplets");
}

static bool shows_3a_long(const reproduce_view *v, const json_t *row)
{
    (void)v;
    return is_of(row, "3a long", "triplets");
}

static bool shows_3c(const reproduce_view *v, const json_t *row)
{
    (void)v;
    return is_of(row, "", "100000 triplets");
}

static bool shows_4(const reproduce_view *v, const json_t *row)
{
    (void)v;
    return is_of(row, "", "labels");
}

/* Models of this rank and full matrices, if any model of the rank is there. */
static bool shows_5(const reproduce_view *v, const json_t *row)
{
    const double rank = strtod(v->value, NULL);
    bool any = false;
    for (size_t i = 0; i < json_array_size(v->rows) && !any; ++i) {
        const json_t *other = json_array_get(v->rows, i);
        any = is_of(other, "5", "labels") &&
              reproduce_number(other, "rank") == rank &&
              !json_is_true(json_object_get(other, "full"));
    }
    return any && is_of(row, "5", "labels") &&
           (reproduce_number(row, "rank") == rank ||
            json_is_true(json_object_get(row, "full")));
}

#define LINES \
    .y = "map", .y_label = "mAP %", .log_x = true, .width = 900, .height = 560

const reproduce_figure loreta_figures[] = {
    {.file = "figure3a.svg",
     .title = "Figure 3a: along learning",
     .shows = shows_3a,
     .x = x_examples,
     .x_label = "triplets",
     .by_rank = true,
     LINES},
    {.file = "figure3a_long.svg",
     .title = "Figure 3a, continued: along learning, rank 30",
     .shows = shows_3a_long,
     .x = x_examples,
     .x_label = "triplets",
     .by_rank = true,
     LINES},
    {.file = "figure3c.svg",
     .title = "Figure 3c: at equal memory",
     .shows = shows_3c,
     .x = x_rank,
     .x_label = "rank",
     LINES},
    {.file = "figure4.svg",
     .title = "Figure 4: label ranking",
     .shows = shows_4,
     .x = x_rank,
     .x_label = "rank",
     LINES},
    {.file = "figure5_k%s.svg",
     .title = "Figure 5: label ranking along learning, rank %s",
     .each = "rank",
     .shows = shows_5,
     .x = x_seconds,
     .x_label = "seconds",
     LINES},
    {0},
};
