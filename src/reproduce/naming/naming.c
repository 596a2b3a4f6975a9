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

/* ---- measuring ---------------------------------------------------------- */

/* Names for a number of faces, held against the truth. */
static akin_status measure(naming_scene *s, const akin_naming *naming,
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

static json_t *row_of(const naming_scene *s, const char *name,
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
static akin_status add_data(naming_scene *s, const akin_naming *naming,
                            json_t *rows)
{
    const double photos = (double)s->photos, n = (double)s->n;
    akin_naming_info info;
    char text[384];
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
             " faces, as many as have a name in truth",
             s->photos, s->n, info.names, n / photos,
             (double)s->caption_names / photos, (double)s->named / n, s->named);
    json_object_set_new(row, "chosen", json_string(text));
    return reproduce_add(s->a, rows, row);
}

/* Figures 3 and 4: the same method at other ratios. */
static akin_status add_curve(naming_scene *s, const akin_naming *naming,
                             const char *name, json_t *rows)
{
    akin_status st = AKIN_OK;
    for (int k = 1; k <= RATIOS; ++k) {
        akin_naming_measure m;
        APP_TRY(measure(s, naming, s->n * k / RATIOS, &m, NULL));
        json_t *row = row_of(s, name, &m);
        json_object_set_new(row, "figure", json_string("3"));
        APP_TRY(reproduce_add(s->a, rows, row));
    }
done:
    return st;
}

static akin_status run_method(naming_scene *s, const method *x,
                              const akin_naming_options *o, const char *shown,
                              json_t *rows)
{
    akin_naming *naming = NULL;
    akin_naming_info info;
    akin_names_info names;
    akin_naming_measure m;
    akin_status st = AKIN_OK;
    APP_TRY(akin_naming_learn(&naming, s->a->ctx, s->known, o));
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

/* H with one of its two cases alone. */
static akin_status run_penalties(naming_scene *s, json_t *rows)
{
    static const char *const whats[] = {"irrelevant", "self"};
    static const method unknown = {"rlrr", "", NAN, NAN, true};
    akin_status st = AKIN_OK;
    for (int k = 0; k < 2 && st == AKIN_OK; ++k) {
        char shown[32];
        akin_naming_options o = s->base;
        o.method = "rlrr";
        o.penalise = whats[k];
        snprintf(shown, sizeof shown, "rLRR, %s", whats[k]);
        st = run_method(s, &unknown, &o, shown, rows);
    }
    return st;
}

/* Figure 5: one parameter after the other around its default. */
static akin_status run_parameter(naming_scene *s, const char *name,
                                 const char *key, size_t offset,
                                 const double *factors, json_t *rows)
{
    akin_status st = AKIN_OK;
    for (int k = 0; k < 5 && st == AKIN_OK; ++k) {
        akin_naming_options o = s->base;
        akin_naming *naming = NULL;
        akin_naming_measure m;
        double value;
        o.method = name;
        memcpy(&value, (const char *)&o + offset, sizeof value);
        value *= factors[k];
        memcpy((char *)&o + offset, &value, sizeof value);
        st = akin_naming_learn(&naming, s->a->ctx, s->known, &o);
        if (st == AKIN_OK)
            st = measure(s, naming, s->named, &m, NULL);
        if (st == AKIN_OK) {
            json_t *row = row_of(s, name, &m);
            json_object_set_new(row, "figure", json_string(key));
            json_object_set_new(row, "parameter", json_string(key + 2));
            reproduce_put(row, "value", value);
            st = reproduce_add(s->a, rows, row);
        }
        akin_naming_free(naming);
    }
    return st;
}

static akin_status run_parameters(naming_scene *s, bool quick, json_t *rows)
{
    static const double wide[] = {0.1, 0.3, 1.0, 3.0, 10.0};
    static const double alphas[] = {0.1, 0.5, 1.0, 2.0, 5.0};
    akin_status st = AKIN_OK;
    APP_TRY(run_parameter(s, "lrr", "5 kappa",
                          offsetof(akin_naming_options, kappa), wide, rows));
    if (quick)
        goto done;
    APP_TRY(run_parameter(s, "asml", "5 sigma",
                          offsetof(akin_naming_options, sigma), wide, rows));
    APP_TRY(run_parameter(s, "lrrml", "5 alpha",
                          offsetof(akin_naming_options, alpha), alphas, rows));
    APP_TRY(run_parameter(s, "rlrr", "5 gamma",
                          offsetof(akin_naming_options, gamma), wide, rows));
done:
    return st;
}

static akin_status run(app *a, const reproduce_flags *f, json_t *rows)
{
    naming_scene s = {.a = a};
    akin_status st = AKIN_OK;
    APP_TRY(naming_open(&s, f->data));
    for (int k = 0; k < METHODS; ++k) {
        akin_naming_options o = s.base;
        o.method = methods[k].name;
        if (!(methods[k].slow && f->quick))
            APP_TRY(run_method(&s, &methods[k], &o, methods[k].shown, rows));
    }
    APP_TRY(naming_add_order(a, s.dataset, rows));
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

/* ---- plots ------------------------------------------------------------- */

static double x_ratio(const json_t *row)
{
    return reproduce_number(row, "real_name_ratio");
}

static double x_value(const json_t *row)
{
    return reproduce_number(row, "value");
}

static bool shows_curves(const reproduce_view *v, const json_t *row)
{
    (void)v;
    return reproduce_has(row, "figure", "3");
}

static bool shows_parameter(const reproduce_view *v, const json_t *row)
{
    return reproduce_has(row, "parameter", v->value);
}

#define CURVE                                                          \
    .shows = shows_curves, .x = x_ratio, .x_label = "real-name ratio", \
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
     .shows = shows_parameter,
     .x = x_value,
     .x_label = "value",
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
    .layout = "faces.csv, images.csv, features200.npy; or labels.csv, "
              "features108.npy",
    .takes = "",
    .is_here = naming_is_here,
    .run = run,
    .figures = figures,
    .plot = naming_pictures,
};
