#include "cli/collection/face_names.h"

#include <akin/faces.h>
#include <akin/review.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/naming/name.h"

static akin_status read_faces(app *a, face_names *g, akin_collection *c)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_rows(&g->rows, a->ctx, c, NULL, NULL));
    APP_TRY(akin_supervision_new(&g->known, a->ctx, g->rows, NULL, NULL));
    APP_TRY(akin_faces_captions(a->ctx, g->known, c));
done:
    return st;
}

akin_status face_names_read(app *a, face_names *g, const char *path,
                            akin_collection *c)
{
    akin_status st = AKIN_OK;
    APP_TRY(read_faces(a, g, c));
    APP_TRY(akin_face_names_earlier(&g->said, a->ctx, path, g->known));
    APP_TRY(APP_NEW(a, akin_rows_count(g->rows), &g->names));
    for (int64_t k = 0; k < akin_face_names_count(g->said); ++k) {
        const char *name;
        const int64_t face = akin_face_names_line(&name, g->said, k);
        g->names[face] = name ? name : "";
    }
done:
    return st;
}

/* Names of all rows; those in no photo are not known. */
static akin_status take_names(app *a, face_names *g)
{
    const int64_t n = akin_rows_count(g->rows);
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    akin_names_info info;
    akin_estimate *estimate = NULL;
    int32_t *numbers = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_naming_estimate(&estimate, a->ctx, g->naming, g->said));
    o.confirmed = g->said;
    o.estimate = estimate;
    APP_TRY(APP_NEW(a, n, &numbers));
    APP_TRY(akin_naming_names(numbers, NULL, a->ctx, g->naming, &o, &info));
    APP_TRY(APP_NEW(a, n, &g->names));
    for (int64_t i = 0; i < n; ++i)
        if (numbers[i] != AKIN_IN_NO_PHOTO)
            g->names[i] = numbers[i] == AKIN_NO_NAME
                              ? ""
                              : akin_naming_name(g->naming, numbers[i]);
done:
    free(numbers);
    akin_estimate_free(estimate);
    return st;
}

akin_status face_names_kept(app *a, face_names *g, const char *collection,
                            akin_collection *c)
{
    char path[4096];
    akin_status st = AKIN_OK;
    if (!name_kept_path(collection, path) || access(path, F_OK) != 0)
        return AKIN_OK;
    st = read_faces(a, g, c);
    if (st == AKIN_OK)
        st = akin_answers_confirmed(&g->said, a->ctx, g->known, c);
    if (st == AKIN_OK)
        st = akin_naming_resume(&g->naming, a->ctx, g->known, path);
    if (st == AKIN_OK)
        return take_names(a, g);
    return st == AKIN_EINVAL || st == AKIN_EFORMAT || st == AKIN_ESHAPE
               ? AKIN_OK
               : st;
}

void face_names_free(face_names *g)
{
    free(g->names);
    akin_naming_free(g->naming);
    akin_face_names_free(g->said);
    akin_supervision_free(g->known);
    akin_rows_free(g->rows);
}

void face_names_warn_open(app *a, const akin_collection *c, const char *path)
{
    const int open = akin_collection_is_open(c);
    if (open > 0)
        app_warn(a, "%s is unfinished: photos are missing (%s)", path,
                 open == 1 ? "repeat the command that was interrupted"
                           : "the run is under way");
}
