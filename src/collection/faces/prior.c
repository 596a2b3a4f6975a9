/* What a collection knows of its faces before they are compared: where captions
 * say that persons are, and how well faces can be seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection/collection.h"
#include "collection/faces/photos.h"
#include "collection/faces/places.h"
#include "data/captions/folded_names.h"
#include "data/captions/shared_names.h"
#include "text/persons/position.h"

/* Faces and placed persons of a photo; where there are more, their places are
 * not used. */
enum { MOST = 256 };

/* ---- positions ---- */

typedef struct prior_work {
    akin_ctx *ctx;
    const ak_catalog *catalog;
    akin_collection *collection;
    const ak_bags *bags;
    ak_folded_names names;  // of the captions, numbered as there
    akin_position positions[MOST];
    int32_t numbers[MOST];  // of the persons at these positions
    int64_t n_placed;
    ak_placed_face faces[MOST];
    double *weights;  // MOST x MOST
    akin_face_weight *list;
    int64_t n, room;
} prior_work;

/* All names, and so the numbers of the captions. */
static akin_status number_names(prior_work *w)
{
    for (int64_t q = 0; q < w->bags->n_names; ++q) {
        const char *text = w->bags->name_texts[q];
        int32_t number;
        AK_CHECK(ak_folded_names_add(&w->names, w->ctx, text, strlen(text),
                                     &number));
    }
    return AKIN_OK;
}

/* -1: the caption of the photo does not have it. */
static akin_status find_name(const prior_work *w, int64_t photo,
                             const char *text, int32_t *number)
{
    const int32_t *names;
    const int64_t n = ak_bags_names(w->bags, photo, &names);
    AK_CHECK(
        ak_folded_names_find(&w->names, w->ctx, text, strlen(text), number));
    for (int64_t k = 0; k < n; ++k)
        if (names[k] == *number)
            return AKIN_OK;
    *number = -1;
    return AKIN_OK;
}

static bool is_placed(const prior_work *w, int32_t number)
{
    for (int64_t k = 0; k < w->n_placed; ++k)
        if (w->numbers[k] == number)
            return true;
    return false;
}

/* The persons whose places the caption gives; those that are no candidates any
 * more still count in lists. *fits: there are not too many. */
