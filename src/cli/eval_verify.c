/* akin eval --task verify: are two rows the same? */
#include <stdio.h>
#include <stdlib.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/eval.h"

static akin_status score(app *a, const akin_model *m, akin_compare by,
                         const akin_rows *left, const akin_rows *right,
                         const int64_t *pairs, int64_t n, double *scores)
{
    int64_t *ij = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(app_alloc(a, n, 2 * sizeof *ij, &ij));
    for (int64_t t = 0; t < n; ++t) {
        ij[2 * t] = pairs[3 * t];
        ij[2 * t + 1] = pairs[3 * t + 1];
    }
    APP_TRY(akin_model_score(scores, a->ctx, m, left, right, ij, n, by));
done:
    free(ij);
    return st;
}

static void write_figures(const akin_verification *v, const eval_flags *f,
                          int64_t n, double seconds, cli_figures *out)
{
    snprintf(out->text, sizeof out->text,
             "accuracy %.4f +- %.4f, auc %.4f, eer %.4f\n%s in %s", v->accuracy,
             v->accuracy_se, v->auc, v->eer, app_counted(n, "pair").text,
             app_seconds(seconds).text);
    out->json = json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:o}", "accuracy",
                          app_json_real(v->accuracy), "accuracy_se",
                          app_json_real(v->accuracy_se), "auc",
                          app_json_real(v->auc), "eer", app_json_real(v->eer),
                          "folds", (json_int_t)f->folds, "pairs", (json_int_t)n,
                          "seconds", app_json_real(seconds));
}

static akin_status add_roc(app *a, cli_plot *p, const char *name,
                           const double *scores, const int64_t *pairs,
                           int64_t n)
{
    cli_series *s = cli_plot_series(p, name);
    return akin_eval_roc(s->x, s->y, &s->n, a->ctx, scores, pairs, n,
                         CLI_PLOT_MOST);
}

/* The curve of the scores, and that of the plain measure; `scores` is
 * overwritten. */
static akin_status plot(app *a, const cli_use *u, const akin_rows *right,
                        const int64_t *pairs, int64_t n, double *scores,
                        cli_plot *p)
{
    akin_model *plain = NULL;
    akin_status st = AKIN_OK;
    p->file = "roc.svg";
    p->title = "ROC of same or different";
    p->x_label = "false positive rate";
    p->y_label = "true positive rate";
    p->chance = "chance";
    APP_TRY(add_roc(a, p, cli_model_name(u), scores, pairs, n));
    APP_TRY(cli_plain_measure(a, &plain, u, right));
    if (plain != NULL) {
        APP_TRY(
            score(a, plain, AKIN_BY_DEFAULT, u->data, right, pairs, n, scores));
        APP_TRY(add_roc(a, p, cli_plain_name(u), scores, pairs, n));
    }
done:
    akin_model_free(plain);
    return st;
}

akin_status cli_eval_verify(app *a, const cli_use *u, const eval_flags *f,
                            cli_figures *out)
{
    akin_rows *other = NULL;
    int64_t *pairs = NULL, n = 0;
    double *scores = NULL;
    akin_verification v;
    akin_status st = AKIN_OK;
    APP_TRY(cli_use_right(a, u, &other, f->right, NULL));
    const akin_rows *right = other ? other : u->data;
    APP_TRY(
        cli_read_examples(a, &pairs, &n, AKIN_PAIRS, f->pairs, u->data, right));
    APP_TRY(APP_NEW(a, n, &scores));
    const double began = app_now();
    APP_TRY(score(a, u->model, cli_compare(f->score), u->data, right, pairs, n,
                  scores));
    st = akin_eval_verify(&v, a->ctx, scores, pairs, n, f->folds);
    if (st == AKIN_EINVAL)
        app_fail(a, st, "%s: %s", f->pairs, akin_ctx_message(a->ctx));
    APP_TRY(st);
    write_figures(&v, f, n, app_now() - began, out);
    if (f->report != NULL)
        APP_TRY(plot(a, u, right, pairs, n, scores, &out->plot));
done:
    free(scores);
    free(pairs);
    akin_rows_free(other);
    return st;
}
