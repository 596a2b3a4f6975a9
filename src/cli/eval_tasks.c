/* The tasks of akin eval: each measures a model on rows, and gives figures. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/eval.h"

/* A measure with 4 decimals, or with --exact all its digits. */
static app_text shown(const app *a, double x)
{
    app_text t;
    snprintf(t.text, sizeof t.text, "%.4f", x);
    return app_was_given(a, "exact") ? app_real(x) : t;
}

/* ---- rows that the model learned from ---- */

/* Count the rows `which[0..count)` (NULL: all) that the model learned from,
 * beside those counted before. */
static akin_status count_learned(app *a, const cli_use *u,
                                 const akin_rows *rows, const int64_t *which,
                                 int64_t count, akin_side side,
                                 cli_figures *out)
{
    akin_learned_rows *all = &out->learned, some;
    akin_status st = AKIN_OK;
    APP_TRY(akin_model_learned_rows(&some, a->ctx, u->model, rows, which, count,
                                    side));
    all->rows += some.rows;
    all->learned += some.learned;
    all->substantial |= some.substantial;
done:
    return st;
}

/* The same of the rows of pairs, on one side or on two. */
static akin_status count_learned_pairs(app *a, const cli_use *u,
                                       const akin_rows *right,
                                       const int64_t *pairs, int64_t n,
                                       cli_figures *out)
{
    int64_t *rows = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(app_alloc(a, n, 2 * sizeof *rows, &rows));
    for (int64_t t = 0; t < n; ++t) {
        rows[t] = pairs[3 * t];
        rows[n + t] = pairs[3 * t + 1];
    }
    if (right == u->data) {
        APP_TRY(count_learned(a, u, right, rows, 2 * n, AKIN_LEFT, out));
    } else {
        APP_TRY(count_learned(a, u, u->data, rows, n, AKIN_LEFT, out));
        APP_TRY(count_learned(a, u, right, rows + n, n, AKIN_RIGHT, out));
    }
done:
    free(rows);
    return st;
}

/* ---- plots, with a measure without learning beside the model ---- */

/* The measure without learning: euclidean where the model is a distance. */
static const char *plain_name(const cli_use *u)
{
    return akin_model_compare(u->model) == AKIN_BY_DISTANCE ? "euclidean"
                                                            : "cosine";
}

/* What the legend calls it: the learner, or the measure. */
static const char *model_name(const cli_use *u)
{
    return u->builtin ? u->name : akin_model_learner(u->model);
}

/* That measure for rows like those of --data; NULL where MODEL is one itself,
 * or where `right` has other columns. */
static akin_status plain_measure(app *a, akin_model **out, const cli_use *u,
                                 const akin_rows *right)
{
    if (u->builtin || akin_rows_dim(u->data) != akin_rows_dim(right))
        return AKIN_OK;
    return akin_model_builtin(out, a->ctx, plain_name(u), u->data);
}

cli_series *cli_plot_series(cli_plot *p, const char *name)
{
    cli_series *s = &p->series[p->n_series++];
    s->name = name;
    return s;
}

void cli_series_add(cli_series *s, double x, double y)
{
    s->x[s->n] = x;
    s->y[s->n++] = y;
}

/* Bars of precision at k. */
static void plot_precision(cli_plot *p, const char *name,
                           const double *precision)
{
    p->file = "precision.svg";
    p->title = "Precision at k";
    p->x_label = "k";
    p->y_label = "precision";
    p->as_bars = true;
    cli_series *s = cli_plot_series(p, name);
    for (int i = 0; i < AKIN_PRECISIONS; ++i)
        cli_series_add(s, (double)akin_precision_cut(i), precision[i]);
}

/* ---- retrieval: rank rows for every query ---- */

/* All that a retrieval needs besides model and rows. */
typedef struct setting {
    akin_rows *others;  // --queries or --right
    int64_t *query_rows;
    akin_lists *relevant, *ignore, *like;
    unsigned char *exclude;
    const akin_rows *rows;  // the database
    akin_retrieval_options o;
} setting;

static akin_status open_query_rows(app *a, const cli_use *u,
                                   const eval_flags *f, setting *s)
{
    akin_status st = AKIN_OK;
    s->rows = u->data;
    APP_TRY(cli_use_right(a, u, &s->others, f->right, f->right_labels));
    if (f->right != NULL) {
        s->rows = s->others;
        s->o.queries = u->data;
    } else if (f->queries != NULL) {
        APP_TRY(cli_use_read(a, u, &s->others, f->queries, f->query_labels,
                             AKIN_LEFT));
        s->o.queries = s->others;
    } else if (f->query_rows != NULL) {
        APP_TRY(akin_numbers_read(&s->query_rows, &s->o.n_query_rows, a->ctx,
                                  f->query_rows, akin_rows_count(u->data)));
        s->o.query_rows = s->query_rows;
    }
done:
    return st;
}

