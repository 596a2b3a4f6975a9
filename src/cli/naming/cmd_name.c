/* akin name: a name for every face. */
#include <akin/collection.h>
#include <akin/learn.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/help.h"
#include "app/json.h"
#include "app/nearest.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/naming/name.h"
#include "cli/training/parameters.h"

enum { INDENT = 12 };

typedef struct name_flags {
    name_own_flags own;
    reading_flags reading;
    app_exact exact;
} name_flags;

static const app_option own_options[] = {
    {"FACES", NULL, APP_FIELD(name_own_flags, faces),
     .help = "the faces, one row each, or a collection of akin faces",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"captions", "FILE", APP_FIELD(name_own_flags, captions),
     .help = "photos: csv with a header photo,faces,names, faces and names "
             "separated by ';', or JSON lines with these keys; not needed "
             "with --model: any face can then have any name; nor for a "
             "collection, which has them"},
    {"model", "FILE", APP_FIELD(name_own_flags, model),
     .help = "a model of --save-model or akin train to name by; nothing is "
             "learned, and faces go through its recipe. The faces and captions "
             "that it was learned from are named by the affinities in it",
     .excludes = "save-model method scale norm", .advanced = true},
    {"method", "METHOD", APP_FIELD(name_own_flags, method),
     .help = "how faces are compared; akin learners METHOD lists its "
             "parameters, which are flags too"},
    {"affinity-file", "FILE[,FILE...]",
     APP_FIELD(name_own_flags, affinity_file),
     .help = "affinities of your own, fused with those of the method: data of "
             "as many rows and columns as there are faces (npy, svm, ...), or "
             "a .txt of lines i j value",
     .advanced = true},
    {"affinity-weight", "X[,X...]", APP_FIELD(name_own_flags, affinity_weight),
     .help = "the share of each --affinity-file in the fused affinities so far",
     .needs = "affinity-file", .advanced = true},
    {"save-model", "FILE", APP_FIELD(name_own_flags, save_model),
     .help = "save a model that names other faces: the scores of mms, lr-svm "
             "and asml, else the mean direction of each name's faces; and, for "
             "the same faces again, the affinities of methods that have them",
     .flags = APP_OUTPUT, .advanced = true},
    {"out", "FILE", APP_FIELD(name_own_flags, out),
     .help = "the names to write: csv, face,photo,name,confidence,probability; "
             "an empty name: not in the caption",
     .flags = APP_NEEDED | APP_OUTPUT},
    {"real-name-ratio", "R", APP_FIELD(name_own_flags, real_name_ratio),
     .help =
         "the share of faces to name, or the nearest that ties allow; auto: "
         "estimated from the faces and captions"},
    {"at-least", "P", APP_FIELD(name_own_flags, at_least),
     .help = "give only names that are right with this probability", .max = 1,
     .advanced = true},
    {"min-count", "N", APP_FIELD(name_own_flags, min_count),
     .help = "leave out names that fewer captions have, and photos then "
             "without a name",
     .min = 1, .max = 1e12, .advanced = true},
    {"named-count", "K", APP_FIELD(name_own_flags, named_count),
     .help = "how many faces to name, or the nearest that ties allow",
     .max = 1e12, .advanced = true},
    {"theta", "T", APP_FIELD(name_own_flags, theta),
     .help = "the score that a name must reach; with --model the default is "
             "that of the model",
     .min = -1e300, .max = 1e300, .advanced = true},
    {"confirmed", "FILE", APP_FIELD(name_own_flags, confirmed),
     .help = "names that a person confirmed, always kept: lines face,name "
             "or face,name,is-not; no name: not in the caption [answers "
             "given in akin serve, and names that faces came with]"},
    {"prior", "FILE", APP_FIELD(name_own_flags, prior),
     .help = "how likely names are before faces are compared: lines "
             "face,name,weight; a weight of 4 makes the name four times as "
             "likely for this face, 0 excludes it; no name: not in the "
             "caption. In place of positions in the captions of a collection",
     .advanced = true},
    {"quality", "FILE", APP_FIELD(name_own_flags, quality),
     .help = "how much each face counts when faces are compared: one column of "
             "numbers above 0 to 1, a row for each face. In place of the size, "
             "sharpness and turn of faces in a collection",
     .advanced = true},
    {"truth", "FILE", APP_FIELD(name_own_flags, truth),
     .help = "lines face,name, one for each face of a photo: measure the names "
             "by them"},
    {"changes", "OLD.csv", APP_FIELD(name_own_flags, changes),
     .help = "names of an earlier run: list the faces whose name changed",
     .advanced = true},
    {"review", "FILE", APP_FIELD(name_own_flags, review),
     .help = "write the faces in the order in which to ask a person: csv, "
             "face,photo,name,probability,gain, the largest gain first",
     .flags = APP_OUTPUT, .advanced = true},
    {"answers", "FILE", APP_FIELD(name_own_flags, answers),
     .help = "write what people said of the faces of a collection: csv, "
             "number,face,kind,name,other,user,undone; face is the id of an "
             "item",
     .flags = APP_OUTPUT, .advanced = true},
    {"all", NULL, APP_FIELD(name_own_flags, all),
     .help =
         "name all faces of a collection again. Without it, faces that were "
         "named before keep their names, unless people have answered since",
     .advanced = true},
    {"curve", NULL, APP_FIELD(name_own_flags, curve),
     .help = "names at real-name ratios 0.05, 0.1, ... 1, with a first column "
             "real_name_ratio; with --truth measured at each",
     .advanced = true},
    {"scale", "none|minmax|zscore|su", APP_FIELD(name_own_flags, scale),
     .help = "how the columns of the faces are scaled first; su: principal "
             "directions, each by the square root of its singular value",
     .advanced = true},
    {"norm", "none|l2|global", APP_FIELD(name_own_flags, norm),
     .help = "scale rows to length 1: each row (l2), or all by one factor so "
             "that their mean length is 1 (global)",
     .advanced = true},
};

