/* The tables of face naming: Table I's line of the data, Table II at the true
 * real-name ratio, pictures of Figure 2 and the curves of Figures 3 to 5.
 *   Xiao, Xu, Wu. Automatic face naming by learning discriminative affinity
 *   matrices from weakly labeled images. TNNLS 26(10), 2015.
 *
 * The paper's values are those of its larger set (Labeled Yahoo! News). */
#include <akin/naming.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/figures.h"
#include "reproduce/naming/naming.h"

enum { RATIOS = 10 };

typedef struct method {
    const char *name, *shown;
    double accuracy, precision;  // the paper's, %
    bool slow;
} method;

static const method methods[] = {
    {"mms", "MMS", 78.4, 79.7, false},
    {"mildml", "MildML", 68.4, 65.8, true},
    {"lr-svm", "LR-SVM", 69.7, 69.0, false},
    {"cgmm", "cGMM", 75.0, 75.5, false},
    {"asml", "ASML", 71.0, 71.5, false},
    {"lrr", "LRR", 79.7, 79.7, false},
    {"rlrr", "rLRR", 83.0, 83.6, true},
    {"lrrml", "LRRml", 81.0, 81.2, false},
    {"rlrrml", "rLRRml", 83.2, 83.9, true},
    {"fused", "fused", NAN, NAN, false},
    {"mean", "mean direction", NAN, NAN, false},
    {"kmeans", "k-means", NAN, NAN, false},
    {"knn", "k nearest", NAN, NAN, false},
    {"kernel", "plain kernel", NAN, NAN, false},
};
enum { METHODS = sizeof methods / sizeof *methods };

/* ---- measuring ----------------------------------------------------------- */

/* Name this many faces and compare with the truth. */
static akin_status measure(naming_dataset *s, const akin_naming *naming,
                           int64_t count, akin_naming_measure *out,
                           akin_names_info *info)
{
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    akin_status st = AKIN_OK;
    o.named_count = count;
    APP_TRY(akin_naming_names(s->names, NULL, s->a->ctx, naming, &o, info));
    APP_TRY(akin_naming_compare(out, s->a->ctx, naming, s->names, s->truth));
done:
    return st;
}

static json_t *row_of(const naming_dataset *s, const char *name,
                      const akin_naming_measure *m)
{
    json_t *row =
        json_pack("{s:s, s:s}", "dataset", s->dataset, "method", name);
    const double p = m->accuracy;
    reproduce_put(row, "accuracy", 100.0 * p);
    reproduce_put(row, "se", 100.0 * sqrt(p * (1.0 - p) / (double)m->faces));
    reproduce_put(row, "precision", 100.0 * m->precision);
    reproduce_put(row, "real_name_ratio", m->real_name_ratio);
    return row;
}

/* Table I: the line of this set of faces. */
static akin_status add_data(naming_dataset *s, const akin_naming *naming,
                            json_t *rows)
{
    const double photos = (double)s->photos, n = (double)s->n;
    akin_naming_info info;
    char text[512];
    akin_naming_get_info(&info, naming);
    json_t *row = json_pack("{s:s, s:s, s:I, s:I, s:I}", "dataset", s->dataset,
                            "method", "Table I", "photos",
                            (json_int_t)s->photos, "faces", (json_int_t)s->n,
                            "names", (json_int_t)info.names);
    reproduce_put(row, "faces_per_photo", n / photos);
    reproduce_put(row, "names_per_caption", (double)s->caption_names / photos);
    reproduce_put(row, "real_name_ratio", (double)s->named / n);
    snprintf(text, sizeof text,
             "%" PRId64 " photos, %" PRId64 " faces, %" PRId64
             " names, %.2f faces a photo, %.2f names a caption, real-name "
             "ratio %.2f (Labeled Yahoo! News: 10128, 15868, 214, 1.57, 1.37, "
             "0.56); every method names %" PRId64
             " faces, as many as have a name in truth; lrr votes for its own "
             "names (self_votes 1), as published",
             s->photos, s->n, info.names, n / photos,
             (double)s->caption_names / photos, (double)s->named / n, s->named);
    reproduce_put_text(row, "chosen", text);
    return reproduce_add(s->a, rows, row);
}

/* Figures 3 and 4: the same method at other real-name ratios. */
static akin_status add_curve(naming_dataset *s, const akin_naming *naming,
                             const char *name, json_t *rows)
{
    akin_status st = AKIN_OK;
    for (int k = 1; k <= RATIOS; ++k) {
        akin_naming_measure m;
        APP_TRY(measure(s, naming, s->n * k / RATIOS, &m, NULL));
        json_t *row = row_of(s, name, &m);
        reproduce_put_text(row, "figure", "3");
        APP_TRY(reproduce_add(s->a, rows, row));
    }
done:
    return st;
}