static akin_status read_lists(app *a, const setting *s, akin_lists **out,
                              const char *path)
{
    const akin_rows *queries = s->o.queries ? s->o.queries : s->rows;
    if (path == NULL)
        return AKIN_OK;
    return akin_lists_read(out, a->ctx, path, akin_rows_count(queries),
                           akin_rows_count(s->rows));
}

static akin_status read_exclude(app *a, setting *s, const char *path)
{
    int64_t *numbers = NULL, count = 0;
    const int64_t n = akin_rows_count(s->rows);
    akin_status st = AKIN_OK;
    if (path == NULL)
        return AKIN_OK;
    APP_TRY(akin_numbers_read(&numbers, &count, a->ctx, path, n));
    APP_TRY(APP_NEW(a, n, &s->exclude));
    for (int64_t i = 0; i < count; ++i)
        s->exclude[numbers[i]] = 1;
done:
    akin_free(numbers);
    return st;
}

/* Say how many results count as wrong because they have no label. */
static void tell_unlabelled(app *a, const setting *s, const char *path)
{
    const int64_t n = akin_rows_count(s->rows);
    int64_t unlabelled = 0;
    for (int64_t i = 0; s->relevant == NULL && i < n; ++i) {
        const int32_t *labels;
        unlabelled += (s->exclude == NULL || !s->exclude[i]) &&
                      akin_rows_labels(&labels, s->rows, i) == 0;
    }
    if (unlabelled > 0)
        app_remark(a, "%s: %s without a label count as wrong results", path,
                   app_counted(unlabelled, "row").text);
}

static akin_status open_setting(app *a, const cli_use *u, const eval_flags *f,
                                setting *s)
{
    akin_status st = AKIN_OK;
    *s = (setting){.o = AKIN_RETRIEVAL_DEFAULTS};
    APP_TRY(open_query_rows(a, u, f, s));
    APP_TRY(read_lists(a, s, &s->relevant, f->relevant));
    APP_TRY(read_lists(a, s, &s->ignore, f->ignore));
    APP_TRY(read_lists(a, s, &s->like, f->like));
    APP_TRY(read_exclude(a, s, f->exclude));
    if (f->relevant == NULL && akin_rows_label_count(s->rows) == 0)
        APP_TRY(app_fail(
            a, AKIN_EINVAL,
            "%s has no labels (retrieval needs --label-column, --labels or "
            "--relevant FILE)",
            f->right ? f->right : u->path));
    tell_unlabelled(a, s, f->right ? f->right : u->path);
    s->o.relevant = s->relevant;
    s->o.ignore = s->ignore;
    s->o.like = s->like;
    s->o.exclude = s->exclude;
    s->o.trapezoid = f->ap[0] == 't';
    s->o.by = cli_compare(f->score);
done:
    return st;
}

static void close_setting(setting *s)
{
    akin_rows_free(s->others);
    akin_free(s->query_rows);
    akin_lists_free(s->relevant);
    akin_lists_free(s->ignore);
    akin_lists_free(s->like);
    free(s->exclude);
}

/* ", P@1 0.3, ..." into `text`; returns its length. */
static size_t precision_text(const app *a, char *text, size_t size,
                             const double *precision)
{
    size_t at = 0;
    for (int i = 0; i < AKIN_PRECISIONS && at < size; ++i)
        at += (size_t)snprintf(text + at, size - at, ", P@%lld %s",
                               (long long)akin_precision_cut(i),
                               shown(a, precision[i]).text);
    return at;
}

static json_t *precision_json(const double *precision)
{
    char key[24];
    json_t *all = json_object();
    for (int i = 0; i < AKIN_PRECISIONS; ++i) {
        snprintf(key, sizeof key, "%lld", (long long)akin_precision_cut(i));
        json_object_set_new(all, key, app_json_real(precision[i]));
    }
    return all;
}

