/* Faces, captions and what is said of them, learned from and named: what `akin
 * name` and `akin eval --task naming` share. */
#include "cli/naming/name.h"

#include <akin/review.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/text.h"
#include "cli/collection/face_names.h"
#include "cli/load.h"

void name_close(name_job *j)
{
    free(j->text);
    free(j->names);
    free(j->confidences);
    free(j->probabilities);
    free(j->gains);
    free(j->review);
    free(j->answers);
    for (int64_t k = 0; k < j->n_dropped; ++k)
        akin_free(j->dropped[k]);
    akin_free(j->dropped);
    akin_estimate_free(j->estimate);
    akin_face_names_free(j->before);
    akin_naming_free(j->naming);
    akin_options_free(j->options);
    akin_face_names_free(j->truth);
    akin_face_names_free(j->confirmed);
    akin_supervision_free(j->known);
    akin_rows_free(j->rows);
    akin_rows_free(j->raw);
    akin_recipe_free(j->recipe);
    akin_model_free(j->model);
    akin_collection_close(j->collection);
}

bool name_kept_path(const char *collection, char path[4096])
{
    return snprintf(path, 4096, "%s/%s", collection, AKIN_FACES_KEPT) < 4096;
}

/* Read the faces and prepare them by the model's recipe, or by the flags. */
static akin_status open_rows(app *a, name_job *j, const name_own_flags *f,
                             const reading_flags *reading)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_status st = AKIN_OK;
    o.scale = f->scale;
    o.norm = f->norm;
    if (f->model)
        APP_TRY(akin_model_load(&j->model, a->ctx, f->model));
    const cli_shape shape =
        j->model ? cli_shape_of_model(j->model, f->model, AKIN_LEFT, false)
                 : (cli_shape){0};
    APP_TRY(cli_read_rows(a, &j->raw, f->faces, reading, shape));
    APP_TRY(cli_forget_labels(a, j->raw));
    j->n = akin_rows_count(j->raw);
    if (j->resumes)
        return akin_supervision_new(&j->known, a->ctx, j->raw, NULL, NULL);
    if (j->model) {
        APP_TRY(
            akin_model_prepare(&j->rows, a->ctx, j->model, j->raw, AKIN_LEFT));
    } else {
        st = akin_recipe_fit(&j->recipe, a->ctx, j->raw, &o);
        APP_TRY(cli_in_file(a, st, f->faces));
        st = akin_recipe_apply(&j->rows, a->ctx, j->recipe, j->raw);
        APP_TRY(cli_in_file(a, st, f->faces));
    }
    APP_TRY(akin_supervision_new(&j->known, a->ctx, j->rows, NULL, j->recipe));
done:
    return st;
}

/* Those of a collection of faces, which stays open where it has some. A model
 * can do without. */
static akin_status captions_of(app *a, name_job *j, const char *faces)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&j->collection, a->ctx, faces));
    face_names_warn_open(a, j->collection, faces);
    if (akin_collection_count(j->collection) != j->n)
        APP_TRY(app_fail(a, AKIN_EBUSY,
                         "%s changed while it was read (repeat the command)",
                         faces));
    st = akin_faces_captions(a->ctx, j->known, j->collection);
    if (st == AKIN_EINVAL && j->model != NULL) {
        akin_collection_close(j->collection);
        j->collection = NULL;
        st = AKIN_OK;
    }
done:
    return st;
}

/* Without captions any face can have any name of the model. */
static akin_status open_captions(app *a, name_job *j, const name_own_flags *f)
{
    const char **names = NULL;
    akin_status st = AKIN_OK;
    if (f->captions)
        return akin_supervision_read(a->ctx, j->known, AKIN_BAGS, f->captions);
    if (akin_collection_is(f->faces))
        APP_TRY(captions_of(a, j, f->faces));
    if (j->collection != NULL)
        return AKIN_OK;
    const int64_t n = akin_model_label_count(j->model);
    APP_TRY(APP_NEW(a, n, &names));
    for (int64_t k = 0; k < n; ++k)
        names[k] = akin_model_label_name(j->model, k);
    APP_TRY(akin_supervision_anyone(a->ctx, j->known, names, n));
done:
    free(names);
    return st;
}

