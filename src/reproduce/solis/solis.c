/* akin reproduce solis: Gao and others, Sparse Online Learning of Image
 * Similarity, ACM TIST 8(5), 2017; Tables I to VI and Figures 2 to 6. */
#include "reproduce/solis/solis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "reproduce/common/figures.h"

/* ---- rows --------------------------------------------------------------- */

typedef enum { SOLIS_MAP, SOLIS_ZEROS, SOLIS_SECONDS } solis_measure;

const char *const solis_paper_keys[3] = {"paper_value", "paper_sparsity",
                                         "paper_seconds"};

enum { COLUMNS = 9 };

typedef struct paper_line {
    solis_measure what;
    const char *codebook, *landmark;
    double values[COLUMNS];
} paper_line;

#define NO (-1.0)
#define LINE(what, book, name, ...) {what, book, name, {__VA_ARGS__}},
#define MAP(...) LINE(SOLIS_MAP, __VA_ARGS__)
#define ZEROS(...) LINE(SOLIS_ZEROS, __VA_ARGS__)
#define SECONDS(...) LINE(SOLIS_SECONDS, __VA_ARGS__)
static const paper_line paper_lines[] = {
#include "reproduce/solis/paper.def"
};

static double paper_value(solis_measure what, const char *codebook,
                          const char *landmark, int column)
{
    for (size_t i = 0;
         column >= 0 && i < sizeof paper_lines / sizeof paper_lines[0]; ++i) {
        const paper_line *l = &paper_lines[i];
        if (l->what == what && strcmp(l->codebook, codebook) == 0 &&
            strcmp(l->landmark, landmark ? landmark : "") == 0)
            return l->values[column] < 0.0 ? NAN : l->values[column];
    }
    return NAN;
}

void solis_put_paper(json_t *row, const char *codebook, const char *landmark,
                     int column)
{
    for (int i = 0; i < 3; ++i)
        reproduce_put(
            row, solis_paper_keys[i],
            paper_value((solis_measure)i, codebook, landmark, column));
}