static void retrieval_text(const app *a, const akin_retrieval *r,
                           double seconds, cli_figures *out)
{
    const size_t size = sizeof out->text;
    size_t at =
        (size_t)snprintf(out->text, size, "map %s", shown(a, r->map).text);
    at += precision_text(a, out->text + at, size - at, r->precision_at);
    if (at < size)
        at += (size_t)snprintf(out->text + at, size - at, "\n%s over %s in %s",
                               app_counted(r->queries, "query").text,
                               app_counted(r->rows, "row").text,
                               app_seconds(seconds).text);
    if (r->skipped > 0 && at < size)
        snprintf(out->text + at, size - at, " (%s more have nothing relevant)",
                 app_count(r->skipped).text);
}

static json_t *retrieval_json(const akin_retrieval *r, double seconds)
{
    return APP_OBJECT(APP_KEY("map", r->map),
                      APP_KEY("precision_at", precision_json(r->precision_at)),
                      APP_KEY("queries", r->queries),
                      APP_KEY("skipped", r->skipped), APP_KEY("rows", r->rows),
                      APP_KEY("seconds", seconds));
}

/* The queries of each label: their number, and the mean of `ap` over those
 * that have an answer. */
static json_t *by_label(const cli_use *u, const setting *s, const double *ap,
                        int64_t n, double *sums, int64_t *counts)
{
    const akin_rows *rows = s->o.queries ? s->o.queries : u->data;
    json_t *all = json_object();
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *labels;
        const int64_t row = s->o.query_rows ? s->o.query_rows[i] : i;
        const int64_t count = akin_rows_labels(&labels, rows, row);
        for (int64_t k = 0; k < count && !isnan(ap[i]); ++k) {
            sums[labels[k]] += ap[i];
            ++counts[labels[k]];
        }
    }
    for (int64_t k = 0; k < akin_rows_label_count(rows); ++k)
        if (counts[k] > 0)
            json_object_set_new(
                all, akin_rows_label_name(rows, k),
                APP_OBJECT(APP_KEY("map", sums[k] / (double)counts[k]),
                           APP_KEY("queries", counts[k])));
    return all;
}

/* Run the retrieval; with --by-label also for each label. */
static akin_status run_retrieval(app *a, const cli_use *u, const eval_flags *f,
                                 const setting *s, akin_retrieval *r,
                                 json_t **labels)
{
    const akin_rows *queries = s->o.queries ? s->o.queries : u->data;
    const int64_t n = s->o.query_rows ? s->o.n_query_rows
                                      : akin_rows_count(queries);
    double *ap = NULL, *sums = NULL;
    int64_t *counts = NULL;
    akin_status st = AKIN_OK;
    if (!f->by_label)
        return akin_eval_retrieval(r, NULL, a->ctx, u->model, s->rows, &s->o);
    APP_TRY(APP_NEW(a, n, &ap));
    APP_TRY(APP_NEW(a, akin_rows_label_count(queries), &sums));
    APP_TRY(APP_NEW(a, akin_rows_label_count(queries), &counts));
    APP_TRY(akin_eval_retrieval(r, ap, a->ctx, u->model, s->rows, &s->o));
    *labels = by_label(u, s, ap, n, sums, counts);
done:
    free(ap);
    free(sums);
    free(counts);
    return st;
}

static akin_status plot_retrieval(app *a, const cli_use *u, const setting *s,
                                  const akin_retrieval *r, cli_plot *p)
{
    akin_retrieval_options o = s->o;
    akin_model *plain = NULL;
    akin_retrieval other;
    akin_status st = AKIN_OK;
    plot_precision(p, model_name(u), r->precision_at);
    APP_TRY(plain_measure(a, &plain, u, s->rows));
    if (plain != NULL) {
        o.by = AKIN_BY_DEFAULT;
        APP_TRY(akin_eval_retrieval(&other, NULL, a->ctx, plain, s->rows, &o));
        plot_precision(p, plain_name(u), other.precision_at);
    }
done:
    akin_model_free(plain);
    return st;
}

static akin_status eval_retrieval(app *a, const cli_use *u, const eval_flags *f,
                                  cli_figures *out)
{
    setting s;
    akin_retrieval r;
    json_t *labels = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(open_setting(a, u, f, &s));
    const double began = app_now();
    APP_TRY(run_retrieval(a, u, f, &s, &r, &labels));
    if (r.queries == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL, "%s: no query has anything relevant",
                         u->path));
    const double seconds = app_now() - began;
    APP_TRY(count_learned(a, u, s.o.queries ? s.o.queries : u->data,
                          s.o.query_rows, s.o.n_query_rows, AKIN_LEFT, out));
    retrieval_text(a, &r, seconds, out);
    out->json = retrieval_json(&r, seconds);
    if (labels != NULL)
        json_object_set(out->json, "by_label", labels);
    if (f->report != NULL)
        APP_TRY(plot_retrieval(a, u, &s, &r, &out->plot));