const app_group name_own_group = APP_GROUP("Faces and names", own_options,
                                           (&(const name_own_flags){
                                               .method = "fused",
                                               .scale = "su",
                                               .norm = "none",
                                               .affinity_weight = "0.1",
                                               .theta = (double)NAN,
                                               .real_name_ratio = "auto",
                                               .min_count = 1,
                                               .named_count = -1,
                                           }));

/* ---- methods ------------------------------------------------------------- */

/* The i-th learner that names faces; NULL behind the last. */
static const akin_learner_info *method_at(int64_t i)
{
    const akin_learner_info *l;
    for (int64_t k = 0; (l = akin_learner_at(k)) != NULL; ++k)
        if (l->names_faces && i-- == 0)
            return l;
    return NULL;
}

/* Has a flag an effect with the method? */
static bool takes_flag(const akin_learner_info *m, const char *flag)
{
    cli_parameter p;
    return strcmp(flag, "affinity-file") == 0
               ? m->has_affinities != 0
               : cli_parameter_find(m, AKIN_NAMING, flag, &p) != NULL;
}

/* "rlrr, rlrrml": the methods that a flag has an effect with; NULL: all. */
static void list_methods(const char *flag, char *text, size_t size)
{
    const akin_learner_info *m;
    size_t at = 0;
    text[0] = '\0';
    for (int64_t i = 0; (m = method_at(i)) != NULL; ++i)
        if ((flag == NULL || takes_flag(m, flag)) && at < size)
            at += (size_t)snprintf(text + at, size - at, "%s%s",
                                   at > 0 ? ", " : "", m->name);
}

