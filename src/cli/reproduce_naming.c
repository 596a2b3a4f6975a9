/* The tables of face naming: Table I's line of the data, Table II at the true
 * real-name ratio, pictures of Figure 2 and the curves of Figures 3 to 5.
 *   Xiao, Xu, Wu. Automatic face naming by learning discriminative affinity
 *   matrices from weakly labeled images. TNNLS 26(10), 2015.
 *
 * The paper's values are those of its larger set (Labeled Yahoo! News). */
#include <akin/naming.h>
#include <akin/plot.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/csv_file.h"
#include "cli/naming.h"
#include "cli/reproduce.h"

enum { RATIOS = 10, MOST_POINTS = 32, MOST_NAMES = 100000 };

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

/* A folder as the library takes it. */
typedef struct scene {
    app *a;
    const char *dataset;
    akin_rows *raw, *rows;
    akin_recipe *recipe;
    akin_supervision *known;
    akin_face_names *truth;
    int64_t n, named;  // faces, and those with a true name
    int64_t photos, caption_names;
    int32_t *names;
    akin_naming_options base;
} scene;

static bool exists(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

static bool is_photos(const char *folder)
{
    return exists(folder, "faces.csv") && exists(folder, "images.csv") &&
           exists(folder, "features200.npy");
}

static bool is_lost(const char *folder)
{
    return exists(folder, "labels.csv") && exists(folder, "features108.npy");
}

static bool is_here(const char *folder)
{
    return folder != NULL && (is_photos(folder) || is_lost(folder));
}

/* ---- reading ---------------------------------------------------------------
 */

typedef struct texts {
    FILE *captions, *truth;
    int64_t captions_line, truth_line;  // begun last
} texts;

/* The line of a text that stands for the current one of its file: messages of
 * the library tell its number. */
static void begin_line(FILE *to, int64_t *at, const csv_file *c)
{
    for (; *at < c->line; ++*at)
        putc('\n', to);
}

/* A caption: "3 7" as "n3;n7". */
static akin_status put_numbers(scene *s, FILE *to, const csv_file *c)
{
    const char *list = csv_text(c, 1);
    ++s->photos;
    for (const char *between = ""; *list; between = ";") {
        const size_t n = strspn(list, "0123456789");
        if (n == 0 || (list[n] != ' ' && list[n] != '\0'))
            return csv_fail(c, "'%.80s' is no list of numbers of names",
                            csv_text(c, 1));
        ++s->caption_names;
        fprintf(to, "%sn%.*s", between, (int)n, list);
        list += n;
        list += strspn(list, " ");
    }
    return AKIN_OK;
}

static akin_status check_count(const scene *s, const csv_file *c, int64_t n)
{
    return n == s->n
               ? AKIN_OK
               : app_fail(s->a, AKIN_ESHAPE,
                          "%s: %" PRId64 " faces (there are %" PRId64 " rows)",
                          c->path, n, s->n);
}

/* Line n: face n, its image, and who it is. */
static akin_status read_face(scene *s, const csv_file *c, int64_t n,
                             int64_t *photo, texts *to)
{
    int64_t face, name = -1;
    akin_status st = AKIN_OK;
    APP_TRY(csv_number(c, 0, INT32_MAX, &face));
    if (face != n)
        APP_TRY(
            csv_fail(c, "face %" PRId64 " (expected %" PRId64 ")", face, n));
    APP_TRY(csv_number(c, 1, INT32_MAX, photo));
    if (strcmp(csv_text(c, 2), "-1") != 0)
        APP_TRY(csv_number(c, 2, MOST_NAMES, &name));
    s->named += name >= 0;
    begin_line(to->truth, &to->truth_line, c);
    fprintf(to->truth, "%" PRId64 ",", n);
    if (name >= 0)
        fprintf(to->truth, "n%" PRId64, name);
done:
    return st;
}

static akin_status read_faces(scene *s, const char *folder, int64_t *photo_of,
                              texts *to)
{
    csv_file faces = {0};
    bool more = true;
    akin_status st = AKIN_OK;
    APP_TRY(
        csv_open(&faces, s->a, folder, "faces.csv", "face,image,true_name"));
    for (int64_t n = 0;; ++n) {
        APP_TRY(csv_next(&faces, &more));
        if (!more || n == s->n) {
            APP_TRY(check_count(s, &faces, n + more));
            break;
        }
        APP_TRY(read_face(s, &faces, n, &photo_of[n], to));
    }
done:
    csv_close(&faces);
    return st;
}

/* The caption of one image, with its faces, which are then done: -1. */
static akin_status read_image(scene *s, const csv_file *c, int64_t *photo_of,
                              texts *to)
{
    const char *between = "";
    int64_t photo;
    akin_status st = AKIN_OK;
    APP_TRY(csv_number(c, 0, INT32_MAX, &photo));
    begin_line(to->captions, &to->captions_line, c);
    fprintf(to->captions, "%" PRId64 ",", photo);
    for (int64_t f = 0; f < s->n; ++f)
        if (photo_of[f] == photo) {
            fprintf(to->captions, "%s%" PRId64, between, f);
            between = ";";
            photo_of[f] = -1;
        }
    putc(',', to->captions);
    APP_TRY(put_numbers(s, to->captions, c));
done:
    return st;
}

/* Photos with several faces: the faces of each first, then the captions. */
static akin_status read_photos(scene *s, const char *folder, texts *to)
{
    csv_file images = {0};
    int64_t *photo_of = NULL;
    bool more = true;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(s->a, s->n, &photo_of));
    APP_TRY(read_faces(s, folder, photo_of, to));
    APP_TRY(
        csv_open(&images, s->a, folder, "images.csv", "image,caption_names"));
    for (;;) {
        APP_TRY(csv_next(&images, &more));
        if (!more)
            break;
        APP_TRY(read_image(s, &images, photo_of, to));
    }
    for (int64_t f = 0; f < s->n; ++f)
        if (photo_of[f] >= 0)
            APP_TRY(app_fail(s->a, AKIN_EFORMAT,
                             "%s: no image %" PRId64 " (face %" PRId64
                             " is in it)",
                             images.path, photo_of[f], f));
done:
    free(photo_of);
    csv_close(&images);
    return st;
}