done:
    json_decref(labels);
    close_setting(&s);
    return st;
}

/* ---- knn and triplets ---- */

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

/* The share of labelled rows with a wrong prediction. */
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

/* The error for several numbers of neighbours, up to the rows of `train`. */
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
                       scores, cli_plot_series(p, model_name(u))));
    APP_TRY(plain_measure(a, &plain, u, train));
    if (plain != NULL)
        APP_TRY(add_errors(a, u, plain, AKIN_BY_DEFAULT, train, labels, scores,
                           cli_plot_series(p, plain_name(u))));
done:
    akin_model_free(plain);
    return st;
}

static akin_status eval_knn(app *a, const cli_use *u, const eval_flags *f,
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
    APP_TRY(count_learned(a, u, u->data, NULL, 0, AKIN_LEFT, out));
    const double error = share_wrong(train, labels, u->data, &n);
    const double seconds = app_now() - began;
    snprintf(out->text, sizeof out->text,
             "error %s\n%s by the %" PRId64 " nearest of %s in %s",
             shown(a, error).text, app_counted(n, "row").text, f->k,
             app_count(akin_rows_count(train)).text, app_seconds(seconds).text);
    out->json = APP_OBJECT(APP_KEY("error", error), APP_KEY("k", f->k),
                           APP_KEY("rows", n), APP_KEY("seconds", seconds));
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
    cli_series_add(cli_plot_series(p, model_name(u)), 0.0, error);
    APP_TRY(plain_measure(a, &plain, u, u->data));
    if (plain != NULL) {
        APP_TRY(akin_eval_triplets(&error, a->ctx, plain, u->data, triplets, n,
                                   AKIN_BY_DEFAULT));
        cli_series_add(cli_plot_series(p, plain_name(u)), 0.0, error);
    }
done:
    akin_model_free(plain);
    return st;
}

static akin_status eval_triplets(app *a, const cli_use *u, const eval_flags *f,
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
    APP_TRY(count_learned(a, u, u->data, triplets, 3 * n, AKIN_LEFT, out));
    snprintf(out->text, sizeof out->text, "error %s\n%s in %s",
             shown(a, error).text, app_counted(n, "triplet").text,
             app_seconds(seconds).text);
    out->json = APP_OBJECT(APP_KEY("error", error), APP_KEY("triplets", n),
                           APP_KEY("seconds", seconds));
    if (f->report != NULL)
        APP_TRY(plot_triplets(a, u, triplets, n, error, &out->plot));
done:
    free(triplets);
    return st;
}

/* ---- verify: are two rows the same? ---- */

