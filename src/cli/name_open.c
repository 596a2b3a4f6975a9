/* What akin name reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/load.h"
#include "cli/name.h"

void name_close(name_job *j)
{
    free(j->text);
    free(j->names);
    free(j->confidences);
    akin_naming_free(j->naming);
    akin_face_names_free(j->truth);
    akin_face_names_free(j->confirmed);
    akin_supervision_free(j->known);
    akin_rows_free(j->rows);
    akin_rows_free(j->raw);
    akin_recipe_free(j->recipe);
    akin_model_free(j->model);
}

/* Rows as the model knows them, or as the flags say. */
static akin_status open_rows(app *a, name_job *j, const name_flags *f)
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
static akin_status open_captions(app *a, name_job *j, const name_flags *f)
{
    const char **names = NULL;
    akin_status st = AKIN_OK;
    if (f->own.captions)
        return akin_supervision_read(a->ctx, j->known, AKIN_BAGS,
                                     f->own.captions);
    const int64_t n = akin_model_label_count(j->model);
    APP_TRY(APP_NEW(a, n, &names));
    for (int64_t k = 0; k < n; ++k)
        names[k] = akin_model_label_name(j->model, k);
    APP_TRY(akin_supervision_anyone(a->ctx, j->known, names, n));
done:
    free(names);
    return st;
}

akin_status name_check_weights(app *a, const name_own_flags *f)
{
    const char *file = f->affinity_file, *weight = f->affinity_weight;
    if (*file == ',' || file[strlen(file) - 1] == ',' || strstr(file, ",,"))
        return app_fail(a, AKIN_EINVAL,
                        "--affinity-file %s has a comma too many", file);
    while (weight != NULL) {
        char *end = NULL;
        const double share = strtod(weight, &end);
        if (end == weight || (*end != ',' && *end != '\0'))
            return app_fail(a, AKIN_EINVAL,
                            "--affinity-weight %s is no list of numbers",
                            f->affinity_weight);
        if (!(share >= 0.0 && share <= 1.0))
            return app_fail(a, AKIN_EINVAL,
                            "--affinity-weight %s is out of range (0 to 1)",
                            f->affinity_weight);
        if (file == NULL)
            return app_fail(a, AKIN_EINVAL,
                            "--affinity-weight %s has more than there are of "
                            "--affinity-file",
                            f->affinity_weight);
        weight = *end == ',' ? end + 1 : NULL;
        file = strchr(file, ',');
        file = file != NULL ? file + 1 : NULL;
    }
    return AKIN_OK;
}

akin_status name_open(app *a, name_job *j, const name_flags *f)
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

/* One of a list after the other; the last weight counts for the rest. */
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

/* The library knows no files: these errors are about one. */
static akin_status of_file(app *a, akin_status st, const char *path)
{
    char text[512];
    snprintf(text, sizeof text, "%s", akin_ctx_message(a->ctx));
    return app_fail(a, st, "%s: %s", path, text);
}

/* Names by what is learned from the faces, or by the model. */
static akin_status open_naming(app *a, name_job *j, const name_flags *f)
{
    akin_naming_options o = f->naming;
    akin_status st;
    o.confirmed = j->confirmed;
    if (j->model) {
        st = akin_naming_open(&j->naming, a->ctx, j->known, j->model);
        return st == AKIN_EINVAL ? of_file(a, st, f->own.model) : st;
    }
    st = akin_naming_learn(&j->naming, a->ctx, j->known, &o);
    return st == AKIN_ESHAPE || st == AKIN_ENUMERIC
               ? of_file(a, st, f->own.faces)
               : st;
}

akin_status name_learn(app *a, name_job *j, const name_flags *f)
{
    akin_status st = AKIN_OK;
    APP_TRY(open_naming(a, j, f));
    if (f->own.affinity_file)
        APP_TRY(fuse_files(a, j, &f->own));
done:
    return st;
}