/* Every face a photo of its own. */
static akin_status read_lost(scene *s, const char *folder, texts *to)
{
    csv_file labels = {0};
    bool more = true;
    akin_status st = AKIN_OK;
    APP_TRY(csv_open(&labels, s->a, folder, "labels.csv", "name,candidates"));
    for (;; ++s->named) {
        int64_t name;
        APP_TRY(csv_next(&labels, &more));
        if (!more || s->named == s->n)
            break;
        APP_TRY(csv_number(&labels, 0, MOST_NAMES, &name));
        begin_line(to->truth, &to->truth_line, &labels);
        begin_line(to->captions, &to->captions_line, &labels);
        fprintf(to->truth, "%" PRId64 ",n%" PRId64, s->named, name);
        fprintf(to->captions, "%" PRId64 ",%" PRId64 ",", s->named, s->named);
        APP_TRY(put_numbers(s, to->captions, &labels));
    }
    APP_TRY(check_count(s, &labels, s->named + more));
done:
    csv_close(&labels);
    return st;
}

static akin_status read_texts(scene *s, const char *folder, bool lost)
{
    char *text[2] = {NULL, NULL};
    size_t size[2];
    char captions[4096], truth[4096];
    texts to = {open_memstream(&text[0], &size[0]),
                open_memstream(&text[1], &size[1]), 1, 1};
    akin_status st = AKIN_OK;
    if (to.captions == NULL || to.truth == NULL)
        APP_TRY(app_fail(s->a, AKIN_ENOMEM, "out of memory"));
    APP_TRY(cli_join(s->a, captions, sizeof captions, folder,
                     lost ? "labels.csv" : "images.csv"));
    APP_TRY(cli_join(s->a, truth, sizeof truth, folder,
                     lost ? "labels.csv" : "faces.csv"));
    fputs("photo,faces,names", to.captions);
    fputs("face,name", to.truth);
    APP_TRY((lost ? read_lost : read_photos)(s, folder, &to));
    if (fflush(to.captions) != 0 || fflush(to.truth) != 0)
        APP_TRY(app_fail(s->a, AKIN_ENOMEM, "out of memory"));
    APP_TRY(akin_supervision_captions(s->known, s->a->ctx, captions, text[0]));
    APP_TRY(
        akin_face_names_parse(&s->truth, s->a->ctx, truth, text[1], s->known));
done:
    if (to.captions)
        fclose(to.captions);
    if (to.truth)
        fclose(to.truth);
    free(text[0]);
    free(text[1]);
    return st;
}