static akin_status run_method(naming_dataset *s, const method *x,
                              const akin_options *o, const char *shown,
                              json_t *rows)
{
    akin_naming *naming = NULL;
    akin_naming_info info;
    akin_names_info names;
    akin_naming_measure m;
    akin_status st = AKIN_OK;
    APP_TRY(akin_naming_learn(&naming, s->a->ctx, o, s->known, NULL));
    akin_naming_get_info(&info, naming);
    APP_TRY(measure(s, naming, s->named, &m, &names));
    if (json_array_size(rows) == 0)
        APP_TRY(add_data(s, naming, rows));
    json_t *row = row_of(s, shown, &m);
    reproduce_put(row, "seconds", info.seconds + names.seconds);
    reproduce_put(row, "paper_value", x->accuracy);
    reproduce_put(row, "paper_precision", x->precision);
    APP_TRY(reproduce_add(s->a, rows, row));
    APP_TRY(add_curve(s, naming, shown, rows));
done:
    akin_naming_free(naming);
    return st;
}

/* Only one of the two cases of H penalised. */
static akin_status run_penalties(naming_dataset *s, json_t *rows)
{
    static const char *const whats[] = {"irrelevant", "self"};
    static const method unknown = {"rlrr", "", NAN, NAN, true};
    akin_status st = AKIN_OK;
    for (int k = 0; k < 2 && st == AKIN_OK; ++k) {
        char shown[32];
        akin_options *o = NULL;
        snprintf(shown, sizeof shown, "rLRR, %s", whats[k]);
        st = naming_options(&o, s, "rlrr");
        if (st == AKIN_OK)
            st = akin_options_set(s->a->ctx, o, "penalise", whats[k]);
        if (st == AKIN_OK)
            st = run_method(s, &unknown, o, shown, rows);
        akin_options_free(o);
    }
    return st;
}

/* Figure 5: a method with one option at `factor` times its default. */
static akin_status run_value(naming_dataset *s, const char *name,
                             const char *option, double factor, json_t *rows)
{
    akin_options *o = NULL;
    akin_naming *naming = NULL;
    akin_naming_measure m;
    char text[64], figure[32];
    akin_status st = AKIN_OK;
    APP_TRY(naming_options(&o, s, name));
    APP_TRY(akin_options_get(text, s->a->ctx, o, option, sizeof text));
    const double value = factor * strtod(text, NULL);
    snprintf(text, sizeof text, "%.17g", value);
    APP_TRY(akin_options_set(s->a->ctx, o, option, text));
    APP_TRY(akin_naming_learn(&naming, s->a->ctx, o, s->known, NULL));
    APP_TRY(measure(s, naming, s->named, &m, NULL));
    json_t *row = row_of(s, name, &m);
    snprintf(figure, sizeof figure, "5 %s", option);
    reproduce_put_text(row, "figure", figure);
    reproduce_put_text(row, "parameter", option);
    reproduce_put(row, "value", value);
    APP_TRY(reproduce_add(s->a, rows, row));
done:
    akin_naming_free(naming);
    akin_options_free(o);
    return st;
}

/* One option after the other around its default. */
static akin_status run_parameters(naming_dataset *s, bool quick, json_t *rows)
{
    static const double wide[] = {0.1, 0.3, 1.0, 3.0, 10.0};
    static const double alphas[] = {0.1, 0.5, 1.0, 2.0, 5.0};
    static const struct {
        const char *method, *option;
        const double *factors;
    } runs[] = {
        {"lrr", "kappa", wide},
        {"asml", "sigma", wide},
        {"lrrml", "alpha", alphas},
        {"rlrr", "gamma", wide},
    };
    akin_status st = AKIN_OK;
    for (int i = 0; i < (quick ? 1 : 4); ++i)
        for (int k = 0; k < 5; ++k)
            APP_TRY(run_value(s, runs[i].method, runs[i].option,
                              runs[i].factors[k], rows));
done:
    return st;
}

/* ---- the order of methods ------------------------------------------------ */

enum { MOST = 32, TEXT = 2048 };

/* A difference counts from this many standard errors on. All methods name the
 * same faces, so the true error of a difference is at most this. */
static const double clear = 2.0;

typedef struct ranked_method {
    const char *name;
    double ours, se, theirs;
} ranked_method;

static int by_theirs(const void *left, const void *right)
{
    const ranked_method *a = left, *b = right;
    return (a->theirs < b->theirs) - (a->theirs > b->theirs);
}

static int by_ours(const void *left, const void *right)
{
    const ranked_method *a = left, *b = right;
    return (a->ours < b->ours) - (a->ours > b->ours);
}

