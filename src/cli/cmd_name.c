/* akin name: a name for every face. */
#include <akin/naming.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *faces, *captions, *out, *confirmed, *truth;
    const char *model, *save_model;
    const char *affinity_file, *affinity_weight;
    const char *scale, *norm;
    double theta, real_name_ratio;
    int64_t named_count;
    bool curve;
} own_flags;

typedef struct name_flags {
    own_flags own;
    akin_naming_options naming;
    akin_names_options names;
    reading_flags reading;
} name_flags;

static const app_option own_options[] = {
    {"FACES", NULL, APP_FIELD(own_flags, faces),
     .help = "the faces, one row each", .flags = APP_ARGUMENT | APP_NEEDED},
    {"captions", "FILE", APP_FIELD(own_flags, captions),
     .help = "photos: csv with a header photo,faces,names, where rows of faces "
             "and names are parted by ';', or JSON lines with these keys; with "
             "--model not needed: any face can then have any name"},
    {"model", "FILE", APP_FIELD(own_flags, model),
     .help = "name by what --save-model or akin train kept; nothing is "
             "learned, and faces go through the recipe in it"},
    {"affinity-file", "FILE[,FILE...]", APP_FIELD(own_flags, affinity_file),
     .help = "affinities of your own, fused with those of the method: data of "
             "as many rows and columns as there are faces (npy, svm, ...), or "
             "a .txt of lines i j value"},
    {"affinity-weight", "X[,X...]", APP_FIELD(own_flags, affinity_weight),
     .help = "the share of each --affinity-file in what was fused so far"},
    {"save-model", "FILE", APP_FIELD(own_flags, save_model),
     .help = "keep what names faces that come later: the scores of mms, lr-svm "
             "and asml, else the mean direction of each name's faces",
     .flags = APP_OUTPUT},
    {"out", "FILE", APP_FIELD(own_flags, out),
     .help = "where the names go: csv, face,photo,name,confidence; an empty "
             "name: not in the caption",
     .flags = APP_NEEDED | APP_OUTPUT},
    {"real-name-ratio", "R", APP_FIELD(own_flags, real_name_ratio),
     .help = "the share of faces to name, reached exactly", .max = 1},
    {"named-count", "K", APP_FIELD(own_flags, named_count),
     .help = "how many faces to name", .max = 1e12},
    {"theta", "T", APP_FIELD(own_flags, theta),
     .help = "the score that a name must reach", .min = -1e300, .max = 1e300},
    {"confirmed", "FILE", APP_FIELD(own_flags, confirmed),
     .help = "what a person has said, kept always: lines face,name or "
             "face,name,is-not; an empty name: not in the caption"},
    {"truth", "FILE", APP_FIELD(own_flags, truth),
     .help = "lines face,name: measure the names against it"},
    {"curve", NULL, APP_FIELD(own_flags, curve),
     .help = "names at real-name ratios 0.05, 0.1, ... 1, with a first column "
             "real_name_ratio"},
    {"scale", "none|minmax|zscore|su", APP_FIELD(own_flags, scale),
     .help = "what happens to the faces first; su: principal directions, each "
             "by the square root of its singular value"},
    {"norm", "none|l2|global", APP_FIELD(own_flags, norm),
     .help = "bring faces to one length: each (l2), or on average"},
};

static const app_group own_group =
    APP_GROUP("Faces and names", own_options,
              (&(const own_flags){
                  .scale = "su", .norm = "none", .affinity_weight = "0.1"}));

#define FIELD(field) APP_FIELD(akin_naming_options, field)

static const akin_naming_options naming_standard = AKIN_NAMING_DEFAULTS;