static akin_status open_scene(scene *s, const char *folder)
{
    const bool lost = !is_photos(folder);
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    char path[4096];
    akin_status st = AKIN_OK;
    s->dataset = lost ? "lost_faces" : "lfw_naming";
    s->base = (akin_naming_options)AKIN_NAMING_DEFAULTS;
    if (lost) {
        o.norm = "l2";
        s->base.kappa = 0.9;
    } else {
        o.scale = "su";
    }
    APP_TRY(cli_join(s->a, path, sizeof path, folder,
                     lost ? "features108.npy" : "features200.npy"));
    APP_TRY(akin_rows_read(&s->raw, s->a->ctx, path, NULL));
    APP_TRY(akin_recipe_fit(&s->recipe, s->a->ctx, s->raw, &o));
    APP_TRY(akin_recipe_apply(&s->rows, s->a->ctx, s->recipe, s->raw));
    APP_TRY(
        akin_supervision_new(&s->known, s->a->ctx, s->rows, NULL, s->recipe));
    s->n = akin_rows_count(s->rows);
    APP_TRY(APP_NEW(s->a, s->n, &s->names));
    APP_TRY(read_texts(s, folder, lost));
done:
    return st;
}

static void close_scene(scene *s)
{
    free(s->names);
    akin_face_names_free(s->truth, s->a->ctx);
    akin_supervision_free(s->known);
    akin_rows_free(s->rows);
    akin_rows_free(s->raw);
    akin_recipe_free(s->recipe);
}

/* ---- measuring -------------------------------------------------------------
 */

/* Names for a number of faces, held against the truth. */
static akin_status measure(scene *s, const akin_naming *naming, int64_t count,
                           akin_naming_measure *out, akin_names_info *info)
{
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    akin_status st = AKIN_OK;
    o.named_count = count;
    APP_TRY(akin_naming_names(s->names, NULL, s->a->ctx, naming, &o, info));
    APP_TRY(akin_naming_compare(out, s->a->ctx, naming, s->names, s->truth));
done:
    return st;
}

static json_t *row_of(const scene *s, const char *name,
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
static akin_status add_data(scene *s, const akin_naming *naming, json_t *rows)
{
    const double photos = (double)s->photos, n = (double)s->n;
    akin_naming_info info;
    char text[384];
    akin_naming_get_info(naming, &info);
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
static akin_status add_curve(scene *s, const akin_naming *naming,
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

static akin_status run_method(scene *s, const method *x,
                              const akin_naming_options *o, const char *shown,
                              json_t *rows)
{
    akin_naming *naming = NULL;
    akin_naming_info info;
    akin_names_info names;
    akin_naming_measure m;
    akin_status st = AKIN_OK;
    APP_TRY(akin_naming_learn(&naming, s->a->ctx, s->known, o));
    akin_naming_get_info(naming, &info);
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
    akin_naming_free(naming, s->a->ctx);
    return st;
}

/* H with one of its two cases alone. */
static akin_status run_penalties(scene *s, json_t *rows)
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
static akin_status run_parameter(scene *s, const char *name, const char *key,
                                 size_t offset, const double *factors,
                                 json_t *rows)
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
            reproduce_put(row, "value", value);
            st = reproduce_add(s->a, rows, row);
        }
        akin_naming_free(naming, s->a->ctx);
    }
    return st;
}