static akin_status score_pairs(app *a, const akin_model *m, akin_compare by,
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

static void put_verification(const app *a, const akin_verification *v,
                             const eval_flags *f, int64_t n, double seconds,
                             cli_figures *out)
{
    snprintf(out->text, sizeof out->text,
             "accuracy %s +- %s, auc %s, eer %s\n"
             "threshold %s: %s false matches, %s missed\n%s in %s",
             shown(a, v->accuracy).text, shown(a, v->accuracy_se).text,
             shown(a, v->auc).text, shown(a, v->eer).text,
             app_score(a, v->threshold).text,
             app_percent(v->false_match_rate).text,
             app_percent(v->miss_rate).text, app_counted(n, "pair").text,
             app_seconds(seconds).text);
    out->json = APP_OBJECT(
        APP_KEY("accuracy", v->accuracy),
        APP_KEY("accuracy_se", v->accuracy_se), APP_KEY("auc", v->auc),
        APP_KEY("eer", v->eer), APP_KEY("threshold", v->threshold),
        APP_KEY("false_match_rate", v->false_match_rate),
        APP_KEY("miss_rate", v->miss_rate), APP_KEY("folds", f->folds),
        APP_KEY("pairs", n), APP_KEY("seconds", seconds));
}

/* The same pairs at the threshold that the model has, if any. */
static akin_status add_stored(app *a, const cli_use *u, akin_compare by,
                              const double *scores, const int64_t *pairs,
                              int64_t n, cli_figures *out)
{
    akin_threshold t;
    akin_verification v;
    akin_status st = AKIN_OK;
    if (!akin_model_threshold(&t, u->model, by))
        return AKIN_OK;
    APP_TRY(akin_eval_threshold(&v, a->ctx, scores, pairs, n, t.score));
    const size_t at = strlen(out->text);
    snprintf(out->text + at, sizeof out->text - at,
             "\nat the model's threshold %s: accuracy %s, %s false matches, "
             "%s missed",
             app_score(a, t.score).text, shown(a, v.accuracy).text,
             app_percent(v.false_match_rate).text,
             app_percent(v.miss_rate).text);
    json_object_set_new(
        out->json, "stored",
        APP_OBJECT(APP_KEY("threshold", t.score),
                   APP_KEY("accuracy", v.accuracy),
                   APP_KEY("false_match_rate", v.false_match_rate),
                   APP_KEY("miss_rate", v.miss_rate)));
done:
    return st;
}

/* Into the file of the model; u->model may have its sides exchanged. */
static akin_status save_threshold(app *a, const cli_use *u, akin_compare by,
                                  const akin_verification *v, int64_t n)
{
    const akin_threshold t = {v->threshold, v->false_match_rate, v->miss_rate,
                              n};
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (u->builtin)
        return app_fail(a, AKIN_EINVAL,
                        "--save-threshold needs a model file (%s is a measure "
                        "without one: give akin score its --threshold)",
                        u->name);
    APP_TRY(akin_model_load(&m, a->ctx, u->name));
    APP_TRY(akin_model_set_threshold(a->ctx, m, &t, by));
    APP_TRY(akin_model_save(a->ctx, m, u->name));
done:
    akin_model_free(m);
    return st;
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
static akin_status plot_roc(app *a, const cli_use *u, const akin_rows *right,
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
    APP_TRY(add_roc(a, p, model_name(u), scores, pairs, n));
    APP_TRY(plain_measure(a, &plain, u, right));
    if (plain != NULL) {
        APP_TRY(score_pairs(a, plain, AKIN_BY_DEFAULT, u->data, right, pairs, n,
                            scores));
        APP_TRY(add_roc(a, p, plain_name(u), scores, pairs, n));
    }
done:
    akin_model_free(plain);
    return st;
}

static akin_status eval_verify(app *a, const cli_use *u, const eval_flags *f,
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
    const akin_compare by = cli_compare(f->score);
    const double began = app_now();
    APP_TRY(score_pairs(a, u->model, by, u->data, right, pairs, n, scores));
    st = akin_eval_verify(&v, a->ctx, scores, pairs, n, f->folds);
    if (st == AKIN_EINVAL)
        app_fail(a, st, "%s: %s", f->pairs, akin_ctx_message(a->ctx));
    APP_TRY(st);
    put_verification(a, &v, f, n, app_now() - began, out);
    APP_TRY(add_stored(a, u, by, scores, pairs, n, out));
    if (f->save_threshold)
        APP_TRY(save_threshold(a, u, by, &v, n));
    APP_TRY(count_learned_pairs(a, u, right, pairs, n, out));
    if (f->report != NULL)
        APP_TRY(plot_roc(a, u, right, pairs, n, scores, &out->plot));
done:
    free(scores);
    free(pairs);
    akin_rows_free(other);
    return st;
}

/* ---- cross: recognition across two kinds of rows ---- */

/* A model that ranks labels needs no rows to compare with. */
static akin_status cross_by_rank(app *a, const cli_use *u, akin_cross *c)
{
    akin_ranking r = {0};
    if (akin_rows_label_count(u->data) == 0)
        return app_fail(a, AKIN_EINVAL, "the target rows have no labels");
    const akin_status st = akin_eval_rank(&r, NULL, a->ctx, u->model, u->data);
    const double p = r.precision_at[0];
    *c = (akin_cross){.accuracy = p,
                      .accuracy_se = sqrt(p * (1.0 - p) / (double)r.rows),
                      .rows = r.rows,
                      .skipped = r.skipped};
    return st;
}

static akin_status cross_by_nearest(app *a, const cli_use *u,
                                    const eval_flags *f, akin_cross *c)
{
    akin_rows *source = NULL, *train = NULL;
    akin_status st = AKIN_OK;
    if (f->source == NULL && f->train == NULL)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "--task cross needs --source FILE (rows with labels "
                         "to compare with)"));
    if (f->source != NULL)
        APP_TRY(cli_use_read(a, u, &source, f->source, f->source_labels,
                             AKIN_LEFT));
    if (f->train != NULL)
        APP_TRY(
            cli_use_read(a, u, &train, f->train, f->train_labels, AKIN_RIGHT));
    APP_TRY(akin_eval_cross(c, a->ctx, u->model, source, train, u->data,
                            cli_compare(f->score)));
done:
    akin_rows_free(source);
    akin_rows_free(train);
    return st;
}