/* What a person said of the faces of a collection. */
static akin_status open_answers(app *a, name_job *j, const char *faces)
{
    akin_collection *c = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, faces));
    APP_TRY(akin_answers_confirmed(&j->confirmed, a->ctx, j->known, c));
done:
    akin_collection_close(c);
    return st;
}

/* Read faces, captions, confirmed names and the truth. */
static akin_status read_all(app *a, name_job *j, const name_own_flags *f,
                            const reading_flags *reading)
{
    akin_status st = AKIN_OK;
    APP_TRY(open_rows(a, j, f, reading));
    APP_TRY(open_captions(a, j, f));
    if (f->min_count > 1)
        APP_TRY(akin_supervision_min_count(&j->dropped, &j->n_dropped, a->ctx,
                                           j->known, f->min_count));
    if (f->confirmed)
        APP_TRY(akin_face_names_confirm(&j->confirmed, a->ctx, j->known,
                                        f->confirmed));
    else if (f->captions == NULL && akin_collection_is(f->faces))
        APP_TRY(open_answers(a, j, f->faces));
    if (f->changes)
        APP_TRY(
            akin_face_names_earlier(&j->before, a->ctx, f->changes, j->known));
    if (f->truth)
        APP_TRY(akin_face_names_read(&j->truth, a->ctx, f->truth, j->known));
    APP_TRY(APP_NEW(a, j->n, &j->names));
    APP_TRY(APP_NEW(a, j->n, &j->confidences));
    APP_TRY(APP_NEW(a, j->n, &j->probabilities));
done:
    return st;
}

/* Fuse the files in order; the last weight holds for all further files. */
static akin_status fuse_files(app *a, name_job *j, const name_own_flags *f)
{
    const char *file = f->affinity_file, *weight = f->affinity_weight;
    akin_status st = AKIN_OK;
    while (st == AKIN_OK && *file != '\0') {
        char path[4096], *end = NULL;
        const size_t n = strcspn(file, ",");
        const double share = strtod(weight, &end);
        if (snprintf(path, sizeof path, "%.*s", (int)n, file) >=
            (int)sizeof path)
            return app_fail(a, AKIN_EINVAL, "the path is too long");
        st = akin_naming_fuse(a->ctx, j->naming, path, share);
        file += n + (file[n] == ',');
        if (*end == ',')
            weight = end + 1;
    }
    return st;
}

/* Faces that cannot be computed with; other files are named already. */
static akin_status of_faces(app *a, akin_status st, const char *faces)
{
    return st == AKIN_ESHAPE || st == AKIN_ENUMERIC ? cli_in_file(a, st, faces)
                                                    : st;
}

/* Names by what is learned from the faces, or by the model. */
static akin_status open_naming(app *a, name_job *j, const name_own_flags *f)
{
    char kept[4096];
    akin_status st;
    if (j->resumes && name_kept_path(f->faces, kept)) {
        st = akin_naming_resume(&j->naming, a->ctx, j->known, kept);
        return st == AKIN_EFORMAT || st == AKIN_ESHAPE
                   ? app_fail(a, st, "%s (--all names all faces again)",
                              akin_ctx_message(a->ctx))
                   : st;
    }
    if (j->model && akin_model_label_count(j->model) == 0)
        return app_fail(a, AKIN_EINVAL,
                        "%s: a model of kind %s scores no names (one of akin "
                        "name --save-model does)",
                        f->model, akin_model_kind(j->model));
    if (j->model) {
        st = akin_naming_open(&j->naming, a->ctx, j->known, j->model);
        return st == AKIN_EINVAL ? cli_in_file(a, st, f->model) : st;
    }
    st = akin_naming_learn(&j->naming, a->ctx, j->options, j->known,
                           j->confirmed);
    return of_faces(a, st, f->faces);
}