static akin_status methods_help(app *a)
{
    const akin_learner_info *m;
    char names[256] = "";
    akin_status st = AKIN_OK;
    if (!a->help_all) {
        list_methods(NULL, names, sizeof names);
        APP_TRY(
            app_help_title(a, "Methods (akin learners says when to use each)"));
        return app_help_row(a, 4, "", names);
    }
    APP_TRY(app_help_title(a, "Methods, and when to use each"));
    for (int64_t i = 0; (m = method_at(i)) != NULL; ++i) {
        APP_TRY(app_help_row(a, INDENT, m->name, m->when));
        APP_TRY(app_help_row(a, INDENT, "", m->summary));
    }
done:
    return st;
}

const akin_learner_info *name_method_find(app *a, const char *name)
{
    const akin_learner_info *m;
    app_nearest near = {.word = name};
    for (int64_t i = 0; (m = method_at(i)) != NULL; ++i) {
        if (strcmp(m->name, name) == 0)
            return m;
        app_nearest_try(&near, m->name);
    }
    if (akin_learner_find(name) != NULL)
        app_fail(a, AKIN_EINVAL,
                 "%s does not name faces (akin help name lists the methods)",
                 name);
    else
        app_fail(a, AKIN_EINVAL, "there is no method '%s'%s", name,
                 near.best[0] ? app_nearest_hint(&near, "").text
                              : " (akin help name lists them)");
    return NULL;
}

/* Refuse a flag without effect; `method` is NULL where a model gives names. */
static akin_status check_flag(app *a, const akin_learner_info *method,
                              const char *flag)
{
    char takers[256];
    if (method != NULL && takes_flag(method, flag))
        return AKIN_OK;
    list_methods(flag, takers, sizeof takers);
    if (takers[0] == '\0')
        return cli_parameter_unknown(a, flag, method ? method : method_at(0),
                                     AKIN_NAMING, &cmd_name);
    if (method == NULL)
        return app_fail(a, AKIN_EINVAL, "--%s has no effect with --model",
                        flag);
    return app_fail(a, AKIN_EINVAL,
                    "--%s has no effect with --method %s (it has with %s)",
                    flag, method->name, takers);
}

/* Check the flags against the method, or against --model. */
static akin_status check_flags(app *a, const void *flags)
{
    const name_flags *f = flags;
    const akin_learner_info *method = NULL;
    akin_status st = AKIN_OK;
    if (f->own.model == NULL) {
        method = name_method_find(a, f->own.method);
        if (method == NULL)
            return AKIN_EINVAL;
    }
    if (app_was_given(a, "affinity-file"))
        APP_TRY(check_flag(a, method, "affinity-file"));
    for (int64_t i = 0; i < a->n_others; ++i)
        APP_TRY(check_flag(a, method, a->others[i].name));
done:
    return st;
}

json_t *name_methods_json(void)
{
    const akin_learner_info *m;
    json_t *list = json_array();
    for (int64_t i = 0; (m = method_at(i)) != NULL; ++i) {
        json_t *flags = json_array();
        if (m->has_affinities)
            json_array_append_new(flags, json_string("affinity-file"));
        for (int64_t k = 0; k < m->n_options; ++k) {
            cli_parameter p;
            cli_parameter_of(&p, &m->options[k]);
            if (m->options[k].use != AKIN_TRAINING)
                json_array_append_new(flags, json_string(p.flag));
        }
        json_array_append_new(list, APP_OBJECT(APP_KEY("name", m->name),
                                               APP_KEY("summary", m->summary),
                                               APP_KEY("when", m->when),
                                               APP_KEY("flags", flags)));
    }
    return list;
}

/* ---- the report ---------------------------------------------------------- */

/* Is the number of named faces not the one that was asked for? */
static bool is_missed(const name_job *j)
{
    return !j->curve && j->info.wanted >= 0 && j->info.wanted != j->info.named;
}

/* The photos that --min-count left without a name: the first of them. */
static void list_dropped(app *a, const name_job *j)
{
    enum { SHOWN = 20 };
    for (int64_t k = 0; k < j->n_dropped && k < SHOWN; ++k)
        app_remark(a, "photo \"%.80s\" is left out: its names are too rare",
                   j->dropped[k]);
    if (j->n_dropped > SHOWN)
        app_remark(a, "and %s more (--json lists all)",
                   app_counted(j->n_dropped - SHOWN, "photo").text);
}