static const app_option naming_options[] = {
    {"method", "METHOD", FIELD(method), .help = "how faces are compared"},
    {"affinity", "minmax|clip|abs", FIELD(affinity),
     .help = "how a representation becomes an affinity from 0 to 1"},
    {"alpha", "X", FIELD(alpha), .help = "lrrml, rlrrml: share of the kernel",
     .max = 1},
    {"lambda", "X", FIELD(lambda),
     .help = "lrr, rlrr: weight of what is not represented", .max = 1e12,
     .zero = "auto"},
    {"kappa", "X", FIELD(kappa),
     .help = "lrr, rlrr: --lambda auto is this times the mean over faces of "
             "|S^-1 v|",
     .min = 1e-6, .max = 1e6},
    {"gamma", "X", FIELD(gamma),
     .help = "rlrr: penalty of faces that share no name", .max = 1e12},
    {"penalise", "both|irrelevant|self", FIELD(penalise),
     .help = "rlrr: faces that share no name, the face itself, or both"},
    {"form", "auto|dense|structured", FIELD(form),
     .help = "rlrr: full matrices, or none of all faces by all faces"},
    {"rho", "X", FIELD(rho), .help = "penalty of the solver to begin with",
     .min = 1e-12, .max = 1e12},
    {"delta-rho", "X", FIELD(delta_rho),
     .help = "growth of rho a step; 0 converges to the optimum, slowly",
     .max = 1e3},
    {"rho-max", "X", FIELD(rho_max), .help = "rho grows no further",
     .min = 1e-12, .max = 1e300},
    {"eps", "X", FIELD(eps), .help = "residuals at which the solver stops",
     .min = 1e-15, .max = 1},
    {"gap", "X", FIELD(gap),
     .help = "lrr, rlrr: stop also when the value is certified to lie within "
             "this share of the optimum",
     .max = 1, .zero = "off"},
    {"iterations", "N", FIELD(iterations), .help = "at most so many", .min = 1,
     .max = 1e9},
    {"sigma", "X", FIELD(sigma),
     .help = "asml, mms: pull towards the plain distance, towards zero",
     .min = 1e-12, .max = 1e12},
    {"outer", "N", FIELD(outer), .help = "asml, mms: linearisations", .min = 1,
     .max = 1e6},
    {"pca", "N", FIELD(pca), .help = "asml: principal components to keep",
     .max = 1e6, .zero = "all"},
    {"k", "N", FIELD(k), .help = "knn: neighbours", .min = 1, .max = 1e6},
    {"sparse", "X", FIELD(sparse),
     .help = "lr-svm: weight of what is not of low rank", .max = 1e12},
    {"C", "X", FIELD(C),
     .help = "lr-svm: weight of the margins against short weights", .min = 1e-9,
     .max = 1e9},
    {"rank", "N", FIELD(rank), .help = "mildml: rank of the metric", .min = 1,
     .max = 1e6},
};

static const app_group naming_group =
    APP_GROUP("Learning", naming_options, &naming_standard);

#undef FIELD
#define FIELD(field) APP_FIELD(akin_names_options, field)

static const akin_names_options names_standard = AKIN_NAMES_DEFAULTS;

static const app_option names_options[] = {
    {"count-by", "gains|theta", FIELD(count_by),
     .help = "how a count is reached: theta anew in each round, exactly, or "
             "one theta for all rounds, by bisection"},
    {"surrogate", "mean|minorised", FIELD(surrogate),
     .help = "score of a name: the mean affinity to its faces, or the bound "
             "that never lets the objective fall"},
    {"start", "ones|uniform", FIELD(start),
     .help = "the first round: each face has all names of its caption, whole "
             "or in equal parts"},
    {"rounds", "N", FIELD(rounds), .help = "at most so many", .min = 1,
     .max = 1e6},
    {"self-votes", "0|1", FIELD(self_votes),
     .help = "1: a face counts among the faces of its name", .max = 1},
};

static const app_group names_group =
    APP_GROUP("Giving names", names_options, &names_standard);

/* ---- reading ---------------------------------------------------------------
 */

/* Faces, what is known of them, and what was learned. */
typedef struct job {
    akin_rows *raw, *rows;
    akin_recipe *recipe;
    akin_model *model;
    akin_supervision *known;
    akin_naming *naming;
    akin_face_names *confirmed, *truth;
    int64_t n;
    int32_t *names;
    double *confidences;
    akin_names_options o;
    akin_names_info info;
} job;