/* --quality: a number for each face. */
static akin_status read_quality(app *a, name_job *j, const name_own_flags *f,
                                const reading_flags *reading)
{
    akin_rows *rows = NULL;
    double *quality = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(cli_read_rows(a, &rows, f->quality, reading, (cli_shape){0}));
    if (akin_rows_count(rows) != j->n || akin_rows_dim(rows) != 1)
        APP_TRY(app_fail(a, AKIN_ESHAPE,
                         "%s: %" PRId64 " rows of %" PRId64
                         " columns (expected %" PRId64 " rows of 1)",
                         f->quality, akin_rows_count(rows), akin_rows_dim(rows),
                         j->n));
    APP_TRY(APP_NEW(a, j->n, &quality));
    for (int64_t i = 0; i < j->n; ++i) {
        const int32_t *columns;
        const float *values;
        const int64_t m = akin_rows_row(&columns, &values, rows, i);
        quality[i] = m > 0 ? (double)values[0] : 0.0;
    }
    st = akin_naming_set_quality(a->ctx, j->naming, quality);
    APP_TRY(cli_in_file(a, st, f->quality));
done:
    free(quality);
    akin_rows_free(rows);
    return st;
}

/* Positions in captions, unless --prior has weights. */
static akin_status use_positions(app *a, name_job *j)
{
    akin_face_weight *list = NULL;
    int64_t n;
    akin_status st = AKIN_OK;
    APP_TRY(akin_faces_prior(&list, &n, a->ctx, j->collection, j->known));
    if (n > 0)
        APP_TRY(akin_naming_set_prior(a->ctx, j->naming, list, n));
done:
    akin_free(list);
    return st;
}

/* What the collection knows of them, unless --quality says it. */
static akin_status use_quality(app *a, name_job *j)
{
    double *quality = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, j->n, &quality));
    APP_TRY(akin_faces_quality(quality, a->ctx, j->collection));
    APP_TRY(akin_naming_set_quality(a->ctx, j->naming, quality));
done:
    free(quality);
    return st;
}

/* Learn from them, or take the model. */
static akin_status learn(app *a, name_job *j, const name_own_flags *f,
                         const reading_flags *reading)
{
    akin_status st = AKIN_OK;
    APP_TRY(open_naming(a, j, f));
    if (f->affinity_file)
        APP_TRY(fuse_files(a, j, f));
    if (f->prior)
        APP_TRY(akin_naming_read_prior(a->ctx, j->naming, f->prior));
    else if (j->collection)
        APP_TRY(use_positions(a, j));
    if (f->quality)
        APP_TRY(read_quality(a, j, f, reading));
    else if (j->collection)
        APP_TRY(use_quality(a, j));
done:
    return st;
}

/* ---- names --------------------------------------------------------------- */

static void put_names(FILE *to, const name_job *j, const char *ratio)
{
    for (int64_t i = 0; i < j->n; ++i) {
        if (j->names[i] < -1)
            continue;
        const char *name = akin_naming_name(j->naming, j->names[i]);
        fprintf(to, "%s%s%" PRId64 ",", ratio, *ratio ? "," : "", i);
        app_csv_cell(to, akin_naming_photo(j->naming, i));
        putc(',', to);
        app_csv_cell(to, name ? name : "");
        fprintf(to, ",%.6g,", j->confidences[i]);
        if (j->estimate != NULL)
            fprintf(to, "%.4f", j->probabilities[i]);
        putc('\n', to);
    }
}

static akin_status name_once(app *a, name_job *j)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_naming_names(j->names, j->confidences, a->ctx, j->naming,
                              &j->o, &j->info));
    j->seconds += j->info.seconds;
    if (j->estimate != NULL)
        APP_TRY(akin_estimate_probabilities(j->probabilities, a->ctx,
                                            j->estimate, j->naming, j->names,
                                            j->confirmed));
done:
    return st;
}

/* --at-least: names that are less sure are not given. */
static akin_status drop_unsure(app *a, name_job *j, double least)
{
    if (j->estimate == NULL)
        return least > 0.0 ? app_fail(a, AKIN_EINVAL,
                                      "--at-least: there are no probabilities "
                                      "for faces that the model did not learn "
                                      "from")
                           : AKIN_OK;
    for (int64_t i = 0; i < j->n; ++i)
        if (j->names[i] >= 0 && j->probabilities[i] < least) {
            j->names[i] = AKIN_NO_NAME;
            --j->info.named;
        }
    return akin_estimate_probabilities(j->probabilities, a->ctx, j->estimate,
                                       j->naming, j->names, j->confirmed);
}

