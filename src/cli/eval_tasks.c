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

/* The error for some numbers of neighbours, as far as there are so many. */
static akin_status draw(app *a, const cli_use *u, const eval_flags *f,
                        const akin_rows *train, int32_t *labels, double *scores,
                        cli_curve *c)
{
    const int64_t all[] = {1, 2, 3, 5, 10, 20, 50, 100};
    int64_t n;
    akin_status st = AKIN_OK;
    c->file = "error.svg";
    c->title = "Error by neighbours";
    c->x_label = "k";
    c->y_label = "error";
    c->log_x = 1;
    for (int i = 0; i < 8 && (i == 0 || all[i] <= akin_rows_count(train));
         ++i) {
        APP_TRY(akin_predict(labels, scores, a->ctx, u->model, u->data, train,
                             all[i], 1, cli_compare(f->score)));
        c->x[c->n] = (double)all[i];
        c->y[c->n++] = share_wrong(train, labels, u->data, &n);
    }
done:
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
        APP_TRY(draw(a, u, f, train, labels, scores, &out->curve));
done:
    free(labels);
    free(scores);
    akin_rows_free(train);
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
done:
    free(triplets);
    return st;
}