static void warn(app *a, const name_job *j, const akin_naming_info *info)
{
    const akin_names_info *n = &j->info;
    list_dropped(a, j);
    if (!info->converged)
        app_warn(a, "%s stopped before it converged", j->method);
    if (!n->converged)
        app_remark(a, "some names still changed in round %s",
                   app_count(n->rounds).text);
    if (is_missed(j))
        app_remark(
            a, "%s named, not %s (%s)", app_counted(n->named, "face").text,
            app_count(n->wanted).text,
            n->named < n->wanted && n->named == n->reachable
                ? "the captions have names for no more"
            : n->named < n->wanted && j->at_least > 0.0
                ? "the others are not as sure as --at-least"
            : j->confirmed != NULL ? "the nearest with ties and confirmed names"
                                   : "the nearest with ties");
}

json_t *name_measure_json(const akin_naming_measure *m)
{
    return APP_OBJECT(APP_KEY("accuracy", m->accuracy),
                      APP_KEY("precision", m->precision),
                      APP_KEY("real_name_ratio", m->real_name_ratio));
}

/* The keys of akin eval: the last measure, and all measures of a curve. */
static void add_measures(json_t *out, const name_job *j)
{
    if (j->n_measures == 0)
        return;
    json_t *list = json_array();
    json_t *last = name_measure_json(&j->measures[j->n_measures - 1]);
    json_object_update(out, last);
    json_decref(last);
    for (int64_t k = 0; k < j->n_measures; ++k)
        json_array_append_new(list, name_measure_json(&j->measures[k]));
    if (j->curve)
        json_object_set(out, "curve", list);
    json_decref(list);
}

/* ---- what changed -------------------------------------------------------- */

/* Has the face of line k of --changes another name now? */
static bool is_changed(const name_job *j, int64_t k, int64_t *face,
                       const char **before, const char **now)
{
    *face = akin_face_names_line(before, j->before, k);
    if (j->names[*face] < -1)
        return false;
    *now = akin_naming_name(j->naming, j->names[*face]);
    *before = *before ? *before : "";
    *now = *now ? *now : "";
    return !akin_face_names_says(j->before, k, j->names[*face]);
}

static akin_status print_changes(app *a, const name_job *j)
{
    int64_t face, count = 0;
    const char *before, *now;
    akin_status st = AKIN_OK;
    if (j->before == NULL)
        return AKIN_OK;
    for (int64_t k = 0; k < akin_face_names_count(j->before); ++k)
        if (is_changed(j, k, &face, &before, &now)) {
            APP_TRY(app_print(a, "face %" PRId64 " of photo \"%s\": %s -> %s\n",
                              face, akin_naming_photo(j->naming, face),
                              *before ? before : "(none)",
                              *now ? now : "(none)"));
            ++count;
        }
    APP_TRY(app_report(a, "%s changed\n", app_counted(count, "name").text));
done:
    return st;
}

static json_t *changes_json(const name_job *j)
{
    json_t *list = json_array();
    int64_t face;
    const char *before, *now;
    for (int64_t k = 0; k < akin_face_names_count(j->before); ++k)
        if (is_changed(j, k, &face, &before, &now))
            json_array_append_new(
                list,
                APP_OBJECT(APP_KEY("face", face),
                           APP_KEY("photo", akin_naming_photo(j->naming, face)),
                           APP_KEY("before", before), APP_KEY("now", now)));
    return list;
}

/* Add a value; NAN, which the method does not have, adds nothing. */
static void put_known(json_t *out, const char *key, double value)
{
    if (!isnan(value))
        json_object_set_new(out, key, app_json_real(value));
}