static void job_close(app *a, job *j)
{
    free(j->names);
    free(j->confidences);
    akin_naming_free(j->naming, a->ctx);
    akin_face_names_free(j->truth, a->ctx);
    akin_face_names_free(j->confirmed, a->ctx);
    akin_supervision_free(j->known);
    akin_rows_free(j->rows);
    akin_rows_free(j->raw);
    akin_recipe_free(j->recipe);
    akin_model_free(j->model);
}

/* Rows as the model knows them, or as the flags say. */
static akin_status open_rows(app *a, job *j, const name_flags *f)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_status st = AKIN_OK;
    o.scale = f->own.scale;
    o.norm = f->own.norm;
    if (f->own.model)
        APP_TRY(akin_model_load(&j->model, a->ctx, f->own.model));
    const cli_shape shape =
        j->model ? cli_shape_of_model(j->model, f->own.model, AKIN_LEFT, false)
                 : (cli_shape){0};
    APP_TRY(cli_read_rows(a, &j->raw, f->own.faces, &f->reading, shape));
    APP_TRY(cli_forget_labels(a, j->raw));
    if (j->model) {
        APP_TRY(
            akin_model_prepare(&j->rows, a->ctx, j->model, j->raw, AKIN_LEFT));
    } else {
        APP_TRY(akin_recipe_fit(&j->recipe, a->ctx, j->raw, &o));
        APP_TRY(akin_recipe_apply(&j->rows, a->ctx, j->recipe, j->raw));
    }
    APP_TRY(akin_supervision_new(&j->known, a->ctx, j->rows, NULL, j->recipe));
done:
    return st;
}

/* Without captions any face can have any name of the model. */
static akin_status open_captions(app *a, job *j, const name_flags *f)
{
    const char **names = NULL;
    akin_status st = AKIN_OK;
    if (f->own.captions)
        return akin_supervision_read(j->known, a->ctx, AKIN_BAGS,
                                     f->own.captions);
    const int64_t n = akin_model_label_count(j->model);
    APP_TRY(APP_NEW(a, n, &names));
    for (int64_t k = 0; k < n; ++k)
        names[k] = akin_model_label_name(j->model, k);
    APP_TRY(akin_supervision_anyone(j->known, a->ctx, n, names));
done:
    free(names);
    return st;
}

static akin_status open_faces(app *a, job *j, const name_flags *f)
{
    akin_status st = AKIN_OK;
    APP_TRY(open_rows(a, j, f));
    APP_TRY(open_captions(a, j, f));
    if (f->own.confirmed)
        APP_TRY(akin_face_names_read(&j->confirmed, a->ctx, f->own.confirmed,
                                     j->known));
    if (f->own.truth)
        APP_TRY(
            akin_face_names_read(&j->truth, a->ctx, f->own.truth, j->known));
    j->n = akin_rows_count(j->rows);
    APP_TRY(APP_NEW(a, j->n, &j->names));
    APP_TRY(APP_NEW(a, j->n, &j->confidences));
done:
    return st;
}

static void choose(app *a, job *j, const name_flags *f)
{
    j->o = f->names;
    if (app_was_given(a, "theta"))
        j->o.theta = f->own.theta;
    if (app_was_given(a, "named-count"))
        j->o.named_count = f->own.named_count;
    if (app_was_given(a, "real-name-ratio"))
        j->o.real_name_ratio = f->own.real_name_ratio;
    j->o.confirmed = j->confirmed;
}