static akin_status run_parameters(scene *s, bool quick, json_t *rows)
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
    scene s = {.a = a};
    akin_status st = AKIN_OK;
    APP_TRY(open_scene(&s, f->data));
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
    close_scene(&s);
    return st;
}

/* ---- plots -----------------------------------------------------------------
 */

/* Rows of a figure with one method, as a line. */
static akin_status add_line(app *a, akin_plot *plot, const json_t *rows,
                            const char *figure, const char *name,
                            const char *x_key, const char *y_key)
{
    double x[MOST_POINTS], y[MOST_POINTS];
    int64_t n = 0;
    for (size_t i = 0; i < json_array_size(rows) && n < MOST_POINTS; ++i) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(reproduce_text(row, "figure"), figure) != 0 ||
            strcmp(reproduce_text(row, "method"), name) != 0 ||
            !isfinite(reproduce_number(row, y_key)))
            continue;
        x[n] = reproduce_number(row, x_key);
        y[n++] = reproduce_number(row, y_key);
    }
    return n > 0 ? akin_plot_line(plot, a->ctx, name, x, y, NULL, n) : AKIN_OK;
}

static akin_status draw(app *a, const reproduce_flags *f, const json_t *rows,
                        const char *file, const char *figure, const char *x_key,
                        const char *y_key, const char *y_label)
{
    const bool curve = strcmp(figure, "3") == 0;
    const akin_plot_options o = {.size = sizeof o,
                                 .title = "Naming faces",
                                 .x_label = curve ? "real-name ratio"
                                                  : figure + 2,
                                 .y_label = y_label,
                                 .log_x = !curve,
                                 .width = 900,
                                 .height = 560};
    char path[4096];
    akin_plot *plot = NULL;
    bool any = false;
    akin_status st = AKIN_OK;
    APP_TRY(akin_plot_new(&plot, a->ctx, &o));
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        const json_t *row = json_array_get(rows, i);
        const char *name = reproduce_text(row, "method");
        bool first = strcmp(reproduce_text(row, "figure"), figure) == 0;
        for (size_t k = 0; first && k < i; ++k) {
            const json_t *other = json_array_get(rows, k);
            first = strcmp(reproduce_text(other, "figure"), figure) != 0 ||
                    strcmp(reproduce_text(other, "method"), name) != 0;
        }
        if (first)
            APP_TRY(add_line(a, plot, rows, figure, name, x_key, y_key));
        any = any || first;
    }
    APP_TRY(cli_join(a, path, sizeof path, f->report, file));
    if (any)
        APP_TRY(akin_plot_save(a->ctx, plot, path));
done:
    akin_plot_free(plot, a->ctx);
    return st;
}

static akin_status plot(app *a, const reproduce_flags *f, const json_t *rows)
{
    static const char *const fifth[][2] = {{"figure5_kappa.svg", "5 kappa"},
                                           {"figure5_sigma.svg", "5 sigma"},
                                           {"figure5_alpha.svg", "5 alpha"},
                                           {"figure5_gamma.svg", "5 gamma"}};
    akin_status st = AKIN_OK;
    APP_TRY(naming_pictures(a, f->report));
    APP_TRY(draw(a, f, rows, "figure3_accuracy.svg", "3", "real_name_ratio",
                 "accuracy", "accuracy %"));
    APP_TRY(draw(a, f, rows, "figure3_precision.svg", "3", "real_name_ratio",
                 "precision", "precision %"));
    for (int k = 0; k < 4; ++k)
        APP_TRY(draw(a, f, rows, fifth[k][0], fifth[k][1], "value", "accuracy",
                     "accuracy %"));
done:
    return st;
}

const reproduce_paper reproduce_naming = {
    .name = "naming",
    .title = "Xiao, Xu, Wu. Automatic face naming by learning discriminative "
             "affinity matrices from weakly labeled images. TNNLS 2015",
    .layout = "faces.csv, images.csv, features200.npy; or labels.csv, "
              "features108.npy",
    .takes = "",
    .is_here = is_here,
    .run = run,
    .plot = plot,
};
