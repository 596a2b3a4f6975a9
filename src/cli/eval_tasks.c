/* akin eval: knn and triplets. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/eval.h"
#include "cli/lesson.h"

/* Is this label of `train` one of those that row i of `rows` has? Labels of
 * two files are the same when their names are. */
static bool is_right(const akin_rows *train, int32_t label,
                     const akin_rows *rows, int64_t i)
{
    const int32_t *labels;
    const int64_t n = akin_rows_labels(&labels, rows, i);
    if (label < 0)
        return false;
    const char *name = akin_rows_label_name(train, label);
    for (int64_t k = 0; k < n; ++k)
        if (strcmp(name, akin_rows_label_name(rows, labels[k])) == 0)
            return true;
    return false;
}

/* The share of labelled rows that got a wrong one. */
static double share_wrong(const akin_rows *train, const int32_t *predicted,
                          const akin_rows *rows, int64_t *counted)
{
    int64_t wrong = 0, n = 0;
    for (int64_t i = 0; i < akin_rows_count(rows); ++i) {
        const int32_t *labels;
        if (akin_rows_labels(&labels, rows, i) == 0)
            continue;
        ++n;
        wrong += !is_right(train, predicted[i], rows, i);
    }
    *counted = n;
    return n > 0 ? (double)wrong / (double)n : 0.0;
}

static akin_status check_labels(app *a, const akin_rows *rows, const char *what)
{
    if (akin_rows_label_count(rows) > 0)
        return AKIN_OK;
    return app_fail(a, AKIN_EINVAL, "knn needs labels, and %s has none", what);
}

/* The error for some numbers of neighbours, as far as `train` has so many. */
static akin_status add_errors(app *a, const cli_use *u, const akin_model *m,
                              akin_compare by, const akin_rows *train,
                              int32_t *labels, double *scores, cli_series *s)
{
    const int64_t all[] = {1, 2, 3, 5, 10, 20, 50, 100};
    int64_t n;
    akin_status st = AKIN_OK;
    for (int i = 0; i < 8 && (i == 0 || all[i] <= akin_rows_count(train));
         ++i) {
        APP_TRY(akin_predict(labels, scores, a->ctx, m, u->data, train, all[i],
                             1, by));
        cli_series_add(s, (double)all[i],
                       share_wrong(train, labels, u->data, &n));
    }
done:
    return st;
}

static akin_status plot_knn(app *a, const cli_use *u, const eval_flags *f,
                            const akin_rows *train, int32_t *labels,
                            double *scores, cli_plot *p)
{
    akin_model *plain = NULL;
    akin_status st = AKIN_OK;
    p->file = "error.svg";
    p->title = "Error by number of neighbours";
    p->x_label = "neighbours k";
    p->y_label = "error";
    p->log_x = 1;
    APP_TRY(add_errors(a, u, u->model, cli_compare(f->score), train, labels,
                       scores, cli_plot_series(p, cli_model_name(u))));
    APP_TRY(cli_plain_measure(a, &plain, u, train));
    if (plain != NULL)
        APP_TRY(add_errors(a, u, plain, AKIN_BY_DEFAULT, train, labels, scores,
                           cli_plot_series(p, cli_plain_name(u))));
done:
    akin_model_free(plain);
    return st;
}

akin_status cli_eval_knn(app *a, const cli_use *u, const eval_flags *f,
                         cli_figures *out)
{
    akin_rows *train = NULL;
    int32_t *labels = NULL;
    double *scores = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    APP_TRY(check_labels(a, u->data, u->path));
    APP_TRY(cli_use_read(a, u, &train, f->train, f->train_labels, AKIN_RIGHT));
    APP_TRY(check_labels(a, train, f->train));
    APP_TRY(APP_NEW(a, akin_rows_count(u->data), &labels));
    APP_TRY(APP_NEW(a, akin_rows_count(u->data), &scores));
    const double began = app_now();
    APP_TRY(akin_predict(labels, scores, a->ctx, u->model, u->data, train, f->k,
                         1, cli_compare(f->score)));
    const double error = share_wrong(train, labels, u->data, &n);
    const double seconds = app_now() - began;
    snprintf(out->text, sizeof out->text,
             "error %.4f\n%s by the %" PRId64 " nearest of %s in %s", error,
             app_counted(n, "row").text, f->k,
             app_count(akin_rows_count(train)).text, app_seconds(seconds).text);
    out->json = json_pack("{s:o, s:I, s:I, s:o}", "error", app_json_real(error),
                          "k", (json_int_t)f->k, "rows", (json_int_t)n,
                          "seconds", app_json_real(seconds));
    if (f->report != NULL)
        APP_TRY(plot_knn(a, u, f, train, labels, scores, &out->plot));
done:
    free(labels);
    free(scores);
    akin_rows_free(train);
    return st;
}

static akin_status plot_triplets(app *a, const cli_use *u,
                                 const int64_t *triplets, int64_t n,
                                 double error, cli_plot *p)
{
    akin_model *plain = NULL;
    akin_status st = AKIN_OK;
    *p = (cli_plot){.file = "error.svg",
                    .title = "Triplets in the wrong order",
                    .y_label = "error",
                    .as_bars = true,
                    .groups = {"triplets"}};
    cli_series_add(cli_plot_series(p, cli_model_name(u)), 0.0, error);
    APP_TRY(cli_plain_measure(a, &plain, u, u->data));
    if (plain != NULL) {
        APP_TRY(akin_eval_triplets(&error, a->ctx, plain, u->data, triplets, n,
                                   AKIN_BY_DEFAULT));
        cli_series_add(cli_plot_series(p, cli_plain_name(u)), 0.0, error);
    }
done:
    akin_model_free(plain);
    return st;
}

akin_status cli_eval_triplets(app *a, const cli_use *u, const eval_flags *f,
                              cli_figures *out)
{
    int64_t *triplets = NULL, n = 0;
    double error = 0.0;
    akin_status st = AKIN_OK;
    APP_TRY(cli_read_examples(a, &triplets, &n, AKIN_TRIPLETS, f->triplets,
                              u->data, u->data));
    if (n == 0)
        APP_TRY(cli_no_examples(a, AKIN_TRIPLETS, f->triplets));
    const double began = app_now();
    APP_TRY(akin_eval_triplets(&error, a->ctx, u->model, u->data, triplets, n,
                               cli_compare(f->score)));
    const double seconds = app_now() - began;
    snprintf(out->text, sizeof out->text, "error %.4f\n%s in %s", error,
             app_counted(n, "triplet").text, app_seconds(seconds).text);
    out->json = json_pack("{s:o, s:I, s:o}", "error", app_json_real(error),
                          "triplets", (json_int_t)n, "seconds",
                          app_json_real(seconds));
    if (f->report != NULL)
        APP_TRY(plot_triplets(a, u, triplets, n, error, &out->plot));
done:
    free(triplets);
    return st;
}
