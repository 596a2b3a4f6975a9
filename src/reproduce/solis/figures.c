/* Figure 2, mAP against zero weights along lambda; and all plots. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/json.h"
#include "reproduce/solis/solis.h"

static const char *const lambdas =
    "lambda=0,1e-6,3e-6,1e-5,2e-5,4e-5,8e-5,1.6e-4";

/* The paper shows hertford. */
static int64_t shown_landmark(const solis_run *r)
{
    for (int64_t k = 0; k < r->splits.n_landmarks; ++k)
        if (strcmp(r->o.names[r->splits.landmarks[k]], "hertford") == 0)
            return k;
    return 0;
}

static akin_status add_point(solis_run *r, const solis_method *m,
                             const char *params, const char *landmark,
                             const solis_result *x)
{
    json_t *row = solis_row(r, "oxford5k", m, params, x);
    if (row == NULL)
        return app_fail(r->a, AKIN_ENOMEM, "out of memory");
    json_object_set_new(row, "figure", json_string("2"));
    json_object_set_new(row, "landmark", app_json_string(landmark));
    return reproduce_add(r->a, r->rows, row);
}

akin_status solis_figure2(solis_run *r)
{
    const int64_t k = shown_landmark(r);
    const oxford_split *s = split_at(&r->splits, 0, k);
    char params[96];
    akin_supervision *known = NULL;
    solis_queries e = {0};
    solis_result x;
    akin_status st = AKIN_OK;
    APP_TRY(solis_triplets_new(r, &known, s, 0));
    APP_TRY(solis_queries_new(r, &e, s, false));
    for (int64_t m = 0; m < solis_n_methods; ++m)
        for (int64_t i = 0;
             strncmp(solis_methods[m].name, "solis-", 6) == 0 &&
             solis_methods[m].paper >= 0 &&
             reproduce_candidate(lambdas, i, params, sizeof params);
             ++i) {
            APP_TRY(
                solis_try(r, &solis_methods[m], params, known, &e, &x, NULL));
            APP_TRY(add_point(r, &solis_methods[m], params,
                              r->o.names[s->landmark], &x));
        }
done:
    solis_queries_free(&e);
    akin_supervision_free(known);
    return st;
}

/* ---- plots ------------------------------------------------------------- */

static int column_of(const json_t *row)
{
    for (int64_t m = 0; m < solis_n_methods; ++m)
        if (reproduce_has(row, "method", solis_methods[m].name))
            return solis_methods[m].paper;
    return -2;
}

/* The landmark of Figure 2 in these rows, "" without one. */
static const char *shown_in(const json_t *rows)
{
    for (size_t i = 0; i < json_array_size(rows); ++i)
        if (reproduce_has(json_array_get(rows, i), "figure", "2"))
            return reproduce_text(json_array_get(rows, i), "landmark");
    return "";
}

static double most_distractors(const json_t *rows)
{
    double most = -1.0;
    for (size_t i = 0; i < json_array_size(rows); ++i)
        most = fmax(most,
                    reproduce_number(json_array_get(rows, i), "distractors"));
    return most;
}

static void about_landmark(const reproduce_view *v, char text[REPRODUCE_ABOUT])
{
    snprintf(text, REPRODUCE_ABOUT, ", %.40s", shown_in(v->rows));
}

static void about_distractors(const reproduce_view *v,
                              char text[REPRODUCE_ABOUT])
{
    snprintf(text, REPRODUCE_ABOUT, ", %.0f distractors",
             most_distractors(v->rows));
}

static double x_sparsity(const json_t *row)
{
    return reproduce_number(row, "sparsity");
}

static double x_distractors(const json_t *row)
{
    return reproduce_number(row, "distractors");
}

static bool is_in_book(const reproduce_view *v, const json_t *row)
{
    return reproduce_has(row, "codebook", v->value) && column_of(row) > -2;
}

/* The solis learners along lambda, the paper's other learners as points. */
static bool shows_lambda(const reproduce_view *v, const json_t *row)
{
    const int column = column_of(row);
    return is_in_book(v, row) && column > 0 &&
           reproduce_has(row, "figure", column > 4 ? "2" : "") &&
           reproduce_has(row, "landmark", shown_in(v->rows));
}

static bool shows_means(const reproduce_view *v, const json_t *row)
{
    return is_in_book(v, row) && reproduce_has(row, "figure", "") &&
           reproduce_has(row, "landmark", "") && !isfinite(x_distractors(row));
}

static bool shows_landmark_cost(const reproduce_view *v, const json_t *row)
{
    return !json_object_get(row, "beside") &&
           json_object_get(row, "landmark") &&
           reproduce_has(row, "landmark", shown_in(v->rows));
}

static bool shows_distractor_cost(const reproduce_view *v, const json_t *row)
{
    return !json_object_get(row, "beside") &&
           x_distractors(row) == most_distractors(v->rows);
}

#define COST(...) COST_(__VA_ARGS__)
#define COST_(file_, title_, y_, y_label_, unit_, shows_, about_)         \
    {                                                                     \
        .file = file_, .title = title_, .shows = shows_, .about = about_, \
        .x_label = "codebook", .group = "codebook", .y = y_,              \
        .y_label = y_label_, .unit = unit_, .log_y_if_wide = true,        \
        .width = 960                                                      \
    }
#define LANDMARK shows_landmark_cost, about_landmark
#define DISTRACTORS shows_distractor_cost, about_distractors
#define BUILD "index_seconds", "CPU seconds to build the index", 1
#define SEARCH "retrieval_ms", "CPU milliseconds per query", 1
#define SIZE "index_bytes", "megabytes of the index", 1e6

const reproduce_figure solis_figures[] = {
    {.file = "figure2_%s.svg",
     .title = "Figure 2: along lambda, %s words",
     .each = "codebook",
     .shows = shows_lambda,
     .about = about_landmark,
     .x = x_sparsity,
     .x_label = "zero weights, %",
     .y = "map",
     .y_label = "mAP %"},
    {.file = "table1_%s.svg",
     .title = "Table I: mAP over all landmarks, %s words",
     .each = "codebook",
     .shows = shows_means,
     .group = "method",
     .y = "map",
     .y_label = "mAP %",
     .beside = "paper_value",
     .width = 1400},
    {.file = "distractors_%s.svg",
     .title = "Tables IV to VI: mAP among distractors, %s words",
     .each = "codebook",
     .shows = is_in_book,
     .x = x_distractors,
     .x_label = "distractors",
     .y = "map",
     .y_label = "mAP %"},
    COST("figure3.svg", "Figure 3: time to build the index", BUILD, LANDMARK),
    COST("figure4.svg", "Figure 4: time to search", SEARCH, LANDMARK),
    COST("index_size.svg", "Size of the index", SIZE, LANDMARK),
    COST("figure5.svg", "Figure 5: time to build the index", BUILD,
         DISTRACTORS),
    COST("figure6.svg", "Figure 6: time to search", SEARCH, DISTRACTORS),
    COST("index_size_distractors.svg", "Size of the index", SIZE, DISTRACTORS),
    {0},
};