static json_t *all_json(const name_job *j, const akin_naming_info *info,
                        const name_own_flags *f)
{
    const akin_names_info *n = &j->info;
    json_t *out = APP_OBJECT(
        APP_KEY("method", j->method), APP_KEY("faces", info->faces),
        APP_KEY("photos", info->photos), APP_KEY("names", info->names),
        APP_KEY("named", n->named),
        APP_KEY("real_name_ratio", (double)n->named / (double)info->faces),
        APP_KEY("theta", n->theta), APP_KEY("rounds", n->rounds),
        APP_KEY("rounds_converged", (bool)n->converged),
        APP_KEY("iterations", info->iterations),
        APP_KEY("converged", (bool)info->converged));
    if (info->rank >= 0)
        json_object_set_new(out, "rank", json_integer(info->rank));
    put_known(out, "lambda", info->lambda);
    put_known(out, "gamma", info->gamma);
    put_known(out, "gap", info->gap);
    put_known(out, "seconds", info->seconds + j->seconds);
    json_object_set_new(out, "out", app_json_string(f->out));
    app_json_add_text(out, "save_model", f->save_model);
    if (j->resumes) {
        int64_t in_new, in_others;
        akin_estimate_fresh(&in_new, &in_others, j->estimate, j->naming);
        json_object_set_new(out, "new_faces", json_integer(in_new));
        json_object_set_new(out, "faces_by_answers", json_integer(in_others));
    }
    if (j->model != NULL)
        json_object_set_new(out, "same_faces",
                            json_boolean(info->same_faces != 0));
    if (j->before != NULL)
        json_object_set_new(out, "changes", changes_json(j));
    if (f->min_count > 1) {
        json_t *list = json_array();
        for (int64_t k = 0; k < j->n_dropped; ++k)
            json_array_append_new(list, app_json_string(j->dropped[k]));
        json_object_set_new(out, "dropped_photos", list);
    }
    if (j->estimate != NULL) {
        double error;
        const double ratio = akin_estimate_ratio(&error, j->estimate);
        json_object_set_new(out, "estimated_ratio", app_json_real(ratio));
        json_object_set_new(out, "estimated_ratio_se", app_json_real(error));
    }
    if (n->wanted >= 0 && !j->curve)
        json_object_set_new(out, "wanted", json_integer(n->wanted));
    add_measures(out, j);
    return out;
}

/* A share in percent, or with --exact all its digits. */
static app_text shown(const app *a, double share)
{
    return app_was_given(a, "exact") ? app_real(share) : app_percent(share);
}

static akin_status print_measure(app *a, const akin_naming_measure *m)
{
    return app_print(a, "accuracy %s, precision %s\n",
                     shown(a, m->accuracy).text, shown(a, m->precision).text);
}

/* One measure, or a curve with the share of faces that are named. */
static akin_status print_measures(app *a, const name_job *j)
{
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < j->n_measures && st == AKIN_OK; ++k) {
        if (j->curve)
            st = app_print(
                a, "%s named: ", shown(a, j->measures[k].real_name_ratio).text);
        if (st == AKIN_OK)
            st = print_measure(a, &j->measures[k]);
    }
    return st;
}

/* Say how many faces have a name, by the estimate that was used. */
static akin_status print_ratio(app *a, const name_job *j)
{
    double error;
    if (j->estimate == NULL || j->curve || !j->is_auto)
        return AKIN_OK;
    const double ratio = akin_estimate_ratio(&error, j->estimate);
    return app_report(a,
                      "estimated real-name ratio %.3f (standard error %.3f)\n",
                      ratio, error);
}

/* Which faces keep their names. */
static akin_status print_fresh(app *a, const name_job *j)
{
    akin_naming_info info;
    int64_t in_new, in_others;
    if (!j->resumes)
        return AKIN_OK;
    akin_naming_get_info(&info, j->naming);
    akin_estimate_fresh(&in_new, &in_others, j->estimate, j->naming);
    const app_text others = app_counted(in_others, "other");
    return app_report(
        a, "%s in new photos%s%s; %s %s (--all names all again)\n",
        app_counted(in_new, "face").text,
        in_others > 0 ? ", and by answers " : "",
        in_others > 0 ? others.text : "",
        app_counted(info.faces - in_new - in_others, "face").text,
        info.faces - in_new - in_others == 1 ? "keeps its name"
                                             : "keep their names");
}