static akin_status measure(app *a, name_job *j)
{
    return j->truth ? akin_naming_compare(&j->measures[j->n_measures++], a->ctx,
                                          j->naming, j->names, j->truth)
                    : AKIN_OK;
}

/* Do the captions have names for fewer faces than were wanted? */
static bool is_short(const akin_names_info *n)
{
    return n->named < n->wanted && n->named == n->reachable;
}

static akin_status name_curve(app *a, name_job *j, FILE *to)
{
    bool told = false;
    akin_status st = AKIN_OK;
    for (int step = 1; step <= NAME_CURVE; ++step) {
        char ratio[16];
        j->o.real_name_ratio = (double)step / NAME_CURVE;
        snprintf(ratio, sizeof ratio, "%.2f", j->o.real_name_ratio);
        APP_TRY(name_once(a, j));
        APP_TRY(measure(a, j));
        put_names(to, j, ratio);
        if (!told && is_short(&j->info))
            app_remark(a,
                       "ratios from %s on are all the same: the captions "
                       "have names for no more than %s",
                       ratio, app_counted(j->info.named, "face").text);
        told |= is_short(&j->info);
    }
done:
    return st;
}

static akin_status name_all(app *a, name_job *j, FILE *to)
{
    akin_status st = AKIN_OK;
    fprintf(to, "%sface,photo,name,confidence,probability\n",
            j->curve ? "real_name_ratio," : "");
    if (j->curve)
        return name_curve(a, j, to);
    APP_TRY(name_once(a, j));
    APP_TRY(drop_unsure(a, j, j->at_least));
    APP_TRY(measure(a, j));
    put_names(to, j, "");
done:
    return st;
}

/* Name the faces by j->o, or at every ratio, and measure the names. */
static akin_status give(app *a, name_job *j)
{
    size_t size = 0;
    FILE *to = open_memstream(&j->text, &size);
    if (to == NULL)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    akin_status st = name_all(a, j, to);
    if (fclose(to) != 0 && st == AKIN_OK)
        st = app_fail(a, AKIN_ENOMEM, "out of memory");
    return st;
}

/* ---- the order of review --------------------------------------------------
 */

typedef struct asked {
    int64_t face;
    double gain;
} asked;

static int by_gain(const void *left, const void *right)
{
    const asked *a = left, *b = right;
    return a->gain != b->gain ? (a->gain < b->gain ? 1 : -1)
                              : (a->face > b->face) - (a->face < b->face);
}

static void put_review(FILE *to, const name_job *j, const asked *list,
                       int64_t n)
{
    fputs("face,photo,name,probability,gain\n", to);
    for (int64_t k = 0; k < n; ++k) {
        const int64_t i = list[k].face;
        const char *name = akin_naming_name(j->naming, j->names[i]);
        fprintf(to, "%" PRId64 ",", i);
        app_csv_cell(to, akin_naming_photo(j->naming, i));
        putc(',', to);
        app_csv_cell(to, name ? name : "");
        fprintf(to, ",%.4f,%.4f\n", j->probabilities[i], list[k].gain);
    }
}

/* --review: faces by what is expected of asking a person. */
static akin_status list_review(app *a, name_job *j)
{
    asked *list = NULL;
    FILE *to = NULL;
    size_t size = 0;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    if (j->estimate == NULL)
        return app_fail(a, AKIN_EINVAL,
                        "--review: there are no probabilities for faces that "
                        "the model did not learn from");
    APP_TRY(APP_NEW(a, j->n, &list));
    APP_TRY(APP_NEW(a, j->n, &j->gains));
    APP_TRY(akin_estimate_gains(j->gains, a->ctx, j->estimate, j->naming,
                                j->names, j->confirmed));
    for (int64_t i = 0; i < j->n; ++i)
        if (j->names[i] >= -1 && j->gains[i] > 0.0)
            list[n++] = (asked){i, j->gains[i]};
    qsort(list, (size_t)n, sizeof *list, by_gain);
    to = open_memstream(&j->review, &size);
    if (to == NULL)
        APP_TRY(app_fail(a, AKIN_ENOMEM, "out of memory"));
    put_review(to, j, list, n);
    if (fclose(to) != 0)
        APP_TRY(app_fail(a, AKIN_ENOMEM, "out of memory"));
done:
    free(list);
    return st;
}

