/* Figure 2 of face naming: how faces represent each other, as pictures. Faces
 * are sorted by name, those without a name last. */
#include <akin/naming.h>
#include <akin/plot.h>
#include <akin/synth.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/reproduce.h"
#include "reproduce/naming/naming.h"

enum { PHOTOS = 90, NAMES = 8, DIM = 60 };

typedef struct faces {
    app *a;
    akin_rows *rows;
    akin_supervision *known;
    char *captions, *truth;
    int64_t n, *order;
    int32_t *names;  // NAMES: nobody
    double *picture;
} faces;

static void close_faces(faces *x)
{
    akin_supervision_free(x->known);
    akin_rows_free(x->rows);
    akin_free(x->captions);
    akin_free(x->truth);
    free(x->order);
    free(x->names);
    free(x->picture);
}

/* Lines "face,nameN" after a header, in the order of faces. */
static void read_truth(faces *x)
{
    const char *line = strchr(x->truth, '\n');
    int64_t count = 0;
    for (int64_t i = 0; line != NULL && i < x->n; ++i) {
        const char *comma = strchr(line, ',');
        x->names[i] = comma && strncmp(comma, ",name", 5) == 0
                          ? (int32_t)strtol(comma + 5, NULL, 10)
                          : NAMES;
        line = strchr(line + 1, '\n');
    }
    for (int32_t q = 0; q <= NAMES; ++q)
        for (int64_t i = 0; i < x->n; ++i)
            if (x->names[i] == q)
                x->order[count++] = i;
}

static akin_status open_faces(faces *x)
{
    akin_synth_faces_options o = AKIN_SYNTH_FACES_DEFAULTS;
    akin_ctx *ctx = x->a->ctx;
    akin_status st = AKIN_OK;
    o.photos = PHOTOS;
    o.names = NAMES;
    o.dim = DIM;
    APP_TRY(akin_synth_faces(&x->rows, &x->captions, &x->truth, ctx, &o));
    APP_TRY(akin_supervision_new(&x->known, ctx, x->rows, NULL, NULL));
    APP_TRY(akin_supervision_captions(ctx, x->known, "captions", x->captions));
    x->n = akin_rows_count(x->rows);
    APP_TRY(APP_NEW(x->a, x->n, &x->order));
    APP_TRY(APP_NEW(x->a, x->n, &x->names));
    APP_TRY(APP_NEW(x->a, x->n * x->n, &x->picture));
    read_truth(x);
done:
    return st;
}

static akin_status save(faces *x, const char *folder, const char *file,
                        const char *title)
{
    char path[REPRODUCE_PATH];
    akin_status st = AKIN_OK;
    APP_TRY(reproduce_path(x->a, path, folder, file));
    APP_TRY(akin_matrix_save(x->a->ctx, path, title, x->n, x->n, x->picture));
done:
    return st;
}

/* Pairs of faces that have the same name. */
static akin_status draw_truth(faces *x, const char *folder)
{
    for (int64_t i = 0; i < x->n; ++i)
        for (int64_t j = 0; j < x->n; ++j) {
            const int32_t q = x->names[x->order[i]];
            x->picture[i * x->n + j] =
                q < NAMES && q == x->names[x->order[j]] ? 1.0 : 0.0;
        }
    return save(x, folder, "figure2_truth.svg", "Faces of one name");
}

/* |W| of a method without the diagonal, which is much larger than the rest. */
static akin_status draw_method(faces *x, const char *folder,
                               const akin_options *method, const char *file,
                               const char *title)
{
    akin_naming *naming = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_naming_learn(&naming, x->a->ctx, method, x->known, NULL));
    const double *W = akin_naming_coefficients(naming);
    for (int64_t i = 0; W != NULL && i < x->n; ++i)
        for (int64_t j = 0; j < x->n; ++j) {
            const double w = W[x->order[i] * x->n + x->order[j]];
            x->picture[i * x->n + j] = i == j ? 0.0 : w < 0.0 ? -w : w;
        }
    APP_TRY(save(x, folder, file, title));
done:
    akin_naming_free(naming);
    return st;
}

akin_status naming_pictures(app *a, const char *folder)
{
    const akin_lrr_options lrr = AKIN_LRR_DEFAULTS;
    akin_rlrr_options rlrr = AKIN_RLRR_DEFAULTS;
    faces x = {.a = a};
    akin_status st = AKIN_OK;
    rlrr.gamma = 1.0;
    APP_TRY(open_faces(&x));
    APP_TRY(draw_truth(&x, folder));
    APP_TRY(draw_method(&x, folder, &lrr.head, "figure2_lrr.svg",
                        "Coefficients of LRR"));
    APP_TRY(draw_method(&x, folder, &rlrr.head, "figure2_rlrr.svg",
                        "Coefficients of rLRR"));
done:
    close_faces(&x);
    return st;
}