static akin_status report(app *a, const name_job *j, const name_own_flags *f)
{
    akin_naming_info info;
    akin_status st = AKIN_OK;
    akin_naming_get_info(&info, j->naming);
    app_progress_clear(&a->progress);
    warn(a, j, &info);
    if (a->common.json)
        return app_json_print(a, all_json(j, &info, f));
    APP_TRY(app_report(
        a, "%s: %s of %s in %s named out of %s, %s%s\n", app_shown(f->out),
        app_count(j->info.named).text, app_counted(info.faces, "face").text,
        app_counted(info.photos, "photo").text,
        app_counted(info.names, "name").text,
        app_seconds(info.seconds + j->seconds).text,
        info.same_faces ? ", by the affinities in the model" : ""));
    APP_TRY(print_fresh(a, j));
    APP_TRY(print_ratio(a, j));
    APP_TRY(print_measures(a, j));
    APP_TRY(print_changes(a, j));
done:
    return st;
}

/* ---- names that a collection keeps --------------------------------------- */

/* Are these the faces of a collection, named by its captions and the defaults?
 */
static bool is_plain(const app *a, const name_own_flags *f)
{
    static const char *const others[] = {
        "captions",  "model",     "method", "affinity-file",   "save-model",
        "min-count", "confirmed", "prior",  "real-name-ratio", "named-count",
        "quality",   "theta",     "curve",  "scale",           "norm"};
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        if (app_was_given(a, others[k]))
            return false;
    return a->n_others == 0 && akin_collection_is(f->faces);
}

/* Is there a file with what was found before? The order of review compares all
 * faces. */
static bool has_kept(const name_own_flags *f)
{
    char path[4096];
    return !f->all && f->review == NULL && name_kept_path(f->faces, path) &&
           access(path, F_OK) == 0;
}

static akin_status keep_names(app *a, const name_job *j, const char *faces)
{
    int64_t in_new, in_others;
    char path[4096];
    akin_estimate_fresh(&in_new, &in_others, j->estimate, j->naming);
    if ((j->resumes && in_new + in_others == 0) || !name_kept_path(faces, path))
        return AKIN_OK;
    if (access(faces, W_OK) != 0) {
        app_remark(a, "%s is read-only: it does not keep the names", faces);
        return AKIN_OK;
    }
    return akin_estimate_save(a->ctx, j->estimate, j->naming, j->raw,
                              j->confidences, path);
}

/* ---- the command --------------------------------------------------------- */

/* Save what was learned, to name other faces later. */
static akin_status keep_model(app *a, const name_job *j, const char *path)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_naming_model(&m, a->ctx, j->naming, j->names, j->info.theta));
    APP_TRY(akin_model_save(a->ctx, m, path));
done:
    akin_model_free(m);
    return st;
}

/* Write --out and --save-model: both or neither. */
static akin_status write_files(app *a, const name_job *j,
                               const name_own_flags *f)
{
    akin_outputs files;
    akin_status st = AKIN_OK;
    akin_outputs_begin(a->ctx, &files);
    if (f->save_model)
        APP_TRY(keep_model(a, j, f->save_model));
    APP_TRY(akin_output_write(a->ctx, f->out, j->text));
    if (f->review)
        APP_TRY(akin_output_write(a->ctx, f->review, j->review));
    if (f->answers)
        APP_TRY(akin_output_write(a->ctx, f->answers, j->answers));
    if (j->keeps)
        APP_TRY(keep_names(a, j, f->faces));
done:
    return akin_outputs_end(a->ctx, &files, st);
}