static akin_status load_positions(prior_work *w, int64_t photo, int64_t id,
                                  bool *fits)
{
    const ak_sql *sql = &w->catalog->sql;
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    w->n_placed = 0;
    *fits = true;
    AK_TRY(ak_sql_ask(sql, w->ctx, &q,
                      "SELECT name, position FROM caption_names WHERE photo = "
                      "? AND in_picture = 'yes' AND position <> '' ORDER BY "
                      "place",
                      "i", id));
    for (;;) {
        akin_position p;
        int32_t number;
        AK_TRY(ak_sql_next(sql, w->ctx, q, &row));
        if (!row)
            break;
        const char *name = (const char *)sqlite3_column_text(q, 0);
        const char *text = (const char *)sqlite3_column_text(q, 1);
        if (name == NULL || text == NULL)
            AK_TRY(ak_nomem(w->ctx, 0));
        AK_TRY(find_name(w, photo, name, &number));
        if (!ak_position_read(&p, text) ||
            (number >= 0 && is_placed(w, number)))
            continue;
        *fits = w->n_placed < MOST;
        if (!*fits)
            break;
        w->positions[w->n_placed] = p;
        w->numbers[w->n_placed++] = number;
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* *placed is false where a face has no box. */
static akin_status load_faces(prior_work *w, const int64_t *rows, int64_t m,
                              int64_t *id, bool *placed)
{
    *placed = m > 1 && m <= MOST;
    for (int64_t i = 0; i < m && *placed; ++i) {
        akin_face f;
        AK_CHECK(akin_faces_get(&f, w->ctx, w->collection, rows[i]));
        *id = f.photo_id;
        *placed = !isnan(f.x) && !isnan(f.height);
        w->faces[i] = (ak_placed_face){f.x + f.width / 2.0,
                                       f.y + f.height / 2.0, f.height};
    }
    return AKIN_OK;
}

static akin_status add_photo(prior_work *w, int64_t photo)
{
    const int64_t *rows;
    const int64_t m = ak_bags_faces(w->bags, photo, &rows);
    int64_t id = -1;
    bool usable;
    AK_CHECK(load_faces(w, rows, m, &id, &usable));
    if (usable)
        AK_CHECK(load_positions(w, photo, id, &usable));
    if (!usable || w->n_placed == 0)
        return AKIN_OK;
    AK_CHECK(ak_place_weights(w->weights, w->ctx, w->positions, w->n_placed,
                              w->faces, m));
    AK_CHECK(ak_grow(w->ctx, w->n + w->n_placed * m, &w->room, sizeof *w->list,
                     &w->list));
    for (int64_t k = 0; k < w->n_placed * m; ++k)
        if (w->numbers[k / m] >= 0)
            w->list[w->n++] = (akin_face_weight){rows[k % m], w->numbers[k / m],
                                                 w->weights[k]};
    return AKIN_OK;
}

static akin_status add_photos(prior_work *w)
{
    akin_status st = AKIN_OK;
    AK_TRY(number_names(w));
    AK_TRY(AK_NEW(w->ctx, MOST * MOST, &w->weights));
    for (int64_t i = 0; i < w->bags->n_photos; ++i)
        AK_TRY(add_photo(w, i));
done:
    return st;
}

akin_status akin_faces_prior(akin_face_weight **out, int64_t *n, akin_ctx *ctx,
                             akin_collection *c,
                             const akin_supervision *captions)
{
    prior_work *w = NULL;
    akin_status st = AKIN_OK;
    if (captions->kind != AKIN_BAGS)
        return ak_fail(ctx, AKIN_EINVAL, "faces need captions");
    AK_TRY(AK_NEW(ctx, 1, &w));
    w->ctx = ctx;
    w->collection = c;
    w->catalog = &c->catalog;
    w->bags = captions->bags;
    AK_TRY(add_photos(w));
    *out = w->list;
    *n = w->n;
    w->list = NULL;
done:
    if (w != NULL) {
        ak_folded_names_free(&w->names);
        akin_free(w->weights);
        akin_free(w->list);
    }
    akin_free(w);
    return st;
}

/* ---- quality ---- */

static const double full_size = 64.0;  // pixels
static const double straight = 30.0;   // degrees
static const double least = 0.2;

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* What is usual in this collection: pictures that are all enlarged are all
 * blurred, and can be compared well enough. */
static akin_status median_sharpness(akin_ctx *ctx, akin_collection *c,
                                    int64_t n, double *out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *values;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    *out = 0.0;
    AK_TRY(AK_SCRATCH(ctx, n, &values));
    for (int64_t i = 0; i < n; ++i) {
        akin_face f;
        AK_TRY(akin_faces_get(&f, ctx, c, i));
        if (!isnan(f.sharpness))
            values[count++] = f.sharpness;
    }
    qsort(values, (size_t)count, sizeof *values, by_value);
    if (count > 0)
        *out = values[count / 2];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Small, much more blurred than half of the others, or turned away. */
static double quality_of(const akin_face *f, double sharpness)
{
    double q = 1.0;
    if (isnan(f->width))
        return q;
    q *= fmin(fmin(f->width, f->height) / full_size, 1.0);
    if (f->sharpness < sharpness / 2.0)
        q *= f->sharpness / (sharpness / 2.0);
    if (fabs(f->turn) > straight)
        q *= straight / fabs(f->turn);
    return fmax(q, least);
}

akin_status akin_faces_quality(double *quality, akin_ctx *ctx,
                               akin_collection *c)
{
    double sharpness;
    AK_CHECK(median_sharpness(ctx, c, c->n_items, &sharpness));
    for (int64_t i = 0; i < c->n_items; ++i) {
        akin_face f;
        AK_CHECK(akin_faces_get(&f, ctx, c, i));
        quality[i] = quality_of(&f, sharpness);
    }
    return AKIN_OK;
}