/* Methods with a number in the paper. */
static int64_t gather(const json_t *rows, ranked_method *out)
{
    int64_t n = 0;
    for (size_t i = 0; i < json_array_size(rows) && n < MOST; ++i) {
        const json_t *row = json_array_get(rows, i);
        out[n] = (ranked_method){
            reproduce_text(row, "method"), reproduce_number(row, "accuracy"),
            reproduce_number(row, "se"), reproduce_number(row, "paper_value")};
        n += isfinite(out[n].ours) && isfinite(out[n].theirs) &&
             reproduce_text(row, "figure")[0] == '\0';
    }
    return n;
}

typedef struct order_text {
    char text[TEXT];
    size_t n;
} order_text;

static void add(order_text *to, const char *before, const char *word)
{
    if (to->n < TEXT)
        to->n += (size_t)snprintf(to->text + to->n, TEXT - to->n, "%s%s",
                                  before, word);
}

static void add_order(order_text *to, json_t *row, const char *key,
                      const ranked_method *x, int64_t n)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; ++i) {
        add(to, i > 0 ? " > " : "", x[i].name);
        json_array_append_new(list, json_string(x[i].name));
    }
    json_object_set_new(row, key, list);
}

/* Pairs in the opposite order; x is in the paper's order. */
static void add_turned(order_text *to, json_t *row, const ranked_method *x,
                       int64_t n)
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
                    : "; the opposite order by two standard errors or more: ",
                x[j].name);
            add(to, " above ", x[i].name);
            json_array_append_new(list,
                                  json_pack("[s, s]", x[j].name, x[i].name));
        }
    const bool any = json_array_size(list) > 0;
    add(to, "",
        within == 0 ? any ? "" : "; the same order"
        : any       ? "; other differences are smaller"
                    : "; the order differs by less than two standard errors");
    json_object_set_new(row, "turned", list);
}

/* A row with the order of the methods, the paper's and ours. */
static akin_status add_order_row(app *a, const char *dataset, json_t *rows)
{
    ranked_method x[MOST];
    order_text text = {.n = 0};
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
    reproduce_put_text(row, "chosen", text.text);
    return reproduce_add(a, rows, row);
}

/* ---- the run ------------------------------------------------------------- */

static akin_status run(app *a, const reproduce_flags *f, json_t *rows)
{
    naming_dataset s = {.a = a};
    akin_status st = AKIN_OK;
    APP_TRY(naming_open(&s, f->data));
    for (int k = 0; k < METHODS; ++k) {
        akin_options *o = NULL;
        if (methods[k].slow && f->quick)
            continue;
        st = naming_options(&o, &s, methods[k].name);
        if (st == AKIN_OK)
            st = run_method(&s, &methods[k], o, methods[k].shown, rows);
        akin_options_free(o);
        APP_TRY(st);
    }
    APP_TRY(add_order_row(a, s.dataset, rows));
    if (f->quick)
        APP_TRY(reproduce_add(
            a, rows,
            json_pack("{s:s, s:s, s:s}", "dataset", s.dataset, "method",
                      "--quick", "chosen",
                      "leaves out MildML, rLRR and rLRRml, what H penalises, "
                      "and all of Figure 5 but kappa")));
    if (!f->quick)
        APP_TRY(run_penalties(&s, rows));
    APP_TRY(run_parameters(&s, f->quick, rows));
done:
    naming_close(&s);
    return st;
}

/* ---- plots --------------------------------------------------------------- */

#define CURVE                                                                  \
    .where = "figure=3", .x = "real_name_ratio", .x_label = "real-name ratio", \
    .width = 900, .height = 560

static const reproduce_figure figures[] = {
    {.file = "figure3_accuracy.svg",
     .title = "Figure 3: accuracy at other real-name ratios",
     .y = "accuracy",
     .y_label = "accuracy %",
     CURVE},
    {.file = "figure3_precision.svg",
     .title = "Figure 4: precision at other real-name ratios",
     .y = "precision",
     .y_label = "precision %",
     CURVE},
    {.file = "figure5_%s.svg",
     .title = "Figure 5: accuracy along %s",
     .each = "parameter",
     .x = "value",
     .x_label = "%s",
     .y = "accuracy",
     .y_label = "accuracy %",
     .log_x = true,
     .width = 900,
     .height = 560},
    {0},
};

const reproduce_paper reproduce_naming = {
    .name = "naming",
    .title = "Xiao, Xu, Wu. Automatic face naming by learning discriminative "
             "affinity matrices from weakly labeled images. TNNLS 2015",
    .layout = "faces.csv, images.csv and features200.npy, or labels.csv and "
              "features108.npy",
    .is_here = naming_is_here,
    .run = run,
    .figures = figures,
    .plot = naming_pictures,
};