/* ---- what people said ---------------------------------------------------- */

static void put_answer(FILE *to, const akin_answer *x)
{
    fprintf(to, "%" PRId64 ",", x->number);
    if (x->face >= 0)
        fprintf(to, "%" PRId64, x->face);
    fprintf(to, ",%s,", x->kind);
    app_csv_cell(to, x->name ? x->name : "");
    putc(',', to);
    app_csv_cell(to, x->other ? x->other : "");
    putc(',', to);
    app_csv_cell(to, x->user ? x->user : "");
    fprintf(to, ",%d,", x->undone != 0);
    if (x->photo >= 0)
        fprintf(to, "%" PRId64, x->photo);
    putc(',', to);
    app_csv_cell(to, x->mention ? x->mention : "");
    putc('\n', to);
}

static akin_status put_answers(app *a, FILE *to, akin_answers *answers)
{
    akin_answer x = AKIN_ANSWER_INIT;
    akin_status st = AKIN_OK;
    fputs("number,face,kind,name,other,user,undone,photo,mention\n", to);
    do {
        APP_TRY(akin_answers_next(&x, a->ctx, answers, x.number));
        if (x.number > 0)
            put_answer(to, &x);
    } while (x.number > 0);
done:
    return st;
}

/* --answers: all that were given, also those that were undone. */
static akin_status list_answers(app *a, name_job *j, const char *faces)
{
    akin_answers *answers = NULL;
    size_t size = 0;
    FILE *to = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_answers_open(&answers, a->ctx, faces));
    to = open_memstream(&j->answers, &size);
    if (to == NULL)
        APP_TRY(app_fail(a, AKIN_ENOMEM, "out of memory"));
    st = put_answers(a, to, answers);
    if (fclose(to) != 0 && st == AKIN_OK)
        st = app_fail(a, AKIN_ENOMEM, "out of memory");
done:
    akin_answers_close(answers);
    return st;
}

/* A share, or NAN for auto. */
static akin_status take_ratio(app *a, const char *word, double *ratio)
{
    char *end;
    *ratio = NAN;
    if (strcmp(word, "auto") == 0)
        return AKIN_OK;
    *ratio = strtod(word, &end);
    if (end == word || *end != '\0' || !(*ratio >= 0.0 && *ratio <= 1.0))
        return app_fail(a, AKIN_EINVAL,
                        "--real-name-ratio %s is not a share (expected 0 to 1 "
                        "or auto)",
                        word);
    return AKIN_OK;
}

/* Probabilities, where faces are those that were learned from. */
static akin_status estimate(app *a, name_job *j, const char *faces)
{
    akin_naming_info info;
    akin_status st = AKIN_OK;
    akin_naming_get_info(&info, j->naming);
    if (j->model && !info.same_faces)
        return AKIN_OK;
    const double start = app_now();
    st = akin_naming_estimate(&j->estimate, a->ctx, j->naming, j->confirmed);
    APP_TRY(of_faces(a, st, faces));
    j->o.estimate = j->estimate;
    j->is_auto = isnan(j->o.theta) && j->o.named_count < 0 &&
                 isnan(j->o.real_name_ratio) && j->model == NULL;
    j->seconds += app_now() - start;
done:
    return st;
}

akin_status name_faces(app *a, name_job *j, const name_own_flags *f,
                       const reading_flags *reading)
{
    akin_status st = AKIN_OK;
    APP_TRY(read_all(a, j, f, reading));
    APP_TRY(learn(a, j, f, reading));
    j->method = j->model ? akin_model_learner(j->model) : f->method;
    j->o.theta = f->theta;
    j->o.named_count = f->named_count;
    APP_TRY(take_ratio(a, f->real_name_ratio, &j->o.real_name_ratio));
    j->o.confirmed = j->confirmed;
    j->curve = f->curve;
    j->at_least = f->at_least;
    APP_TRY(estimate(a, j, f->faces));
    APP_TRY(give(a, j));
    if (f->review)
        APP_TRY(list_review(a, j));
    if (f->answers)
        APP_TRY(list_answers(a, j, f->faces));
done:
    return st;
}