static akin_status eval_cross(app *a, const cli_use *u, const eval_flags *f,
                              cli_figures *out)
{
    akin_cross c = {0};
    akin_status st = AKIN_OK;
    const double began = app_now();
    if (akin_model_label_count(u->model) > 0 &&
        (!akin_model_compares(u->model) ||
         (f->source == NULL && f->train == NULL)))
        APP_TRY(cross_by_rank(a, u, &c));
    else
        APP_TRY(cross_by_nearest(a, u, f, &c));
    const double seconds = app_now() - began;
    APP_TRY(count_learned(a, u, u->data, NULL, 0, AKIN_RIGHT, out));
    snprintf(out->text, sizeof out->text, "accuracy %s +- %s\n%s in %s",
             shown(a, c.accuracy).text, shown(a, c.accuracy_se).text,
             app_counted(c.rows, "row").text, app_seconds(seconds).text);
    out->json = APP_OBJECT(
        APP_KEY("accuracy", c.accuracy), APP_KEY("accuracy_se", c.accuracy_se),
        APP_KEY("rows", c.rows), APP_KEY("skipped", c.skipped),
        APP_KEY("seconds", seconds));
    out->plot = (cli_plot){.file = "accuracy.svg",
                           .title = "Labels recognised across views",
                           .y_label = "accuracy",
                           .as_bars = true,
                           .groups = {"target rows"}};
    cli_series_add(cli_plot_series(&out->plot, model_name(u)), 0.0, c.accuracy);
done:
    return st;
}

/* ---- rank: how high a ranker puts the labels of each row ---- */

static void ranking_text(const app *a, const akin_ranking *r, double seconds,
                         cli_figures *out)
{
    const size_t size = sizeof out->text;
    size_t at = (size_t)snprintf(out->text, size, "map %s, mrr %s",
                                 shown(a, r->map).text, shown(a, r->mrr).text);
    at += precision_text(a, out->text + at, size - at, r->precision_at);
    if (at < size)
        at += (size_t)snprintf(out->text + at, size - at, "\n%s over %s in %s",
                               app_counted(r->rows, "row").text,
                               app_counted(r->labels, "label").text,
                               app_seconds(seconds).text);
    if (r->skipped > 0 && at < size)
        snprintf(out->text + at, size - at, " (%s more have no label)",
                 app_count(r->skipped).text);
}

static akin_status eval_rank(app *a, const cli_use *u, const eval_flags *f,
                             cli_figures *out)
{
    akin_ranking r;
    akin_status st = AKIN_OK;
    (void)f;
    if (akin_rows_label_count(u->data) == 0)
        return app_fail(a, AKIN_EINVAL,
                        "rank needs labels, and --data has none");
    const double began = app_now();
    APP_TRY(akin_eval_rank(&r, NULL, a->ctx, u->model, u->data));
    const double seconds = app_now() - began;
    APP_TRY(count_learned(a, u, u->data, NULL, 0, AKIN_LEFT, out));
    ranking_text(a, &r, seconds, out);
    out->json =
        APP_OBJECT(APP_KEY("map", r.map), APP_KEY("mrr", r.mrr),
                   APP_KEY("precision_at", precision_json(r.precision_at)),
                   APP_KEY("rows", r.rows), APP_KEY("skipped", r.skipped),
                   APP_KEY("labels", r.labels), APP_KEY("seconds", seconds));
    plot_precision(&out->plot, model_name(u), r.precision_at);
done:
    return st;
}

/* ---- the list ---- */

static const struct {
    const char *name;
    akin_status (*run)(app *, const cli_use *, const eval_flags *,
                       cli_figures *);
} tasks[] = {
    {"retrieval", eval_retrieval}, {"knn", eval_knn},
    {"triplets", eval_triplets},   {"verify", eval_verify},
    {"cross", eval_cross},         {"rank", eval_rank},
};

akin_status cli_eval_task(app *a, const cli_use *u, const eval_flags *f,
                          cli_figures *out)
{
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; ++i)
        if (strcmp(tasks[i].name, f->task) == 0)
            return tasks[i].run(a, u, f, out);
    return app_fail(a, AKIN_EINVAL, "there is no task '%s'", f->task);
}