json_t *solis_row(const solis_run *r, const char *dataset,
                  const solis_method *m, const char *params,
                  const solis_result *x)
{
    const solis_cost *c = &x->cost;
    json_t *row = json_pack("{s:s, s:s, s:o}", "dataset", dataset, "method",
                            m->name, "codebook", app_json_string(r->book.name));
    reproduce_put(row, "map", x->map);
    reproduce_put(row, "sparsity", x->sparsity);
    reproduce_put(row, "seconds", x->seconds);
    if (x->examples > 0)
        reproduce_put_count(row, "examples", x->examples);
    if (c->bytes > 0.0) {
        reproduce_put(row, "index_seconds", c->seconds);
        reproduce_put(row, "index_bytes", c->bytes);
        reproduce_put(row, "postings", c->postings);
        reproduce_put(row, "retrieval_ms", c->ms);
    }
    reproduce_put_text(row, "preprocessing",
                       m->ranking == SOLIS_TFIDF
                           ? "weights=tfidf norm=l2"
                           : akin_recipe_text(r->book.recipe));
    reproduce_put_learner(row, m->learner, m->fixed, params);
    reproduce_put_text(row, "setting", m->setting);
    return row;
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

static double distractors_of(const json_t *row)
{
    return reproduce_number(row, "distractors");
}

static double most_distractors(const json_t *rows)
{
    double most = -1.0;
    for (size_t i = 0; i < json_array_size(rows); ++i)
        most = fmax(most, distractors_of(json_array_get(rows, i)));
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
    return is_in_book(v, row) && !isfinite(distractors_of(row));
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
           distractors_of(row) == most_distractors(v->rows);
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

static const reproduce_figure figures[] = {
    {.file = "figure2_%s.svg",
     .title = "Figure 2: along lambda, %s words",
     .each = "codebook",
     .shows = shows_lambda,
     .about = about_landmark,
     .x = "sparsity",
     .x_label = "zero weights, %",
     .y = "map",
     .y_label = "mAP %"},
    {.file = "table1_%s.svg",
     .title = "Table I: mAP over all landmarks, %s words",
     .each = "codebook",
     .where = "figure=,landmark=",
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
     .x = "distractors",
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

/* ---- a codebook --------------------------------------------------------- */

static akin_status book_open(solis_run *r, const oxford_book *file)
{
    akin_ctx *ctx = r->a->ctx;
    solis_book *b = &r->book;
    akin_recipe_options recipe = *akin_learner_find("solis-ada")->recipe;
    akin_supervision *nothing = NULL;  // no labels
    akin_status st = AKIN_OK;
    recipe.weights = "binary-idf";  // as in the paper
    b->name = file->name;
    APP_TRY(akin_rows_read(&b->counts, ctx, file->path, NULL));
    if (akin_rows_count(b->counts) != r->o.n)
        APP_TRY(app_fail(r->a, AKIN_ESHAPE,
                         "%s: %lld rows, but images.csv has %lld pictures",
                         file->path, (long long)akin_rows_count(b->counts),
                         (long long)r->o.n));
    APP_TRY(akin_model_builtin(&b->by_tfidf, ctx, "tfidf", b->counts));
    APP_TRY(
        akin_model_prepare(&b->tfidf, ctx, b->by_tfidf, b->counts, AKIN_LEFT));
    APP_TRY(akin_recipe_fit(&b->recipe, ctx, b->counts, &recipe));
    APP_TRY(akin_recipe_apply(&b->words, ctx, b->recipe, b->counts));
    APP_TRY(akin_supervision_new(&nothing, ctx, b->words, NULL, b->recipe));
    APP_TRY(akin_learn(&b->by_words, ctx, akin_learner_find("tfidf")->defaults,
                       nothing, NULL));
done:
    akin_supervision_free(nothing);
    return st;
}

static void book_close(solis_book *b)
{
    akin_model_free(b->by_words);
    akin_model_free(b->by_tfidf);
    akin_recipe_free(b->recipe);
    akin_rows_free(b->words);
    akin_rows_free(b->tfidf);
    akin_rows_free(b->counts);
    *b = (solis_book){0};
}

/* ---- the run ------------------------------------------------------------ */

/* The requested codebook; a quick run takes 10k words, or the smallest. */
static bool is_wanted(const solis_run *r, int64_t i)
{
    const reproduce_flags *f = r->flags;
    if (f->codebook != NULL)
        return strcmp(f->codebook, r->o.books[i].name) == 0;
    if (!f->quick)
        return true;
    for (int64_t k = 0; k < r->o.n_books; ++k)
        if (strcmp(r->o.books[k].name, "10k") == 0)
            return k == i;
    return i == 0;
}

static akin_status run_book(solis_run *r, const oxford_book *file)
{
    akin_status st = AKIN_OK;
    APP_TRY(book_open(r, file));
    APP_TRY(solis_tables(r));
    if (r->flags->report != NULL)
        APP_TRY(solis_figure2(r));
    APP_TRY(solis_distractors(r));
done:
    book_close(&r->book);
    return st;
}

static akin_status run(app *a, const reproduce_flags *f, json_t *rows)
{
    const int64_t n_splits = f->repeats > 0 ? f->repeats : f->quick ? 1 : 3;
    solis_run r = {.a = a, .flags = f, .rows = rows};
    int64_t n_books = 0;
    akin_status st = AKIN_OK;
    APP_TRY(oxford_open(a, &r.o, f->data));
    APP_TRY(f->splits ? splits_read(a, &r.splits, &r.o, f->splits, f->repeats)
                      : splits_draw(a, &r.splits, &r.o, n_splits));
    for (int64_t i = 0; i < r.o.n_books; ++i)
        n_books += is_wanted(&r, i);
    if (n_books == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL, "%s: no codebook '%s'", f->data,
                         f->codebook));
    reproduce_begin(&r.steps, a,
                    n_books *
                        (solis_table_steps(&r) + solis_distractor_steps(&r)));
    for (int64_t i = 0; i < r.o.n_books; ++i)
        if (is_wanted(&r, i))
            APP_TRY(run_book(&r, &r.o.books[i]));
done:
    reproduce_end(a);
    splits_free(&r.splits);
    oxford_close(&r.o);
    return st;
}

const reproduce_paper reproduce_solis = {
    .name = "solis",
    .title = "Sparse Online Learning of Image Similarity (Gao, Hoi, Zhang, "
             "Zhou, Wan, Chen, Li, Zhu; ACM TIST 2017)",
    .layout = "bow_*.svm[.gz|.zst], images.csv, landmarks.csv, "
              "groundtruth.csv, queries.csv",
    .takes = REPRODUCE_SPLITS | REPRODUCE_CODEBOOK,
    .is_here = oxford_is_here,
    .run = run,
    .figures = figures,
};
