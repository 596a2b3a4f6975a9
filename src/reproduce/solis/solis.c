/* akin reproduce solis: Gao and others, Sparse Online Learning of Image
 * Similarity, ACM TIST 8(5), 2017; Tables I to VI and Figures 2 to 6. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/solis/solis.h"

/* ---- a codebook --------------------------------------------------------- */

static akin_status check_rows(const solis_run *r, const oxford_book *file)
{
    const int64_t n = akin_rows_count(r->book.counts);
    if (n == r->o.n)
        return AKIN_OK;
    return app_fail(r->a, AKIN_ESHAPE,
                    "%s: %lld rows, but images.csv has %lld pictures",
                    file->path, (long long)n, (long long)r->o.n);
}

static akin_status book_open(solis_run *r, const oxford_book *file)
{
    akin_ctx *ctx = r->a->ctx;
    solis_book *b = &r->book;
    akin_supervision *nothing = NULL;  // no labels
    akin_status st = AKIN_OK;
    b->name = file->name;
    APP_TRY(akin_rows_read(&b->counts, ctx, file->path, NULL));
    APP_TRY(check_rows(r, file));
    APP_TRY(akin_model_builtin(&b->by_tfidf, ctx, "tfidf", b->counts));
    APP_TRY(
        akin_model_prepare(&b->tfidf, ctx, b->by_tfidf, b->counts, AKIN_LEFT));
    APP_TRY(akin_recipe_fit(&b->recipe, ctx, b->counts,
                            akin_learner_find("solis-ada")->recipe));
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

static int64_t count_books(const solis_run *r)
{
    int64_t n = 0;
    for (int64_t i = 0; i < r->o.n_books; ++i)
        n += is_wanted(r, i);
    return n;
}

static akin_status take_splits(solis_run *r)
{
    const reproduce_flags *f = r->flags;
    if (f->splits != NULL)
        return splits_read(r->a, &r->splits, &r->o, f->splits, f->repeats);
    return splits_draw(r->a, &r->splits, &r->o,
                       f->repeats > 0 ? f->repeats
                       : f->quick     ? 1
                                      : 3);
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
    solis_run r = {.a = a, .flags = f, .rows = rows};
    akin_status st = AKIN_OK;
    APP_TRY(oxford_open(a, &r.o, f->data));
    APP_TRY(take_splits(&r));
    const int64_t n_books = count_books(&r);
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
    .takes = " splits codebook ",
    .is_here = oxford_is_here,
    .run = run,
    .figures = solis_figures,
};