/* One of a list after the other; the last weight counts for the rest. */
static akin_status fuse_files(app *a, job *j, const own_flags *f)
{
    const char *file = f->affinity_file, *weight = f->affinity_weight;
    akin_status st = AKIN_OK;
    while (st == AKIN_OK && *file != '\0') {
        char path[4096], *end = NULL;
        const size_t n = strcspn(file, ",");
        const double share = strtod(weight, &end);
        if (end == weight || (*end != ',' && *end != '\0'))
            return app_fail(a, AKIN_EINVAL,
                            "--affinity-weight %s is no list of numbers",
                            f->affinity_weight);
        if (snprintf(path, sizeof path, "%.*s", (int)n, file) >=
            (int)sizeof path)
            return app_fail(a, AKIN_EINVAL, "the path is too long");
        st = akin_naming_fuse(j->naming, a->ctx, path, share);
        file += n + (file[n] == ',');
        if (*end == ',')
            weight = end + 1;
    }
    return st;
}

/* ---- writing ---------------------------------------------------------------
 */

/* A cell, in quotes where it must be. */
static void put_cell(FILE *to, const char *text)
{
    if (text[strcspn(text, ",\"\n\r")] == '\0') {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text; ++text) {
        if (*text == '"')
            putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

static void put_names(FILE *to, const job *j, const char *ratio)
{
    for (int64_t i = 0; i < j->n; ++i) {
        if (j->names[i] < -1)
            continue;
        const char *name = akin_naming_name(j->naming, j->names[i]);
        fprintf(to, "%s%s%" PRId64 ",", ratio, *ratio ? "," : "", i);
        put_cell(to, akin_naming_photo(j->naming, i));
        putc(',', to);
        put_cell(to, name ? name : "");
        fprintf(to, ",%.6g\n", j->confidences[i]);
    }
}

static akin_status name_once(app *a, job *j)
{
    return akin_naming_names(j->names, j->confidences, a->ctx, j->naming, &j->o,
                             &j->info);
}

static akin_status name_curve(app *a, job *j, FILE *to)
{
    akin_status st = AKIN_OK;
    for (int step = 1; step <= 20 && st == AKIN_OK; ++step) {
        char ratio[16];
        snprintf(ratio, sizeof ratio, "%.2f", step / 20.0);
        j->o.theta = NAN;
        j->o.named_count = -1;
        j->o.real_name_ratio = step / 20.0;
        st = name_once(a, j);
        if (st == AKIN_OK)
            put_names(to, j, ratio);
    }
    return st;
}

static akin_status write_names(app *a, job *j, const own_flags *f)
{
    char *text = NULL;
    size_t size = 0;
    akin_status st = AKIN_OK;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    fputs(f->curve ? "real_name_ratio,face,photo,name,confidence\n"
                   : "face,photo,name,confidence\n",
          to);
    if (f->curve)
        st = name_curve(a, j, to);
    else
        put_names(to, j, "");
    if (fclose(to) != 0 && st == AKIN_OK)
        st = app_fail(a, AKIN_ENOMEM, "out of memory");
    if (st == AKIN_OK)
        st = app_write_file(a, f->out, text);
    free(text);
    return st;
}

static akin_status report(app *a, const job *j, const name_flags *f,
                          const akin_naming_measure *m)
{
    akin_naming_info info;
    akin_naming_get_info(j->naming, &info);
    if (a->common.json) {
        json_t *out = json_pack(
            "{s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:I, s:b, s:I, s:b, s:I, s:o, "
            "s:o, "
            "s:o, s:o, s:o}",
            "method",
            j->model ? akin_model_learner(j->model) : f->naming.method, "faces",
            (json_int_t)info.faces, "photos", (json_int_t)info.photos, "names",
            (json_int_t)info.names, "named", (json_int_t)j->info.named,
            "real_name_ratio",
            app_json_real((double)j->info.named / (double)info.faces), "theta",
            app_json_real(j->info.theta), "rounds", (json_int_t)j->info.rounds,
            "rounds_converged", (int)j->info.converged, "iterations",
            (json_int_t)info.iterations, "converged", (int)info.converged,
            "rank", (json_int_t)info.rank, "lambda", app_json_real(info.lambda),
            "gamma", app_json_real(info.gamma), "gap", app_json_real(info.gap),
            "seconds", app_json_real(info.seconds), "out",
            app_json_string(f->own.out));
        if (out && j->truth) {
            json_object_set_new(out, "accuracy", app_json_real(m->accuracy));
            json_object_set_new(out, "precision", app_json_real(m->precision));
        }
        return app_json_print(a, out);
    }
    akin_status st = app_print(
        a, "%s: %s of %s in %s named out of %s, %s\n", app_shown(f->own.out),
        app_count(j->info.named).text, app_counted(info.faces, "face").text,
        app_counted(info.photos, "photo").text,
        app_counted(info.names, "name").text, app_seconds(info.seconds).text);
    if (st == AKIN_OK && j->truth)
        st = app_print(a, "accuracy %s, precision %s\n",
                       app_percent(m->accuracy).text,
                       app_percent(m->precision).text);
    return st;
}

/* What was learned, for faces that come later. */
static akin_status keep_model(app *a, const job *j, const own_flags *f)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_naming_model(&m, a->ctx, j->naming, j->names, j->info.theta));
    APP_TRY(akin_model_save(a->ctx, m, f->save_model));
done:
    akin_model_free(m);
    return st;
}