/* Check that there are no more weights than files, each from 0 to 1. */
static akin_status check_weights(app *a, const name_own_flags *f)
{
    const char *file = f->affinity_file, *weight = f->affinity_weight;
    if (*file == ',' || file[strlen(file) - 1] == ',' || strstr(file, ",,"))
        return app_fail(a, AKIN_EINVAL, "--affinity-file %s has an extra comma",
                        file);
    while (weight != NULL) {
        char *end = NULL;
        const double share = strtod(weight, &end);
        if (end == weight || (*end != ',' && *end != '\0'))
            return app_fail(a, AKIN_EINVAL,
                            "--affinity-weight %s is not a list of numbers",
                            f->affinity_weight);
        if (!(share >= 0.0 && share <= 1.0))
            return app_fail(a, AKIN_EINVAL,
                            "--affinity-weight %s is out of range (0 to 1)",
                            f->affinity_weight);
        if (file == NULL)
            return app_fail(a, AKIN_EINVAL,
                            "--affinity-weight %s: more weights than files",
                            f->affinity_weight);
        weight = *end == ',' ? end + 1 : NULL;
        file = strchr(file, ',');
        file = file != NULL ? file + 1 : NULL;
    }
    return AKIN_OK;
}

static akin_status check(app *a, const name_flags *f)
{
    if (app_was_given(a, "labels"))
        return app_fail(a, AKIN_EINVAL,
                        "--labels has no effect (--truth FILE measures names, "
                        "--confirmed FILE keeps them)");
    if (f->own.captions == NULL && f->own.model == NULL &&
        !akin_collection_is(f->own.faces))
        return app_fail(
            a, AKIN_EINVAL,
            "name needs --captions or --model (see akin help name)");
    if (f->own.answers != NULL && !akin_collection_is(f->own.faces))
        return app_fail(a, AKIN_EINVAL,
                        "--answers: %s is not a collection of faces",
                        f->own.faces);
    const akin_status st = check_flags(a, f);
    return st == AKIN_OK && f->own.affinity_file ? check_weights(a, &f->own)
                                                 : st;
}

static akin_status run(app *a, const void *flags)
{
    const name_flags *f = flags;
    name_job j = NAME_JOB;
    akin_status st = AKIN_OK;
    APP_TRY(check(a, f));
    j.keeps = is_plain(a, &f->own);
    j.resumes = j.keeps && has_kept(&f->own);
    if (f->own.model == NULL) {
        APP_TRY(akin_options_new(&j.options, a->ctx, f->own.method));
        APP_TRY(cli_parameters_set(
            a, j.options, akin_learner_find(f->own.method), AKIN_NAMING, NULL));
    }
    APP_TRY(name_faces(a, &j, &f->own, &f->reading));
    APP_TRY(write_files(a, &j, &f->own));
    APP_TRY(report(a, &j, &f->own));
done:
    name_close(&j);
    return st;
}

const app_command cmd_name = {
    .name = "name",
    .section = "collections",
    .summary = "a name for every face, from captions",
    .about = "Each face gets one of the names of its photo's caption, or none "
             "of them; no name goes to two faces of a photo. The probability "
             "says how likely that is right; --review lists the faces to ask "
             "a person about, the most useful first.",
    .examples =
        "akin name faces.npy --captions captions.csv --out names.csv\n"
        "akin name faces.akin --out names.csv\n"
        "akin name faces.npy --captions captions.csv --method lrr --confirmed "
        "said.csv --out names.csv\n"
        "akin name faces.npy --captions captions.csv --method mms --save-model "
        "people.safetensors --out names.csv\n"
        "akin name faces.npy --captions captions.csv --model "
        "people.safetensors --confirmed said.csv --out names.csv\n"
        "akin name new.npy --model people.safetensors --out names.csv",
    .size = sizeof(name_flags),
    .excludes = "theta|named-count|real-name-ratio|curve curve|save-model "
                "curve|changes curve|review curve|at-least",
    APP_PARTS({&name_own_group, offsetof(name_flags, own)},
              {&cli_reading_group, offsetof(name_flags, reading)},
              {&app_exact_group, offsetof(name_flags, exact)}),
    .takes_others = true,
    .check_others = check_flags,
    .run = run,
    .more_help = methods_help,
};
