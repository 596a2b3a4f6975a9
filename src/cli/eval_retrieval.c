/* akin eval --task retrieval: rank rows for every query. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/eval.h"

/* All that a retrieval needs besides model and rows. */
typedef struct setting {
    akin_rows *others;  // --queries or --right
    int64_t *query_rows;
    akin_lists *relevant, *ignore, *like;
    unsigned char *exclude;
    const akin_rows *rows;  // the database
    akin_retrieval_options o;
} setting;

static akin_status open_rows(app *a, const cli_use *u, const eval_flags *f,
                             setting *s)
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

static akin_status open_setting(app *a, const cli_use *u, const eval_flags *f,
                                setting *s)
{
    akin_status st = AKIN_OK;
    *s = (setting){.o = AKIN_RETRIEVAL_DEFAULTS};
    APP_TRY(open_rows(a, u, f, s));
    APP_TRY(read_lists(a, s, &s->relevant, f->relevant));
    APP_TRY(read_lists(a, s, &s->ignore, f->ignore));
    APP_TRY(read_lists(a, s, &s->like, f->like));
    APP_TRY(read_exclude(a, s, f->exclude));
    if (f->relevant == NULL && akin_rows_label_count(s->rows) == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "%s has no labels (retrieval needs them, or "
                         "--relevant FILE)",
                         f->right ? f->right : u->path));
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

size_t cli_precision_text(char *text, size_t size, const double *precision)
{
    size_t at = 0;
    for (int i = 0; i < AKIN_PRECISIONS && at < size; ++i)
        at += (size_t)snprintf(text + at, size - at, ", P@%lld %.4f",
                               (long long)akin_precision_cut(i), precision[i]);
    return at;
}

json_t *cli_precision_json(const double *precision)
{
    char key[24];
    json_t *all = json_object();
    for (int i = 0; i < AKIN_PRECISIONS; ++i) {
        snprintf(key, sizeof key, "%lld", (long long)akin_precision_cut(i));
        json_object_set_new(all, key, app_json_real(precision[i]));
    }
    return all;
}

static void write_text(const akin_retrieval *r, double seconds,
                       cli_figures *out)
{
    const size_t size = sizeof out->text;
    size_t at = (size_t)snprintf(out->text, size, "map %.4f", r->map);
    at += cli_precision_text(out->text + at, size - at, r->precision_at);
    if (at < size)
        at += (size_t)snprintf(out->text + at, size - at, "\n%s over %s in %s",
                               app_counted(r->queries, "query").text,
                               app_counted(r->rows, "row").text,
                               app_seconds(seconds).text);
    if (r->skipped > 0 && at < size)
        snprintf(out->text + at, size - at, " (%s more have nothing relevant)",
                 app_count(r->skipped).text);
}

static json_t *write_json(const akin_retrieval *r, double seconds)
{
    return json_pack(
        "{s:o, s:o, s:I, s:I, s:I, s:o}", "map", app_json_real(r->map),
        "precision_at", cli_precision_json(r->precision_at), "queries",
        (json_int_t)r->queries, "skipped", (json_int_t)r->skipped, "rows",
        (json_int_t)r->rows, "seconds", app_json_real(seconds));
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
                json_pack("{s:o, s:I}", "map",
                          app_json_real(sums[k] / (double)counts[k]), "queries",
                          (json_int_t)counts[k]));
    return all;
}

/* As asked for, with --by-label. */
static akin_status measure(app *a, const cli_use *u, const eval_flags *f,
                           const setting *s, akin_retrieval *r, json_t **labels)
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

static akin_status plot(app *a, const cli_use *u, const setting *s,
                        const akin_retrieval *r, cli_plot *p)
{
    akin_retrieval_options o = s->o;
    akin_model *plain = NULL;
    akin_retrieval other;
    akin_status st = AKIN_OK;
    cli_plot_precision(p, cli_model_name(u), r->precision_at);
    APP_TRY(cli_plain_measure(a, &plain, u, s->rows));
    if (plain != NULL) {
        o.by = AKIN_BY_DEFAULT;
        APP_TRY(akin_eval_retrieval(&other, NULL, a->ctx, plain, s->rows, &o));
        cli_plot_precision(p, cli_plain_name(u), other.precision_at);
    }
done:
    akin_model_free(plain);
    return st;
}

akin_status cli_eval_retrieval(app *a, const cli_use *u, const eval_flags *f,
                               cli_figures *out)
{
    setting s;
    akin_retrieval r;
    json_t *labels = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(open_setting(a, u, f, &s));
    const double began = app_now();
    APP_TRY(measure(a, u, f, &s, &r, &labels));
    if (r.queries == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL, "%s: no query has anything relevant",
                         u->path));
    const double seconds = app_now() - began;
    write_text(&r, seconds, out);
    out->json = write_json(&r, seconds);
    if (labels != NULL)
        json_object_set(out->json, "by_label", labels);
    if (f->report != NULL)
        APP_TRY(plot(a, u, &s, &r, &out->plot));
done:
    json_decref(labels);
    close_setting(&s);
    return st;
}