static akin_status check(app *a, const own_flags *f)
{
    if (f->captions == NULL && f->model == NULL)
        return app_fail(a, AKIN_EINVAL, "--captions FILE is needed");
    if (f->model && f->save_model)
        return app_fail(a, AKIN_EINVAL,
                        "--model and --save-model exclude each other");
    if (f->model && (app_was_given(a, "method") || app_was_given(a, "scale") ||
                     app_was_given(a, "norm")))
        return app_fail(a, AKIN_EINVAL,
                        "--model has its own method and recipe (no --method, "
                        "--scale or --norm with it)");
    return AKIN_OK;
}

static akin_status run(app *a, const void *flags)
{
    const name_flags *f = flags;
    akin_naming_measure m = {0};
    job j = {0};
    akin_status st = AKIN_OK;
    APP_TRY(check(a, &f->own));
    APP_TRY(open_faces(a, &j, f));
    if (j.model)
        APP_TRY(akin_naming_open(&j.naming, a->ctx, j.known, j.model));
    else
        APP_TRY(akin_naming_learn(&j.naming, a->ctx, j.known, &f->naming));
    if (f->own.affinity_file)
        APP_TRY(fuse_files(a, &j, &f->own));
    choose(a, &j, f);
    if (!f->own.curve)
        APP_TRY(name_once(a, &j));
    APP_TRY(write_names(a, &j, &f->own));
    if (f->own.save_model)
        APP_TRY(keep_model(a, &j, &f->own));
    if (j.truth)
        APP_TRY(akin_naming_compare(&m, a->ctx, j.naming, j.names, j.truth));
    APP_TRY(report(a, &j, f, &m));
done:
    job_close(a, &j);
    return st;
}

const app_command cmd_name = {
    .name = "name",
    .section = "collections",
    .summary = "a name for every face, from captions",
    .about =
        "Each face gets one of the names of its photo's caption, or none of "
        "them; no name goes to two faces of a photo. The confidence is what "
        "the next best choice would lose: review small ones first.\n"
        "Without --real-name-ratio, --named-count or --theta every face is "
        "named for which its caption has a name.",
    .examples =
        "akin name faces.npy --captions captions.csv --real-name-ratio 0.55 "
        "--out names.csv\n"
        "akin name faces.npy --captions captions.csv --method lrr --confirmed "
        "said.csv --out names.csv\n"
        "akin name faces.npy --captions captions.csv --method mms --save-model "
        "people.safetensors --out names.csv\n"
        "akin name new.npy --model people.safetensors --out names.csv",
    .size = sizeof(name_flags),
    APP_PARTS({&own_group, offsetof(name_flags, own)},
              {&naming_group, offsetof(name_flags, naming)},
              {&names_group, offsetof(name_flags, names)},
              {&cli_reading_group, offsetof(name_flags, reading)}),
    .run = run,
};
